"""The built site as `golden.py` writes it down: what each page shows, the search, the files."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path


def built(raw: Path) -> dict[str, str]:
    """Build the site; what is said of it, without its folders and without how much was new."""
    command = [sys.executable, "-m", "oddtrick", "site", "build", "--out", str(raw)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    told = f"{done.stdout}--- standard error\n{done.stderr}--- status {done.returncode}\n"
    told = re.sub(r"\S*/docs, \d+ of them", "DOCS, N of them", told.replace(str(raw), "SITE"))
    return {"key": "site build", "text": told}


BLOCKS = set(
    "address article aside blockquote body button caption dd details dialog div dl dt fieldset"
    " figure footer form h1 h2 h3 h4 h5 h6 head header hr html label legend li link main meta nav"
    " ol option p pre progress script section select style summary svg table tbody td template"
    " textarea tfoot th thead title tr ul br g path text rect line".split()
)
"""Elements that begin a line of their own in what is compared."""


class Seen(HTMLParser):
    """A page as lines: its text and, sorted, every attribute but `class` and `style`."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The attributes of an element, and a new line where it is a block."""
        kept = sorted(f'{k}="{v}"' if v else k for k, v in attrs if k not in ("class", "style"))
        self.parts += ["\0"] * (tag in BLOCKS) + ([f"<{' '.join([tag, *kept])}>"] if kept else [])

    def handle_endtag(self, tag: str) -> None:
        """A new line after a block."""
        self.parts += ["\0"] * (tag in BLOCKS)

    def handle_data(self, data: str) -> None:
        """Text; its white space is made alike at the end."""
        self.parts.append(data.replace("\0", ""))


def pages(raw: Path) -> Iterator[dict[str, str]]:
    """Every page: what is seen of it, and a digest of it all; but not the checker's size."""
    for path in sorted(raw.rglob("*.html")):
        page = re.sub(r"\d+\.\d MB|(?<=oddtrick\.zip\": )\d+", "SIZE", path.read_text("utf-8"))
        seen = Seen()
        seen.feed(page)
        seen.close()
        lines = (" ".join(line.split()) for line in "".join(seen.parts).split("\0"))
        text = "\n".join(filter(None, lines)) + "\n"
        digest = hashlib.sha256(page.encode()).hexdigest()
        yield {"key": path.relative_to(raw).as_posix(), "text": text, "digest": digest}


def searched(raw: Path) -> Iterator[dict[str, str]]:
    """Every entry of the search index."""
    for path in sorted(raw.rglob("search_index.json")):
        index = json.loads(path.read_text("utf-8"))
        count: Counter[str] = Counter()
        for entry in index.pop("docs"):
            count[entry["location"]] += 1
            key = f"{entry['location']} ({count[entry['location']]})"
            yield {"key": key, "text": in_lines(entry)}
        yield {"key": "the index", "text": in_lines({"rest": index, "order": list(count)})}


def in_lines(value: object) -> str:
    """JSON that can be compared line by line."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True)


def files(raw: Path) -> Iterator[dict[str, str]]:
    """Every other file: text, or a digest; of the checker's zip what is no module of ours."""
    for path in sorted(p for p in raw.rglob("*") if p.is_file()):
        data, name = path.read_bytes(), path.relative_to(raw).as_posix()
        if name.endswith((".html", "search_index.json")):
            continue
        if name.endswith("oddtrick.zip"):
            with zipfile.ZipFile(path) as packed:
                names = sorted(n for n in packed.namelist() if not re.match(r"oddtrick/.*\.py$", n))
                digests = [hashlib.sha256(packed.read(n)).hexdigest() for n in names]
            text = "".join(f"{n} {digest}\n" for n, digest in zip(names, digests, strict=True))
        else:
            data = gzip.decompress(data) if name.endswith(".gz") else data
            text = hashlib.sha256(data).hexdigest()
            with suppress(UnicodeDecodeError):
                text = data.decode() if b"\0" not in data else text
        yield {"key": name, "text": text}
