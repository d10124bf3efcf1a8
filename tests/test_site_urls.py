"""No address of the site disappears: pages and fragments, against a list that only grows.

Only the fragment of the title of a dispute or of a law follows its words: it leads to the top of
the page. Also a program: `test_site_urls.py SITE` adds the new addresses of a built site to the list.
"""

import re
import sys
from pathlib import Path

LIST = Path(__file__).resolve().parent / "site_urls.txt"
PARTED = {
    "rule-one-pack-to-cut": "1926:5.1 is on drawing from a spread pack",
    "rule-wrong-dealer": "Royalton 25 is on offences of 24 (f), and its 25.2 on the wrong pack",
    "rule-slam-on-lost-contract": "little slam bid and grand slam made is no lost contract",
    "rule-premiums-not-doubled": "Royalton 88 is on slams and 1926:40.2 on honours",
    "rule-fairness-in-claiming": "1926:48 (a), (b) allow a finesse, not what one has learnt",
    "rule-telling-earlier-bids": "Royalton 42.3 is on dummy telling the declarer",
    "rule-revoke-established": "Duplicate 65 is on turning and quitting any trick",
    "rule-no-emphasis": "Royalton's etiquette 15 is on drawing or touching a card",
}
"""Parallels that contained provisions about different matters in some of their codes, according to
a later comparison with the books, with the reason. Their pages remain without the mark of the rule.
"""

FORWARD = re.compile(r'data-forward="\.\./([^"]+)"')
"""The page to which one of two codes in reverse order leads, with its fragment."""

OURS = re.compile(r'\bid="([^"]+)"')

FORM = {"cmp-list-one", "cmp-list-other", "cmp-provisions", "cmp-result"}
"""The parts of a form for two provisions that the comparison no longer has."""

EXAMPLE = re.compile(r"(kept-)?line-\d+")
"""A line of the example on the page of a finding, which is not promised: examples improve."""


def listed() -> dict[str, set[str]]:
    """The pages of the list, each with its fragments."""
    rows = (line.split(" ") for line in LIST.read_text("utf-8").splitlines())
    return {page: {f for f in fragments if f} for page, *fragments in rows}


def addresses(site: Path) -> dict[str, set[str]]:
    """The pages of a built site, each with its fragments."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        page = path.relative_to(site).as_posix().removesuffix("index.html")
        if page != "404.html":
            text = path.read_text("utf-8")
            way = FORWARD.search(text)
            ids = OURS.findall(text)
            if way:
                ids += OURS.findall((path.parent.parent / way[1] / "index.html").read_text("utf-8"))
            found[page] = {i for i in ids if not i.startswith(("__", "searchbox"))}
    return found


def test_every_address_that_was_is(built: Path) -> None:
    now = addresses(built)
    gone = [page for page in listed() if page not in now]
    assert gone == []
    lost = {page: fs - now[page] - {*PARTED} - FORM for page, fs in listed().items()}
    for page in lost:
        if page.startswith("rules/"):
            lost[page] = {f for f in lost[page] if not EXAMPLE.fullmatch(f)}
    assert {page: fs for page, fs in lost.items() if fs} == {}


if __name__ == "__main__":
    known = listed()
    for page, fragments in addresses(Path(sys.argv[1])).items():
        known[page] = known.get(page, set()) | fragments
    lines = (" ".join([page, *sorted(fragments)]) for page, fragments in sorted(known.items()))
    LIST.write_text("\n".join(lines) + "\n", "utf-8")
