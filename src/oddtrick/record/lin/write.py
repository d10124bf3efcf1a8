"""Writing LIN as far as it can say a record, and naming what it cannot.

What is lost is found by reading again what was written: whatever does not come back is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace

from oddtrick.cards import PRINTED_SUITS, Side
from oddtrick.record.lin.board import TAG_OF
from oddtrick.record.lin.read import VUGRAPH, read_lin
from oddtrick.record.lin.tricks import final_of, in_order
from oddtrick.record.lin.values import KINDS, ORDER, ROOMS, TRICKS
from oddtrick.record.model import Call, Group, Item, Record, TableClaim
from oddtrick.record.pbn.values import PBN_DENOMINATION, VULNERABLE, hand_text, result_text

LETTERS = {word: letter[0] for word, letter in PBN_DENOMINATION.items()}
KIND_LETTERS = {kind: letter for letter, kind in KINDS.items()}
SIDES = {
    frozenset[Side](): "o",
    VULNERABLE["NS"]: "n",
    VULNERABLE["EW"]: "e",
    VULNERABLE["ALL"]: "b",
}
WORDS = {
    "code": "the code",
    "options": "the options and readings",
    "players": "the players' names as they are written",
    "sides": "the names of the sides",
    "dealer": "the dealer",
    "vulnerable": "who is vulnerable",
    "standing_games": "the games won before",
    "standing_trick": "the trick score before",
    "standing_honour": "the honour score before",
    "tray": "the number of the tray",
    "table": "the table",
    "playing": "which play of the board it is",
    "hands": "the hands as far as they are known in part",
    "bidding_from": "who called first",
    "bidding": "the auction in all it tells",
    "declaration": "the declaration, which only the calls can tell",
    "play": "the play in all it tells",
    "more_play": "that the play went on",
    "table_claims": "who claimed, how, or that nobody did",
    "incidents": "the irregularities",
    "result": "the result",
    "honours": "the honours",
    "chicane": "chicane",
    "scores": "the score",
    "game": "who won a game",
    "comments": "the place or the ends of lines of comments",
}
"""What of a record does not come back, by its field."""

_ROOM = re.compile(r"(?:board|deal) (\S+) (?:open|closed) room")
_UNNAMED = re.compile(r"record \d+")
_BOARD = re.compile(r"(?:board|deal) (\S+)")


def write_lin(items: Iterable[Record | Group]) -> Iterator[str]:
    """The text of a LIN file, a record at a time, each on a line of its own.

    LIN has no rubbers or matches: their deals stand one after another.
    """
    before: list[str] = []
    for item in items:
        for record in item.records if isinstance(item, Group) else (item,):
            heading = _vugraph(record)
            if heading != before:
                yield f"vg|{','.join(heading)}|\n"
            before = heading
            yield _board(record)


def lost(record: Record) -> tuple[str, ...]:
    """What of a record does not come back from the LIN of `write_lin`, named for the user."""
    text = "".join(write_lin([record]))
    told = next((r for r in read_lin([text.encode()]) if isinstance(r, Record)), None)
    if told is None:
        return ("anything of this deal",)
    named = told.id == record.id or _UNNAMED.fullmatch(record.id)
    out = [] if named else [f"its name, which becomes {told.id}"]
    plain, back = _plain(record), _plain(told)
    out += [w for f, w in WORDS.items() if bare(getattr(plain, f)) != bare(getattr(back, f))]
    number = _BOARD.match(told.id)
    there = [(n.lower(), v) for n, v in (*told.tags, ("board", number[1] if number else ""))]
    for name, value in record.tags:
        if (name.lower(), value) in there:
            there.remove((name.lower(), value))
        else:
            out.append(f"the {name}: {' '.join(value.split())[:60]}")
    out += [
        f"a piece of text that had no use: {' '.join(k.value.split())[:60]}" for k in record.kept
    ]
    return tuple(out)


def _plain(record: Record) -> Record:
    """A record as LIN tells one: its cards in order, an agreed claim and its result as tricks."""
    final = final_of(record)
    result = record.result
    if result and (text := result_text(result, final)):
        result = replace(result, kind="tricks", number=int(text))
    tricks = in_order(record)
    play = record.play
    if tricks is not None and play:
        play = tuple(
            replace(t, cards=o.cards, columns_from=None, leader=None)
            for t, o in zip(play, tricks, strict=True)
        )
    passed = record.declaration and record.declaration.passed_out and record.bidding
    same = final is not None and record.declaration is not None and _same(record)
    first, dealer = record.bidding_from, record.dealer
    first = None if first and dealer and first.value is dealer.value else first
    return replace(
        record,
        play=play,
        result=result,
        declaration=None if passed or same else record.declaration,
        bidding_from=first,
        bidding=_ended(record.bidding),
    )


def _same(record: Record) -> bool:
    """Whether the stated declaration says no more than the calls."""
    said, called = record.declaration, final_of(replace(record, declaration=None))
    if said is None or called is None or said.bridged:
        return False
    doubled = _doubled(record.bidding or ())
    mine = (said.odd_tricks, said.denomination, said.declarer, said.doubled or 0)
    return mine == (called.odd_tricks, called.denomination, called.declarer, doubled)


def _doubled(calls: Sequence[Call]) -> int:
    """How often the last bid is doubled."""
    times = 0
    for call in calls:
        times = 0 if call.kind == "bid" else times + (call.kind in ("double", "redouble"))
    return times


def _ended(calls: tuple[Call, ...] | None) -> tuple[Call, ...] | None:
    """The calls with the passes written that `all pass` stands for."""
    if not calls or calls[-1].kind != "all-pass":
        return calls
    made = calls[:-1]
    wanted = 3 if any(c.kind == "bid" for c in made) else 4
    passes = 0
    while passes < len(made) and made[-1 - passes].kind == "pass":
        passes += 1
    more = tuple(replace(calls[-1], kind="pass", id=()) for _ in range(max(0, wanted - passes)))
    return made + more


def bare(value: object) -> object:
    """A value without places and ids."""
    if is_dataclass(value) and not isinstance(value, type):
        named = [f.name for f in fields(value) if f.name not in ("id", "place", "places")]
        return tuple(bare(getattr(value, name)) for name in named)
    return tuple(bare(v) for v in value) if isinstance(value, tuple) else value


# --- the commands of a record ---------------------------------------------------------------------


def _text(value: str) -> str:
    """A text that can stand in a value: LIN has no way to write a bar."""
    return value.replace("|", "/").strip()


def _vugraph(record: Record) -> list[str]:
    """The parts of `vg`; none where no tag of the record has a place in it."""
    parts = [_text(record.tag(name) or "").replace(",", " ") if name else "" for name in VUGRAPH]
    return parts if any(parts) else []


def _board(record: Record) -> str:
    """A board: players, hands, titles, calls with explanations, cards, the claim."""
    remarks: dict[Item, list[str]] = {}
    for comment in record.comments:
        remarks.setdefault(_home(comment.anchor), []).append(f"nt|{_text(comment.text)}|")
    room = next((o for o, word in ROOMS.items() if word == record.tag("Room")), "")
    named = _ROOM.fullmatch(record.id) if room else None
    number = named[1] if named else None
    by_seat = dict(record.players)
    names = [_text(by_seat.get(s, "")).replace(",", " ") for s in ORDER]
    if room == "c":
        names = ["", "", "", "", *names]
    out = [f"pn|{','.join(names)}|"]
    out += [f"qx|{room}{number}|"] if number else []
    out += [f"st|{_text(record.tag(TAG_OF['st']) or '')}|", f"md|{_deal(record)}|"]
    if record.vulnerable:
        out.append(f"sv|{SIDES[record.vulnerable.value]}|")
    out.append(f"rh|{_text(record.tag(TAG_OF['rh']) or '')}|")
    board = _BOARD.fullmatch(record.id)
    out += [f"ah|Board {board[1]}|"] if board else []
    out += [f"ah|{_text(title)}|"] if (title := record.tag("title")) else []
    out += remarks.pop((), [])
    out += _calls(record, remarks)
    out += _cards(record, remarks)
    out += [text for many in remarks.values() for text in many]
    result = result_text(record.result, final_of(record)) if record.result else ""
    result = result or _claimed(record)
    return "".join([*out, f"mc|{result}|" if result else "", "pg||"]).replace("\n", " ") + "\n"


def _home(anchor: Item) -> Item:
    """The call or the card behind which a remark is written; `()` before all calls."""
    numbers = anchor[:2] if anchor[:1] == ("bidding",) else anchor[:3]
    return numbers if anchor[:1] in (("bidding",), ("play",)) and len(anchor) > 1 else ()


def _deal(record: Record) -> str:
    dealer = str(ORDER.index(record.dealer.value) + 1) if record.dealer else "0"
    hands = []
    for seat in ORDER:
        hand = record.hand(seat)
        suits = hand_text(replace(hand, small=())).split(".") if hand else []
        named = zip(PRINTED_SUITS, suits, strict=False)
        hands.append("".join(suit.value + ranks for suit, ranks in named))
    return dealer + ",".join(hands)


def _calls(record: Record, remarks: dict[Item, list[str]]) -> Iterator[str]:
    """The calls; none at all where LIN has no word for one of them."""
    calls = _ended(record.bidding) or ()
    words = [_word(c) for c in calls if c.kind != "unrecorded"]
    if None in words:
        return
    for index, (call, word) in enumerate(zip(calls, words, strict=False)):
        yield f"mb|{word}{'!' if call.mark == '!' else ''}|"
        if call.note:
            yield f"an|{_text(call.note)}|"
        yield from remarks.pop(("bidding", index), [])


def _word(call: Call) -> str | None:
    if call.kind != "bid":
        return KIND_LETTERS.get(call.kind)
    letter = LETTERS.get(call.denomination or "")
    return f"{call.odd_tricks}{letter}" if letter and call.odd_tricks in range(1, 8) else None


def _cards(record: Record, remarks: dict[Item, list[str]]) -> Iterator[str]:
    """The cards in the order of play, up to the first that is not known."""
    for number, trick in enumerate(in_order(record) or ()):
        for index, played in enumerate(trick.cards):
            if played.card is None:
                return
            yield f"pc|{played.card.code}|"
            yield from remarks.pop(("play", number, index), [])
        yield from remarks.pop(("play", number), [])
        if len(trick.cards) != 4:
            return


def _claimed(record: Record) -> str:
    """The tricks that an agreed claim leaves the declarer with, where they are known."""
    final, tricks = final_of(record), in_order(record) or []
    claim = record.table_claims[-1] if record.table_claims else None
    whole = [t for t in tricks if len(t.cards) == 4]
    if not (claim and final and final.declarer and claim.answer != "refused" and tricks):
        return ""
    if claim.after_trick != len(tricks) or not all(t.winner for t in whole):
        return ""
    side, rest = final.declarer.side, TRICKS - len(whole)
    won = sum(1 for t in whole if t.winner and t.winner.side is side)
    return str(won + min(_gained(claim, side, rest), rest))


def _gained(claim: TableClaim, side: Side, rest: int) -> int:
    """The tricks that a claim gives a side, of the rest."""
    tricks = rest if claim.tricks is None else claim.tricks
    mine = (claim.seat.side is side) == (claim.verb == "claims")
    return tricks if mine else max(0, rest - tricks)
