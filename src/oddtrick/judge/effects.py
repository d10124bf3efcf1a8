"""The effects of remedies: each row of `EFFECTS` holds all that the judge knows about one effect.

A remedy is data (`laws/irregularities.yaml`) and names its effects; this module knows no remedy by
name. Effects on calls change the table of the auction; those on the score become a `Penalty` for
the account; a demand is checked against the cards that follow (`demands`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from oddtrick.cards import Seat, Side
from oddtrick.judge import demands as card
from oddtrick.judge.demands import Demand, Kind
from oddtrick.judge.events import Call
from oddtrick.judge.finding import Entry, Message
from oddtrick.judge.procedures import DECLARING, Made, bid_range
from oddtrick.judge.procedures import enough as enough_over
from oddtrick.judge.remedy_words import NamedRemedy
from oddtrick.judge.score_parts import each_once, worth, worth_clauses
from oddtrick.judge.score_procedures import HONOURS, SCORING, Penalty, trump_suit
from oddtrick.judge.table import Bar, Table
from oddtrick.law.book import book
from oddtrick.law.model import Remedy
from oddtrick.law.rules import Rules
from oddtrick.rulings.engine import Ruling

if TYPE_CHECKING:
    from oddtrick.judge.account import Counter
    from oddtrick.judge.incidents import Shown
    from oddtrick.judge.ruling import Case


def applied(ruling: Ruling, chosen: str | None) -> tuple[Remedy, ...]:
    """The remedies of a ruling that apply.

    They are the remedies that follow by themselves and the remedies of the choice made. A remedy
    that needs consent binds until somebody consents; if a fact states the decision, the ruling for
    it applies.
    """
    decided = any(book().facts[fact].decision for fact, _ in ruling.when)
    by_itself = [
        r
        for r in ruling.always
        if decided or r.chosen_by == "nobody" or any(e.of == "consent" for e in r.effects)
    ]
    own = tuple(r for r in ruling.always if r.id == chosen)
    taken = next((c for c in ruling.choices if chosen in [r.id for r in c]), own)
    return tuple(dict.fromkeys((*by_itself, *taken)))


def has(remedies: Iterable[Remedy], effect: str) -> bool:
    """Whether one of the remedies has the effect with this id."""
    return any(e.id == effect for r in remedies for e in r.effects)


# --- on calls -----------------------------------------------------------------------------------


class Offence(NamedTuple):
    """An irregular call of the auction, as input for the effects of its remedies.

    `before` is the table before it, `made` the call as it was made, `following` the player who
    called next; `doubled` is how often the bid that a choice makes final was doubled according to
    the record; `undone` is true if the call is void for another reason. `table` is the table after
    the previous effects.
    """

    law: Rules
    before: Table
    made: Made
    following: Seat | None
    doubled: int
    undone: bool
    table: Table


def void(offence: Offence) -> Table:
    """Make the call void; after a call out of turn the turn goes back.

    A player who called in turn calls again; if the next player has called, the void call was a
    pass.
    """
    made, before = offence.made, offence.before
    if made.turn is not made.seat or offence.following is made.seat:
        return before
    return before.called(replace(made, void=True))._replace(bars=before.bars)


def stand(offence: Offence) -> Table:
    """Let the call count at once, or in its own turn if the player whose turn it was calls next."""
    made, before = offence.made, offence.before
    counted = replace(made, void=offence.undone)
    early = made.turn not in (made.seat, made.seat.left) and offence.following is made.turn
    if early and before.dialogue is None:
        return before._replace(early=counted)
    return before.called(counted)


def suffice(offence: Offence) -> Table:
    """Count the bid as the lowest sufficient bid in its denomination."""
    made, over = offence.made, offence.before.last
    counted = enough_over(made.call, over.bid, offence.law) if over else None
    if counted is None:
        return offence.table
    return offence.before.called(replace(made, counted=counted, void=False))


def all_tricks(offence: Offence) -> Table:
    """Count the bid as a bid of all the tricks, doubled as often as the choice states.

    If both partners of the side are barred, `carried_out` also requires it to be played.
    """
    made, most = offence.made, bid_range(offence.law)[-1]
    bid = replace(made.call, odd_tricks=most)
    table = offence.before.called(replace(made, counted=bid, void=False))
    return table._replace(doubled=offence.doubled)


def final_as_before(offence: Offence) -> Table:
    """End the auction at an earlier bid: for a double, at the bid that was doubled."""
    before, made = offence.before, offence.made
    bid = made.call.kind == "bid"
    earlier = earlier_bid(before.bids, made.seat.side.other, offence.law) if bid else before.last
    if earlier is None:
        return offence.table
    doubled = before.doubled if earlier is before.last else 0
    return before._replace(last=earlier, doubled=doubled, final=True)


def earlier_bid(bids: Sequence[Made], side: Side, law: Rules) -> Made | None:
    """The bid that becomes final when a side goes back to an earlier one."""
    own = next((m for m in reversed(bids) if m.seat.side is side), None)
    choice = law.procedure("earlier-bid", DECLARING)
    return choice(own, bids[-1] if bids else None) if choice else own


def skip_partner(offence: Offence) -> Table:
    """Pass the turn of the offender's partner to the next player."""
    table, partner = offence.table, offence.made.seat.partner
    return table._replace(turn=partner.left, skipped=partner) if table.turn is partner else table


