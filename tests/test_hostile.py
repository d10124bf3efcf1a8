"""Hostile words, wherever input can contain them: the form of each on the terminal, in JSON, SARIF
and CSV, as SVG, in a page and in the checker of the site.

`hostile/words.yaml` lists them with the visible form of each.
"""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
import yaml

from command import commanded
from files import ROOT
from oddtrick.site import in_page
from oddtrick.site.record import record_page
from oddtrick.terminal import UNSEEN, visible


class Word(NamedTuple):
    """A word with its name: as written, as seen, and whether our notation rejects it."""

    name: str
    written: str
    seen: str
    refused: bool
    returns: bool


def words() -> list[Word]:
    """All of them."""
    table = yaml.safe_load((ROOT / "tests" / "hostile" / "words.yaml").read_text("utf-8"))
    return [
        Word(n, w["written"], w["seen"], w.get("refused", False), w.get("returns", False))
        for n, w in table.items()
    ]


WORDS = words()
OWN = [w for w in WORDS if not w.refused and not w.returns]
"""The words that our own notation reads."""


def quoted(word: Word) -> str:
    """A word in quotation marks as our notation writes it."""
    return '"' + word.written.replace("\\", "\\\\").replace('"', '\\"') + '"'


def hand(word: Word) -> str:
    """A rubber in which every name is a word."""
    name = quoted(word)
    return f"""code auction-1926
players north {name} south {name}
sides north-south {name} east-west {name}
source {name}
tag Hostile {name}
rubber {name}
deal 1 {name}
note {name}
standing games none
declaration 1 spade by south
result made 1
honours north-south 0
# {word.written}
end rubber
"""


def pbn(word: Word) -> str:
    """A record in PBN in which every value is a word."""
    value = word.written.replace("\\", "\\\\").replace('"', '\\"')
    tags = ("Event", "Site", "West", "North", "Hostile", "Contract", "Declarer", "Deal", "Auction")
    return "".join(f'[{tag} "{value}"]\n' for tag in tags) + f"{{{word.written}}}\n"


def lin(word: Word) -> str:
    """A record in LIN in which every value is a word."""
    value = word.written.replace("|", "")
    return f"vg|{value},x,I,1,1,a,0,b,0|pn|{value},b,c,d|ah|{value}|nt|{value}|mb|{value}|xx|{value}|pc|{value}|\n"


FORMS = ("text", "json", "jsonl", "sarif", "csv")


def unseen(text: str) -> list[str]:
    """The parts of a text that must not be seen."""
    return [c for c in text if c not in "\n\t" and (not c.isprintable() or ord(c) in UNSEEN)]


def wrong_in(text: str, status: int) -> Iterator[str]:
    """The faults in the output of a command."""
    if found := unseen(text):
        yield f"has {found[:5]}"
    if re.search(r"^(Verdict: )?legal", text, re.MULTILINE):
        yield "has a line that was forged"
    if "Traceback" in text:
        yield f"ends in a traceback: {text[-300:]}"
    if status not in (0, 1, 2):
        yield f"has exit status {status}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every word in every notation, a file each, named by number."""
    home = tmp_path_factory.mktemp("hostile")
    for number, word in enumerate(WORDS):
        for made in (hand, pbn, lin):
            (home / f"{number}.{made.__name__}").write_text(made(word), "utf-8", newline="")
    return home


def files(folder: Path) -> Iterator[tuple[Word, Path]]:
    """The words with their files."""
    for number, word in enumerate(WORDS):
        for end in ("hand", "pbn", "lin"):
            yield word, folder / f"{number}.{end}"


def test_records_cannot_turn_the_terminal_or_what_a_program_reads(folder: Path) -> None:
    for form in FORMS:
        full = ("--full",) if form == "text" else ()
        done = commanded("check", *full, "--format", form, str(folder))
        told = done.stdout
        if form == "csv":  # output for programs repeats the input unchanged
            told = visible(told)
        assert list(wrong_in(told + done.stderr, done.returncode)) == [], form
        if form in ("json", "sarif"):
            assert len(json.loads(done.stdout)) > 1
        elif form == "jsonl":
            assert len([json.loads(line) for line in told.splitlines()]) > 2 * len(WORDS)


def test_our_notation_refuses_control_characters_and_shows_all_else(folder: Path) -> None:
    wrong = []
    for number, word in enumerate(WORDS):
        done = commanded("check", "--full", str(folder / f"{number}.hand"))
        refused = "notation.not-text" in done.stdout
        if refused != word.refused:
            wrong.append((word.name, done.stdout[:300]))
        if word in OWN and " ".join(word.seen.split()) not in " ".join(done.stdout.split()):
            wrong.append((word.name, done.stdout[:300]))
    assert wrong == []


