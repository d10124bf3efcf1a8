"""Our own notation: what is read, what is said of what cannot be read, and that writing loses
nothing.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import tried
from lawbook import judged_codes
from oddtrick.cards import PACK, PRINTED_SUITS, SEATS, Card, Seat, Side, Suit
from oddtrick.law.yaml import read as read_yaml
from oddtrick.record.deal import Event, Source
from oddtrick.record.documents import (
    Document,
    read_document,
    read_text,
    records,
    write_document,
    write_hand,
)
from oddtrick.record.hand.grammar import (
    MOST_FACTS,
    Stopped,
    _Meaning,
    explained,
    malformed,
    parse,
    parser,
)
from oddtrick.record.hand.read import read_statements, statements
from oddtrick.record.hand.words import BLOCK, DENOMINATIONS, OPENING, SECTIONS, Malformed, Statement
from oddtrick.record.hand.write import bid_words
from oddtrick.record.model import (
    NOWHERE,
    RULES,
    Call,
    Comment,
    Declaration,
    Group,
    Hand,
    Header,
    HonoursClaim,
    Incident,
    Place,
    Played,
    Record,
    Result,
    ScoreClaim,
    SideFigures,
    Stated,
    TableClaim,
    Trick,
)

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "notation"
WHOLE = ROOT / "tests" / "whole_deals"
SAMPLES = (
    sorted(HERE.glob("*.hand"))
    + sorted(WHOLE.glob("*.hand"))
    + sorted((ROOT / "laws" / "records").rglob("*.hand"))
)
BLOCKS = re.findall(
    r"^```hand\n(.*?)^```",
    (ROOT / "docs" / "notation.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)
CASES: list[dict[str, Any]] = read_yaml((HERE / "malformed.yaml").read_text("utf-8"))

quick = tried(0.5)


def bare(value: Any) -> Any:
    """A value without its places, all the way down."""
    if isinstance(value, Place):
        return NOWHERE
    if isinstance(value, Hand):
        value = replace(value, places=())
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: bare(getattr(value, f.name)) for f in fields(value) if f.init}
        )
    if isinstance(value, tuple):
        values = tuple(bare(v) for v in value)
        # Statements may stand in any order and are written in one: a comment goes with what it
        # belongs to.
        comments = bool(values) and all(isinstance(v, Comment) for v in values)
        return tuple(sorted(values, key=lambda c: str(c.anchor))) if comments else values
    return value


def deal(*lines: str) -> Record:
    """The record of a deal with these lines, which must be readable."""
    document = read_text("deal 1\n" + "\n".join(lines))
    assert document.unreadable == ()
    (record,) = document.items
    assert isinstance(record, Record)
    return record


def call(text: str) -> Call:
    """The one call of a text."""
    (found,) = deal("bidding", text).bidding or ()
    return found


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", BLOCKS, ids=lambda t: t.split("\n")[0])
def test_every_example_of_the_document_is_readable_and_keeps_its_meaning(text: str) -> None:
    document = read_text(text)
    assert document.unreadable == ()
    assert bare(read_text(write_document(document))) == bare(document)


@pytest.mark.shipped
def test_the_document_has_an_example_of_every_code() -> None:
    named = {r.code.value for text in BLOCKS for r in records(read_text(text)) if r.code}
    assert named == set(judged_codes())


@pytest.mark.parametrize(
    ("written", "card"),
    [
        *((w, Card(Suit.SPADES, "A")) for w in ("♠A", "SA", "sa", "♤A", "♠ A", "♠\ufe0fA")),
        *((w, Card(Suit.HEARTS, "T")) for w in ("♥10", "H10", "HT", "ht", "♡10")),
        *((w, Card(Suit.DIAMONDS, "J")) for w in ("♦J", "dj", "DKn", "♢Knave", "dknave")),
        *((w, Card(Suit.CLUBS, "K")) for w in ("♣K", "ck", "♧K")),
        *((str(c), c) for c in PACK),
        *((c.code, c) for c in PACK),
        ("-", None),
    ],
)
def test_a_card_is_read(written: str, card: Card | None) -> None:
    (trick,) = deal("play", written).play or ()
    assert [p.card for p in trick.cards] == [card]


@pytest.mark.parametrize(
    "written", ["A♠", "AS", "♠1", "♠11", "S", "♠", "SX", "♠AK", "XA", "10", "♠B", "SAx"]
)
def test_what_is_no_card_is_not_read_as_one(written: str) -> None:
    assert read_text(f"deal 1\nplay\n{written}\n").unreadable


@pytest.mark.parametrize(
    ("written", "number", "denomination"),
    [
        *(
            (w, 2, "diamonds")
            for w in ("2D", "2d", "2♦", "2 ♦", "2 diamonds", "two diamonds", "2 diamond", "2♢")
        ),
        *(
            (w, 1, "no-trump")
            for w in (
                "1NT",
                "1N",
                "1nt",
                "1 no-trump",
                "one no trump",
                "1 no trumps",
                "1 no-trumps",
            )
        ),
        *(
            (w, 3, "royal-spades")
            for w in ("3R", "3 royals", "3 royal spades", "three royal spade", "3 royal ♠")
        ),
        *((w, 3, "hearts-royal") for w in ("3 hearts royal", "3H royal", "3♥ royal")),
        *((w, 2, "nullo") for w in ("2 nullo", "2 nullos", "two nullos")),
        *((w, 2, "nullo-royal") for w in ("2 nullos royal", "2 nullo royal")),
        ("2 no trumps royal", 2, "no-trump-royal"),
        ("8 hearts", 8, "hearts"),
        ("0 clubs", 0, "clubs"),
        ("99 spades", 99, "spades"),
        ("1S", 1, "spades"),
        ("1C", 1, "clubs"),
    ],
)
def test_a_bid_is_read(written: str, number: int, denomination: str) -> None:
    assert bare(call(written)) == Call("bid", number, denomination)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        *((w, "pass") for w in ("pass", "no bid", "no-bid", "no", "P", "NO BID")),
        *((w, "double") for w in ("double", "X", "x")),
        *((w, "redouble") for w in ("redouble", "re-double", "XX", "xx")),
        ("all pass", "all-pass"),
        ("challenge", "challenge"),
        ("pass to partner", "pass-to-partner"),
        ("may I lead", "may-i-lead"),
        ("yes", "yes"),
        ("satisfied", "satisfied"),
        ("...", "unrecorded"),
        ("…", "unrecorded"),
    ],
)
def test_a_call_is_read(written: str, kind: str) -> None:
    assert bare(call(written)) == Call(kind)


@pytest.mark.parametrize(
    "written",
    ["2", "hearts", "2 hearts pas", "pass to", "all", "may lead", "100 hearts", "1S1", "2SX"],
)
def test_what_is_no_call_is_not_read_as_one(written: str) -> None:
    assert read_text(f"deal 1\nbidding\n{written}\n").unreadable


@pytest.mark.parametrize("denomination", DENOMINATIONS)
@pytest.mark.parametrize("number", [1, 2])
def test_every_denomination_is_read_as_it_is_written(denomination: str, number: int) -> None:
    assert bare(call(bid_words(number, denomination))) == Call("bid", number, denomination)
    assert bare(call(f"make {bid_words(None, denomination)}")) == Call("make", None, denomination)


def test_denominations_have_the_words_of_the_vocabulary() -> None:
    vocabulary = read_yaml((ROOT / "laws" / "vocabulary.yaml").read_text("utf-8"))
    assert {d["id"]: (d["one"], d["label"]) for d in vocabulary["denominations"]} == DENOMINATIONS


@pytest.mark.parametrize(
    ("written", "cards", "small", "partial"),
    [
        ("♠ A K 10 ♥ 2", "SA SK ST H2", "", False),
        ("♠AK10 ♥2", "SA SK ST H2", "", False),
        ("SAKT H2", "SA SK ST H2", "", False),
        ("S AK T, H 2", "SA SK ST H2", "", False),
        ("hearts 2 spades 10 A K", "SA SK ST H2", "", False),
        ("SA SK ST H2", "SA SK ST H2", "", False),
        (": ♠ Kn knave ♥ - ♦ x x A", "SJ SJ DA", "D2", False),
        ("♠ - ♥ x ...", "", "S0 H1", True),
        ("…", "", "", True),
    ],
)
def test_a_hand_is_read(written: str, cards: str, small: str, partial: bool) -> None:
    ((seat, hand),) = deal("hands", f"north {written}").hands
    assert seat is Seat.NORTH
    assert " ".join(c.code for c in hand.cards) == cards
    assert hand.small == tuple((Suit(s[0]), int(s[1:])) for s in small.split())
    assert hand.partial is partial
    assert len(hand.places) == len(hand.cards)


@pytest.mark.parametrize(
    ("written", "declaration"),
    [
        ("4 spades by south", Declaration(4, "spades", 0, Seat.SOUTH)),
        ("4S redoubled by S", Declaration(4, "spades", 2, Seat.SOUTH)),
        ("hearts by north", Declaration(None, "hearts", 0, Seat.NORTH)),
        ("hearts doubled 3 times by north", Declaration(None, "hearts", 3, Seat.NORTH)),
        ("2 nullos doubled by west bridged", Declaration(2, "nullo", 1, Seat.WEST, bridged=True)),
        ("1NT doubling unknown", Declaration(1, "no-trump")),
        ("by east", Declaration(declarer=Seat.EAST)),
        ("passed out", Declaration(passed_out=True)),
    ],
)
def test_a_declaration_is_read(written: str, declaration: Declaration) -> None:
    assert bare(deal(f"declaration {written}").declaration) == declaration


@pytest.mark.parametrize(
    ("written", "field", "value"),
    [
        ("standing games 1 all", "standing_games", SideFigures(1, 1)),
        ("standing games none", "standing_games", SideFigures(0, 0)),
        ("standing honor EW 350", "standing_honour", SideFigures(None, 350)),
        ("vulnerable north-south", "vulnerable", Stated(frozenset({Side.NS}))),
        ("vulnerable both", "vulnerable", Stated(frozenset(Side))),
        ("vulnerable all", "vulnerable", Stated(frozenset(Side))),
        ("vulnerable none", "vulnerable", Stated(frozenset())),
        ("table 2", "table", Stated("2")),
        ("original play", "playing", Stated("original")),
        ("result nine tricks", "result", Result("tricks", 9)),
        ("result 1 odd trick", "result", Result("odd", 1)),
        ("result down 2", "result", Result("down", 2)),
        ("honours NS 4 in one hand", "honours", (HonoursClaim(Side.NS, 4, 4),)),
        ("honours NS 5, 4 in one hand", "honours", (HonoursClaim(Side.NS, 5, 4),)),
        ("honors NS four", "honours", (HonoursClaim(Side.NS, 4),)),
        ("chicane EW", "chicane", (Stated(Side.EW),)),
        (
            "score NS trick 36 honour 30 100 EW honor 0",
            "scores",
            (
                ScoreClaim(Side.NS, "trick", (36,)),
                ScoreClaim(Side.NS, "honour", (30, 100)),
                ScoreClaim(Side.EW, "honour", (0,)),
            ),
        ),
    ],
)
def test_a_statement_is_read(written: str, field: str, value: object) -> None:
    assert bare(getattr(deal(written), field)) == value


def test_an_irregularity_belongs_to_what_stands_above_it() -> None:
    record = deal(
        "irregularity first",
        "bidding",
        "pass, 1 heart",
        "irregularity second",
        "play",
        "irregularity third",
        "♠A (♠2 irregularity fourth) ♠3",
        "irregularity fifth",
        "south claims the rest",
        "irregularity sixth",
        "result 9 tricks",
        "irregularity seventh",
    )
    assert record.bidding is not None
    assert record.play is not None
    assert [i.name for i in record.incidents] == ["first", "third", "seventh"]
    assert [[i.name for i in c.incidents] for c in record.bidding] == [[], ["second"]]
    assert [[i.name for i in c.incidents] for c in record.play[0].cards] == [
        [],
        ["fourth"],
        ["fifth"],
    ]
    assert [i.name for i in record.table_claims[0].incidents] == ["sixth"]


def test_places_are_those_of_the_words() -> None:
    text = 'deal 1\ndealer south\nhands\n  north ♠ A 10 ♥ K\nbidding\n  1 heart! "x", west: 2NT\nplay\n  (east ♥2) ♣3\n'
    (record,) = records(read_text(text))
    lines = text.splitlines()

    def words(place: Place) -> str:
        assert place.line == place.end_line
        return lines[place.line - 1][place.column - 1 : place.end_column - 1]

    assert record.dealer is not None
    assert words(record.dealer.place) == "south"
    assert [words(p) for p in record.hands[0][1].places] == ["A", "10", "K"]
    assert [words(c.place) for c in record.bidding or ()] == ["1 heart", "west: 2NT"]
    assert [words(p.place) for t in record.play or () for p in t.cards] == ["♥2", "♣3"]


def test_what_is_stated_above_holds_below() -> None:
    text = """
        code auction-1926
        option one
        note "all"
        players north "A" east "B"
        rubber
        players east "C"
        deal 1
        option two
        note "here"
        deal 2
        code contract-1927
        players north "D"
        end rubber
    """
    document = read_text(text)
    first, second = records(document)
    assert first.code is not None
    assert first.code.value == "auction-1926"
    assert [o.value for o in first.options] == ["two", "one"]
    assert first.tags == (("note", "here"), ("note", "all"))
    assert first.players == ((Seat.NORTH, "A"), (Seat.EAST, "C"))
    assert second.code is not None
    assert second.code.value == "contract-1927"
    assert second.options == ()
    assert second.players == ((Seat.NORTH, "D"), (Seat.EAST, "C"))
    assert write_document(document).count("auction-1926") == 1


# --- what is said of what cannot be read ----------------------------------------------------------

PIECES = [(message, piece) for message, pieces in malformed() for piece in pieces]


def statement_of(line: str, section: str) -> Statement:
    """The statement on a line. Raises `Malformed` with what is reported of it."""
    text = f"{line}\n"
    try:
        ((statement, _, _),) = parse(text, (0, len(text)), section)
    except Stopped as stopped:
        raise explained(stopped, text, 0, section) from None
    return statement


def said_of(piece: str) -> Malformed | None:
    """What is said of the last line of a piece of a file; `None` where it is readable."""
    *before, last = piece.split("\n")
    if not last:
        return None
    try:
        statement_of(last, SECTIONS[before[0]] if before else BLOCK)
    except Malformed as error:
        return error
    return None


def test_every_malformed_piece_has_its_message() -> None:
    assert len(PIECES) > 150
    otherwise = {}
    for message, piece in PIECES:
        error = said_of(piece)
        pattern = re.escape(message).replace(re.escape("{word}"), r"\S+")
        said = error.message if error else ""
        if not re.fullmatch(pattern + r"( Did you mean `[\w-]+`\?)?", said):
            otherwise[piece] = said
    assert otherwise == {}


@pytest.mark.parametrize("case", CASES, ids=[c["name"] for c in CASES])
def test_a_malformed_file_is_told_exactly_what_is_wrong_and_where(case: dict[str, Any]) -> None:
    document = read_text(case["text"], "a.hand")
    assert [[f.rule, f.place.line, f.place.column, f.message] for f in document.unreadable] == case[
        "findings"
    ]
    damaged = dict.fromkeys(u.about.value for u in document.unreadable if u.about)
    assert [*damaged] == case["unread"]
    assert [i.id if isinstance(i, Record) else i.kind for i in document.items] == case["read"]
    for finding in document.unreadable:
        assert not finding.unclear
        assert finding.file == "a.hand"
        assert finding.rule in RULES
        assert finding.place.end_column > finding.place.column


MEANT: list[dict[str, str]] = read_yaml((HERE / "meant.yaml").read_text("utf-8"))


def unplaced(statement: Statement) -> tuple[str, Any]:
    """A statement without its places."""
    value = statement.value
    return statement.word, value._replace(starts=[]) if statement.word == "calls" else (
        (value[0]._replace(starts=[]), *value[1:]) if statement.word == "trick" else value
    )


def below(under: str, line: str) -> str:
    """A file in which a line stands below what it belongs to."""
    return f"deal 1\n{'' if under == 'deal 1' else under}\n{line}\n"


def test_a_line_as_people_write_it_is_what_the_grammar_reads_or_is_refused_with_the_question() -> (
    None
):
    wrong = []
    for case in MEANT:
        document = read_text(below(case["under"], case["written"]))
        (found,) = document.unreadable
        if "meant" not in case:
            if found.harmless or case["said"] not in found.message:
                wrong.append((case["written"], found.message))
            continue
        if not found.harmless:
            wrong.append((case["written"], found.message))
            continue
        section, _, line = case["meant"].rpartition(" | ")
        plain = read_text(below(section or case["under"], line))
        spelled = found.message.removeprefix("Read as `").removesuffix("`.")
        by_grammar = statement_of(spelled, SECTIONS.get(section, BLOCK))
        meant = statement_of(line, SECTIONS.get(section, BLOCK))
        same = unplaced(by_grammar) == unplaced(meant) and document.items and plain.items
        if not (found.rule == "notation.understood" and same):
            wrong.append((case["written"], found.message))
        elif section and bare(document.items[0]) != bare(plain.items[0]):
            wrong.append((case["written"], write_document(document)))
    assert wrong == []


WITHOUT_DEAL = """# of the evening
code auction-1926
rubber
# of the dealer
Dealer: South
players north "Mr Scott"
bidding
  1 heart, pass, pass, pass