def must_make(offence: Offence) -> Table:
    """Require the offender to make the trump."""
    table, seat = offence.table, offence.made.seat
    if table.dialogue is None:
        return table
    return table._replace(turn=seat, dialogue=table.dialogue._replace(bound=seat))


def reopen(offence: Offence) -> Table:
    """Let the players who passed call again, and the offender too if the code allows it."""
    again = offence.law.procedure("reopening", DECLARING)
    return (offence.before if again and again() else stand(offence))._replace(passes=0)


def forfeit(offence: Offence) -> Table:
    """Let a possible call count as it was made, because the penalty is lost."""
    return stand(offence) if possible(offence.made.call, offence.law) else offence.table


def possible(call: Call, law: Rules) -> bool:
    """Whether a call is possible: a bid must have a denomination and a number that the code has."""
    known, limits = law.denomination(str(call.denomination)) is not None, bid_range(law)
    return call.kind != "bid" or (known and (not limits or call.odd_tricks in limits))


# --- on the score ---------------------------------------------------------------------------------


def value_of_tricks(counter: Counter, penalty: Penalty) -> None:
    """Add the value of tricks to a score towards the game, or deduct it."""
    final, law = counter.final, counter.law
    value = law.procedure("revoke-value", SCORING)
    if not penalty.number or value is None:
        return
    points = penalty.number * value(worth(final, law), law.value("odd-trick")[final.denomination])
    names, side, how = worth_clauses(final.doubled), penalty.offenders.other, "value-added"
    rest_on = ["revoke-value"] if final.doubled else []
    if penalty.of == "deducted":
        side, how = penalty.offenders, "value-taken-off"
        rest_on.append("revoke-deduction")
        before = counter.facts.standing.trick_of(side)
        deduction = law.procedure("revoke-deduction", SCORING)
        if before is None or deduction is None:
            counter.miss("trick-score", honour=False)
            return
        points = -min(points, max(deduction(before, counter.trick_points(side)), 0))
    reason = (Message(how, tricks=penalty.number, irregularity=penalty.irregularity),)
    laws = each_once(penalty.laws + law.laws(*names))
    readings = each_once(penalty.readings + law.readings(*names, *rest_on))
    of = (penalty.irregularity,)
    counter.entries.append(Entry(side, "trick", points, "penalty", reason, laws, readings, of))


FOR_TRICKS = ("odd-tricks", "contract-bonus", "overtricks")
"""The items of an account for odd tricks or for making the contract."""


def losing(
    *items: str, both: bool = False, honours: Callable[[bool], bool] = lambda _trumps: False
) -> Callable[[Counter, Penalty], None]:
    """An effect that cuts entries of the offenders, or of `both` sides, to 0 points.

    The entries are those for `items` or, if none is named, all except those on honours; `honours`
    decides whether these are lost too, given whether there are trumps. The offenders' remaining
    entries for tricks get the readings of the penalty.
    """

    def lose(counter: Counter, penalty: Penalty) -> None:
        every = honours(trump_suit(counter.final.denomination, counter.law) is not None)
        for entry in tuple(counter.entries):
            own = entry.side is penalty.offenders
            lost = entry.item in items if items else every or entry.item not in HONOURS
            if entry.points and (own or both) and lost:
                why = Message("not-scored", irregularity=penalty.irregularity)
                _cut(counter, entry, 0, why, penalty)
            elif own and entry.item in FOR_TRICKS:
                counter.change(entry, entry.points, readings=penalty.readings)

    return lose


