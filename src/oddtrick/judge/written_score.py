"""A record's claims about its score, checked against the law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from oddtrick.cards import EW, NS, OF_SUIT, Seat, Side, Suit
from oddtrick.judge.account import account
from oddtrick.judge.events import hands_of
from oddtrick.judge.finding import Entry, Finder, Finding, Message, Missing, Severity, spot_of
from oddtrick.judge.play import Outcome, complete_hands
from oddtrick.judge.procedures import Final, as_recorded
from oddtrick.judge.remedies import NOTHING, Judged
from oddtrick.judge.score_parts import honour_cards, honour_value, honour_values
from oddtrick.judge.score_procedures import (
    AS_WRITTEN,
    UNKNOWN,
    Account,
    Closed,
    Facts,
    Holding,
    Penalty,
    Standing,
    trump_of,
)
from oddtrick.judge.what_if import WhatIf, sums
from oddtrick.law.book import book
from oddtrick.law.figures import whole_numbers
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Figures, Honours, Item

RULE_OF_COLUMN = {"trick": "score.odd-tricks", "honour": "score.honour-column"}
"""The rule id for a column whose error no single entry explains."""


def pair(figures: Figures | None) -> tuple[int | None, int | None]:
    """The figures of both sides; a side that a statement omits has 0."""
    return (None, None) if figures is None else (figures.ns or 0, figures.ew or 0)


RUBBER_FACTS = frozenset(("vulnerable", "trick-score", "games"))
"""Facts that an account lacks if the state of the rubber is not known."""

BySide = Mapping[Side, Holding]

OF_HANDS = "record.no-hands"

LACKING = {
    "record.no-result": frozenset(("tricks",)),
    "record.no-standing": RUBBER_FACTS,
    OF_HANDS: frozenset(("honours", "honours-split", "honours-value", "chicane")),
    "record.no-declarer": frozenset(("declarer",)),
}
"""The facts that an account may lack, by the finding on them; the first is reported of several."""


class Written(NamedTuple):
    """The figures written for a side in a column, and the path of the first of them."""

    side: Side
    column: str
    points: tuple[int, ...]
    item: Item

    @property
    def total(self) -> int:
        """The sum of the figures."""
        return sum(self.points)


def columns_written(deal: Deal) -> Sequence[Written]:
    """The columns of each side in which something is written."""
    found: dict[tuple[Side, str], Written] = {}
    for number, (side, column, points) in enumerate(deal.scores):
        first = found.get((side, column)) or Written(side, column, (), ("score", number))
        found[side, column] = first._replace(points=(*first.points, *points))
    return tuple(found.values())


# --- the state of the rubber ----------------------------------------------------------------------


def of_a_board(deal: Deal, law: Rules, carried: Standing | None) -> bool:
    """Whether a deal is a duplicate board, which belongs to no rubber, under the law of rubbers.

    Such a record states who is vulnerable but states and claims no score, and its scoring is not
    that of a rubber (PBN 3.4.12).
    """
    stated = (deal.standing_games, deal.standing_trick, deal.standing_honour, carried)
    claimed = (deal.scores, deal.honours, deal.chicane, deal.game)
    if deal.vulnerable is None or any(claimed) or any(s is not None for s in stated):
        return False
    if law.value("games-in-rubber") is None:
        return False
    scoring = next((value for name, value in deal.tags if name == "Scoring"), "")
    return "rubber" not in (field.strip().lower() for field in scoring.split(";"))


def standing_before(deal: Deal, law: Rules, carried: Standing | None) -> Standing:
    """The state before the deal: from the previous deals, otherwise as the record states it.

    If nothing else states the games, they follow from who is vulnerable.
    """
    games, trick, vulnerable = pair(deal.standing_games), pair(deal.standing_trick), deal.vulnerable
    if deal.standing_games is None and vulnerable is not None and law.has("vulnerability"):
        last = (law.value("games-in-rubber") or 0) - 1
        games = (last * (NS in vulnerable), last * (EW in vulnerable))
    carried = carried or UNKNOWN
    return Standing(
        carried.games if None not in carried.games or None in games else games,
        carried.trick if None not in carried.trick or None in trick else trick,
    )


def standing_findings(deal: Deal, law: Rules, carried: Standing | None) -> Iterator[Finding]:
    """Findings on the stated rubber state, checked against the previous deals and itself."""
    finder, carried = Finder(law, deal), carried or UNKNOWN
    for stated, known, what in (
        (deal.standing_games, carried.games, "games"),
        (deal.standing_trick, carried.trick, "trick"),
        (deal.standing_honour, carried.honour, "honour"),
    ):
        if stated is not None and None not in known and pair(stated) != known:
            name = "games-otherwise" if what == "games" else "standing-otherwise"
            message = Message(name, column=what, stated=pair(stated), due=known)
            laws = law.finding_laws.get("score.total") if what == "honour" else None
            yield finder.find("score.standing", message, (f"standing {what}",), laws=laws)
    games = pair(deal.standing_games) if None in carried.games else carried.games
    if None not in games and law.has("vulnerability") and deal.vulnerable is not None:
        right = frozenset(side for side, won in zip(Side, games, strict=True) if won)
        if right != deal.vulnerable:
            given, due = (tuple(s for s in Side if s in of) for of in (deal.vulnerable, right))
            messages: tuple[Message, ...] = (
                Message("vulnerable-otherwise", stated=given, due=due),
            )
            if None in carried.games:
                line = spot_of(deal, "standing games").place.line
                messages += (Message("games-stated", games=games, line=line),)
            more = law.laws("vulnerability")
            yield finder.find("score.vulnerable", messages, ("vulnerable",), more=more)


# --- the facts of the score -----------------------------------------------------------------------


def _held(deal: Deal, hands: Sequence[int], trumps: Suit | None, law: Rules) -> BySide | None:
    """The honours of each side from the cards; `None` if an honour is not among them.

    `hands` are bit sets in the order of `SEATS`; for a hand that is not completely known, the cards
    written count.
    """
    cards = honour_cards(law)[trumps]
    north, east, south, west = [
        ((held or written) & cards).bit_count()
        for held, written in zip(hands, deal.hands, strict=True)
    ]
    if north + east + south + west < cards.bit_count():
        return None
    ours = Holding(north + south, north if north > south else south)
    return {NS: ours, EW: Holding(east + west, east if east > west else west)}


def facts_of(
    deal: Deal,
    law: Rules,
    final: Final,
    outcome: Outcome,
    hands: Sequence[int],
    state: Standing,
    judged: Judged = NOTHING,
) -> Facts:
    """The facts that the score of a deal depends on.

    Honours and voids come from the cards, otherwise from what is claimed, if the claim counts the
    same cards; `hands` are bit sets, 0 for a hand that is not completely known.
    """
    trumps = trump_of(final, law)
    honours = _held(deal, hands, trumps, law)
    voids: Mapping[Side, int] | None = None
    if all(hands):
        if trumps:
            north, east, south, west = [not held & OF_SUIT[trumps] for held in hands]
            voids = {NS: north + south, EW: east + west}
    elif trump_of(recorded(deal, final, law), law) is trumps:
        honours, voids = honours or _claimed_honours(deal), _claimed_voids(deal)
    closed = [
        Closed(written.side, column, written.total, by)
        for column, by in judged.closed
        for written in columns_written(deal)
        if column == written.column
    ]
    return Facts(final, outcome.taken, honours, voids, state, judged.penalties, tuple(closed))


def recorded(deal: Deal, final: Final, law: Rules) -> Final:
    """The declaration for which a score was written, if the code allows it."""
    stated = as_recorded(final, deal.declaration)
    return stated if law.denomination(stated.denomination) else final


def _claimed_honours(deal: Deal) -> BySide | None:
    """The honours that each side claims; `None` if no claim is made.

    If a player claims chicane, his partner holds all the honours of their side.
    """
    void = {who.side for who in deal.chicane if isinstance(who, Seat)}
    claimed = {
        c.side: Holding(
            c.total, c.total if c.in_one_hand is None and c.side in void else c.in_one_hand
        )
        for c in deal.honours
    }
    return {s: claimed.get(s, Holding(0, 0)) for s in Side} if claimed else None


def _claimed_voids(deal: Deal) -> Mapping[Side, int] | None:
    """The hands without a trump that each side claims, as a number; `None` if no claim is made."""
    if not (deal.chicane or deal.honours):
        return None
    return {
        side: sum(
            2 if who is side else isinstance(who, Seat) and who.side is side for who in deal.chicane
        )
        for side in Side
    }


def recorded_account(deal: Deal, law: Rules, facts: Facts) -> Iterator[WhatIf]:
    """The score of the recorded declaration, if it has other honours than the lawful one."""
    honours = _claimed_honours(deal) if facts.honours is None else None
    if honours is None:
        return
    stated = recorded(deal, facts.final, law)
    if stated.declarer is None:
        return
    sides = {one.declarer.side for one in (facts.final, stated) if one.declarer}
    tricks, voids = facts.tricks, _claimed_voids(deal)
    if tricks is not None and len(sides) > 1:
        tricks = law.value("hand-size") - tricks
    made = account(facts._replace(final=stated, tricks=tricks, honours=honours, voids=voids), law)
    condition = Message("as-recorded", final=stated, declarer=stated.declarer)
    yield WhatIf(condition, (sums(made),), made, ())


# --- the claims -----------------------------------------------------------------------------------


def score_findings(
    deal: Deal,
    law: Rules,
    final: Final,
    corrected: Container[str],
    denied: Sequence[Penalty],
    result: Account,
) -> Iterator[Finding]:
    """Findings on each claim about the score.

    Errors in the columns `corrected` were put right; `denied` are penalties that are not due.
    """
    finder = Finder(law, deal)
    if deal.honours or deal.chicane:
        yield from _holding_findings(deal, finder, law, final)
    for written in columns_written(deal):
        if written.column == "gain":
            yield from _gain_findings(written, finder, law, result)
        else:
            right = written.column in corrected
            yield from _column_findings(written, finder, result, right, denied)
    if (
        deal.game
        and result.made is not None
        and result.game is not deal.game
        and Missing("trick-score") not in result.missing
    ):
        message = Message(
            "game-otherwise", stated=deal.game, winner=(result.game,) if result.game else ()
        )
        yield finder.find("score.game", message, ("game",), more=law.laws("game"))
    yield from _missing_findings(deal, finder, result)


def void_findings(
    deal: Deal, law: Rules, result: Account, why: tuple[str, ...]
) -> Iterator[Finding]:
    """Findings on points written for a deal that is void under the laws `why`.

    Only penalty points count.
    """
    for number, score in enumerate(deal.scores):
        due = result.points(score.side, score.column)
        if score.total == due or score.column == "gain":
            continue
        given = {"side": score.side, "points": score.total, "column": score.column}
        message = Message("void-deal-scored", **given, due=due)
        rule = RULE_OF_COLUMN[score.column]
        yield Finder(law, deal).find(rule, message, ("score", number), laws=why)


def _missing_findings(deal: Deal, finder: Finder, result: Account) -> Iterator[Finding]:
    """One finding on everything that the score depends on but the record does not state."""
    if not result.missing:
        return
    of_another = bool(deal.honours) and "honours" in {m.fact for m in result.missing}
    more = (Message("honours-of-another"),) if of_another else ()
    unread = tuple(m for m in result.missing if m.fact == "honours-value")
    stated = tuple(m for m in result.missing if m not in unread)
    lacking = (("score-lacks", stated), ("score-unreadable", unread))
    messages = (*(Message(id_, lacking=of) for id_, of in lacking if of), *more)
    undivided = {m.side for m in result.missing if m.fact in ("honours-split", "honours-value")}
    number = next((n for n, c in enumerate(deal.honours) if c.side in undivided), None)
    at: Item = () if number is None else ("honours", number)
    found = _lacks(finder, result.missing, messages, at)
    yield found._replace(rule=OF_HANDS) if of_another else found


def _lacks(
    finder: Finder, missing: Sequence[Missing], what: Message | tuple[Message, ...], at: Item
) -> Finding:
    """A finding on missing facts, with the laws and readings on all of them."""
    facts, by_rule = {m.fact for m in missing}, finder.law.finding_laws if finder.law else {}
    rules = [rule for rule, of in LACKING.items() if facts & of]
    laws = (*(a for m in missing for a in m.laws), *(a for r in rules for a in by_rule.get(r, ())))
    readings = tuple(dict.fromkeys(r for m in missing for r in m.readings))
    return finder.lacks(rules[0], what, at, more=laws, laws=(), readings=readings)


def _holding_findings(deal: Deal, finder: Finder, law: Rules, final: Final) -> Iterator[Finding]:
    """Findings on claimed honours and chicane, checked against the cards.

    They were counted in the denomination recorded, even if another is final.
    """
    lawful, final, other = final.denomination, recorded(deal, final, law), tuple[Message, ...]()
    if final.denomination != lawful:
        other = (Message("counted-as-recorded", recorded=final.denomination, final=lawful),)
    hands, trumps = complete_hands(hands_of(deal), law), trump_of(final, law)
    held, most = _held(deal, hands, trumps, law), honour_cards(law)[trumps].bit_count()
    claimed = sum(c.total for c in deal.honours)
    more = law.laws("honour-cards", "honours")
    for number, claim in enumerate(deal.honours):
        rule, at, of = "score.honours-held", ("honours", number), {"side": claim.side}
        honours = Message("honours-held", number=claim.total, in_one_hand=claim.in_one_hand)
        if held is None and most and claimed > most:
            message = Message("too-many-honours", **of, honours=honours, claimed=claimed, most=most)
            yield finder.find(rule, (message, *other), at, more=more)
        if law.get("honour-values") is None:
            if claim.total:
                yield finder.find("score.no-such-item", Message("no-honours-counted"), at)
        elif held is not None and _wrongly_held(claim, held[claim.side], final, law):
            total, in_one_hand = held[claim.side]
            own = Message("honours-held", number=total, in_one_hand=in_one_hand)
            message = Message("honours-otherwise", **of, honours=honours, held=own)
            yield finder.find(rule, (message, *other), at, more=more)
    for number, who in enumerate(deal.chicane):
        at = ("chicane", number)
        if law.get("chicane-value") is None:
            yield finder.find("score.no-such-item", Message("no-chicane-counted"), at)
        elif all(hands) and law.denomination(final.denomination):
            seats = tuple(s for s in Seat if who in (s, s.side))
            wrong = Message("chicane-without-trumps")
            if trumps:
                wrong = Message("chicane-with-trumps", players=seats)
            if not trumps or any(hands[s.number] & OF_SUIT[trumps] for s in seats):
                messages = (wrong, *other)
                yield finder.find("score.chicane-held", messages, at, more=law.laws("chicane"))


def _wrongly_held(claim: Honours, held: Holding, final: Final, law: Rules) -> bool:
    """Whether the honours claimed differ from those held.

    A claim of 0 is also accepted for honours that score nothing; a claim of the most even split is
    accepted for any holding that scores the same.
    """
    values = honour_values(final.denomination, law)
    due, in_one = honour_value(held, values), claim.in_one_hand
    if not claim.total:
        return bool(due)
    if held.total != claim.total or in_one in (None, held.more):
        return held.total != claim.total
    even = 2 * in_one <= claim.total + 1
    return not even or honour_value(Holding(claim.total, in_one), values) != due


def _column_findings(
    written: Written, finder: Finder, result: Account, corrected: bool, denied: Sequence[Penalty]
) -> Iterator[Finding]:
    """Findings on one column of one side, checked against the lawful entries."""
    side, column = written.side, written.column
    own = [e for e in result.entries if e.side is side]
    entries = tuple(e for e in own if e.column == column and e.item != AS_WRITTEN)
    stands = [e for e in own if e.column == column and e.item == AS_WRITTEN]
    due = sum(e.points for e in entries)
    at_the_end = sum(e.points for e in own if e.column == "total") if column == "honour" else 0
    if written.total in (due, due + at_the_end):
        return
    of = {"side": side, "column": column, "points": written.total}
    wrong, bearing, could = _unmatched(written.points, entries), entries, tuple[int, ...]()
    if (result.open and column == "honour") or result.made is None:
        could, possible = _in_any_state(result, side, finder.law)
        if not could or written.total in could:
            message = Message("column-unchecked", column=column, side=side, lacking=result.open)
            yield _lacks(finder, result.open, message, written.item)
            return
        wrong, bearing = None, possible
    elif wrong:
        bearing = (wrong,)
    readings = tuple(dict.fromkeys(r for e in bearing for r in e.readings))
    laws = tuple(dict.fromkeys(address for e in (*bearing, *stands) for address in e.laws))
    if not wrong and finder.law:
        laws = (*_not_due(written, written.total - due, finder.law, result, denied), *laws)
    rule = f"score.{wrong.item}" if wrong else RULE_OF_COLUMN[column]
    differs = Message("column-differs", **of, due=due, entries=entries)
    messages: tuple[Message, ...] = (
        Message("column-never", **of, could=could) if could else differs,
    )
    severity = Severity.DISPUTED if readings else Severity.IRREGULAR
    if stands or corrected:
        messages += (Message("may-not-be-corrected" if stands else "put-right"),)
        severity = Severity.NOTE
    yield finder.find(
        rule,
        messages,
        written.item,
        severity,
        laws=laws if wrong else None,  # its own laws are enough
        more=() if wrong else laws,
        readings=readings,
    )


def _not_due(
    written: Written, points: int, law: Rules, result: Account, denied: Sequence[Penalty]
) -> tuple[str, ...]:
    """The laws that give a side these points for something that is not the case in the deal.

    That is a penalty that is not due, chicane, or what is scored once a deal with that figure.
    """
    side, column = written.side, written.column
    refused = [
        p for p in denied if (p.offenders.other, p.column, p.number) == (side, column, points)
    ]
    if refused or column != "honour" or points not in written.points:
        return tuple(address for p in refused for address in p.laws)
    once = (figure.id for figure in book().vocabulary.figures if figure.once)
    items = [item for item in once if points in whole_numbers(law.value(item))]
    if result.facts and result.facts.voids:
        void = [result.facts._replace(voids={side: number, side.other: 0}) for number in (1, 2)]
        chicane = [account(facts, law).points(side, column, "chicane") for facts in void]
        items += ["chicane"] if points in chicane else []
    return tuple(a for item in items for a in law.finding_laws.get(f"score.{item}", ()))


def _in_any_state(
    result: Account, side: Side, law: Rules | None
) -> tuple[tuple[int, ...], tuple[Entry, ...]]:
    """The honour scores that a side can have, in every state of the rubber and with every division
    of the honours that the record allows, and the entries on which they rest.

    Both are empty if more than that is missing.
    """
    facts, lacking = result.facts, {m.fact for m in result.open}
    known = lacking <= RUBBER_FACTS | {"honours-split"}
    if facts is None or law is None or not known or result.made is None:
        return (), ()
    before, totals, entries = facts.standing, set[int](), dict[Entry, None]()
    # Without a rubber nothing is carried from deal to deal.
    rubber, most = law.value("games-in-rubber") or 1, law.value("game") - 1
    games = [range(rubber) if g is None else (g,) for g in before.games]
    points = [({0, most} if rubber > 1 else {0}) if p is None else {p} for p in before.trick]
    divided = (
        [(side, Holding(held.total, more)) for more in range(-(-held.total // 2), held.total + 1)]
        if held.more is None
        else [(side, held)]
        for side, held in (facts.honours or {}).items()
    )
    for (ours, theirs, *trick), *held in product(product(*games, *points), *divided):
        state = Standing((ours, theirs), (trick[0], trick[1]))
        made = account(facts._replace(standing=state, honours=dict(held) or None), law)
        above = made.points(side, "honour")
        totals |= {above, above + made.points(side, "total")}
        own = (e for e in made.entries if e.side is side and e.column != "trick")
        entries |= dict.fromkeys(own)
    return tuple(sorted(totals)), tuple(entries)


def _gain_findings(
    written: Written, finder: Finder, law: Rules, result: Account
) -> Iterator[Finding]:
    """Findings on a side's gain on a deal of a match, checked against the difference of the points.

    A deal outside a match has no gain.
    """
    if law.has("rubber-end"):
        if written.total:
            yield finder.find("score.no-such-item", Message("no-gains"), written.item)
        return
    if result.open or result.made is None:
        return
    side, gain = written.side, written.total
    ours, theirs = (
        sum(result.points(s, c) for c in ("trick", "honour")) for s in (side, side.other)
    )
    due = max(ours - theirs, 0)
    if gain != due:
        of = {"side": side, "gain": gain, "ours": ours, "theirs": theirs}
        yield finder.find("score.gain", Message("gain-otherwise", **of, due=due), written.item)


def _unmatched(written: Sequence[int], entries: Sequence[Entry]) -> Entry | None:
    """The entry that the written amounts omit or get wrong, if it is the only one."""
    amounts, left = Counter(written), []
    for entry in (e for e in entries if e.points):
        if amounts[entry.points]:
            amounts[entry.points] -= 1
        else:
            left.append(entry)
    extra = [p for p in amounts.elements() if p]
    # If nothing else is wrong, the fault is an entry written although an offence cancels it.
    left = left or [e for e in entries if not e.points]
    return left[0] if len(left) == 1 and len(extra) <= 1 else None
