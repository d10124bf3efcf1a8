"""What a record claims of its score, held against what the law gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from oddtrick.cards import OF_SUIT, SEATS, Seat, Side, Suit, bits
from oddtrick.judge.account import account
from oddtrick.judge.finding import Entry, Finder, Finding, Missing, Severity
from oddtrick.judge.play import Outcome, known_hands, whole_hands
from oddtrick.judge.procedures import Final, as_recorded, final_words
from oddtrick.judge.remedies import NOTHING, Judged
from oddtrick.judge.score_figures import honour_cards, honour_points, honour_values
from oddtrick.judge.score_procedures import (
    AS_WRITTEN,
    Account,
    Closed,
    Facts,
    Holding,
    Penalty,
    Standing,
    after_a_game,
    trump_of,
    trump_suit,
)
from oddtrick.judge.what_if import WhatIf, sums
from oddtrick.judge.words import and_words, missing_words, number_words
from oddtrick.law.book import column_name
from oddtrick.law.rules import Rules
from oddtrick.record.model import HonoursClaim, Record, ScoreClaim, SideFigures, Stated

RULE_OF_ITEM = {
    "odd-tricks": "score.odd-tricks",
    "contract-bonus": "score.contract-bonus",
    "overtricks": "score.overtricks",
    "undertricks": "score.undertricks",
    "honours": "score.honours",
    "chicane": "score.chicane",
    "slam": "score.slam",
    "game-bonus": "score.game-bonus",
    "rubber-bonus": "score.rubber-bonus",
    "penalty": "score.penalty",
}
"""The finding for each kind of score entry when it is wrong or missing."""

WHOLE_COLUMN = {"trick": "score.odd-tricks", "honour": "score.honour-column"}
"""The finding for a column that no single entry explains."""


def pair(figures: SideFigures | None) -> tuple[int | None, int | None]:
    """Figures of both sides; a side left out of a statement that was made has nothing."""
    return (None, None) if figures is None else (figures.ns or 0, figures.ew or 0)


RUBBER_FACTS = frozenset(("vulnerable", "trick-score", "games"))
"""What an account lacks where the state of the rubber is not known."""

HAND_FACTS = frozenset(("honours", "honours-split", "chicane"))
"""What an account lacks where the hands are not known."""


def of_a_board(
    record: Record,
    vulnerable: frozenset[Side] | None,
    tags: tuple[tuple[str, str], ...],
    carried: Standing | None,
) -> bool:
    """Whether a record is of a board of duplicate, which is of no rubber.

    It says who is vulnerable, as the board does, and neither tells nor claims anything of a score;
    nor does it call the scoring that of a rubber (PBN 3.4.12).
    """
    told = (record.standing_games, record.standing_trick, record.standing_honour, carried)
    claimed = (record.scores, record.honours, record.chicane, record.game)
    if vulnerable is None or any(claimed) or any(t is not None for t in told):
        return False
    scoring = next((value for name, value in tags if name == "Scoring"), "")
    return "rubber" not in (field.strip().lower() for field in scoring.split(";"))


def standing_before(
    record: Record, vulnerable: frozenset[Side] | None, law: Rules, carried: Standing | None
) -> Standing:
    """The state before the deal: carried from the deals before; what these do not tell, as the
    record states it.
    """
    stated = stated_before(vulnerable, law)
    games = stated.games if record.standing_games is None else pair(record.standing_games)
    stated = Standing(games, pair(record.standing_trick))
    if carried is None:
        return stated
    return Standing(
        carried.games if None not in carried.games or None in stated.games else stated.games,
        carried.trick if None not in carried.trick or None in stated.trick else stated.trick,
    )


def stated_before(vulnerable: frozenset[Side] | None, law: Rules) -> Standing:
    """The state before the deal as far as it follows from who is vulnerable."""
    if vulnerable is None or not law.has("vulnerability"):
        return Standing((None, None), (None, None))
    last = (law.value("games-in-rubber") or 0) - 1
    return Standing((last * (Side.NS in vulnerable), last * (Side.EW in vulnerable)), (None, None))


def standing_findings(record: Record, law: Rules, carried: Standing | None) -> Iterator[Finding]:
    """What the record says of the state of the rubber, held against the deals before and itself."""
    finder = Finder(law, record)
    if carried is not None:
        for stated, known, what in (
            (record.standing_games, carried.games, "game"),
            (record.standing_trick, carried.trick, "point"),
        ):
            if stated is None or None in known or pair(stated) == known:
                continue
            said, is_ = (f"{a} to {b}" for a, b in (pair(stated), known))
            message = (
                f"The record gives the state as {said} ({what}s, North and South first); "
                f"the deals before give {is_}."
            )
            yield finder.find("score.standing", message, stated)
    games = carried.games if carried else (None, None)
    if None in games and record.standing_games:
        games = pair(record.standing_games)
    if None not in games and law.has("vulnerability") and record.vulnerable:
        right = frozenset(s for s, g in zip(Side, games, strict=True) if after_a_game(g or 0))
        if right != record.vulnerable.value:
            said, is_ = (
                and_words(s.title for s in Side if s in sides) or "nobody"
                for sides in (record.vulnerable.value, right)
            )
            message = f"The record calls {said} vulnerable; by the games won it is {is_}."
            more = law.laws("vulnerability")
            yield finder.find("score.vulnerable", message, record.vulnerable, more=more)


def _written(record: Record, whole: Sequence[int]) -> Sequence[int]:
    """Every card written for a seat as bits, by `SEATS`: the `whole` hands and the partial ones."""
    if all(whole):
        return whole
    told = {seat: bits(hand.cards) for seat, hand in record.hands}
    return [held or told.get(seat, 0) for seat, held in zip(SEATS, whole, strict=True)]


def honours_of(
    denomination: str, hands: Sequence[int], law: Rules
) -> Mapping[Side, Holding] | None:
    """The honours of each side from the hands as written, as bits by `SEATS`; `None` where one is
    not among them."""
    cards = honour_cards(law)[trump_suit(denomination, law)]
    north, east, south, west = [(held & cards).bit_count() for held in hands]
    if north + east + south + west < cards.bit_count():
        return None
    return {
        Side.NS: Holding(north + south, max(north, south)),
        Side.EW: Holding(east + west, max(east, west)),
    }


def facts_of(
    record: Record,
    law: Rules,
    final: Final,
    outcome: Outcome,
    hands: Sequence[int],
    state: Standing,
    judged: Judged = NOTHING,
) -> Facts:
    """What the score of a record depends on.

    Honours and voids from the cards, else as the record claims them, if it counts them in the same
    cards; `hands` are bit sets, 0 for a hand that is not wholly known.
    """
    honours = honours_of(final.denomination, _written(record, hands), law)
    alike = trump_suit(_recorded(record, final, law).denomination, law) is trump_of(final, law)
    if honours is None and alike:
        honours = _claimed_honours(record)
    voids = _voids(record, hands, trump_of(final, law)) if alike or all(hands) else None
    closed = tuple(
        Closed(side, column, sum(c.total for c in claims), by)
        for (side, column), claims in claimed_points(record).items()
        for of, by in judged.closed
        if of == column
    )
    return Facts(final, outcome.taken, honours, voids, state, judged.penalties, closed)


def _recorded(record: Record, final: Final, law: Rules) -> Final:
    """The declaration for which a score was written, as far as the code knows such a one."""
    recorded = as_recorded(final, record.declaration)
    return recorded if law.denomination(recorded.denomination) else final


def _claimed_honours(record: Record) -> Mapping[Side, Holding] | None:
    """The honours of each side as claimed; `None` where the record claims none."""
    claimed = {c.side: Holding(c.total, c.in_one_hand) for c in record.honours}
    return {s: claimed.get(s, Holding(0, 0)) for s in Side} if claimed else None


def recorded_account(
    record: Record, law: Rules, facts: Facts, hands: Sequence[int]
) -> Iterator[WhatIf]:
    """What the recorded declaration gives, where its honours are not those of the lawful one."""
    recorded = _recorded(record, facts.final, law)
    honours = _claimed_honours(record)
    if facts.honours is not None or honours is None or recorded.declarer is None:
        return
    sides = {one.declarer.side for one in (facts.final, recorded) if one.declarer}
    tricks = facts.tricks
    if tricks is not None and len(sides) > 1:
        tricks = law.value("hand-size") - tricks
    voids = _voids(record, hands, trump_of(recorded, law))
    made = account(replace(facts, final=recorded, tricks=tricks, honours=honours, voids=voids), law)
    by = f"{final_words(recorded, law)} by {recorded.declarer.title}"
    yield WhatIf(f"the final declaration were {by}, as recorded", sums(made), made, ())


def claimed_points(record: Record) -> dict[tuple[Side, str], list[ScoreClaim]]:
    """The figures written for each side and column."""
    found: dict[tuple[Side, str], list[ScoreClaim]] = {}
    for claim in record.scores:
        found.setdefault((claim.side, claim.column), []).append(claim)
    return found


def _voids(record: Record, hands: Sequence[int], trumps: Suit | None) -> Mapping[Side, int] | None:
    """The hands of each side without a trump; `None` where they are not known."""
    if all(hands):
        if trumps is None:
            return None
        north, east, south, west = [not held & OF_SUIT[trumps] for held in hands]
        return {Side.NS: north + south, Side.EW: east + west}
    if not (record.chicane or record.honours):
        return None
    return {
        side: sum(
            2 if c.value is side else 1
            for c in record.chicane
            if c.value is side or (isinstance(c.value, Seat) and c.value.side is side)
        )
        for side in Side
    }


def score_findings(record: Record, law: Rules, final: Final, result: Account) -> Iterator[Finding]:
    """Findings on every claim that a record makes of its score, held against its account."""
    yield from _holding_findings(record, law, _recorded(record, final, law))
    for claims in claimed_points(record).values():
        yield from _column_findings(claims, record, law, result)
    if (
        record.game
        and result.made is not None
        and result.game is not record.game.value
        and Missing("trick-score") not in result.missing
    ):
        won = result.game.title if result.game else "nobody"
        claimed = record.game.value.title
        message = f"The record says that {claimed} win a game; by the score {won} wins one."
        finder = Finder(law, record)
        yield finder.find("score.game", message, record.game, more=law.laws("game"))
    yield from _missing_findings(record, law, result)


def void_account(penalties: tuple[Penalty, ...], state: Standing) -> Account:
    """The account of a deal that comes to nothing: only the points of a penalty stand."""
    points = tuple(
        Entry(
            p.offenders.other,
            p.column or "honour",
            p.number,
            "penalty",
            f"penalty for {p.reason}",
            p.laws,
            p.readings,
            (p.irregularity,),
        )
        for p in penalties
        if p.effect == "give-points" and p.number
    )
    return Account(points, (), state, made=False, played=state)


def void_findings(
    record: Record, law: Rules, result: Account, why: tuple[str, ...]
) -> Iterator[Finding]:
    """Points that a record gives for a deal that comes to nothing, by the laws `why`.

    Only the points of a penalty stand.
    """
    for claim in record.scores:
        due = result.points(claim.side, claim.column)
        if claim.total == due or claim.column == "gain":
            continue
        column = column_name(claim.column, law.code)
        given = f"{claim.side.title} are given {claim.total} in the {column}"
        message = f"{given}; the deal comes to nothing, and the law gives {due or 'nothing'}."
        rule = WHOLE_COLUMN[claim.column]
        yield Finder(law, record).find(rule, message, claim, laws=why)


def _missing_findings(record: Record, law: Rules, result: Account) -> Iterator[Finding]:
    """One finding for all that the score depends on and the record does not say."""
    if not result.missing:
        return
    rule = "record.no-standing"
    facts = {m.fact for m in result.missing}
    of_another = bool(record.honours) and "honours" in facts
    if facts == {"declarer"}:
        rule = "record.no-declarer"
    elif facts <= HAND_FACTS or of_another:
        rule = "record.no-hands"
    elif "tricks" in facts:
        rule = "record.no-result"
    lacking = and_words(missing_words(m.as_json() for m in result.missing))
    message = f"The score is told as far as it goes; the record does not say {lacking}."
    if of_another:
        message += " The honours written are those of the recorded declaration."
    undivided = {m.side for m in result.missing if m.fact == "honours-split"}
    claim = next((c for c in record.honours if c.side in undivided), None)
    yield Finder(law, record).lacks(rule, message, claim)


def _holding_findings(record: Record, law: Rules, final: Final) -> Iterator[Finding]:
    """Honours and chicane as claimed, held against the cards."""
    if not (record.honours or record.chicane):
        return
    held = honours_of(final.denomination, _written(record, whole_hands(record, law)), law)
    finder = Finder(law, record)
    cards = honour_cards(law)[trump_suit(final.denomination, law)]
    most, claimed = cards.bit_count(), sum(c.total for c in record.honours)
    for claim in record.honours:
        if held is None and most and claimed > most:
            said = _honour_words(claim.total, claim.in_one_hand)
            message = f"{claim.side.title} claim {said}, of {claimed} claimed; there are {most}."
            more = law.laws("honour-cards", "honours")
            yield finder.find("score.honours-held", message, claim, more=more)
        if law.get("honour-values") is None:
            yield finder.find("score.no-such-item", f"{law.short} counts no honours.", claim)
        elif held is not None and _wrongly_held(claim, held[claim.side], final, law):
            true = held[claim.side]
            message = (
                f"{claim.side.title} are credited with "
                f"{_honour_words(claim.total, claim.in_one_hand)}; "
                f"they held {_honour_words(true.total, true.more)}."
            )
            more = law.laws("honour-cards", "honours")
            yield finder.find("score.honours-held", message, claim, more=more)
    for stated in record.chicane:
        if law.get("chicane-value") is None:
            yield finder.find("score.no-such-item", f"{law.short} counts no chicane.", stated)
        elif wrong := _wrong_chicane(stated, record, law, final):
            more = law.laws("chicane")
            yield finder.find("score.chicane-held", wrong, stated, more=more)


def _wrongly_held(claim: HonoursClaim, held: Holding, final: Final, law: Rules) -> bool:
    """Whether honours are claimed otherwise than they were held.

    `0` may also be claimed for honours that score nothing, and those claimed as even as can be
    are claimed in two hands.
    """
    values = honour_values(law)["trump" if trump_suit(final.denomination, law) else "no-trump"]
    due, in_one = honour_points(held, values, 1), claim.in_one_hand
    if not claim.total:
        return bool(due)
    if held.total != claim.total or in_one in (None, held.more):
        return held.total != claim.total
    even = 2 * in_one <= claim.total + 1
    return not even or honour_points(Holding(claim.total, in_one), values, 1) != due


def _wrong_chicane(
    stated: Stated[Seat | Side], record: Record, law: Rules, final: Final
) -> str | None:
    """What is wrong with a chicane that is claimed.

    `None` for nothing, or where it cannot be seen.
    """
    hands = known_hands(record, law)
    denomination = law.denomination(final.denomination)
    if denomination is None or len(hands) < 4:
        return None
    if denomination.suit is None:
        return "Chicane is claimed where there are no trumps."
    seats = [s for s in Seat if s is stated.value or s.side is stated.value]
    if not any(c.suit is denomination.suit for s in seats for c in hands[s]):
        return None
    return f"Chicane is claimed for {and_words(s.title for s in seats)}, who held trumps."


def _honour_words(total: int, in_one: int | None) -> str:
    if total == 0:
        return "no honours"
    said = number_words(total, "honour")
    if in_one is None or total < 3:
        return said
    return f"{said}, {'all' if in_one == total else in_one} in one hand"


def _column_findings(
    claims: Sequence[ScoreClaim], record: Record, law: Rules, result: Account
) -> Iterator[Finding]:
    """One column of one side as written down, held against the entries of the law."""
    finder, (claim, *_) = Finder(law, record), claims
    side, column, written = claim.side, claim.column, sum(c.total for c in claims)
    if column == "gain":
        yield from _gain_findings(claim, finder, law, result)
        return
    own = [e for e in result.entries if e.side is side]
    entries = [e for e in own if e.column == column and e.item != AS_WRITTEN]
    stands = [e for e in own if e.column == column and e.item == AS_WRITTEN]
    due, name = sum(e.points for e in entries), column_name(column, law.code)
    at_the_end = sum(e.points for e in own if e.column == "total") if column == "honour" else 0
    if written in (due, due + at_the_end):
        return
    if (result.open and column == "honour") or result.made is None:
        lacking = and_words(missing_words(m.as_json() for m in result.open))
        message = (
            f"The {name} of {side.title} could not be checked: the record does not say {lacking}."
        )
        rule = "record.no-result" if result.made is None else "record.no-standing"
        yield finder.lacks(rule, message, claim)
        return
    wrong = _unmatched([p for c in claims for p in c.points], entries)
    bearing = [wrong] if wrong else entries
    readings = tuple(dict.fromkeys(r for e in bearing for r in e.readings))
    laws = tuple(dict.fromkeys(address for e in (*bearing, *stands) for address in e.laws))
    rule = RULE_OF_ITEM[wrong.item] if wrong else WHOLE_COLUMN[column]
    detail = "; ".join(f"{e.points} for {e.reason}" for e in entries)
    message = f"{side.title} are given {written} in the {name}; the law gives {due}"
    message += f": {detail}." if detail else "."
    severity = Severity.DISPUTED if readings else Severity.IRREGULAR
    if stands:
        message = f"{message} It may not be corrected any more, and stands."
        severity = Severity.NOTE
    yield finder.find(
        rule,
        message,
        claim,
        severity,
        laws=laws if wrong else None,  # its own laws say it all
        more=() if wrong else laws,
        readings=readings,
    )


def _gain_findings(
    claim: ScoreClaim, finder: Finder, law: Rules, result: Account
) -> Iterator[Finding]:
    """The gain of a side on a deal of a match, held against the difference of the points.

    Elsewhere there is none.
    """
    if law.has("rubber-end"):
        said = f"{law.short} has no matches, and so no gains."
        yield finder.find("score.no-such-item", said, claim)
        return
    if result.open or result.made is None:
        return
    ours, theirs = (
        sum(result.points(s, c) for c in ("trick", "honour"))
        for s in (claim.side, claim.side.other)
    )
    due = max(ours - theirs, 0)
    if claim.total != due:
        said = (
            f"{claim.side.title} are given a gain of {claim.total}; they have {ours} points "
            f"and their adversaries {theirs}, a gain of {due}."
        )
        yield finder.find("score.gain", said, claim)


def _unmatched(written: Sequence[int], entries: Sequence[Entry]) -> Entry | None:
    """The one entry that the amounts written down leave out or give wrong, if it is one."""
    amounts, left = Counter(written), []
    for entry in (e for e in entries if e.points):
        if amounts[entry.points]:
            amounts[entry.points] -= 1
        else:
            left.append(entry)
    extra = [p for p in amounts.elements() if p]
    # Written though an offence takes it away: with nothing else wrong, that is what is wrong.
    left = left or [e for e in entries if not e.points]
    return left[0] if len(left) == 1 and len(extra) <= 1 else None
