"""PBN: every construct of the standard, the variations in real files, and conversion both ways.

The content of each text is written beside it in our own notation, in `pbn/*.yaml`.
"""

import io
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import deals as any_deal
import plain_games
from conftest import tried
from dirty_pbn import CASES, archive
from files import table
from oddtrick.cards import SEATS
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Severity
from oddtrick.judge.rubber import check_document
from oddtrick.record.deal import Comment, Deal, Place, Unreadable, card_spans
from oddtrick.record.hand.read import read_text
from oddtrick.record.hand.write import quoted, write_hand
from oddtrick.record.pbn.reader import read_pbn
from oddtrick.record.pbn.write import lost, write_pbn
from oddtrick.record.sources import read_paths, read_stream
from oddtrick.report.tally import NO_FAULT

SAMPLES = Path(__file__).parent / "pbn"


def cases(name: str) -> list[Any]:
    """The cases of a file with their names."""
    found = table(f"pbn/{name}")
    return [pytest.param(c, id=c["name"]) for c in found]


def read(text: str | bytes) -> tuple[list[Deal], list[Unreadable]]:
    """The deals of a text, and the parts that could not be read."""
    items = list(read_pbn([text.encode() if isinstance(text, str) else text]))
    return [i for i in items if isinstance(i, Deal)], [
        i for i in items if isinstance(i, Unreadable)
    ]


def found_in(item: Unreadable) -> tuple[str, int, int]:
    """The rule, the line and the column of a finding, as the cases have them."""
    return item.rule.removeprefix("notation.pbn-"), *item.place[:2]


def one(text: str | bytes) -> Deal:
    """The only deal of a text that can be read completely."""
    (deal,), found = read(text)
    assert not found, [f.message for f in found]
    return deal


def of_hand(text: str) -> Deal:
    """The deal of a text in our own notation."""
    document = read_text(text)
    assert document.unreadable == ()
    (deal,) = document.items
    return deal


def written(*deals: Deal) -> str:
    return "".join(write_pbn(deals))


def in_words(deals: Iterable[Deal]) -> str:
    """Deals in our own notation without blank lines, the first without its name if it has none."""
    words = re.sub(r"\n\n+", "\n", write_hand(deals)).rstrip("\n")
    return words.removeprefix('deal "record 1"').removeprefix("\n")


def facts(deal: Deal, *left_out: str) -> dict[str, Any]:
    return {n: v for n, v in any_deal.facts(deal).items() if n not in (*left_out, "assumed", "id")}


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", cases("read") + cases("samples"))
def test_a_text_says_what_stands_beside_it(case: dict[str, Any]) -> None:
    sample = SAMPLES / f"{case['name']}.pbn"
    deals, found = read(case["pbn"] if "pbn" in case else sample.read_bytes())
    assert in_words(deals) == case.get("hand", "")
    assert [found_in(f) for f in found] == [tuple(f) for f in case.get("found", [])]
    assumed = [words for deal in deals for words, _ in deal.assumed]
    wanted = case.get("assumed", assumed)
    assert wanted in (assumed, len(assumed))


def test_comments_keep_what_they_belong_to() -> None:
    text = """{ before } [Event "x"] { event } [Dealer "N"] ; dealer
[Auction "N"] {auction}
1C {one} ! {two} Pass $25 AP
[Play "E"] {play}
SA S2 {second} S3 S4 HA {fifth}
"""
    assert [(c.text, c.anchor) for c in one(text).comments] == [
        ("before", ("deal",)),
        ("event", ("deal",)),
        ("dealer", ("deal",)),
        ("auction", ("bidding",)),
        ("one", ("bidding", 0)),
        ("two", ("bidding", 0)),
        ("$25", ("bidding", 1)),
        ("play", ("play",)),
        ("second", ("play", 0, 1)),
        ("fifth", ("play", 1, 0)),
    ]


def test_places_point_into_the_file() -> None:
    deal = one(
        '\n\n[Dealer "N"]\n[Deal "N:AK.Q.. - - -"]\n[Auction "N"]\n1C  Pass\n[Play "E"]\nSA S2\n'
    )
    stated, text = dict(deal.stated), deal.source.text
    assert deal.place == Place(3, 1, 8, 6)
    assert deal.source.place(stated["dealer",]) == Place(3, 10, 3, 11)
    assert [text[slice(*s)] for s in card_spans(deal, SEATS[0])] == ["A", "K", "Q"]
    assert [deal.source.place((n, n + 1))[:2] for n in deal.call_starts] == [(6, 1), (6, 5)]
    assert [deal.source.place((n, n + 1))[:2] for n in deal.card_starts] == [(8, 1), (8, 4)]