end rubber
"""


def test_the_only_deal_of_a_file_needs_no_line_to_begin_it() -> None:
    document = read_text(WITHOUT_DEAL)
    written = read_text(WITHOUT_DEAL.replace("# of the dealer", "deal 1\n# of the dealer"))
    told = [(u.rule, u.place.line, u.message) for u in document.unreadable]
    assert told == [
        ("notation.understood", 5, "No `deal` before this: read as `deal 1`."),
        ("notation.understood", 5, "Read as `Dealer South`."),
    ]
    assert all(u.about and u.about.value == "deal 1" for u in document.unreadable)
    assert bare(document.items) == bare(written.items)
    assert write_document(document) == write_document(written)
    assert read_text(write_document(document)).unreadable == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # a deal that is begun leaves none to be understood
        ("dealer south\nBoard 2\n", ["deal on line 1"]),
        ("dealer south\n deal 2\n", ["deal on line 1"]),
        # a second deal
        ("dealer south\ndealer west\n", ["deal 1"]),
        ("rubber\ndealer south\nend rubber\nrubber\ndealer west\nend rubber\n", ["deal on line 5"]),
        # a mistake damages the deal that it would have begun
        ("code auction-1926\ndealer sout\nbidding\n  pass\n", ["deal 1"]),
    ],
)
def test_more_than_one_deal_needs_its_lines(text: str, wrong: list[str]) -> None:
    harmful = [u for u in read_text(text).unreadable if not u.harmless]
    assert [u.about.value if u.about else "" for u in harmful] == wrong


def test_what_is_understood_has_its_place_in_the_line_as_it_is_written() -> None:
    document = read_text("deal 1\nbidding\n  South bids 1 heart / dbl\nResult: two down\n")
    (record,) = records(document)
    assert record.bidding is not None
    assert [c.place.column for c in record.bidding] == [3, 24]
    assert record.result is not None
    assert record.result.place.line == 4
    assert [u.place.line for u in document.unreadable] == [3, 4]


def test_so_much_is_understood_and_no_more() -> None:
    document = read_text("deal 1\nbidding\n" + "pass / pass\n" * 1100)
    assert sum(u.harmless for u in document.unreadable) == 1000


VALID = sorted(
    {line for text in BLOCKS for line in text.splitlines()[1:] if line.strip() and line[0] != "#"}
)


EXTRA = ("", "foo", "4", '"x"', "♠A", "(", ":", "royal", "@")


@pytest.mark.slow
def test_wherever_a_line_goes_wrong_something_of_use_is_said() -> None:
    for line in VALID:
        words = line.split()
        for start in SECTIONS:
            for i in range(len(words) + 1):
                for extra in EXTRA[i % 3 :: 3]:
                    error = said_of(f"{start}\n" + " ".join([*words[:i], extra]))
                    assert error is None or "cannot stand here" not in error.message, error.message


def test_one_bad_deal_costs_no_other() -> None:
    good = "deal {}\ndealer south\nbidding\n  1 heart, all pass\n"
    text = good.format(1) + "deal 2\ndealer sout\nbidding\n 1 hart\n" + good.format(3)
    document = read_text(text)
    assert [r.id for r in records(document)] == ["deal 1", "deal 3"]
    assert [f.message.split(":")[0] for f in document.unreadable] == ["deal 2", "deal 2"]
    assert [r.place.line for r in records(document)] == [1, 9]


def test_a_group_names_its_damaged_deal() -> None:
    (group,) = read_text("rubber\ndeal 1\ndeal 2\ndealer x\nend rubber\n").items
    assert isinstance(group, Group)
    assert [r.id for r in group.records] == ["deal 1"]
    assert [u.value for u in group.unread] == ["deal 2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "rule", "hint", "line", "column"),
    [
        (b"", "notation.empty", "empty", 1, 1),
        (b"\xef\xbb\xbf", "notation.empty", "empty", 1, 1),
        (bytes(range(256)) * 40, "notation.not-text", "not text", 3, 115),
        (b"deal 1\n\0\0", "notation.not-text", "control characters", 2, 1),
        ("deal 1\n".encode("utf-16"), "notation.not-text", "UTF-16", 1, 1),
        ("deal 1\n".encode("utf-16-le"), "notation.not-text", "control characters", 1, 2),
        ('deal 1 "Café"\n'.encode("latin-1"), "notation.not-text", "byte e9 is not UTF-8", 1, 12),
        ("deal 1\nplay\n♠".encode()[:-1], "notation.not-text", "cut off", 3, 1),
        (
            b"deal 1\n" + b"x" * 10_000_000 + b"\n",
            "notation.line-too-long",
            "10000000 characters",
            2,
            1,
        ),
        (b'deal 1\nnote "' + b"#\\" * 5_000_000, "notation.line-too-long", "characters", 2, 1),
        (b"deal\n" * 1_000_000, "notation.syntax", "number", 1, 5),
        (b"so much\n" * 1_000_000, "notation.unknown-word", "`so`", 1, 1),
    ],
)
def test_what_is_no_hand_file_gives_a_clear_finding(
    data: bytes, rule: str, hint: str, line: int, column: int
) -> None:
    document = read_document(data, "x")
    finding = document.unreadable[0]
    assert finding.rule == rule
    assert hint in finding.message
    assert (finding.place.line, finding.place.column) == (line, column)
    assert len(document.unreadable) <= 1001
    assert document.items == ()


@quick
@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    read_document(data)


@quick
@given(st.text(st.sampled_from(sorted(set("".join(BLOCKS)))) | st.characters(), max_size=200))
def test_no_text_raises(text: str) -> None:
    read_text(text)
    read_text("deal 1\nbidding\n" + text)
    read_text("deal 1\nplay\n" + text)
    read_text("deal 1\nhands\n" + text)


@quick
@given(st.data())
def test_a_file_cut_off_anywhere_does_not_raise(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*BLOCKS, *(p.read_text("utf-8") for p in SAMPLES)]))
    whole = text.encode()
    read_document(whole[: data.draw(st.integers(0, len(whole)))])


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(ends: str) -> None:
    text = (HERE / "everything.hand").read_text("utf-8")
    assert read_document(b"\xef\xbb\xbf" + text.replace("\n", ends).encode()) == read_text(text)


# --- the grammar ----------------------------------------------------------------------------------


def test_the_grammar_is_free_of_conflicts_and_collisions() -> None:
    parser(strict=True)


def test_every_rule_of_the_grammar_has_its_meaning() -> None:
    rules = {str(r.alias or r.origin.name) for r in parser().rules}
    assert {r for r in rules if not r.startswith("_")} - set(dir(_Meaning)) == set()


@pytest.mark.parametrize("word", OPENING)
@pytest.mark.parametrize("section", [BLOCK, *SECTIONS.values()])
def test_the_word_of_a_statement_begins_no_row(section: str, word: str) -> None:
    with pytest.raises(Stopped) as stopped:
        parse(f"{word} @\n", (0, len(word) + 3), section)
    assert stopped.value.start == len(word) + 1


# Every form of a row, and one of each statement: terminals of equal priority hide each other.
ROWS = {
    "in_hands": [
        "north ♠ A K ♥ - ♦ x x ♣ 10",
        "N: SAK H2 ...",
        "east ...",
        "S: ♠ - ♥ AK10",
        "west spades A hearts 2",
        "south S A, H K",
    ],
    "in_bidding": [
        "pass",
        "1 heart, 2NT! P",
        'two no trumps "a" double "b"',
        "south: 2 hearts, corrects 3 diamonds",
        "north: corrects 1S",
        "make hearts, may I lead, yes, satisfied, pass to partner, challenge",
        "no bid, no-bid, no",
        "...",
        "X, XX, re-double, all pass",
        "N: three royals",
    ],
    "in_play": [
        "♠A SK ♥10 -",
        "west: ♠A ♠K!",
        "w: (east ♥2) ♣3",
        '(♥2 "a" irregularity revoke by south when "x") ♣3 "b" ♣4',
        "(N: ♥2!) (s ♥3)",
        "♠A",
        "south claims the rest",
        "N concedes three tricks refused",
        "east claims 2 agreed",
        "...",
    ],
}


@pytest.mark.parametrize(
    ("section", "row"), [(s, row) for s, found in ROWS.items() for row in found]
)
def test_every_form_of_a_row_is_read_in_its_section_and_in_no_other(section: str, row: str) -> None:
    kinds = {"in_hands": {"hand"}, "in_bidding": {"calls"}, "in_play": {"trick", "claim", "more"}}
    for ending in ("", "  # a comment", "\n# below\n\n"):
        assert statement_of(row + ending, section).word in kinds[section]
    with pytest.raises(Malformed):
        statement_of(row, BLOCK)


@pytest.mark.parametrize("section", [BLOCK, *SECTIONS.values()])
def test_every_statement_is_read_in_every_section(section: str) -> None:
    lines = {
        line
        for line in (HERE / "everything.hand").read_text("utf-8").split("\n")
        if line and line[0] not in "# "
    }
    assert {line.split()[0] for line in lines} >= {w for w in OPENING if w != "honors"}
    for line in lines:
        assert statement_of(line, section).word


# --- pieces and statements of other files ---------------------------------------------------------


def test_a_text_is_cut_where_deals_and_groups_begin_and_end() -> None:
    text = (HERE / "everything.hand").read_text("utf-8")
    pieces = list(statements(text))
    assert "".join(text[p.start : p.end] for p in pieces) == text
    assert {p.word for p in pieces} >= {"", "deal", "rubber", "match", "end", "total", "won"}


def test_statements_of_another_file_keep_their_places() -> None:
    before = '[OddtrickHand ""]\n'
    text = before + "play\n  west: ♠3 ♠A\n  irregularity revoke by south\nresult 9 trick\n"
    source = Source("a.pbn", "pbn", text)
    deal, unreadable = read_statements(source, (len(before), len(text)), "deal 1")
    assert [source.text[a : a + 2] for a in deal.card_starts] == ["♠3", "♠A"]
    assert [i.event for i in deal.incidents] == [Event("card", 1)]
    assert deal.result == ("tricks", 9)
    assert unreadable == ()
    _, (found,) = read_statements(source, (0, len(text)), "deal 1")
    assert found.place[:2] == (1, 1)


def test_so_many_facts_are_stated_by_one_irregularity_and_no_more() -> None:
    text = 'deal 1\nirregularity revoke when "{}"\n'
    assert read_text(text.format("a, " * (MOST_FACTS - 1))).unreadable == ()
    (found,) = read_text(text.format("a, " * MOST_FACTS)).unreadable
    assert found.rule == "notation.too-many"


@pytest.mark.parametrize("letter", ["ſ", "\N{KELVIN SIGN}", "İ", "ı"])
def test_a_letter_that_only_looks_ascii_does_not_raise(letter: str) -> None:
    like = {"ſ": "s", "\N{KELVIN SIGN}": "k"}.get(letter, "i")
    for text in (
        "deal 1\ndealer south\nscore NS trick 9",
        "deal 1\nhands\nnorth ♠ k\nplay\n♥k ♠ k\nirregularity x",
    ):
        for at in (found.start() for found in re.finditer(like, text)):
            read = read_text(text[:at] + letter + text[at + 1 :])
            assert read.unreadable == ()
            assert read.items == read_text(text).items


def test_the_import_is_cheap() -> None:
    code = "import sys, oddtrick.record; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name)
def test_writing_a_sample_loses_nothing(path: Path) -> None:
    document = read_text(path.read_text("utf-8"))
    assert document.unreadable == ()
    written = write_document(document)
    assert bare(read_text(written)) == bare(document)
    assert write_document(read_text(written)) == written


def test_the_canonical_form_is_what_it_is() -> None:
    assert write_document(read_text((HERE / "rough.hand").read_text("utf-8"))) == (
        HERE / "rough.canonical.hand"
    ).read_text("utf-8")
    for name in ("everything.hand", "rough.canonical.hand"):
        text = (HERE / name).read_text("utf-8")
        assert write_document(read_text(text)) == text


def test_everything_is_in_the_sample_of_everything() -> None:
    text = (HERE / "everything.hand").read_text("utf-8").lower()
    assert [
        w for w in OPENING if w != "honors" and not re.search(rf"^\s*{w}\b", text, re.MULTILINE)
    ] == []


def test_a_record_written_alone_says_all_that_holds_for_it() -> None:
    for record in records(read_text((HERE / "everything.hand").read_text("utf-8"))):
        (again,) = read_text(write_hand([record])).items
        assert isinstance(again, Record)
        assert bare(replace(again, own=None)) == bare(replace(record, own=None))


def test_items_written_without_their_document_say_all_that_holds_for_them() -> None:
    document = read_text((HERE / "everything.hand").read_text("utf-8"))
    again = read_text(write_hand(document.items))
    assert again.unreadable == ()
    assert [r.code and r.code.value for r in records(again)] == [
        r.code and r.code.value for r in records(document)
    ]


# --- any record -----------------------------------------------------------------------------------

text_ = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.just("\n"), max_size=12)
word_ = st.from_regex(r"[a-z]{1,6}(-[a-z]{1,6}){0,2}", fullmatch=True)
seat_ = st.sampled_from(SEATS)
side_ = st.sampled_from(Side)
card_ = st.sampled_from(PACK)
mark_ = st.none() | st.from_regex(r"[!?]{1,2}", fullmatch=True)
number_ = st.integers(0, 999)
maybe_text = st.none() | text_
incident_ = st.builds(
    Incident,
    name=word_ | text_,
    by=st.none() | seat_,
    of=maybe_text,
    noticed_by=st.none() | seat_,
    remedy=maybe_text,
    chosen_by=st.none() | seat_,
    waived_by=st.none() | seat_,
    when=maybe_text,
    note=maybe_text,
)
incidents_ = st.lists(incident_, max_size=2).map(tuple)
denomination_ = st.sampled_from(sorted(DENOMINATIONS))
spoken_ = st.one_of(
    st.builds(lambda n, d: ("bid", n, d), st.integers(0, 99), denomination_),
    st.builds(lambda d: ("make", None, d), denomination_),
    st.sampled_from(
        [
            "pass",
            "double",
            "redouble",
            "challenge",
            "pass-to-partner",
            "may-i-lead",
            "yes",
            "satisfied",
            "all-pass",
            "unrecorded",
        ]
    ).map(lambda kind: (kind, None, None)),
)
call_ = st.builds(
    lambda spoken, seat, corrects, mark, note, incidents: Call(
        spoken[0], spoken[1], spoken[2], seat, corrects, mark, note, incidents
    ),
    spoken_,
    st.none() | seat_,
    st.booleans(),
    mark_,
    maybe_text,
    incidents_,
)
played_ = st.builds(
    Played,
    card=st.none() | card_,
    seat=st.none() | seat_,
    mark=mark_,
    note=maybe_text,
    incidents=incidents_,
)
trick_ = st.builds(
    Trick, cards=st.lists(played_, min_size=1, max_size=5).map(tuple), leader=st.none() | seat_
)
figures_ = (
    st.none()
    | st.builds(SideFigures, number_, st.none() | number_)
    | st.builds(SideFigures, st.none(), number_)
)
tag_ = st.tuples(
    st.sampled_from(["source", "event", "venue", "date", "scorer", "note", "Site"]) | text_, text_
)
header_: dict[str, st.SearchStrategy[Any]] = {
    "code": st.none() | st.builds(Stated, word_),
    "options": st.lists(st.builds(Stated, word_), max_size=2).map(tuple),
    "tags": st.lists(tag_, max_size=3).map(tuple),
    "players": st.dictionaries(seat_, text_).map(
        lambda d: tuple((s, d[s]) for s in SEATS if s in d)
    ),
    "sides": st.dictionaries(side_, text_).map(lambda d: tuple((s, d[s]) for s in Side if s in d)),
}


@st.composite
def hands_(draw: st.DrawFn) -> Hand:
    cards = draw(st.lists(card_, max_size=14))
    partial = draw(st.booleans())
    least = 0 if partial else 1
    small = draw(st.dictionaries(st.sampled_from(PRINTED_SUITS), st.integers(least, 4), max_size=2))
    # A suit with cards in it is no void.
    small = {s: n for s, n in small.items() if n or s not in {c.suit for c in cards}}
    return Hand(
        tuple(sorted(cards, key=lambda c: (PRINTED_SUITS.index(c.suit), -c.height))),
        tuple((s, small[s]) for s in PRINTED_SUITS if s in small),
        partial,
    )


@st.composite
def declarations_(draw: st.DrawFn) -> Declaration | None:
    denomination = draw(st.none() | denomination_)
    return draw(
        st.sampled_from([None, Declaration(passed_out=True), Declaration(doubled=0)])
        | st.builds(
            Declaration,
            st.none() | st.integers(0, 99) if denomination else st.none(),
            st.just(denomination),
            st.none() | st.integers(0, 9),
            seat_,
            st.booleans(),
        )
    )


@st.composite
def records_(draw: st.DrawFn) -> Record:
    play = draw(st.none() | st.lists(trick_, max_size=4).map(tuple))
    columns = draw(st.none() | seat_)
    if play is not None:
        play = tuple(replace(t, columns_from=columns) for t in play)
    claim = st.builds(
        TableClaim,
        seat_,
        st.sampled_from(["claims", "concedes"]),
        st.none() | number_,
        st.sampled_from([None, "agreed", "refused"]),
    )
    claims = draw(st.lists(claim, max_size=2)) if play is not None else []
    after = sorted(draw(st.lists(st.integers(0, len(play or ())), min_size=2, max_size=2)))
    incidents = [draw(incidents_) for _ in claims]
    claims = [
        replace(c, after_trick=a, incidents=i)
        for c, a, i in zip(claims, after, incidents, strict=False)
    ]
    bidding = draw(st.none() | st.lists(call_, max_size=9).map(tuple))
    hands = draw(st.dictionaries(seat_, hands_()))
    honours = draw(st.dictionaries(side_, st.tuples(number_, st.none() | number_)))
    title = draw(st.none() | text_)
    header: dict[str, Any] = {name: draw(strategy) for name, strategy in header_.items()}
    if title is not None:
        header["tags"] = (("title", title), *header["tags"])
    name = draw(st.integers(0, 99).map(str) | text_)
    return Record(
        id=f"deal {name}",
        **header,
        dealer=draw(st.none() | st.builds(Stated, seat_)),
        vulnerable=draw(st.none() | st.builds(Stated, st.frozensets(side_))),
        standing_games=draw(figures_),
        standing_trick=draw(figures_),
        standing_honour=draw(figures_),
        tray=draw(st.none() | st.builds(Stated, number_)),
        table=draw(st.none() | st.builds(Stated, text_)),
        playing=draw(st.none() | st.builds(Stated, st.sampled_from(["original", "overplay"]))),
        hands=tuple((s, hands[s]) for s in SEATS if s in hands),
        bidding_from=draw(st.none() | st.builds(Stated, seat_)) if bidding is not None else None,
        bidding=bidding,
        declaration=draw(declarations_()),
        play=play,
        more_play=play is not None and draw(st.booleans()),
        table_claims=tuple(claims),
        incidents=draw(incidents_),
        result=draw(
            st.none()
            | st.builds(Result, st.sampled_from(["tricks", "odd", "made", "down"]), number_)
        ),
        honours=tuple(HonoursClaim(s, n, h) for s, (n, h) in honours.items()),
        chicane=tuple(draw(st.lists(st.builds(Stated, seat_ | side_), max_size=2, unique=True))),
        scores=tuple(
            draw(
                st.lists(
                    st.builds(
                        ScoreClaim,
                        side_,
                        st.sampled_from(["trick", "honour", "gain"]),
                        st.lists(number_, min_size=1, max_size=3).map(tuple),
                    ),
                    max_size=4,
                )
            )
        ),
        game=draw(st.none() | st.builds(Stated, side_)),
    )


@pytest.mark.slow
@tried(1)
@given(records_())
def test_any_record_is_read_as_it_was_written(record: Record) -> None:
    written = write_hand([record])
    document = read_text(written)
    assert document.unreadable == ()
    assert bare(document.items) == (record,)
    assert write_document(document) == written


@pytest.mark.slow
@quick
@given(
    st.lists(records_(), max_size=2),
    st.builds(Header, **header_),
    st.builds(Header, **header_),
    st.sampled_from(["rubber", "match"]),
    maybe_text,
    st.none() | st.builds(Stated, side_),
)
def test_any_group_is_read_as_it_was_written(
    deals: list[Record],
    above: Header,
    own: Header,
    kind: str,
    name: str | None,
    retired: Stated[Side] | None,
) -> None:
    group = Group(
        kind,
        name,
        tuple(deals),
        SideFigures(1, None),
        Stated(Side.EW),
        Stated(3),
        own.tags,
        own.players,
        own.sides,
        own.code,
        own.options,
        unfinished=Stated(True) if kind == "rubber" else None,
        retired=retired if kind == "rubber" else None,
    )
    written = write_document(Document((group,), header=above))
    document = read_text(written)
    assert document.unreadable == ()
    assert bare(document.header) == above
    (again,) = document.items
    assert isinstance(again, Group)
    assert bare(replace(again, records=())) == replace(group, records=())
    for mine, theirs in zip(again.records, deals, strict=True):
        assert bare(mine) == bare(
            replace(theirs, own=mine.own, **vars_of(inherited(theirs, own, above)))
        )
    assert write_document(document) == written


def inherited(record: Record, own: Header, above: Header) -> Header:
    """What holds for a deal below two headers."""
    stated = Header(record.code, record.options, record.tags, record.players, record.sides)
    return stated.below(own.below(above))


def vars_of(header: Header) -> dict[str, Any]:
    """The fields of a header by name."""
    return {f.name: getattr(header, f.name) for f in fields(header)}


# --- comments -------------------------------------------------------------------------------------


def comments_of(document: Document) -> Iterator[Comment]:
    """Every comment of a document."""
    yield from document.comments
    for item in document.items:
        yield from item.comments
    yield from (
        c
        for item in document.items
        if isinstance(item, Group)
        for r in item.records
        for c in r.comments
    )


def silent(item: Any) -> Any:
    """A document, group or record without its comments."""
    if isinstance(item, Document):
        return replace(item, items=tuple(silent(i) for i in item.items), comments=())
    if isinstance(item, Group):
        return replace(item, records=tuple(silent(r) for r in item.records), comments=())
    return replace(item, comments=())


UNCOMMENTED = [
    *BLOCKS[1:],
    *(write_document(silent(read_text(p.read_text("utf-8")))) for p in SAMPLES),
]


def with_comments(sample: str, random: Random) -> tuple[str, int]:
    """A sample with comments of its own put in anywhere, and how many."""
    lines: list[str] = []
    said = 0
    for line in [*sample.splitlines(), ""]:
        while random.random() < 0.3:
            said += 1
            lines += random.choice(
                [[f"# own {said}"], ["", f"\t#own {said}"], [f"# own {said}", " "]]
            )
        if line.strip() and random.random() < 0.3:
            said += 1
            line += f" # behind {said}"
        lines.append(line)
    return "\n".join(lines), said


@quick
@given(st.sampled_from(UNCOMMENTED), st.integers(0, 2**32))
def test_comments_are_kept_where_they_belong(sample: str, seed: int) -> None:
    text, said = with_comments(sample, Random(seed))
    before = read_text(text)
    assert before.unreadable == ()
    after = read_text(write_document(before))
    assert len(list(comments_of(before))) == said
    assert Counter(c.text for c in comments_of(before)) == Counter(
        c.text for c in comments_of(after)
    )
    # The path of what it belongs to is part of a comment, so equal documents have them in equal
    # places:
    # several at one place in their order, those of several places in whatever order the places are
    # written.
    assert bare(after) == bare(before)
    assert write_document(after) == write_document(before)


def test_comments_of_another_notation_are_not_lost() -> None:
    record = Record(
        "deal 1",
        comments=(
            Comment("one\ntwo", ("somewhere", 4), "after"),
            Comment("x", ("bidding", 9), "before"),
        ),
    )
    assert write_hand([record]) == "deal 1\n# one\n# two\n# x\n"
