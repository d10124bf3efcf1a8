"""What a record claims of its score, held against what the law gives."""

from __future__ import annotations

from collections import Counter

from oddtrick.cards import Card, Seat, Side
from oddtrick.judge.account import account
from oddtrick.judge.finding import Entry, Finding, Severity
from oddtrick.judge.play import Outcome, known_hands
from oddtrick.judge.procedures import Declared, Final
from oddtrick.judge.score_procedures import (
    VULNERABILITY,
    Account,
    Facts,
    Holding,
    Penalty,
    Standing,
    honours_of,
)
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.in_force import InForce, column_name
from oddtrick.record.model import Place, Record, ScoreClaim, SideFigures

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


def finding(
    rule: str,
    message: str,
    record: Record,
    rules: InForce,
    place: Place,
    severity: Severity = Severity.IRREGULAR,
    extra: tuple[str, ...] = (),
    readings: tuple[str, ...] = (),
    laws: tuple[str, ...] = (),
) -> Finding:
    """A finding with the laws behind its rule, or `laws` alone; where the code has none, it says that the code is silent."""
    laws = laws or tuple(dict.fromkeys((*extra, *rules.behind.get(rule, ()))))
    if not laws and severity is Severity.IRREGULAR:
        severity = Severity.SILENT
        message = f"{message} {rules.silent.get(rule, f'{rules.short} has no law on it.')}"
    return Finding(rule, severity, message, laws, record.file, place, (), readings)


def pair(figures: SideFigures | None) -> tuple[int | None, int | None]:
    """Figures of both sides; a side left out of a statement that was made has nothing."""
    return (None, None) if figures is None else (figures.ns or 0, figures.ew or 0)


def standing_before(record: Record, rules: InForce, carried: Standing | None) -> Standing:
    """The state before the deal: carried from the deals before, or as the record states it."""
    if carried is not None:
        return carried
    games = pair(record.standing_games)
    if record.standing_games is None and record.vulnerable and rules.value("vulnerability"):
        needed = rules.value("games-in-rubber")
        games = tuple(needed - 1 if s in record.vulnerable.value else 0 for s in Side)  # type: ignore[assignment]
    return Standing(games, pair(record.standing_trick))


def standing_findings(record: Record, rules: InForce, carried: Standing | None) -> list[Finding]:
    """What the record says of the state of the rubber, held against the deals before and against itself."""
    found = []
    if carried is not None:
        for stated, known, what in (
            (record.standing_games, carried.games, "game"),
            (record.standing_trick, carried.trick, "point"),
        ):
            if stated is None or None in known or pair(stated) == known:
                continue
            said, is_ = (f"{a} to {b}" for a, b in (pair(stated), known))
            message = f"The record gives the state as {said} ({what}s, North and South first); the deals before give {is_}."
            found.append(finding("score.standing", message, record, rules, stated.place))
    how = rules.value("vulnerability")
    games = carried.games if carried else pair(record.standing_games)
    if record.vulnerable and how and None not in games:
        right = frozenset(s for s, g in zip(Side, games, strict=True) if VULNERABILITY[how](g or 0))
        if right != record.vulnerable.value:
            said, is_ = (
                and_words(s.title for s in Side if s in sides) or "nobody"
                for sides in (record.vulnerable.value, right)
            )
            message = f"The record calls {said} vulnerable; by the games won it is {is_}."
            found.append(
                finding(
                    "score.vulnerable",
                    message,
                    record,
                    rules,
                    record.vulnerable.place,
                    extra=rules.laws("vulnerability"),
                )
            )
    return found


def _written(record: Record, rules: InForce) -> dict[Seat, tuple[Card, ...]]:
    """Every card written for a seat, of whole hands and of partial ones."""
    return {s: h.cards for s, h in record.hands} | known_hands(record, rules)