def test_a_bad_record_costs_no_other() -> None:
    good = '[Event "{}"]\n[Dealer "N"]\n[Auction "N"]\n1C AP\n[Play "E"]\nSA S2 S3 S4\n*\n'
    before, behind = good.format("before"), good.format("behind")
    for (case,) in (p.values for p in cases("read")):
        if "found" in case or "assumed" in case:
            deals, _ = read(f"{before}\n{case['pbn']}\n\n{behind}")
            assert len(deals) in (3, 4), case["name"]
            for deal, text in ((deals[0], before), (deals[-1], behind)):
                assert facts(deal, "unused") == facts(one(text), "unused"), case["name"]


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"], ids=["LF", "CRLF", "CR", "CRCRLF"])
@pytest.mark.parametrize("case", cases("begins"))
def test_records_begin(case: dict[str, Any], end: str) -> None:
    lines = [d.place.line for d in read(case["pbn"].replace("\n", end))[0]]
    # If every line is followed by an empty one, most records are still separated correctly.
    assert lines[0] in (1, 3) if end == "\r\r\n" else lines == case["begins"]


def test_any_pieces_of_the_file_give_the_same_records() -> None:
    data = (SAMPLES / "clean.pbn").read_bytes()
    pieces = [[data[i : i + n] for i in range(0, len(data), n)] for n in (1, 2, 3, 7, 1000)]
    whole, *others = [
        [(facts(i), i.place) if isinstance(i, Deal) else i for i in read_pbn(source)]
        for source in (io.BytesIO(data), *pieces, data.splitlines(keepends=True))
    ]
    assert all(other == whole for other in others)


GOOD = b'[Event "good"]\n[Dealer "N"]\n[Auction "N"]\n1C AP\n'
LONG = [b"x" * 65536] * 160