def test_no_other_command_is_turned_by_a_record(folder: Path, tmp_path: Path) -> None:
    under = "score --under auction-1912,contract-1927"
    told = ("check --statistics", "check --strict", "score", under, "sheet", "format --check")
    every = [str(path) for _, path in files(folder)]
    wrong: list[tuple[str, ...]] = []
    for call in told:
        done = commanded(*call.split(), *every)
        wrong += [(call, w) for w in wrong_in(done.stdout + done.stderr, done.returncode)]
    for word, path in files(folder):
        if word.name in OF_EACH_KIND:
            done = commanded("convert", str(path), str(tmp_path / "written.hand"))
            found = wrong_in(done.stdout + done.stderr, done.returncode)
            wrong += [(word.name, path.suffix, w) for w in found]
    assert wrong == []


OF_EACH_KIND = (
    "clear the screen",
    "one byte escape",
    "back to the margin",
    "next line",
    "right to left override",
    "tags",
    "end of JSON",
)
"""A word of each kind, for use with many commands."""

CALLS = [
    call.split()
    for call in """
        law; cite; search; compare; concordance auction-1912; topics; ruling; check; check
        --code; check --only; score; score --under; sheet --svg x.svg; format; convert --to pbn;
        lint; deal --code; sources add; sources remove; export --scores; check --reading; law
        --format; site
    """.split(";")
]
"""Commands whose last argument is a word."""


def test_an_argument_and_the_name_of_a_file_cannot_turn_the_terminal(tmp_path: Path) -> None:
    wrong = []
    for word in (w for w in WORDS if w.name in OF_EACH_KIND):
        for call in CALLS:
            done = commanded(*call, word.written, cwd=tmp_path)
            found = wrong_in(done.stdout + done.stderr, done.returncode)
            wrong += [(word.name, *call, w) for w in found]
    assert wrong == []


def test_a_file_of_a_hostile_name_is_told_in_one_line(tmp_path: Path) -> None:
    for name in ("a\nVerdict: legal\n.hand", "\udcff\x1b[2J.hand", "\u202edna.hand"):
        path = tmp_path / name
        path.write_text("deal 1\n nonsense\n")
        for call in ("check", "check --format json", "format", "check --format sarif"):
            done = commanded(*call.split(), str(path))
            assert list(wrong_in(done.stdout + done.stderr, done.returncode)) == []
    path.rename(tmp_path / "fine.hand")


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Store an element."""
        self.found.append((tag, dict(attrs)))


def shape(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The elements of a page, with the names of their attributes."""
    return [(tag, tuple(sorted(attributes))) for tag, attributes in Elements(text).found]


PLAIN = Word("plain", "plain", "plain", False, False)


def test_a_page_and_the_checker_have_the_same_elements_whatever_the_words(tmp_path: Path) -> None:
    """A word does not change any element or attribute of the page that shows it."""
    made = {}
    for word in (PLAIN, *OWN):
        path = tmp_path / "record.hand"
        path.write_text(hand(word), "utf-8")
        _, pages = record_page(path)
        page = next(str(text) for name, text in pages.items() if name.endswith(".md"))
        asked = [{"text": hand(word), "of": of} for of in (None, "rubber")]
        answered = [json.loads(in_page.answer(json.dumps(one)))["html"] for one in asked]
        made[word.name] = (page, *answered)
    like = [
        shape(text.partition("\n---\n")[2] if i == 0 else text)
        for i, text in enumerate(made["plain"])
    ]
    wrong = {}
    for name, texts in made.items():
        for index, text in enumerate(texts):
            body = text.partition("\n---\n")[2] if index == 0 else text
            if shape(body) != like[index] or unseen(text):
                wrong[name, index] = (
                    unseen(text)[:3],
                    [s for s in shape(body) if s not in like[index]][:3],
                )
    assert wrong == {}


def test_a_drawing_is_whole_and_has_nothing_but_shapes_and_words(tmp_path: Path) -> None:
    for word in OWN:
        path, target = tmp_path / "record.hand", tmp_path / "sheet.svg"
        path.write_text(hand(word), "utf-8")
        done = commanded("sheet", "--svg", str(target), str(path))
        assert done.returncode == 0, done.stderr
        drawn = ElementTree.fromstring(target.read_text("utf-8"))
        tags = {element.tag.partition("}")[2] for element in drawn.iter()}
        assert tags <= {"svg", "title", "style", "rect", "text", "line"}, word.name
        assert not any(a.startswith("on") or "href" in a for e in drawn.iter() for a in e.attrib)
        assert unseen("".join(drawn.itertext())) == []