def facts_of(
    record: Record,
    rules: InForce,
    final: Final,
    outcome: Outcome,
    state: Standing,
    penalties: tuple[Penalty, ...] = (),
) -> Facts:
    """What the score of a record depends on: honours and voids from the cards, else as the record claims them."""
    hands = known_hands(record, rules)
    honours = honours_of(final.denomination, _written(record, rules), rules)
    if honours is None and record.honours:
        claimed = {c.side: Holding(c.total, c.in_one_hand) for c in record.honours}
        honours = {s: claimed.get(s, Holding(0, 0)) for s in Side}
    denomination = rules.denomination(final.denomination)
    voids = None
    if denomination and denomination.suit and len(hands) == 4:
        voids = {
            side: sum(
                1
                for s in Seat
                if s.side is side and not any(c.suit is denomination.suit for c in hands[s])
            )
            for side in Side
        }
    elif len(hands) < 4 and (record.chicane or record.honours):
        voids = {
            side: sum(
                2 if c.value is side else 1
                for c in record.chicane
                if c.value is side or (isinstance(c.value, Seat) and c.value.side is side)
            )
            for side in Side
        }
    return Facts(final, outcome.taken, honours, voids, state, penalties)


def score_findings(
    record: Record,
    rules: InForce,
    declared: Declared,
    outcome: Outcome,
    state: Standing,
    penalties: tuple[Penalty, ...] = (),
) -> tuple[Account | None, list[Finding]]:
    """The account of a record, and findings on every claim that it makes of its score."""
    final = declared.final
    if final is None:
        return None, []
    facts = facts_of(record, rules, final, outcome, state, penalties)
    result = account(facts, rules)
    found = _holding_findings(record, rules, final)
    for claim in record.scores:
        found += _column_findings(claim, record, rules, result)
    if (
        record.game
        and result.made is not None
        and result.game is not record.game.value
        and "the trick score before the deal" not in result.missing
    ):
        won = result.game.title if result.game else "nobody"
        message = f"The record says that {record.game.value.title} win a game; by the score {won} wins one."
        found.append(
            finding(
                "score.game", message, record, rules, record.game.place, extra=rules.laws("game")
            )
        )
    found += _missing_findings(record, rules, result)
    return result, found


def _missing_findings(record: Record, rules: InForce, result: Account) -> list[Finding]:
    """One finding for all that the score depends on and the record does not say."""
    if not result.missing:
        return []
    rule = (
        "record.no-result"
        if "the number of tricks taken" in result.missing
        else "record.no-standing"
    )
    if result.missing == ("who the declarer is",):
        rule = "record.no-declarer"
    elif all("honours" in m or "trump" in m for m in result.missing):
        rule = "record.no-hands"
    message = (
        f"The score is told as far as it goes; the record does not say {and_words(result.missing)}."
    )
    return [finding(rule, message, record, rules, record.place, Severity.INCOMPLETE)]


def _holding_findings(record: Record, rules: InForce, final: Final) -> list[Finding]:
    """Honours and chicane as claimed, held against the cards."""
    found = []
    hands = known_hands(record, rules)
    held = honours_of(final.denomination, _written(record, rules), rules)
    for claim in record.honours:
        if rules.get("honour-values") is None:
            found.append(
                finding(
                    "score.no-such-item",
                    f"{rules.short} counts no honours.",
                    record,
                    rules,
                    claim.place,
                )
            )
        elif held is not None:
            true = held[claim.side]
            if true.total != claim.total or (
                claim.in_one_hand is not None and claim.in_one_hand != true.more
            ):
                message = f"{claim.side.title} are credited with {_honour_words(claim.total, claim.in_one_hand)}; they held {_honour_words(true.total, true.more)}."
                found.append(
                    finding(
                        "score.honours-held",
                        message,
                        record,
                        rules,
                        claim.place,
                        extra=rules.laws("honour-cards", "honours"),
                    )
                )
    for stated in record.chicane:
        if rules.get("chicane-value") is None:
            found.append(
                finding(
                    "score.no-such-item",
                    f"{rules.short} counts no chicane.",
                    record,
                    rules,
                    stated.place,
                )
            )
            continue
        denomination = rules.denomination(final.denomination)
        seats = [s for s in Seat if s is stated.value or s.side is stated.value]
        if (
            denomination
            and len(hands) == 4
            and (
                denomination.suit is None
                or any(c.suit is denomination.suit for s in seats for c in hands[s])
            )
        ):
            message = (
                f"Chicane is claimed for {and_words(s.title for s in seats)}, who held trumps."
                if denomination.suit
                else "Chicane is claimed where there are no trumps."
            )
            found.append(
                finding(
                    "score.chicane-held",
                    message,
                    record,
                    rules,
                    stated.place,
                    extra=rules.laws("chicane"),
                )
            )
    return found