def _cut(counter: Counter, entry: Entry, points: int, why: Message, penalty: Penalty) -> None:
    """Cut an entry to a number of points, and add the laws of the penalty."""
    laws, readings, of = penalty.laws, penalty.readings, (penalty.irregularity,)
    counter.change(entry, points, why, laws=laws, readings=readings, irregularities=of)


def limit(counter: Counter, penalty: Penalty) -> None:
    """Cut points towards the game that would take the score of a side above a limit."""
    side, most, law = penalty.offenders, penalty.number, counter.law
    own = [e for e in counter.entries if e.side is side and e.column == "trick" and e.points > 0]
    before = counter.facts.standing.trick_of(side)
    if not own:
        return
    if before is None:
        counter.miss("trick-score", honour=False)
        return
    assert most is not None
    over = counter.trick_points(side) - max(0, most - before)
    for entry in own:
        if over <= 0:
            return
        room, each, of = max(0, entry.points - over), worth(counter.final, law), penalty
        left = room
        if entry.item == "odd-tricks":
            left = SCORING["ceiling"][law.value("ceiling")](entry.points, room, each)
            if room % each:
                of = replace(penalty, readings=penalty.readings + law.readings("ceiling"))
        over -= entry.points - left
        _cut(counter, entry, left, Message("limited-in-all", most=most), of)


def give_points(counter: Counter, penalty: Penalty) -> None:
    """Give points to one side because the other offended."""
    if not penalty.number:
        return
    readings, points = penalty.readings, penalty.number
    how = counter.law.procedure("failed-declarer", SCORING)
    if how and penalty.offenders is not counter.side and counter.trick_score.made is False:
        points = how(points)
        readings += counter.law.readings("failed-declarer.penalties")
    counter.entries.append(penalty.entry(points, each_once(readings)))


# --- ordered and not done -------------------------------------------------------------------------


class Order(NamedTuple):
    """What a remedy orders about calls or about the deal, for a case.

    `points` are the points awarded with it; `after` are the calls after that of the case, `None` if
    the case is not about a call.
    """

    shown: Shown
    case: Case
    points: Collection[int | None]
    after: Sequence[Made] | None


def deal_goes_on(order: Order) -> Message | None:
    """A message if the record goes on with a deal that was to be dealt again."""
    on = order.shown.went_on(order.case, order.points)
    return Message("goes-on-with-the-deal") if on else None


def not_played_out(order: Order) -> Message | None:
    """A message if the hand ends with a claim after which it had to be played out."""
    claimed = order.case.item[:1] == ("claims",)
    return None if not claimed or order.shown.went_on(order.case) else Message("not-played-out")


def made_by_another(order: Order) -> Message | None:
    """A message if a player other than the offender makes the trump."""
    seat = order.case.seat
    maker = next((m.seat for m in order.after or () if m.call.kind == "make"), None)
    if seat is None or maker in (None, seat):
        return None
    return Message("made-by-another", player=seat, maker=maker)


def no_earlier_bid(order: Order) -> Message | None:
    """A message if a side makes an earlier bid of its own final but has made none."""
    if order.after is None:
        return None
    calls = order.shown.declared.calls
    made = calls[-len(order.after) - 1]
    bids = [m for m in calls[: -len(order.after) - 1] if m.call.kind == "bid" and not m.void]
    side = made.seat.side.other
    if made.call.kind != "bid" or earlier_bid(bids, side, order.shown.law):
        return None
    return Message("no-earlier-bid", side=side)


# --- all of them ----------------------------------------------------------------------------------


OFFENDER, PARTNER, RIGHT = 0, 2, 3


