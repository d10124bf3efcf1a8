"""LIN: the samples in `lin/` with their content, and malformed text with its positions.

The content of each sample is written beside it, from the description of the notation.
"""

from pathlib import Path
from random import Random
from typing import Any

import pytest

import plain_games
from deals import RULES
from files import table
from made_deals import placed, unworded
from oddtrick.cards import PRINTED_SUITS, Side
from oddtrick.judge.check import check
from oddtrick.judge.events import Call, Hand, events_of
from oddtrick.record import converted, deals_in, read
from oddtrick.record.deal import Deal, Event, Place, Unreadable, event_span
from oddtrick.record.lin import read_lin

HERE = Path(__file__).resolve().parent / "lin"
CODE = "contract-1927"


def deals_of(text: str | bytes) -> list[Deal]:
    """The deals of a text in LIN."""
    data = text.encode() if isinstance(text, str) else text
    return list(deals_in(read_lin([data])))


def found_in(text: str | bytes) -> list[Unreadable]:
    """The parts of a text in LIN that cannot be read."""
    data = text.encode() if isinstance(text, str) else text
    return [i for i in read_lin([data]) if isinstance(i, Unreadable)]


def said(call: Call, mark: str | None, note: str | None) -> str:
    """A call in words, with its mark and its explanation."""
    bid = f"{call.odd_tricks} {call.denomination}" if call.kind == "bid" else call.kind
    return f"{bid}{mark or ''}" + (f"({note})" if note else "")


def hand_text(hand: Hand) -> str:
    """A hand as PBN writes it: `AK2.QJ..T987654`."""
    small = dict(hand.small)
    of_suit = ([c.rank for c in hand.cards if c.suit is suit] for suit in PRINTED_SUITS)
    return ".".join(
        "".join(ranks) + "x" * small.get(suit, 0)
        for suit, ranks in zip(PRINTED_SUITS, of_suit, strict=True)
    )


def told(deal: Deal) -> dict[str, Any]:
    """The content of a deal, in the words of the files of expectations."""
    final, result, events = deal.declaration, deal.result, events_of(deal)
    remarks = {r.event.number: (r.mark, r.note) for r in deal.remarks if r.event.kind == "call"}
    declaration = None
    if final:
        by = final.declarer.word if final.declarer else "?"
        declaration = f"{final.odd_tricks} {final.denomination} {final.doubled} {by}"
    sides = deal.vulnerable
    judged = check(deal, CODE)
    out = {
        "id": deal.id,
        "players": {s.word: n for s, n in deal.players},
        "dealer": deal.dealer.word if deal.dealer else None,
        "vulnerable": None if sides is None else sorted(s.word for s in sides),
        "hands": {s.word: hand_text(h) for s, h in events.hands},
        "calls": " ".join(
            said(c, *remarks.get(n, (None, None))) for n, c in enumerate(events.calls or ())
        ),
        "declaration": "passed out" if final and final.passed_out else declaration,
        "tricks": [
            " ".join(p.card.code if p.card else "-" for p in t.cards) for t in events.tricks or ()
        ],
        "result": result.number if result and result.kind == "tricks" else result,
        "claims": [
            f"{c.seat.word} {c.verb} {c.tricks} {c.answer} after {c.after_trick}"
            for c in deal.claims
        ],
        "taken": judged.outcome.taken if judged.outcome else None,
        "comments": [
            " ".join([*(str(a) for a in c.anchor), c.where, *c.text.split()]) for c in deal.comments
        ],
        "tags": dict(deal.tags),
        "kept": [text for text, _ in deal.unused],
        "verdict": judged.verdict.value,
    }
    return {name: value for name, value in out.items() if value not in (None, "", [], {})} | (
        {"vulnerable": []} if sides is not None and not sides else {}
    )


def numbers(expected: dict[str, Any]) -> dict[str, Any]:
    """An expectation with its numbers parsed."""
    return expected | {n: int(expected[n]) for n in ("result", "taken") if n in expected}


