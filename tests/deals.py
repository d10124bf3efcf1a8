"""Hypothesis strategies for everything that a record can state, and deals without their positions."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st

from files import table
from oddtrick.cards import PACK, PRINTED_SUITS, SEATS, Side
from oddtrick.record.deal import (
    CALL_KINDS,
    DENOMINATIONS,
    NOWHERE,
    UNKNOWN_CARD,
    Claim,
    Deal,
    Declaration,
    Event,
    Figures,
    Group,
    HandDetail,
    Header,
    Honours,
    Incident,
    Remark,
    Result,
    Score,
    Source,
    call,
)

PLACES = ("source", "span", "stated", "hand_spans", "call_starts", "card_starts", "own", "unread")

RULES = table("notation/rules")
"""The rules for what cannot be read, by id."""


def facts(item: Deal | Group | Header) -> dict[str, Any]:
    """Everything that a deal, a group or a header states, without positions."""
    names = item._fields if isinstance(item, Deal) else [f.name for f in fields(item)]
    found = {name: getattr(item, name) for name in names if name not in PLACES}
    for name in ("claims", "incidents", "comments"):
        if name in found:
            found[name] = [replace(thing, span=NOWHERE) for thing in found[name]]
    if isinstance(item, Deal):
        found["comments"].sort(key=lambda c: str(c.anchor))
        found["hands"] = {
            seat: held
            for seat, held in zip(SEATS, item.hands, strict=True)
            if is_written(item, seat)
        }
        found["hand_details"] = {d for d in item.hand_details if d.partial or d.small or d.again}
        found["incidents"].sort(key=lambda i: str((i.event, i.after)))
        found["remarks"] = sorted(item.remarks)
        found["columns"] = item.cards and item.columns  # nothing, where no card is played
        found["unused"], found["assumed"] = ([t for t, _ in x] for x in (item.unused, item.assumed))
    if isinstance(item, Group):
        found["header"] = facts(item.header)
        found["deals"] = [facts(deal) for deal in item.deals]
    return found


def is_written(deal: Deal, seat: Any) -> bool:
    return deal.hand_spans[SEATS.index(seat)] is not None


text = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.just("\n"), max_size=12)
word = st.from_regex(r"[a-z]{1,6}(-[a-z]{1,6}){0,2}", fullmatch=True)
seat = st.sampled_from(SEATS)
side = st.sampled_from(Side)
number = st.integers(0, 999)
mark = st.none() | st.sampled_from(["!", "?", "!!", "??", "!?", "?!"])
figures = (
    st.none()
    | st.builds(Figures, number, st.none() | number)
    | st.builds(Figures, st.none(), number)
)
denomination = st.sampled_from(DENOMINATIONS)


def few(strategy: st.SearchStrategy[Any], most: int = 2) -> st.SearchStrategy[tuple[Any, ...]]:
    """Nothing, or a few of something."""
    return st.lists(strategy, max_size=most).map(tuple)


def seldom(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Usually `None`, and something once in a given number of times."""
    return st.integers(0, 7).flatmap(lambda n: st.none() if n else strategy)


incident = st.builds(
    Incident,
    name=st.sampled_from(["insufficient-bid", "revoke", "lead-out-of-turn"]) | word | text,
    by=st.none() | seat,
    of=st.none() | text,
    noticed_by=st.none() | seat,
    remedy=st.none() | text,
    chosen_by=st.none() | seat,
    waived_by=st.none() | seat,
    when=st.none() | text,
    note=st.none() | text,
)
header = st.builds(
    Header,
    code=st.none() | word,
    options=few(word),
    tags=few(
        st.tuples(
            st.sampled_from(["source", "event", "venue", "date", "scorer", "note"])
            | st.sampled_from(["Room", "Dealer", "Deal", "Note", "ScoreTable", "OddtrickHand"])
            | text,
            st.sampled_from(["S", "4H", "^9", "NS 9", "N:A... - - -", "#", "##x"]) | text,
        ),
        3,
    ),
    players=st.dictionaries(seat, text).map(lambda d: tuple((s, d[s]) for s in SEATS if s in d)),
    sides=st.dictionaries(side, text).map(lambda d: tuple((s, d[s]) for s in Side if s in d)),
)
calls = st.one_of(
    st.builds(call, st.just("bid"), st.integers(1, 7), st.sampled_from(DENOMINATIONS[:6])),
    st.builds(call, st.just("bid"), st.integers(0, 99), denomination),
    st.builds(call, st.just("make"), st.none(), denomination),
    st.sampled_from([k for k in CALL_KINDS if k not in ("bid", "make")]).map(call),
)
declarations = st.sampled_from([None, Declaration(passed_out=True), Declaration(doubled=0)]) | (
    st.booleans().flatmap(
        lambda named: st.builds(
            Declaration,
            st.none() | st.integers(0, 99) if named else st.none(),
            denomination if named else st.none(),
            st.none() | st.integers(0, 4),
            seat,
            st.booleans(),
        )
    )
)


