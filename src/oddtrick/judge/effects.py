"""What a remedy does: the effects of the catalogue, each a function from one table to another.

A remedy is data (`laws/irregularities.yaml`): it names its effects, and none is known here by its
own name. Those on calls change the table of the auction; those on the score become a `Penalty`
for the account; a demand is held against the cards that follow (`demands`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from oddtrick.cards import Seat, Side
from oddtrick.judge import score_effects
from oddtrick.judge.demands import DEMANDS, Kind
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import EARLIER_BID, REOPENING, Made, bid_range
from oddtrick.judge.procedures import enough as enough_over
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.judge.score_procedures import Penalty
from oddtrick.judge.table import Bar, Table
from oddtrick.law.model import Effect as VocabularyEffect
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Declaration
from oddtrick.rulings.engine import Ruling

if TYPE_CHECKING:
    from oddtrick.judge.account import Counter


@dataclass(frozen=True, slots=True)
class Offence:
    """An irregular call of the auction, for the effects of its remedies.

    `before` is the table before it, `made` the call as it was taken, `following` who called next;
    `doubled` is how far the record has the bid doubled that a choice makes final; `undone` says
    that the call is void for another reason than this irregularity.
    """

    seat: Seat
    before: Table
    made: Made | None = None
    following: Seat | None = None
    doubled: int = 0
    undone: bool = False


DECISIONS = ("accepted",)
"""The facts that say what the player decided who may choose."""


def applied(ruling: Ruling, chosen: str | None) -> tuple[Remedy, ...]:
    """The remedies of a ruling that apply.

    What follows by itself, and what goes with a choice. What somebody may consent to is forbidden
    until he does; where a fact says what he decided, that applies.
    """
    decided = any(fact in DECISIONS for fact, _ in ruling.when)
    by_itself = (r for r in ruling.always if decided or r.chosen_by == "nobody" or _by_consent(r))
    return tuple(dict.fromkeys((*by_itself, *taken_with(ruling, chosen))))


def taken_with(ruling: Ruling, chosen: str | None) -> tuple[Remedy, ...]:
    """The remedies of a ruling that apply with one that was chosen."""
    for choice in ruling.choices:
        if chosen in [r.id for r in choice]:
            return choice
    return tuple(r for r in ruling.always if r.id == chosen)


def _by_consent(remedy: Remedy) -> bool:
    return any(e.of == "consent" for e in remedy.effects)


def has(remedies: Iterable[Remedy], effect: str) -> bool:
    """Whether one of some remedies has an effect."""
    return any(e.id == effect for r in remedies for e in r.effects)


# --- on calls -----------------------------------------------------------------------------------


def void(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The call counts for nothing: out of turn the turn goes back.

    In turn its player declares again; if the next player calls, it was a pass.
    """
    del of, law
    made, before = offence.made, offence.before
    if made is None:
        return table
    if made.turn is not made.seat or offence.following is made.seat:
        return before
    return before.called(replace(made, void=True))._replace(bars=before.bars)