def _honour_words(total: int, in_one: int | None) -> str:
    if total == 0:
        return "no honours"
    said = number_words(total, "honour")
    if in_one is None or total < 3:
        return said
    return f"{said}, {'all' if in_one == total else in_one} in one hand"


def _column_findings(
    claim: ScoreClaim, record: Record, rules: InForce, result: Account
) -> list[Finding]:
    """One column of one side as written down, held against the entries of the law."""
    if claim.column == "gain":
        return _gain_findings(claim, record, rules, result)
    entries = [e for e in result.entries if e.side is claim.side and e.column == claim.column]
    due = sum(e.points for e in entries)
    if claim.total == due:
        return []
    if (result.open and claim.column == "honour") or result.made is None:
        message = f"The {column_name(claim.column, rules.code)} of {claim.side.title} could not be checked: the record does not say {and_words(result.open)}."
        rule = "record.no-result" if result.made is None else "record.no-standing"
        return [finding(rule, message, record, rules, claim.place, Severity.INCOMPLETE)]
    wrong = _unmatched(claim, entries)
    bearing = [wrong] if wrong else entries
    readings = tuple(dict.fromkeys(r for e in bearing for r in e.readings))
    laws = tuple(dict.fromkeys(law for e in bearing for law in e.laws))
    rule = (
        RULE_OF_ITEM[wrong.item]
        if wrong
        else ("score.odd-tricks" if claim.column == "trick" else "score.honour-column")
    )
    count = f"{claim.side.title} are given {claim.total} in the {column_name(claim.column, rules.code)}; the law gives {due}"
    detail = "; ".join(f"{e.points} for {e.reason}" for e in entries)
    message = f"{count}: {detail}." if detail else f"{count}."
    severity = Severity.DISPUTED if readings else Severity.IRREGULAR
    if wrong:  # its own laws say it all
        return [finding(rule, message, record, rules, claim.place, severity, (), readings, laws)]
    return [finding(rule, message, record, rules, claim.place, severity, laws, readings)]


def _gain_findings(
    claim: ScoreClaim, record: Record, rules: InForce, result: Account
) -> list[Finding]:
    """The gain of a side on a deal of a match, held against the difference of the points; elsewhere there is none."""
    if rules.get("rubber-end") is not None:
        said = f"{rules.short} has no matches, and so no gains."
        return [finding("score.no-such-item", said, record, rules, claim.place)]
    if result.open or result.made is None:
        return []
    ours, theirs = (
        sum(result.points(s, c) for c in ("trick", "honour"))
        for s in (claim.side, claim.side.other)
    )
    due = max(ours - theirs, 0)
    if claim.total == due:
        return []
    said = f"{claim.side.title} are given a gain of {claim.total}; they have {ours} points and their adversaries {theirs}, a gain of {due}."
    return [finding("score.gain", said, record, rules, claim.place)]


def _unmatched(claim: ScoreClaim, entries: list[Entry]) -> Entry | None:
    """The one entry that the amounts written down leave out or give wrong, if it is one."""
    amounts = Counter(claim.points)
    left = []
    for entry in (e for e in entries if e.points):
        if amounts[entry.points]:
            amounts[entry.points] -= 1
        else:
            left.append(entry)
    extra = [p for p in amounts.elements() if p]
    # Written though an offence takes it away: with nothing else wrong, that is what is wrong.
    left = left or [e for e in entries if not e.points]
    return left[0] if len(left) == 1 and len(extra) <= 1 else None