def test_a_trick_before_a_claim_is_won_by_the_side_that_held_its_cards() -> None:
    """East leads out of turn to the second trick: South has won one trick and claims six."""
    played, claim = (HERE / "single.lin").read_text().splitlines()[0].split("mc|")
    (board,) = deals_of(f"{played}pc|HA|pc|H2|pc|H5|pc|H8|mc|{claim}\n")
    assert [(c.seat.word, c.tricks, c.after_trick) for c in board.claims] == [("south", 6, 2)]


@pytest.mark.parametrize("name", ["single", "vugraph"])
def test_a_sample_says_what_stands_beside_it(name: str) -> None:
    data = (HERE / f"{name}.lin").read_bytes()
    assert not found_in(data)
    found = [told(r) for r in deals_of(data)]
    wanted = [numbers(e) for e in table(f"lin/{name}")]
    for one, expected in zip(found, wanted, strict=True):
        if "taken" not in expected:
            one.pop("taken", None)
        if "verdict" not in expected:
            del one["verdict"]
        assert one == expected


def test_what_cannot_be_read_has_its_place() -> None:
    data = (HERE / "dirty.lin").read_bytes()
    found = found_in(data)
    wanted = [tuple(e) for e in table("lin/dirty")]
    places = [
        (u.rule.removeprefix("notation."), str(u.place.line), "".join(u.source.quoted(u.span)[1:]))
        for u in found
    ]
    assert len(places) == len(wanted)
    for (rule, line, rest), (its_rule, its_line, text) in zip(places, wanted, strict=True):
        assert (rule, line) == (its_rule, str(its_line))
        assert rest.startswith(text)
    assert all(u.rule in RULES and u.about for u in found)


def test_dirt_is_told_at_its_place_with_what_to_write() -> None:
    wrong = []
    for case in table("lin/dirt"):
        data = case["text"].encode(case.get("in", "utf-8"))
        wanted = [(f"notation.{r}", int(n), int(c), w) for r, n, c, w in case["told"]]
        got = found_in(data)
        told = [
            (u.rule, u.place.line, u.place.column, w if w in u.message else u.message)
            for u, (*_, w) in zip(got, [*wanted, *[("",)] * len(got)], strict=False)
        ]
        if told != wanted or any(u.place.line > u.source.text.count("\n") + 1 for u in got):
            wrong.append(f"{case['name']}: {told}")
    assert not wrong, "\n".join(wrong)


# --- there and back -------------------------------------------------------------------------------


def test_another_notation_says_the_same() -> None:
    deals = deals_of((HERE / "vugraph.lin").read_bytes())
    for to in ("hand", "pbn"):
        text = converted(deals, to, "x").text
        back = deals_in(read(text.encode(), notation=to))
        for one, other in zip(deals, back, strict=True):
            first, second = check(one, CODE), check(other, CODE)
            assert first.verdict is second.verdict, (to, one.id)
            assert [f.rule for f in first.findings] == [f.rule for f in second.findings]
            assert one.id == other.id.removeprefix("deal ")


def test_a_result_by_the_order_of_what_tells_it() -> None:
    # `mc` first, then thirteen tricks, then `rs`; without a card and without `mc` there is no result.
    head = "vg|,,,5,5|rs|1NS+2,|qx|o5|md|1SAKQJT98765432,HAKQJT98765432,DAKQJT98765432,|mb|1Nppp|"
    heart = "pc|HA|pc|D2|pc|C2|pc|S2|"
    cases = {head: None, head + heart: 9, head + heart + "mc|3|": 3, head + "mc|0|": 0}
    for text, tricks in cases.items():
        (deal,) = deals_of(text)
        assert (deal.result.number if deal.result else None) == tricks, text


def test_games_are_judged_as_in_pbn() -> None:
    pbn = deals_in(read(plain_games.pbn().encode()))
    judged = [[check(d, CODE) for d in deals] for deals in (pbn, deals_of(plain_games.lin()))]
    told = [
        [(c.source.id, unworded(c)["declaration"], c.outcome and c.outcome.taken) for c in many]
        for many in judged
    ]
    assert len(told[0]) == plain_games.NUMBER
    assert told[0] == told[1]
    assert {f.rule for c in judged[1] for f in c.findings} <= {"record.no-play"}