def stand(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The call counts; where the player calls whose turn it was, it waits for its own turn."""
    del of, law
    made, before = offence.made, offence.before
    if made is None:
        return table
    counted = replace(made, void=offence.undone)
    waits = made.turn not in (made.seat, made.seat.left) and offence.following is made.turn
    if waits and before.dialogue is None:
        return before._replace(waiting=counted)
    return before.called(counted)


def suffice(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The bid counts as of the fewest tricks that make it sufficient in its denomination."""
    del of
    made, over = offence.made, offence.before.last
    if made is None or over is None:
        return table
    enough = enough_over(made.call, over.bid, law)
    return offence.before.called(replace(made, counted=enough, void=False)) if enough else table


def all_tricks(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The bid counts as one of all the tricks.

    Where both partners of the side are barred it has only to be played, as it is or doubled.
    """
    del of
    made = offence.made
    limits = bid_range(law)
    if made is None or limits is None:
        return table
    bid = replace(made.call, odd_tricks=limits.most)
    table = offence.before.called(replace(made, counted=bid, void=False))
    return table._replace(doubled=offence.doubled)


def final(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The auction is over at an earlier bid, or at the bid as doubled or challenged."""
    before, made = offence.before, offence.made
    if of == "doubled" and made:
        table = before.called(replace(made, void=False))
        return table._replace(final=True)
    if of == "challenged":
        return before._replace(final=True, doubled=offence.doubled)
    # Before a bid it is that of the other side; before a double, that which was doubled.
    of_a_bid = made is None or made.call.kind == "bid"
    own = before.bid_of(offence.seat.side.other)
    choice = law.procedure("earlier-bid", EARLIER_BID)
    chosen = choice(own, before.last) if choice else own
    earlier = chosen if of_a_bid else before.last
    if earlier is None:
        return table
    doubled = before.doubled if earlier is before.last else 0
    return before._replace(last=earlier, doubled=doubled, final=True)


def doubled_by(words: str, stated: Declaration | None) -> int:
    """How far a bid is doubled that a choice makes final.

    By the words of the choice (`seven, doubled`), or else by the final declaration as stated.
    """
    named = read_remedy(words).doubled
    return int(bool(stated and stated.doubled) if named is None else named)


def go_back(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The auction goes on from the declaration before."""
    return void(table, offence, of, law)


def skip_partner(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The turn of the offender's partner passes to the next player."""
    del of, law
    partner = offence.seat.partner
    if table.turn is not partner:
        return table
    return table._replace(turn=partner.left, skipped=partner)


def must_make(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The offender must make the trump."""
    del of, law
    if table.dialogue is None:
        return table
    bound = table.dialogue._replace(bound=offence.seat)
    return table._replace(turn=offence.seat, dialogue=bound)


def end_doubling(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The doubling is over."""
    del offence, of, law
    return table._replace(final=True)


def reopen(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """Those who passed may call again, the offender too where the law has him call again."""
    how = law.value("reopening")
    if how and REOPENING[how]():
        return offence.before._replace(passes=0)
    return stand(table, offence, of, law)._replace(passes=0)


def forfeit(table: Table, offence: Offence, of: str | None, law: Rules) -> Table:
    """The penalty is lost: a call that could be made at all counts as it was made."""
    made = offence.made
    if made is None or (made.call.kind == "bid" and not possible(made.call, law)):
        return table
    return stand(table, offence, of, law)


def possible(bid: Call, law: Rules) -> bool:
    """Whether a bid is of a denomination and a number of odd tricks that the code knows."""
    known = law.denomination(str(bid.denomination)) is not None
    limits = bid_range(law)
    return known and (limits is None or (bid.odd_tricks or 0) in limits)


def partner(seat: Seat) -> tuple[Seat, ...]:
    """The partner of the offender."""
    return (seat.partner,)


def offender(seat: Seat) -> tuple[Seat, ...]:
    """The offender himself."""
    return (seat,)


def both(seat: Seat) -> tuple[Seat, ...]:
    """The offender and his partner."""
    return (seat, seat.partner)


# --- all of them ----------------------------------------------------------------------------------


class Effect(NamedTuple):
    """An effect: what it does to a declaration and to an account, whom it bars, what it demands.

    An effect with none of these is one of the record as a whole, which `remedies` and `incidents`
    ask for by its id. `bars` and `demands` are by that of which the effect is.
    """

    on_call: Callable[[Table, Offence, str | None, Rules], Table] | None = None
    bars: Mapping[str | None, Callable[[Seat], tuple[Seat, ...]]] = MappingProxyType({})
    demands: Mapping[str, Kind] = MappingProxyType({})
    on_score: Callable[[Counter, Penalty], None] | None = None


EFFECTS: Mapping[str, Effect] = {
    "void": Effect(on_call=void),
    "stand": Effect(on_call=stand),
    "suffice": Effect(on_call=suffice),
    "all-tricks": Effect(on_call=all_tricks),
    "final": Effect(on_call=final),
    "go-back": Effect(on_call=go_back),
    "reopen": Effect(on_call=reopen),
    "forfeit": Effect(on_call=forfeit),
    "skip-partner": Effect(on_call=skip_partner),
    "end-doubling": Effect(on_call=end_doubling),
    "must-make": Effect(on_call=must_make),
    "bar": Effect(bars={"partner": partner, "offender": offender, "side": both}),
    "bar-doubling": Effect(bars={"partner": partner, "consent": partner}),
    "demand": Effect(demands=DEMANDS),
    "move-tricks": Effect(on_score=score_effects.elsewhere),
    "no-game": Effect(on_score=score_effects.elsewhere),
    "value-of-tricks": Effect(on_score=score_effects.value_of_tricks),
    "lose": Effect(on_score=score_effects.losing(score_effects.OF_OFFENDERS)),
    "both-lose": Effect(on_score=score_effects.losing(score_effects.OF_BOTH)),
    "limit": Effect(on_score=score_effects.limit),
    "give-points": Effect(on_score=score_effects.give_points),
    "deal-again": Effect(),
    "play-out": Effect(),
    "unjudged": Effect(),
    "penalty-of": Effect(),
    "keep": Effect(),
    "no-proof": Effect(),
    "as-written": Effect(),
}
"""Every effect of the vocabulary, in the order in which they are carried out."""


def is_of_score(effect: VocabularyEffect) -> bool:
    """Whether an effect is carried out by the account."""
    return EFFECTS[effect.id].on_score is not None


def bars_of(
    remedies: Iterable[Remedy], seat: Seat, consented: str | None = None
) -> tuple[Bar, ...]:
    """The bars that remedies put on players; `consented` is the remedy to which somebody did."""
    return tuple(
        Bar(
            player,
            r.lasts or "to-the-end",
            r.provision,
            doubles_alone=effect.id == "bar-doubling",
            by_leave=effect.of == "consent",
            consent=effect.of == "consent" and r.id == consented,
        )
        for r in remedies
        for effect in r.effects
        for bars in [EFFECTS[effect.id].bars]
        if effect.of in bars
        for player in bars[effect.of](seat)
    )


def carried_out(table: Table, remedies: tuple[Remedy, ...], offence: Offence, law: Rules) -> Table:
    """The auction when the remedies of an irregular call apply, without those that bar."""
    effects = [e for r in remedies for e in r.effects]
    for name, row in EFFECTS.items():
        for effect in (e for e in effects if e.id == name):
            table = row.on_call(table, offence, effect.of, law) if row.on_call else table
    ends = (r.provision for r in remedies if has((r,), "final") or has((r,), "end-doubling"))
    table = table._replace(ended_by=next(ends, None)) if table.final else table
    barred = {b.seat for b in bars_of(remedies, offence.seat) if b.lasts == "to-the-end"}
    if has(remedies, "all-tricks") and barred >= set(both(offence.seat)):
        return table._replace(to_be_played=True)
    return table


def penalties(
    remedies: Iterable[Remedy], offenders: Side, name: str, readings: tuple[str, ...]
) -> tuple[Penalty, ...]:
    """What the remedies of an irregularity do to the score of the deal."""
    return tuple(
        Penalty(offenders, e.id, r.number, name, (r.provision,), readings, e.of, r.column)
        for r in remedies
        for e in r.effects
        if is_of_score(e)
    )