class Effect(NamedTuple):
    """An effect: what it does to calls, to the score and to the cards, and whom it bars.

    `turn` is the player to the left of the offender whose turn the law takes it to have been.
    `on_notice` is true if a player who may demand the effect does so by noticing the offence.

    An effect with none of these concerns the record as a whole; `remedies` and `incidents` ask for
    it by its id. `bars` are places to the left of the offender. `undone` returns a message
    on an order that was not followed.
    """

    on_call: Callable[[Offence], Table] | None = None
    bars: tuple[int, ...] = ()
    on_score: Callable[[Counter, Penalty], None] | None = None
    undone: Callable[[Order], Message | None] | None = None
    demand: Kind | None = None
    turn: int | None = None
    on_notice: bool = False


ELSEWHERE = Effect(on_score=lambda _counter, _penalty: None)
"""An effect on the score that `score_parts` or `account` applies: moved tricks, no game."""

EFFECTS: Mapping[tuple[str, str | None], Effect] = {
    ("turn", "right-opponent"): Effect(turn=RIGHT),
    ("void", None): Effect(on_call=void),
    ("stand", None): Effect(on_call=stand),
    ("suffice", None): Effect(on_call=suffice),
    ("all-tricks", None): Effect(on_call=all_tricks),
    ("final", "earlier"): Effect(on_call=final_as_before, undone=no_earlier_bid),
    ("final", "doubled"): Effect(
        on_call=lambda of: of.before.called(replace(of.made, void=False))._replace(final=True)
    ),
    ("final", "challenged"): Effect(
        on_call=lambda of: of.before._replace(final=True, doubled=of.doubled)
    ),
    ("go-back", None): Effect(on_call=void),
    ("reopen", None): Effect(on_call=reopen),
    ("forfeit", None): Effect(on_call=forfeit),
    ("skip-partner", None): Effect(on_call=skip_partner),
    ("end-doubling", None): Effect(on_call=lambda of: of.table._replace(final=True)),
    ("must-make", None): Effect(on_call=must_make, undone=made_by_another),
    ("bar", "partner"): Effect(bars=(PARTNER,), on_notice=True),
    ("bar", "offender"): Effect(bars=(OFFENDER,), on_notice=True),
    ("bar", "side"): Effect(bars=(OFFENDER, PARTNER), on_notice=True),
    ("bar-doubling", "partner"): Effect(bars=(PARTNER,), on_notice=True),
    ("bar-doubling", "consent"): Effect(bars=(PARTNER,)),
    ("demand", "suit"): Effect(demand=Kind(card.a_lead, card.called_suit)),
    ("demand", "other-suit"): Effect(demand=Kind(card.a_lead, card.called_suit, "forbidden")),
    ("demand", "card"): Effect(demand=Kind(card.a_card, card.called_card, "card")),
    ("demand", "partners-card"): Effect(demand=Kind(card.a_card, card.called_card, "card")),
    ("demand", "played-card"): Effect(demand=Kind(card.at_a_turn, card.card_or_not, None)),
    ("demand", "card-or-not"): Effect(demand=Kind(card.at_a_turn, card.card_or_not, None)),
    ("demand", "rank"): Effect(
        demand=Kind(card.of_player, card.called_rank, among=(None, "highest", "lowest"))
    ),
    ("demand", "rank-of-suit"): Effect(
        demand=Kind(card.of_player, card.called_rank, among=("highest",))
    ),
    ("demand", "result"): Effect(
        demand=Kind(card.of_player, card.called_result, among=(None, "win", "lose"))
    ),
    ("demand", "winning"): Effect(demand=Kind(card.of_player, card.called_result, among=("win",))),
    ("demand", "trump"): Effect(
        demand=Kind(card.of_player, card.called_trump, among=(None, "trump", "not trump"))
    ),
    ("demand", "leader"): Effect(demand=Kind(card.a_leader, card.called_leader, None)),
    ("move-tricks", None): ELSEWHERE,
    ("no-game", "side"): ELSEWHERE,
    ("no-game", "both"): ELSEWHERE,
    ("value-of-tricks", "added"): Effect(on_score=value_of_tricks),
    ("value-of-tricks", "deducted"): Effect(on_score=value_of_tricks),
    ("lose", "tricks"): Effect(on_score=losing("odd-tricks")),
    ("lose", "tricks-and-bonus"): Effect(on_score=losing(*FOR_TRICKS)),
    ("lose", "slam"): Effect(on_score=losing("slam")),
    ("lose", "all-but-honours"): Effect(on_score=losing()),
    ("both-lose", "all-but-honours"): Effect(on_score=losing(both=True)),
    ("both-lose", "all-but-trump-honours"): Effect(
        on_score=losing(both=True, honours=lambda trumps: not trumps)
    ),
    ("both-lose", "everything"): Effect(on_score=losing(both=True, honours=lambda _trumps: True)),
    ("limit", None): Effect(on_score=limit),
    ("give-points", None): Effect(on_score=give_points),
    ("deal-again", None): Effect(undone=deal_goes_on),
    ("redeal", "same"): Effect(),
    ("redeal", "proper"): Effect(),
    ("redeal", "left"): Effect(),
    ("play-out", None): Effect(undone=not_played_out),
    ("unjudged", None): Effect(),
    ("penalty-of", "revoke"): Effect(),
    ("penalty-of", "lead-out-of-turn"): Effect(),
    ("end-calls", None): Effect(),
    ("keep", None): Effect(),
    ("no-proof", None): Effect(),
    ("as-written", None): Effect(),
}
"""Every effect of the vocabulary with its object, in the order in which they are carried out."""