def noise(size: int) -> list[bytes]:
    return [Random(size).randbytes(65536) for _ in range(size // 65536)]


GARBAGE: dict[str, tuple[Callable[[], Iterable[bytes]], int]] = {
    "nothing": (lambda: [], 0),
    "a prose text": (lambda: [b"Dear sir,\n\nI am no bridge player.\n"], 0),
    "noise": (lambda: noise(1 << 21), 0),
    "noise between records": (lambda: [GOOD, b"\n", *noise(1 << 20), b"\n\n", GOOD], 2),
    "a line of ten megabytes": (lambda: [GOOD, *LONG, b"\n\n", GOOD], 2),
    "a tag of ten megabytes": (lambda: [GOOD, b'\n[Event "', *LONG, b'"]\n\n', GOOD], 2),
    "zeros": (lambda: [bytes(65536)] * 32, 0),
    "empty lines": (lambda: [b"\n" * 65536] * 4, 0),
    "brackets": (lambda: [b"[\n" * 32768] * 2, 0),
    "braces": (lambda: [b"{\n" * 32768] * 4, 0),
    "a record that never ends": (lambda: [GOOD, *[b"1C Pass Pass\n" * 4096] * 16, b"\n", GOOD], 2),
    "words in a play": (lambda: [b'[Play "N"]\n', *[b"foo bar\n" * 4096] * 16, b"\n", GOOD], 2),
    "a comment that swallows records": (lambda: [GOOD, b"{ open\n\n", *[GOOD + b"\n"] * 20], 21),
    "an archive": (lambda: [b"PK\x03\x04" + bytes(range(256)) * 40], 0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_said_and_never_raised(name: str) -> None:
    pieces, records = GARBAGE[name]
    items = list(read_pbn(pieces(), "garbage.pbn"))
    found = [i for i in items if isinstance(i, Unreadable)]
    good = [i for i in items if isinstance(i, Deal) and i.tag("event") == "good"]
    assert len(good) >= records - 1 if records else not good
    assert len(found) < 200
    assert all(f.source.name == "garbage.pbn" and len(f.message) < 200 for f in found)


@tried(1.5)
@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_an_exception(data: bytes) -> None:
    list(read_pbn([data]))


def test_the_line_that_is_quoted_is_the_one_that_is_counted(tmp_path: Path) -> None:
    # Of all the characters that end a line in other formats, only these do so in PBN.
    text = '[Event "a\x85b\u2028c\x1cd\x0be"]\r[Site "x"]\r\n[Vulnerable "perhaps"]\n'
    latin = text.replace("\u2028", "").encode("latin-1")
    path = tmp_path / "a.pbn"
    for data in (text.encode(), latin, text.encode("utf-16")):
        path.write_bytes(data)
        streams = [read_stream(io.BytesIO(data), "-", None)] if data[:1] == b"[" else []
        for source in (*read_paths([str(path)]), *streams):
            (found,) = (i for i in source.items if isinstance(i, Unreadable) and i.unclear)
            assert (found.place.line, "".join(found.source.quoted(found.span))) == (
                3,
                '[Vulnerable "perhaps"]',
            )


# --- judged ---------------------------------------------------------------------------------------


def judged(text: str | bytes, code: str, *only: str) -> list[Check]:
    """The checks of the deals of a text."""
    found = check_document([*read(text)[0]], code, None, only or ("declaring", "play", "score"))
    return [c for c in found if isinstance(c, Check)]


@pytest.mark.parametrize(
    "code", ["auction-1908", "auction-1912", "royalton-1915", "auction-1926", "contract-1927"]
)
def test_an_irregularity_that_the_record_marks_is_settled(code: str) -> None:
    # PBN 2.1, 3.9: insufficient and out of turn, "accepted by the opponents"; a revoke "without
    # being noticed in time"; declarer and dummy swapped. Without the marks the revoke is irregular.
    data = (SAMPLES / "accepted.pbn").read_bytes()
    for text, alarms in ((data, []), (data.replace(b"^R ", b""), ["play.revoke"])):
        found = [f for c in judged(text, code, "declaring", "play") for f in c.findings]
        assert [f.rule for f in found if f.severity.value not in NO_FAULT] == alarms
        notes = {f.rule for f in found if f.severity is Severity.NOTE}
        assert {"declaring.insufficient-bid", "declaring.out-of-turn"} <= notes


def test_legal_games_bring_no_alarm() -> None:
    # No rubber is required; only the play after a `*` is missing.
    checks = judged(plain_games.pbn(), plain_games.CODE)
    assert len(checks) == plain_games.NUMBER
    assert {f.rule for c in checks for f in c.findings} <= {"record.no-play"}


def test_dirt_of_every_kind_is_found_where_it_is_and_nothing_else() -> None:
    data, dirt = archive(4 * len(CASES))
    assert [found_in(u) for u in read(data)[1]] == dirt
    assert len(CASES) > 30


# --- there and back -------------------------------------------------------------------------------


def test_the_clean_sample_is_written_as_it_stands() -> None:
    data = (SAMPLES / "clean.pbn").read_bytes()
    assert written(*read(data)[0]).encode() == data


@tried(0.5)
@given(any_deal.deals())
def test_a_deal_comes_back_as_from_our_own_notation(deal: Deal) -> None:
    text = written(deal)
    again = one(text)
    if deal.first_caller is deal.dealer:
        # PBN always names the seat, even the dealer's.
        deal, again = deal._replace(first_caller=None), again._replace(first_caller=None)
    assert facts(again, "tags") == facts(deal, "tags")
    assert sorted(again.tags) == sorted(deal.tags)
    assert lost(deal._replace(incidents=())) == ()  # irregularities come back, but unmarked
    once_more = written(again)
    assert written(*read(once_more)[0]) == once_more


SIGNS = """[ ] " { } ; % =1= $1 $999999999 ^S ^I ^ * + - # ## AP Pass 1C SA \\ é"""
LINES = """[Play "N"]
[Auction "S"]
[Event "x"]
[Deal "N:A... - - -"]
[Note "1:x"]
[OddtrickHand ""]
deal 3
bidding
play
north: ♠A
...
hands
east ♠ A ...
irregularity revoke
tag A "[{;"
all pass
"""
PIECES = st.sampled_from([*SIGNS.split(), "\n", "\n\n", " ", *LINES.splitlines(keepends=True)])


@tried(1)
@given(st.lists(PIECES, max_size=30))
def test_any_mixture_is_read_written_and_read_again(pieces: list[str]) -> None:
    for deal in read("".join(pieces))[0]:
        (again,), _ = read(written(deal))
        left_out = ("tags", "unused", "comments")
        assert facts(again, *left_out) == facts(deal, *left_out)


HOSTILE = [
    *"""[ ] { } ; % " \\" \\ \\\\ # * + ^S =1= ${ [OddtrickHand""".split(),
    *('[Event "y"]', "{ }", "% PBN 2.1", '"]\n\n[Event "y"]', "a\n[Board", "a\r\n\r\n%", '" ; {'),
    *('" # [Deal "N:- - - -"]', '"] {', "deal 2", 'x"\ndeal 2', "\u2028[", "\x85[", "\x0b"),
    *("{x}", "# x", "=1=", "|mb|7N|", "‘’“”", "a\tb", "a  b", " a", "a ", "\ta\t", "end rubber"),
    *("a:b", "...", "x\n", "ſ", "-", "?", "!", "|", "", "'", "“", "code x", "##", "$1"),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_in_a_statement_is_read_as_pbn(text: str) -> None:
    word = quoted(text)
    deal = of_hand(f"""deal {word}
option {quoted(text.lower())}
source {word}
event {word}
venue {word}
scorer {word}
note {word}
tag "odd {word[1:-1]}" {word}
players north {word}
sides north-south {word}
table {word}
irregularity revoke of {word} remedy {word} when {word} note {word}
bidding
  1 royal spade {word}
  irregularity {word} note {word}
  all pass
play
  (north ♠A! {word})
  west: ♣K {word}
""")
    other = of_hand('deal 2\nsource "b"\ndealer south\n')
    (again, behind), found = read(written(deal, other))
    assert not found
    assert facts(again, "tags") == facts(deal, "tags")
    assert set(deal.tags) <= set(again.tags)
    assert (again.id, behind.id, behind.tag("source")) == (deal.id, "deal 2", "b")


# --- writing --------------------------------------------------------------------------------------


def test_the_export_format() -> None:
    lines = written(of_hand("deal 1\ndealer west\nhands\n  north ♠A ♥- ♦- ♣-\n")).split("\r\n")
    assert lines[:3] == ["% PBN 2.1", "% EXPORT", "%Content-type: text/x-pbn; charset=UTF-8"]
    names = "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer"
    assert [line.split()[0][1:] for line in lines[3:18]] == [*names.split(), "Contract", "Result"]
    assert lines[13] == '[Deal "W:- A... - -"]'
    assert lines[-1] == ""


def test_other_programs_see_what_the_standard_can_say() -> None:
    text = written(
        of_hand("""deal 1
dealer south
bidding
  1 spade, all pass
declaration 1 spade by south
play
  west: ♥2 ♥A ♥3 ♥4
  ♠K ♠2 ♠A ♠3
result 2 odd
score NS trick 18 honour 30
""")
    )
    assert '[Auction "S"]\r\n1S AP\r\n' in text
    # North won the first trick and leads the second; the columns stay those of the first leader.
    assert '[Play "W"]\r\nH2 HA H3 H4\r\nS3 SK S2 SA\r\n*\r\n' in text
    assert '[Result "8"]' in text
    assert '[ScoreRubber "NS 30/18"]' in text
    # The play was written in its order, and not in columns.
    statements = text.partition('[OddtrickHand ""]')[2].split("\r\n")[1:]
    assert statements == [
        "deal 1",
        "play",
        "  west: ♥2 ♥A ♥3 ♥4",
        "  ♠K ♠2 ♠A ♠3",
        "result 2 odd",
        "",
    ]


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"comments": (Comment("x", ("nowhere",), "after"),)}, "the position of a comment"),
        ({"comments": (Comment("}", ("bidding", 0), "after"),)}, "braces"),
        ({"unused": (("???", (0, 0)),)}, "???"),
    ],
)
def test_what_is_lost_is_named(changed: dict[str, Any], what: str) -> None:
    deal = of_hand("deal 1\nbidding\n  pass\n")._replace(**changed)
    (said,) = lost(deal)
    assert what in said
    assert len(read(written(deal))[0]) == 1


def test_comments_come_back() -> None:
    deal = of_hand("""deal 1
code auction-1912
event "x"
dealer north
hands
  north ♠A ♥- ♦- ♣-
bidding from north
  1 club, all pass
declaration 1 club by north
play in columns from east
  ♥2 ♥A ♥3 ♥4
score NS trick 6 6
""")
    anchors = "deal;tag 0;dealer;hands;code;bidding;bidding 1;declaration;play;play 0 2;score 0"
    comments = set()
    for name, *path in map(str.split, anchors.split(";")):
        anchor = (name, *map(int, path))
        where = "before" if name == "deal" else "after"
        comments.add(Comment(f"to {name}\nand more {{", anchor, where))
    again = one(written(deal._replace(comments=tuple(comments))))
    # What belongs to no call or card belongs to the deal.
    kept = [c.anchor[0] in ("bidding", "play") for c in comments]
    assert {(c.text, c.anchor, c.where) for c in again.comments} == {
        (c.text, c.anchor, c.where) if is_kept else (c.text, ("deal",), "before")
        for c, is_kept in zip(comments, kept, strict=True)
    }
