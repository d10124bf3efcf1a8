"""The search of the site: it ranks as the command does, and its files are small enough."""

import gzip
import json
import shutil
import subprocess
import zlib
from typing import Any

import pytest

from files import table
from oddtrick.book.disputes import find
from oddtrick.book.search import search
from oddtrick.paths import folder
from oddtrick.site.search import search_pages

SCRIPT = """
import { readFileSync } from "node:fs";
import { answers, cited, sought } from %s;
const { one, other, told, asked, citing } = JSON.parse(readFileSync(0));
const data = { ...one, ...other, docs: [...one.docs, ...other.docs], postings: { ...one.postings, ...other.postings } };
const laws = (places) => places.map((n) => data.docs[n]).filter(([kind]) => kind === "law").map(([, at]) => at).slice(0, 12);
const first = (places) => places.findIndex((n) => data.docs[n][0] === "law");
const before = (places) => places.slice(0, first(places) < 0 ? undefined : first(places)).map((n) => data.docs[n][1]).slice(0, 12);
console.log(JSON.stringify({
  told: told.map((words) => sought(one, words, "bridge-elwell")),
  asked: asked.map((words) => laws(answers(data, words).order)),
  before: asked.map((words) => before(answers(data, words).order)),
  tonight: ["revoke", "revoke in 1926"].map((words) => laws(answers(data, words, "bridge-1904").order)),
  cited: citing.map((words) => laws(cited(data, words))),
}));
"""
CITED = {
    "1912 law 84b": "auction-1912:84.b",
    "26g2 1926": "auction-1926:26.g.2",
    "auction 84": "auction-1912:84.a",
    "bridge 61": "bridge-elwell:61",
    "Contract law 10": "contract-1927:10.1",
    "1927 10": "contract-1927:10.1",
    "decision 9": "auction-1912:decision.9",
    "auction-1912:84.b": "auction-1912:84.b",
    "law 26(g)(2) of 1926": "auction-1926:26.g.2",
    "Auction 1908 law 63": "bridge-1904:63.1",
    "Auction 1908 law 61": "auction-1908:61",
}


WITH_PAGES = {
    "only in Royalton": None,
    "doubles only in the code of 1926": None,
    "only in no trump": "topics/odd-tricks/",
    "which code has bridging": "topics/bridging/",
    "what was dropped in 1926?": "concordance/auction-1912--auction-1926/",
    "new in contract": "concordance/auction-1926--contract-1927/",
    "what changed from 1912 to 1926": "concordance/auction-1912--auction-1926/",
    "a card dropped in the deal": None,
    "doubtful readings about revokes": "codes/bridge-1904/readings/#consulting-dummy-on-a-revoke",
    "decision 8 on called cards": None,
    "decisions": "decisions/",
    "an evening of bridge in 1908": "codes/auction-1908/evening/",
    "how to write a deal": "notation/",
    "exposed card": "topics/exposed-by-declarer/",
    "which code first counted undertricks": "topics/undertricks/#first",
    "the penalty for looking at a trick came in": "topics/looking-at-tricks/#first",
    "history of the revoke penalty": "topics/revoke-penalty/",
    "royalton honours count": None,
}
"""Questions that call for more than a law, each with the first document above the laws, if any."""


@pytest.fixture(scope="module")
def parts() -> tuple[dict[str, Any], dict[str, Any]]:
    """The index in its two files."""
    made = search_pages()
    one, other = (
        json.loads(gzip.decompress(bytes(made[f"assets/{name}.json.gz"])))
        for name in ("search", "search-laws")
    )
    return one, other


def questions() -> list[str]:
    known = [q["ask"] for qs in table("search_questions_second")["questions"].values() for q in qs]
    return [
        *known[::10],
        *WITH_PAGES,
        *(q["ask"] for kind in ("history", "named") for q in table("search_questions")[kind]),
        "insuficient bid",
        '"third hand"',
        "Duplicate 1912 penalty for the revoke",
        "exposed card",
        "exposed card duplicate 1912",
        "Auction 1908 law 63",
        "Auction 1908",
        "no-trump honours",
        "1915 nullo",
        "xyzzy",
        "what is it",
    ]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_page_ranks_as_the_command_does(parts: tuple[dict[str, Any], dict[str, Any]]) -> None:
    tellings = table("tellings_b")
    told = [t["ask"] for length in tellings.values() for t in length][::6]
    told += ["", "♠ 3NT doubled!", "constructor __proto__", "he said: “I’ve none”", "bake a cake"]
    told += ["What is a royal bid?", "what's dummy", "revok", "he leed out of tern", "a dealt crad"]
    facts = table("tellings_facts")
    told += [t["said"] for t in facts["tellings"]]
    asked = questions()
    script = SCRIPT % json.dumps((folder("site_overrides") / "assets" / "search.js").as_uri())
    given = {
        "one": parts[0],
        "other": parts[1],
        "told": told,
        "asked": asked,
        "citing": list(CITED),
    }
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    there = json.loads(done.stdout)
    for words, found in zip(told, there["told"], strict=True):
        here = find(words, "bridge-elwell")
        assert [f["id"] for f in found["found"]] == [f.irregularity for f in here.found], words
        assert [[list(x.values()) for x in f["facts"]] for f in found["found"]] == [
            [list(x) for x in f.facts] for f in here.found
        ]
        assert [(f["second"], f["absent"]) for f in found["found"]] == [
            (f.second, f.absent) for f in here.found
        ], words
        assert [t["id"] for t in found["topics"]] == list(here.topics), words
        assert (found["asked"], found["fits"]) == (here.asked, here.fits), words
    for words, laws, before in zip(asked, there["asked"], there["before"], strict=True):
        hits, others = search(words, limit=20), search(words).others
        own = [h.address for h in hits if h.score < 1000]
        assert laws == own[:12], words
        if len(own) == len(hits):
            assert before == [o.url for o in others][:12], words
    assert [laws[0].partition(":")[0] for laws in there["tonight"]] == [
        "bridge-1904",
        "auction-1926",
    ]
    assert {w: laws[0] for w, laws in zip(CITED, there["cited"], strict=True)} == CITED


def test_the_index_is_small_enough_for_a_page(parts: tuple[dict[str, Any], dict[str, Any]]) -> None:
    sizes = [
        len(zlib.compress(json.dumps(p, ensure_ascii=False, separators=(",", ":")).encode(), 9))
        for p in parts
    ]
    assert sizes[0] < 160_000
    assert sizes[1] < 430_000


def test_a_question_for_more_than_a_law_is_answered() -> None:
    for question, url in WITH_PAGES.items():
        first = next((o.url for o in search(question).others), None)
        assert first == url, question
    assert {h.address.code for h in search("only in Royalton")} == {"royalton-1915"}
    assert search("royalton honours count")[0].address == "royalton-1915:85"
    assert search("decision 8 on called cards")[0].address == "auction-1912:decision.8"
