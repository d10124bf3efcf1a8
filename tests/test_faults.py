"""Faults outside a command: full disks, closed pipes, links, files that vanish.

Each row of `docs/faults.md` has its test here, named by the row.
"""

import errno
import io
import os
import re
import socket
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import pytest

import test_archive
import test_cli
import test_lawcache
import test_sources
from command import commanded
from files import ROOT
from oddtrick.cli.common import UsageError, needs_files
from oddtrick.law.compile import compile_laws
from oddtrick.law.files import write_atomic
from oddtrick.limits import COPY, LIMITS, PAGE
from oddtrick.record import sources
from oddtrick.record.sources import LARGEST
from oddtrick.terminal import Screen, write_data

RECORD = (ROOT / "laws" / "records" / "made-up-rubber-1927.hand").read_text("utf-8")
UNTIDY = RECORD.replace("dealer south", "dealer   south", 1)

Fault = Callable[[Path, pytest.MonkeyPatch], None]


def judged(home: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Check files followed by one that is in order, which is judged nevertheless."""
    (home / "fine.hand").write_text(RECORD, "utf-8")
    done = commanded("check", *files, "fine.hand", cwd=home)
    assert "3 records" in done.stdout
    return done


def refused(home: Path, name: str, why: str) -> None:
    """A file is reported as unreadable, with the reason, and the other is judged."""
    done = judged(home, name)
    assert done.returncode == 2
    assert "notation.cannot-open" in done.stdout
    assert why in done.stdout
    assert done.stderr == ""


def alone(home: Path) -> list[str]:
    """What else remains in a folder: the temporary file of a process that was killed."""
    return [p.name for p in home.iterdir() if p.name.startswith(".oddtrick")]


def untidy(home: Path) -> Path:
    """A record that `format` would rewrite."""
    path = home / "untidy.hand"
    path.write_text(UNTIDY, "utf-8")
    return path


# --- files that are read --------------------------------------------------------------------------


def no_file(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "dangling.hand").symlink_to("gone.hand")
    refused(home, "none.hand", "No such file or directory.")
    refused(home, "dangling.hand", "No such file or directory.")
    drawn = commanded("sheet", "none.hand", cwd=home)
    assert (drawn.returncode, drawn.stdout) == (2, "")
    assert "notation.cannot-open" in drawn.stderr
    assert "neither" not in drawn.stderr


def vanishes(home: Path, patch: pytest.MonkeyPatch) -> None:
    opened = Path.open

    def gone(path: Path, *given: Any, **named: Any) -> IO[Any]:
        if path.name == "gone.hand":
            path.unlink()
        return opened(path, *given, **named)

    (home / "all").mkdir()
    (home / "all" / "gone.hand").write_text(RECORD, "utf-8")
    patch.setattr(Path, "open", gone)
    refused(home, "all", "No such file or directory.")


def empty_folder(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "empty").mkdir()
    refused(home, "empty", "There is no .hand, .pbn or .lin file in this folder.")


def link_to_itself(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "loop.hand").symlink_to("loop.hand")
    refused(home, "loop.hand", "Too many levels of symbolic links.")


DEEP = 1400
"""Nested folders: deeper than Python's recursion limit, and longer than a path may be."""


def folder_without_bottom(home: Path, patch: pytest.MonkeyPatch) -> None:
    here = home / "deep"
    (here / "near").mkdir(parents=True)
    (here / "near" / "fine.hand").write_text(RECORD, "utf-8")
    (here / "loop").symlink_to(here)
    patch.chdir(here)
    for _ in range(DEEP):
        os.mkdir("aa")  # noqa: PTH102
        os.chdir("aa")
    os.chdir(home)
    done = commanded("check", "deep", cwd=home)
    os.chdir(here)
    for _ in range(DEEP):
        os.chdir("aa")
    for _ in range(DEEP):  # neither pytest nor `shutil.rmtree` can go so deep
        os.chdir("..")
        os.rmdir("aa")  # noqa: PTH106
    assert done.returncode == 2
    assert done.stdout.count("File name too long.") == 1
    assert "3 records in 2 files" in done.stdout


def impossible_name(home: Path, patch: pytest.MonkeyPatch) -> None:
    refused(home, "a" * 300 + ".hand", "File name too long.")


def name_in_bytes(home: Path, patch: pytest.MonkeyPatch) -> None:
    name = os.fsdecode(b"caf\xe9.hand")
    (home / name).write_text("deal 1\nnonsense\n", "utf-8")
    assert "caf\\xe9.hand:2" in commanded("check", name, cwd=home).stdout
    assert "caf\\udce9.hand" in commanded("check", "--format", "json", name, cwd=home).stdout
    assert "caf%E9.hand" in commanded("check", "--format", "sarif", name, cwd=home).stdout


def reads_a_pipe(home: Path, patch: pytest.MonkeyPatch) -> None:
    os.mkfifo(home / "pipe.hand")
    writer = threading.Thread(target=lambda: (home / "pipe.hand").write_text(RECORD, "utf-8"))
    writer.start()
    done = commanded("check", "pipe.hand", cwd=home)
    writer.join(60)
    assert "3 records in 1 file" in done.stdout


def without_end(home: Path, patch: pytest.MonkeyPatch) -> None:
    refused(home, "/dev/zero", f"The input has more than {LARGEST:,} bytes")
    for call in (
        ("check", "--from", "pbn", "/dev/zero"),
        ("score", "/dev/zero"),
        ("convert", "--to", "pbn", "/dev/zero", "-"),
    ):
        done = commanded(*call, cwd=home)
        assert done.returncode == 2
        assert f"has more than {LARGEST:,} bytes" in done.stdout + done.stderr
    patch.setattr(sources, "LARGEST", 1000)
    given = RECORD.encode()[:1000]
    assert "more than" not in commanded("check", given=given).stdout
    assert "more than 1,000 bytes" in commanded("check", given=given + b"#").stdout


def without_end_to_keep(home: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("ODDTRICK_DATA", str(home / "data"))
    for call, more in (("format", LARGEST), ("sources add", COPY.most)):
        done = commanded(*call.split(), "/dev/zero", cwd=home)
        assert done.returncode == 2
        assert f" has more than {more:,} bytes" in done.stderr
    assert list(home.iterdir()) == []


def folder_for_a_book(home: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("ODDTRICK_DATA", str(home / "data"))
    (home / "book.txt").mkdir()
    done = commanded("sources", "add", "book.txt", cwd=home)
    assert (done.returncode, done.stderr) == (2, "oddtrick sources: book.txt: Is a directory\n")
    assert not (home / "data").exists()


# --- files that are written -----------------------------------------------------------------------


def raising(error: BaseException) -> Callable[..., None]:
    """A function that raises."""

    def raises(*_: object, **__: object) -> None:
        raise error

    return raises


def full_disk(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    patch.setattr(os, "fsync", raising(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    done = commanded("format", path.name, cwd=home)
    assert (done.returncode, done.stderr) == (
        2,
        "oddtrick format: untidy.hand: No space left on device\n",
    )
    assert path.read_text("utf-8") == UNTIDY
    assert alone(home) == []


def stopped_while_writing(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    for name in ("chmod", "replace"):
        with pytest.MonkeyPatch.context() as now:
            now.setattr(Path, name, raising(KeyboardInterrupt()))
            done = commanded("format", path.name, cwd=home)
        assert (done.returncode, done.stderr) == (130, "\noddtrick: stopped.\n")
        assert path.read_text("utf-8") == UNTIDY
        assert alone(home) == []


def killed_while_writing(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    code = (
        "import os, signal, sys; from oddtrick.law.files import write_atomic; "
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL); write_atomic(sys.argv[1], 'new')"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=False, timeout=600)
    assert done.returncode < 0
    assert path.read_text("utf-8") == UNTIDY
    assert len(alone(home)) == 1


def two_at_once(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = home / "one.txt"
    texts = [letter * 100_000 for letter in "abcd"]
    threads = [
        threading.Thread(target=lambda t=text: [write_atomic(path, t) for _ in range(3)])  # type: ignore[misc]
        for text in texts
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert path.read_text("utf-8") in texts
    assert alone(home) == []


def into(home: Path, target: str) -> tuple[int, str]:
    """The exit status and output of converting a record into a target."""
    (home / "from.hand").write_text(RECORD, "utf-8")
    done = commanded("convert", "--to", "hand", "from.hand", target, cwd=home)
    assert alone(home) == []
    return done.returncode, done.stderr


def into_a_folder(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "folder").mkdir()
    assert into(home, "folder") == (2, "oddtrick convert: folder: Is a directory\n")
    assert list((home / "folder").iterdir()) == []


def into_a_folder_of_others(home: Path, patch: pytest.MonkeyPatch) -> None:
    site = pytest.importorskip("oddtrick.site")
    theirs = home / "site" / "letter.txt"
    theirs.parent.mkdir()
    theirs.write_text("dear", "utf-8")
    said = commanded("site", "build", "--out", str(theirs.parent), cwd=home)
    assert (said.returncode, said.stdout) == (2, "")
    assert "site contains other files, which would be removed" in said.stderr
    assert site.build(theirs) == 2
    assert site.write_pages(theirs.parent) == 2
    assert site.build(ROOT / "site_overrides") == 2
    assert theirs.read_text("utf-8") == "dear"
    assert sorted(p.name for p in home.iterdir()) == ["site"]


def address_in_use(home: Path, patch: pytest.MonkeyPatch) -> None:
    render = pytest.importorskip("oddtrick.site.render")
    run = render._mkdocs
    with socket.create_server(("127.0.0.1", 0)) as taken:
        at = f"127.0.0.1:{taken.getsockname()[1]}"
        patch.setattr(render, "_mkdocs", lambda *given: run(*given, "--dev-addr", at))
        patch.setattr("mkdocs.commands.serve.build", lambda *_, **__: None)
        done = commanded("site", "serve", cwd=home)
    assert done.returncode == 2
    assert done.stderr.endswith("oddtrick: Address already in use\n")


def into_no_folder(home: Path, patch: pytest.MonkeyPatch) -> None:
    assert into(home, "no/where") == (2, "oddtrick convert: no/where: No such file or directory\n")


def for_reading_alone(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    path.chmod(0o444)
    done = commanded("format", path.name, cwd=home)
    assert (done.returncode, done.stderr) == (
        2,
        "oddtrick format: untidy.hand: Permission denied\n",
    )
    assert path.read_text("utf-8") == UNTIDY


def through_a_link(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    (home / "link.hand").symlink_to(path.name)
    done = commanded("format", "link.hand", cwd=home)
    assert (done.returncode, done.stdout) == (0, "link.hand rewritten.\n")
    assert (home / "link.hand").is_symlink()
    assert path.read_text("utf-8") != UNTIDY


def through_a_dangling_link(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "link.hand").symlink_to("made.hand")
    assert into(home, "link.hand") == (0, "")
    assert (home / "link.hand").is_symlink()
    assert (home / "made.hand").is_file()


def into_a_loop(home: Path, patch: pytest.MonkeyPatch) -> None:
    (home / "loop").symlink_to("loop")
    said = "oddtrick convert: loop: Too many levels of symbolic links\n"
    assert into(home, "loop") == (2, said)
    assert (home / "loop").is_symlink()


def into_a_pipe(home: Path, patch: pytest.MonkeyPatch) -> None:
    os.mkfifo(home / "pipe")
    come: list[bytes] = []
    reader = threading.Thread(target=lambda: come.append((home / "pipe").read_bytes()))
    reader.start()
    assert into(home, "pipe") == (0, "")
    reader.join(60)
    assert b'rubber "An evening in 1927"\n' in come[0]
    assert (home / "pipe").is_fifo()


def keeps_permissions(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = untidy(home)
    path.chmod(0o640)
    if os.getuid() == 0:
        os.chown(path, 1234, 1234)
    before = path.stat()
    (home / "other.hand").hardlink_to(path)
    assert commanded("format", path.name, cwd=home).returncode == 0
    after = path.stat()
    kept = [(s.st_mode, s.st_uid, s.st_gid) for s in (before, after)]
    assert kept[0] == kept[1]
    assert (home / "other.hand").read_text("utf-8") == UNTIDY


def format_of_no_text(home: Path, patch: pytest.MonkeyPatch) -> None:
    path = home / "bytes.hand"
    for data in (UNTIDY.encode() + b"\xff", UNTIDY.encode("utf-16"), UNTIDY.encode() + b"\0\n"):
        path.write_bytes(data)
        done = commanded("format", path.name, cwd=home)
        assert done.returncode == 2
        assert "notation.not-text" in done.stderr
        assert "bytes.hand is unchanged." in done.stderr
        assert path.read_bytes() == data


def pipe_among_the_laws(home: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("ODDTRICK_CACHE", str(home / "cache"))
    (home / "laws").mkdir()
    os.mkfifo(home / "laws" / "vocabulary.yaml")
    assert "it is not a file" in str(compile_laws(home / "laws").problems[0])
    (home / "laws" / "vocabulary.yaml").unlink()
    assert "copy the whole folder laws/" in str(compile_laws(home / "laws").problems[0])


# --- the terminal ---------------------------------------------------------------------------------


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A shell command in which `oddtrick` is the program."""
    program = f"'{sys.executable}' -m oddtrick"
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("oddtrick", program)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        timeout=600,
    )


def full_answer(home: Path, patch: pytest.MonkeyPatch) -> None:
    done = shell("oddtrick law contract-1927:10 >/dev/full")
    assert (done.returncode, done.stderr) == (2, "oddtrick: No space left on device\n")


def closed_output(home: Path, patch: pytest.MonkeyPatch) -> None:
    done = shell("oddtrick law contract-1927:10 >&-")
    assert (done.returncode, done.stderr) == (0, "")


def closed_input(home: Path, patch: pytest.MonkeyPatch) -> None:
    done = shell("oddtrick check <&-")
    assert (done.returncode, done.stderr) == (2, "")
    assert "The file is empty." in done.stdout


def nobody_types(home: Path, patch: pytest.MonkeyPatch) -> None:
    class Keyboard(io.StringIO):
        def isatty(self) -> bool:
            return True

    patch.setattr(sys, "stdin", Keyboard())
    with pytest.raises(UsageError, match="which file"):
        needs_files(Namespace(files=[]))


def without_utf_8(home: Path, patch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    patch.setattr(sys, "stdout", Screen(io.TextIOWrapper(held, "ascii", write_through=True)))
    sys.stdout.write("♠ 10 “\n")
    write_data('{"♠": 1}')
    assert held.getvalue() == b"\\u2660 10 \\u201c\n" + '{"♠": 1}'.encode()


def stopped(home: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("oddtrick.cli.check.archive", raising(KeyboardInterrupt()))
    done = commanded("check", "laws/examples", cwd=ROOT)
    assert (done.returncode, done.stderr) == (130, "\noddtrick: stopped.\n")


def deals_without_end(home: Path, patch: pytest.MonkeyPatch) -> None:
    many = "timeout 100 oddtrick deal --code contract-1927 --seed 1 --count 100000000000000000000"
    done = shell(f"{many} | head -n 1")
    assert (done.stdout, done.stderr) == ("deal 1\n", "")


TESTED: dict[str, Fault | Callable[..., None]] = {
    "no such file, a dangling link": no_file,
    "a file that vanishes while a folder is read": vanishes,
    "a folder without records": empty_folder,
    "a link that leads to itself": link_to_itself,
    "a folder that is too deep": folder_without_bottom,
    "an impossible file name": impossible_name,
    "a name that is not UTF-8": name_in_bytes,
    "a pipe in place of a file": reads_a_pipe,
    "an endless device or pipe (`/dev/zero`)": without_end,
    "an endless device given to `format` or attached as a book": without_end_to_keep,
    "a book that is a folder": folder_for_a_book,
    "the disk is full": full_disk,
    "Ctrl-C while a file is written": stopped_while_writing,
    "killed while a file is written": killed_while_writing,
    "two processes write one file": two_at_once,
    "a folder in place of the file": into_a_folder,
    "a folder with other files for the site": into_a_folder_of_others,
    "an address in use for `site serve`": address_in_use,
    "a folder that does not exist": into_no_folder,
    "a read-only file": for_reading_alone,
    "a link to a file": through_a_link,
    "a link to nothing": through_a_dangling_link,
    "writing to a link that leads to itself": into_a_loop,
    "a pipe or a device": into_a_pipe,
    "permissions and owner of a file": keeps_permissions,
    "a file to `format` that is not text": format_of_no_text,
    "a pipe or a device among the law data": pipe_among_the_laws,
    "the disk to which the output is written is full": full_answer,
    "standard output is closed": closed_output,
    "standard input is closed": closed_input,
    "no file is named and nothing is typed": nobody_types,
    "a terminal without UTF-8 (`LANG=C`)": without_utf_8,
    "Ctrl-C": stopped,
    "more deals than can be stored (`deal --count 100000000000000000000`)": deals_without_end,
}
"""The rows, each with its test here."""

ELSEWHERE = {
    "the reader of a pipe stops early": test_cli.test_output_into_a_closed_pipe_is_quiet,
    "no terminal": test_cli.test_there_is_no_colour_in_a_pipe,
    "a worker is killed": test_archive.test_a_killed_process_is_an_error_that_says_what_to_do,
    "a cache or home folder that cannot be written": (
        test_lawcache.test_a_cache_that_cannot_be_written_is_done_without
    ),
    "out-of-date compiled files in the cache": (
        test_lawcache.test_a_change_of_the_law_data_is_noticed
    ),
    "a compiled file that is cut off or is not JSON": (
        test_lawcache.test_a_damaged_file_is_made_anew
    ),
    "an attached book that is damaged": (
        test_sources.test_a_broken_file_in_the_data_folder_is_passed_over
    ),
    "law data that are broken": test_lawcache.test_broken_law_data_is_reported_and_not_kept,
}
"""The rows that are tested elsewhere, with the module concerned."""


@pytest.mark.parametrize("fault", TESTED)
def test_a_fault_is_said_and_nothing_is_lost(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    TESTED[fault](tmp_path, monkeypatch)


def test_every_row_of_the_table_is_tested_and_every_limit_is_that_of_the_program() -> None:
    text = (ROOT / "docs" / "faults.md").read_text("utf-8")
    faults, _, limits = text.partition("## Limits")
    rows = re.findall(r"^\| ([^|]+) \|", faults, re.MULTILINE)
    assert {r for r in rows if r not in ("fault", "---")} == {*TESTED, *ELSEWHERE}
    assert limits.split("\n\n")[2] == limit_table()
    page = (ROOT / "site_overrides" / "assets" / "page.js").read_text("utf-8")
    assert f"LARGEST = {PAGE.most:_}" in page


def limit_table() -> str:
    """The limits of the program as documented."""
    rows = ["| quantity | limit | beyond it |", "| --- | --- | --- |"]
    for limit in LIMITS:
        most = f"{limit.most:,}"
        said = re.sub(r"{\w+}", "...", limit.beyond.replace("{most}", f"{limit.most:,}"))
        rows.append(f"| {limit.of} | {most} | {said} |")
    return "\n".join(rows)
