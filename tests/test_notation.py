"""Our own notation: what is read, the messages on what cannot be read, and that writing loses
nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import conftest
import deals as any_deal
from conftest import tried
from deals import RULES, facts
from files import ROOT, table
from oddtrick.cards import Seat
from oddtrick.limits import FACTS
from oddtrick.record.deal import Comment, Deal, Event, Group, Header, Source, Span, card_spans
from oddtrick.record.hand.grammar import Stopped, explained, made, malformed, parse
from oddtrick.record.hand.read import Document, below, read_document, read_text
from oddtrick.record.hand.words import BLOCK, SECTIONS, Malformed, Statement
from oddtrick.record.hand.write import write_document, write_hand

HERE = ROOT / "tests" / "notation"
EVERYTHING = (HERE / "everything.hand").read_text("utf-8")
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
MALFORMED, MEANT, SPELLED = (
    table(f"notation/{name}") for name in ("malformed", "meant", "spelled")
)

quick = tried(0.5)


def content(document: Document) -> Any:
    """Everything that a document states, without positions. Statements may be in any order and are
    written in a fixed one: a comment moves with its statement.
    """
    comments = sorted(str((c.anchor, c.where, c.text)) for c in document.comments)
    return [*map(facts, document.items)], facts(document.header), comments


def deals_of(document: Document) -> list[Deal]:
    """All the deals of a document in order, including those in rubbers and matches."""
    return [d for i in document.items for d in (i.deals if isinstance(i, Group) else [i])]


def readable(text: str) -> Document:
    """A document that can be read completely."""
    document = read_text(text)
    assert document.unreadable == ()
    return document


def below_line(under: str, line: str) -> str:
    """A file in which a line is below the lines that it needs."""
    return f"deal 1\n{'' if under == 'deal 1' else under}\n{line}\n"


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SPELLED, ids=[c["under"] for c in SPELLED])
def test_whatever_means_the_same_is_read_alike(case: dict[str, Any]) -> None:
    for meant, spellings in case["meant"].items():
        for written in (meant, *spellings):
            document = readable(below_line(case["under"], written))
            assert write_document(document).splitlines()[-1].strip() == meant, written
    for written in case["unreadable"]:
        assert read_text(below_line(case["under"], written)).unreadable, written


def test_an_irregularity_belongs_to_what_stands_above_it() -> None:
    text = """deal 1