# --- files ----------------------------------------------------------------------------------------


def test_titles_may_precede_the_first_board() -> None:
    (board,) = deals_of("rh||ah|Final|ah|Second half|qx|o5|md|1,,,|mb|p|")
    assert (board.id, board.tags[0]) == ("board 5 open room", ("title", "Final; Second half"))


def test_lines_with_a_percent_sign_may_precede_the_first_command() -> None:
    board, text = read(b"% made\r\n% on 1 May: 7|7\r\nqx|o5|md|1,,,|mb|p|")
    assert isinstance(board, Deal)
    assert board.source.notation == "lin"
    assert isinstance(text, Unreadable)
    assert text.rule == "notation.lin-command"


def test_any_pieces_of_a_file_give_the_same() -> None:
    for path in sorted(HERE.glob("*.lin")):
        for data in (path.read_bytes(), path.read_bytes().replace(b"\n", b"\r\n")):
            whole = list(map(placed, read_lin([data])))
            for size in (1, 7, 64):
                pieces = (data[i : i + size] for i in range(0, len(data), size))
                assert list(map(placed, read_lin(pieces))) == whole, (path.name, size)


def test_a_board_has_its_place_in_a_long_line() -> None:
    board = "qx|o1|md|1SA,,,|mb|p| "
    number = 2000
    *_, last = deals_of(board * number)
    begin = (number - 1) * len(board) + len("qx|") + 1
    assert last.place == Place(1, begin, 1, number * len(board) - 1)
    assert last.source.place(event_span(last, Event("call", 0))).column == number * len(board) - 2


GARBAGE = {
    "nothing": (b"", 0, ["empty"]),
    "prose": (b"Dear sir,\nI play no bridge.\n", 0, ["lin-not-lin"]),
    "noise": (Random(1).randbytes(1 << 18).replace(b"|", b"."), 0, ["lin-not-lin"]),
    "bars": (b"|" * (1 << 18), 0, ["lin-not-lin"]),
    "an endless value": (b"mb|p|nt|" + b"x" * (1 << 19), 1, ["lin-command"]),
    "a number of thousands of digits": (b"qx|o1|ah|Board " + b"9" * 9000 + b"|mc|1|", 1, []),
    "white space": (b" \n" * (1 << 18) + b"mb|p|", 1, []),
}


def test_garbage_is_said_and_never_raised() -> None:
    wrong = {}
    for name, (data, boards, rules) in GARBAGE.items():
        items = list(read_lin([data]))
        found = [i.rule.removeprefix("notation.") for i in items if isinstance(i, Unreadable)]
        if (len(items) - len(found), found) != (boards, rules):
            wrong[name] = (len(items), found[:5])
    assert not wrong


# --- a board of duplicate -------------------------------------------------------------------------


def test_a_board_of_duplicate_is_asked_for_no_rubber() -> None:
    (board, *_) = deals_of((HERE / "single.lin").read_bytes())
    answer = check(board, CODE)
    assert (answer.verdict.value, answer.findings, answer.account) == ("legal", (), None)
    assert ("vulnerable", "of-a-board") in {(n.kind, n.reason) for n in answer.not_used}
    # If it states that the scoring is that of a rubber (PBN 3.4.12), it belongs to one.
    assert check(board._replace(tags=(("Scoring", "IMP;Cross"),)), CODE).account is None
    assert check(board._replace(tags=(("Scoring", "Rubber"),)), CODE).account is not None
    # If the record belongs to a rubber, or does not state the vulnerability, the score is judged.
    for other in (frozenset[Side](), None):
        changed = board._replace(vulnerable=other, declaration=None, tags=())
        found = {f.rule for f in check(changed, CODE).findings}
        assert ("record.no-standing" in found) == (other is None)