@st.composite
def hands(draw: st.DrawFn) -> dict[str, Any]:
    """Hands with cards once or twice, small cards, and open ends."""
    out: list[int] = []
    spans, details = [], []
    for holder in SEATS:
        cards = draw(st.lists(st.sampled_from(PACK), unique=True, max_size=14))
        again = draw(seldom(st.sampled_from(cards))) if cards else None
        partial = draw(st.booleans())
        written = draw(st.booleans())
        kinds = st.integers(0 if partial else 1, 4)
        small = draw(st.dictionaries(st.sampled_from(PRINTED_SUITS), kinds, max_size=2))
        # A suit with cards is not void.
        small = {s: n for s, n in small.items() if n or s not in {c.suit for c in cards}}
        rest = tuple((s, small[s]) for s in PRINTED_SUITS if s in small)
        out.append(sum(1 << c for c in cards) if written else 0)
        spans.append(NOWHERE if written else None)
        if written and (partial or rest or again):
            details.append(HandDetail(holder, partial, rest, (again,) if again else ()))
    return {"hands": tuple(out), "hand_spans": tuple(spans), "hand_details": tuple(details)}


def some_of(draw: st.DrawFn, length: int) -> Sequence[tuple[int, Any]]:
    """A few of so many indices, each with a seat."""
    found = [(n, draw(seldom(seat))) for n in range(length)]
    return tuple((n, s) for n, s in found if s)


@st.composite
def auctions(draw: st.DrawFn) -> dict[str, Any]:
    made = tuple(draw(st.lists(calls, max_size=9)))
    corrections = tuple(n for n in range(len(made)) if draw(seldom(st.just(1))))
    return {
        "calls": made,
        "first_caller": draw(st.none() | seat),
        "callers": some_of(draw, len(made)),
        "corrections": corrections,
    }


@st.composite
def plays(draw: st.DrawFn) -> dict[str, Any]:
    sizes = draw(st.lists(st.sampled_from([4, 4, 4, 1, 5]), max_size=5))
    pack = draw(st.permutations([int(c) for c in PACK]))
    cards = [UNKNOWN_CARD if draw(seldom(st.just(1))) else card for card in pack[: sum(sizes)]]
    after = sorted(draw(st.lists(st.integers(0, len(sizes)), max_size=2)))
    claim = st.builds(
        Claim,
        seat,
        st.sampled_from(["claims", "concedes"]),
        st.none() | number,
        st.sampled_from([None, "agreed", "refused"]),
    )
    return {
        "cards": tuple(cards),
        "trick_starts": tuple(accumulate([0, *sizes]))[:-1],
        "columns": draw(st.none() | seat),
        "leaders": some_of(draw, len(sizes)),
        "players_named": some_of(draw, len(cards)),
        "more_play": draw(st.booleans()),
        "claims": tuple(replace(draw(claim), after_trick=a) for a in after),
    }


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Any deal that our notation can write."""
    above = draw(header)
    title = draw(st.none() | text)
    stated = {f.name: getattr(above, f.name) for f in fields(above) if f.name != "stated"}
    if title is not None:
        stated["tags"] = (("title", title), *above.tags)
    stated |= draw(hands())
    stated |= draw(auctions()) if draw(st.booleans()) else {}
    stated |= draw(plays()) if draw(st.booleans()) else {}
    lengths = {"call": "calls", "card": "cards", "claim": "claims"}
    events = [
        Event(k, n) for k, name in lengths.items() for n in range(len(stated.get(name) or ()))
    ]
    told = [(e, i) for e in events for i in draw(seldom(few(incident))) or ()]
    kinds = st.sampled_from(["tricks", "odd", "made", "down"])
    result = draw(st.none() | st.builds(Result, kinds, number))
    # About the deal itself, stated before its auction, before its play, or after its result.
    times = [None, "bidding"] if {"calls", "cards"} <= stated.keys() else [None]
    times += ["play"] if len(times) > 1 and result else []
    own = [(None, replace(i, after=t)) for t in times for i in draw(few(incident, 1))]
    remarks = [
        Remark(e, *draw(st.tuples(mark, st.none() | text)))
        for e in events
        if e.kind != "claim" and draw(seldom(st.just(1)))
    ]
    return Deal(
        Source(),
        NOWHERE,
        f"deal {draw(st.integers(0, 99).map(str) | text)}",
        **stated,
        dealer=draw(st.none() | seat),
        vulnerable=draw(st.none() | st.frozensets(side)),
        standing_games=draw(figures),
        standing_trick=draw(figures),
        standing_honour=draw(figures),
        tray=draw(st.none() | number),
        table=draw(st.none() | text),
        playing=draw(st.sampled_from([None, "original", "overplay"])),
        declaration=draw(declarations),
        incidents=tuple(replace(i, event=e) for e, i in [*own, *told]),
        remarks=tuple(r for r in remarks if r.mark or r.note is not None),
        result=result,
        honours=tuple(
            Honours(s, *draw(st.tuples(number, st.none() | number))) for s in draw(st.sets(side))
        ),
        chicane=tuple(draw(st.lists(seat | side, max_size=2, unique=True))),
        scores=draw(
            few(
                st.builds(
                    Score,
                    side,
                    st.sampled_from(["trick", "honour", "gain"]),
                    st.lists(number, min_size=1, max_size=3).map(tuple),
                ),
                4,
            )
        ),
        game=draw(st.none() | side),
    )


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """Any rubber or match."""
    kind = draw(st.sampled_from(["rubber", "match"]))
    unfinished = kind == "rubber" and draw(st.booleans())
    return Group(
        Source(),
        NOWHERE,
        kind,
        draw(st.none() | text),
        draw(few(deals())),
        draw(header),
        draw(figures),
        won_by=draw(st.none() | side),
        unfinished=unfinished,
        retired=draw(side) if unfinished and draw(st.booleans()) else None,
    )