irregularity first
bidding
pass, 1 heart
irregularity second
play
irregularity third
♠A (♠2 irregularity fourth) ♠3
irregularity fifth
south claims the rest
irregularity sixth
result 9 tricks
irregularity seventh
"""
    (deal,) = deals_of(readable(text))
    assert {i.name: i.event for i in deal.incidents} == {
        **dict.fromkeys(("first", "third", "seventh")),
        "second": Event("call", 1),
        "fourth": Event("card", 1),
        "fifth": Event("card", 2),
        "sixth": Event("claim", 0),
    }


def test_places_are_those_of_the_words() -> None:
    text = 'deal 1\ndealer south\nhands\n  north ♠ A 10 ♥ K\nbidding\n  1 heart! "x", west: 2NT\nplay\n  (east ♥2) ♣3\n'
    (deal,) = deals_of(readable(text))

    def words(span: Span) -> str:
        return text[slice(*span)]

    assert words(dict(deal.stated)["dealer",]) == "south"
    assert [*map(words, card_spans(deal, Seat.NORTH))] == ["A", "10", "K"]
    starts = deal.call_starts, deal.card_starts
    assert [text[n:][:5] for n in starts[0]] == ["1 hea", "west:"]
    assert [text[n:][:2] for n in starts[1]] == ["♥2", "♣3"]


def test_what_is_stated_above_holds_below() -> None:
    document = readable("""
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
    """)
    first, second = deals_of(document)
    assert (first.code, first.options) == ("auction-1926", ("two", "one"))
    assert first.tags == (("note", "here"), ("note", "all"))
    assert first.players == ((Seat.NORTH, "A"), (Seat.EAST, "C"))
    assert (second.code, second.options) == ("contract-1927", ())
    assert second.players == ((Seat.NORTH, "D"), (Seat.EAST, "C"))
    assert write_document(document).count("auction-1926") == 1


# --- what is said of what cannot be read ----------------------------------------------------------


def statement_of(line: str, section: str) -> Statement:
    """The statement on a line. Raises `Malformed` with the report on it."""
    text = f"{line}\n"
    try:
        ((statement, _, _),) = parse(text, section)
    except Stopped as stopped:
        raise explained(stopped) from None
    assert statement
    return statement


def said_of(piece: str) -> Malformed | None:
    """The report on the last line of a piece of a file; `None` if the line is readable."""
    *before, last = piece.split("\n")
    if not last:
        return None
    try:
        statement_of(last, SECTIONS[before[0]] if before else BLOCK)
    except Malformed as error:
        return error
    return None


def test_every_malformed_piece_has_its_message() -> None:
    pieces = [(message, piece) for message, found in malformed() for piece in found]
    assert len(pieces) > 150
    otherwise = {}
    for message, piece in pieces:
        error = said_of(piece)
        pattern = re.escape(message).replace(re.escape("{word}"), r"\S+")
        said = error.message if error else ""
        if not re.fullmatch(pattern + r"( Did you mean `[\w-]+`\?)?", said):
            otherwise[piece] = said
    assert otherwise == {}


@pytest.mark.parametrize("case", MALFORMED, ids=[c["name"] for c in MALFORMED])
def test_a_malformed_file_is_told_exactly_what_is_wrong_and_where(case: dict[str, Any]) -> None:
    document = read_text(case["text"], "a.hand")
    assert [[f.rule, *f.place[:2], f.message] for f in document.unreadable] == case["findings"]
    assert [*dict.fromkeys(u.about[0] for u in document.unreadable if u.about)] == case["unread"]
    assert [i.id if isinstance(i, Deal) else i.kind for i in document.items] == case["read"]
    for finding in document.unreadable:
        assert not finding.unclear
        assert finding.source.name == "a.hand"
        assert finding.rule in RULES
        assert finding.span[1] > finding.span[0]


def unplaced(statement: Statement) -> tuple[str, Any]:
    """A statement without its positions."""
    word, value = statement.word, statement.value
    if word in ("calls", "trick"):
        value = [row._replace(starts=[], span=(0, 0)) for row in value]
    elif word == "hand":
        value = value._replace(span=(0, 0))
    return word, value


def misread(case: dict[str, str]) -> str:
    """The fault in reading a colloquial line: none if it is read as the intended line, or rejected
    with the question.
    """
    document = read_text(below_line(case["under"], case["written"]))
    found = next(iter(document.unreadable), None)
    if "meant" not in case:
        said = found and not found.harmless and case["said"] in found.message
        return "" if said else f"{found}"
    section, _, line = case["meant"].rpartition(" | ")
    plain = read_text(below_line(section or case["under"], line))
    if not found:  # only capitals, blanks and punctuation differ
        return "" if content(document) == content(plain) else write_document(document)
    if not found.harmless:
        return found.message
    spelled = found.message.removeprefix("This was read as `").removesuffix("`.")
    *_, spelled = spelled.split("`, then `")
    in_section = SECTIONS.get(section.partition(" ")[0], BLOCK)
    by_grammar, meant = (statement_of(s, in_section) for s in (spelled, line))
    same = unplaced(by_grammar) == unplaced(meant) and document.items and plain.items
    if not (found.rule == "notation.understood" and same):
        return found.message
    return write_document(document) if section and content(document) != content(plain) else ""


def test_a_line_as_people_write_it_is_what_is_meant() -> None:
    assert {c["written"]: wrong for c in MEANT if (wrong := misread(c))} == {}


def test_the_only_deal_of_a_file_needs_no_line_to_begin_it() -> None:
    text = """# of the evening