EXPOSED = {
    of for (_, of), effect in EFFECTS.items() if effect.demand and effect.demand.called == "card"
}
"""The objects of the demands on exposed cards."""


def bars_of(
    remedies: Iterable[Remedy], seat: Seat, consented: str | None = None
) -> tuple[Bar, ...]:
    """The bars that remedies impose on players.

    `consented` is the remedy to which a player consented.
    """
    return tuple(
        Bar(
            seat.after(left),
            r.lasts or "to-the-end",
            r.provision,
            doubles_alone=effect.id == "bar-doubling",
            by_leave=effect.of == "consent",
            consent=effect.of == "consent" and r.id == consented,
        )
        for r in remedies
        for effect in r.effects
        for left in EFFECTS[effect].bars
    )


def carried_out(offence: Offence, remedies: Sequence[Remedy]) -> Table:
    """The state of the auction after the remedies for an irregular call, except bars on players."""
    effects = [e for r in remedies for e in r.effects]
    for effect, row in EFFECTS.items():
        if row.turn is not None and effect in effects:
            turn = offence.made.seat.after(row.turn)
            before, made = offence.before._replace(turn=turn), replace(offence.made, turn=turn)
            offence = offence._replace(before=before, made=made)
        if row.on_call and effect in effects:
            offence = offence._replace(table=row.on_call(offence))
    table = offence.table
    if table.final:
        ends = (r.provision for r in remedies if has((r,), "final") or has((r,), "end-doubling"))
        table = table._replace(ended_by=next(ends, None))
    barred = {b.seat for b in bars_of(remedies, offence.made.seat) if b.lasts == "to-the-end"}
    if has(remedies, "all-tricks") and len(barred) > 1:
        return table._replace(to_be_played=True)
    return table


def penalties(
    remedies: Iterable[Remedy], offenders: Side, name: str, readings: tuple[str, ...]
) -> tuple[Penalty, ...]:
    """The changes that the remedies for an irregularity make to the score."""
    return tuple(
        Penalty(offenders, e.id, r.number, name, (r.provision,), readings, e.of, r.column)
        for r in remedies
        for e in r.effects
        if EFFECTS[e].on_score
    )


def demands_of(shown: Shown, case: Case, remedy: Remedy) -> Iterator[Demand]:
    """The demands that a remedy makes on the cards, with what the record names.

    If the record names no card, the card of the irregularity is meant. After the play there are no
    demands. After a claim there are none for exposed cards if the law forbids calling them.
    """
    named, since = case.asked or NamedRemedy(), case.at or (0, -1)
    over = case.trick is None and case.incident is not None and case.incident.after == "play"
    for effect in remedy.effects if not over else ():
        if kind := EFFECTS[effect].demand:
            seats = shown.roles.seats(remedy.whose or "partner", case.seat) or ()
            of = named.suit, named.card or case.card, named.option
            called = kind.called == "card"
            last = shown.calls_end[0] - 1 if called else len(shown.outcome.tricks)
            blank = Demand(case.id, remedy.provision, str(effect.of), kind, since, last, seats, *of)
            made = kind.made(blank, shown, case, remedy)
            if made and made.seats:
                yield made