code auction-1926
rubber
# of the dealer
Dealer: South
players north "Mr Scott"
bidding
  1 heart, pass, pass, pass
end rubber
"""
    document = read_text(text)
    written = read_text(text.replace("# of the dealer", "deal 1\n# of the dealer"))
    told = [(u.rule, u.place.line, u.message) for u in document.unreadable]
    assert told == [
        ("notation.understood", 5, "There is no `deal` line before this; `deal 1` was assumed.")
    ]
    assert all(u.about and u.about[0] == "deal 1" for u in document.unreadable)
    assert content(document) == content(written)
    assert write_document(document) == write_document(written)
    readable(write_document(document))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        # once a deal has begun, no implicit deal is assumed
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
    assert [u.about[0] if u.about else "" for u in harmful] == wrong


def test_what_is_understood_has_its_place_in_the_line_as_it_is_written() -> None:
    document = read_text("deal 1\nbidding\n  South bids 1 heart / dbl\nResult: two down\n")
    (deal,) = deals_of(document)
    assert [deal.source.place((n, n + 1)).column for n in deal.call_starts] == [3, 24]
    assert deal.source.place(dict(deal.stated)["result",]).line == 4
    assert [u.place.line for u in document.unreadable] == [3, 4]


@pytest.mark.slow
def test_wherever_a_line_goes_wrong_something_of_use_is_said() -> None:
    extras = ("", "foo", "4", '"x"', "♠A", "(", ":", "royal", "@")
    valid = {line for text in BLOCKS for line in text.splitlines()[1:] if line.strip()}
    tried_out = sorted(line for line in valid if line[0] != "#")[:: 1 if conftest.WHOLE else 3]
    for words in (line.split() for line in tried_out):
        for start in SECTIONS:
            for i in range(len(words) + 1):
                for extra in extras[i % 3 :: 3]:
                    error = said_of(f"{start}\n" + " ".join([*words[:i], extra]))
                    assert error is None or "cannot stand here" not in error.message, error.message


def test_one_bad_deal_costs_no_other() -> None:
    good = "deal {}\ndealer south\nbidding\n  1 heart, all pass\n"
    text = good.format(1) + "deal 2\ndealer sout\nbidding\n 1 hart\n" + good.format(3)
    document = read_text(text)
    assert [(d.id, d.place.line) for d in deals_of(document)] == [("deal 1", 1), ("deal 3", 9)]
    assert [f.message.split(":")[0] for f in document.unreadable] == ["deal 2", "deal 2"]


def test_a_group_names_its_damaged_deal() -> None:
    (group,) = read_text("rubber\ndeal 1\ndeal 2\ndealer x\nend rubber\n").items
    assert [d.id for d in group.deals] == ["deal 1"]
    assert [name for name, _ in group.unread] == ["deal 2"]


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
        ('deal 1 "Café"\n'.encode("latin-1"), "notation.not-text", "Byte e9 is not", 1, 12),
        ("deal 1\nplay\n♠".encode()[:-1], "notation.not-text", "cut off", 3, 1),
        (b"deal 1\n" + b"x" * 10**7 + b"\n", "notation.line-too-long", "10000000 char", 2, 1),
        (b'deal 1\nnote "' + b"#\\" * 5_000_000, "notation.line-too-long", "characters", 2, 1),
        (b"deal\n" * 100_000, "notation.syntax", "number", 1, 5),
        (b"so much\n" * 100_000, "notation.unknown-word", "`so`", 1, 1),
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
    for above in ("", *(f"deal 1\n{section}\n" for section in SECTIONS)):
        read_text(above + text)


@quick
@given(st.data())
def test_a_file_cut_off_anywhere_does_not_raise(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([*BLOCKS, *(p.read_text("utf-8") for p in SAMPLES)]))
    whole = text.encode()
    read_document(whole[: data.draw(st.integers(0, len(whole)))])


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    for ends in ("\n", "\r\n", "\r"):
        data = b"\xef\xbb\xbf" + EVERYTHING.replace("\n", ends).encode()
        assert read_document(data) == read_text(EVERYTHING)


# --- the grammar ----------------------------------------------------------------------------------


def test_the_grammar_is_free_of_conflicts_and_collisions() -> None:
    made(strict=True)


# --- pieces and statements of other files ---------------------------------------------------------


def test_so_many_facts_are_stated_by_one_irregularity_and_no_more() -> None:
    text = 'deal 1\nirregularity revoke when "{}"\n'
    assert read_text(text.format("a, " * (FACTS.most - 1))).unreadable == ()
    (found,) = read_text(text.format("a, " * FACTS.most)).unreadable
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
            assert content(read) == content(read_text(text))


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [*BLOCKS, *(p.read_text("utf-8") for p in SAMPLES)],
    ids=[*(b.split("\n")[0] for b in BLOCKS), *(p.name for p in SAMPLES)],
)
def test_writing_an_example_or_a_sample_loses_nothing(text: str) -> None:
    document = readable(text)
    written = write_document(document)
    assert content(readable(written)) == content(document)
    assert write_document(readable(written)) == written


def test_the_canonical_form_is_what_it_is() -> None:
    rough, canonical = (
        (HERE / f"{name}.hand").read_text("utf-8") for name in ("rough", "rough.canonical")
    )
    for text, written in ((rough, canonical), (canonical, canonical), (EVERYTHING, EVERYTHING)):
        assert write_document(read_text(text)) == written


def test_an_item_written_without_its_document_says_all_that_holds_for_it() -> None:
    document = read_text(EVERYTHING)
    for items in (document.items, deals_of(document)):
        again = deals_of(readable(write_hand(items)))
        for found, deal in zip(map(facts, again), map(facts, deals_of(document)), strict=True):
            # A tag that two statements above a deal repeat is written once more.
            assert found | {"tags": {*found["tags"]}} == deal | {"tags": {*deal["tags"]}}


# --- any deal -------------------------------------------------------------------------------------


@pytest.mark.slow
@tried(1)
@given(any_deal.deals())
def test_any_deal_is_read_as_it_was_written(deal: Deal) -> None:
    written = write_hand([deal])
    document = readable(written)
    assert [*map(facts, document.items)] == [facts(deal)]
    assert write_document(document) == written


@pytest.mark.slow
@quick
@given(any_deal.groups(), any_deal.header)
def test_any_group_is_read_as_it_was_written(group: Group, above: Header) -> None:
    written = write_document(Document(Source(), (group,), header=above))
    document = readable(written)
    stated = [f.name for f in fields(Header) if f.name != "stated"]
    inherited = []
    for deal in group.deals:
        own = Header(**{name: getattr(deal, name) for name in stated})
        header = below(own, below(group.header, above))
        inherited.append(deal._replace(**{name: getattr(header, name) for name in stated}))
    assert facts(document.header) == facts(above)
    assert [*map(facts, document.items)] == [facts(replace(group, deals=tuple(inherited)))]
    assert write_document(document) == written


# --- comments -------------------------------------------------------------------------------------


def comments_of(document: Document) -> Iterator[Comment]:
    """Every comment of a document."""
    groups = (i for i in document.items if isinstance(i, Group))
    for part in (document, *groups, *deals_of(document)):
        yield from part.comments


def without_comments(text: str) -> str:
    """A text without its comments; quotation marks in comments do not count."""
    lines = (
        re.sub(r'("(?:[^"\\\n]|\\.)*")|[ \t]*#.*', lambda m: m[1] or "", n)
        for n in text.split("\n")
    )
    return "\n".join(lines)


UNCOMMENTED = [without_comments(t) for t in (*BLOCKS[1:], *(p.read_text("utf-8") for p in SAMPLES))]


def with_comments(sample: str, random: Random) -> tuple[str, int]:
    """A sample with comments inserted at random, and their number."""
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
    # A comment includes the path of its statement, so equal documents have comments in equal
    # positions: those of one position in their order, those of different positions in the order written.
    assert content(after) == content(before)
    assert write_document(after) == write_document(before)
