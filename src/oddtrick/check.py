"""A record run through a code: declaration, play and score judged, every claim held against the law.

`check_record` is a pure function of a record and the law in force. `check_document` carries the state of a
rubber from deal to deal and judges what the record claims of the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.declaring import OPENING_LEAD, Declared, Final, declare, final_words
from oddtrick.findings import Entry, Finding, Severity, Verdict
from oddtrick.lawbook import Rules, UnknownCode, rules_for
from oddtrick.play import Outcome, check_hands, followed, known_hands
from oddtrick.record import Group, Place, Record, ScoreClaim, SideFigures
from oddtrick.scoring import LOVE, VULNERABILITY, Account, Facts, Holding, Standing, account, honours_of
from oddtrick.words import and_words, number_words

PHASES = ("declaring", "play", "score")
"""What a check judges, in order; `--only` chooses among them."""

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
}
"""The finding for each kind of score entry when it is wrong or missing."""


@dataclass(frozen=True, slots=True)
class Check:
    """The answer to one record: what was declared, played and scored, and every finding.

    `extent` says in words how far the check could go where it could not go to the end. `standing` is the state
    before the deal as it was used.
    """

    record: Record
    rules: Rules | None
    only: tuple[str, ...]
    declared: Declared | None = None
    outcome: Outcome | None = None
    account: Account | None = None
    findings: tuple[Finding, ...] = ()
    standing: Standing = Standing()

    @property
    def verdict(self) -> Verdict:
        """The gravest finding decides; silence of the code is incompleteness, never legality."""
        return verdict_of(self.findings)

    @property
    def final(self) -> Final | None:
        """The final declaration."""
        return self.declared.final if self.declared else None

    def as_json(self) -> dict[str, Any]:
        """The record's part of the JSON that domain.md fixes."""
        rules, final = self.rules, self.final
        out: dict[str, Any] = {
            "id": self.record.id,
            "file": self.record.file,
            "line": self.record.place.line,
            "code": rules.code if rules else None,
            "options": list(rules.options) if rules else [],
            "verdict": self.verdict.value,
            "declaration": None,
            "tricks": None,
            "score": None,
            "findings": [f.as_json() for f in self.findings],
        }
        if final and rules:
            leader = OPENING_LEAD[rules.value("opening-lead")](final.declarer) if final.declarer else None
            out["declaration"] = {
                "odd_tricks": final.odd_tricks,
                "denomination": final.denomination,
                "doubled": final.doubled,
                "declarer": final.declarer.value if final.declarer else None,
                "dummy": final.dummy.value if final.dummy else None,
                "leader": leader.value if leader else None,
                "laws": list(final.laws),
            }
            if final.readings:
                out["declaration"]["readings"] = list(final.readings)
        if self.outcome and self.outcome.taken is not None and rules:
            out["tricks"] = {
                "declaring_side": self.outcome.taken,
                "adversaries": rules.value("hand-size") - self.outcome.taken,
            }
        if self.account is not None:
            out["score"] = {
                **{s.value: {c: self.account.points(s, c) for c in ("trick", "honour")} for s in Side},
                "entries": [e.as_json() for e in self.account.entries],
            }
        return out


@dataclass(frozen=True, slots=True)
class GroupCheck:
    """The answer to a rubber or a match: its records' checks, totals by side, findings on the whole."""

    group: Group
    rules: Rules | None
    checks: tuple[Check, ...]
    totals: tuple[int, int] | None
    winner: Side | None
    points: int | None
    findings: tuple[Finding, ...]
    laws: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The group as JSON: beside `records`, under `groups`."""
        return {
            "kind": self.group.kind,
            "name": self.group.name,
            "records": [c.record.id for c in self.checks],
            "totals": dict(zip(("NS", "EW"), self.totals, strict=True)) if self.totals else None,
            "won_by": self.winner.value if self.winner else None,
            "points": self.points,
            "laws": list(self.laws),
            "findings": [f.as_json() for f in self.findings],
        }


def verdict_of(findings: Iterable[Finding]) -> Verdict:
    """The verdict that findings come to."""
    kinds = {f.severity for f in findings}
    for severity, verdict in (
        (Severity.UNREADABLE, Verdict.UNREADABLE),
        (Severity.IRREGULAR, Verdict.IRREGULAR),
        (Severity.DISPUTED, Verdict.DISPUTED),
        (Severity.SILENT, Verdict.INCOMPLETE),
        (Severity.INCOMPLETE, Verdict.INCOMPLETE),
    ):
        if severity in kinds:
            return verdict
    return Verdict.LEGAL


def code_of(
    record: Record, code: str | None, options: Iterable[str] | None
) -> tuple[Rules | None, tuple[Finding, ...]]:
    """The law a record is to be judged under: as asked for, or as the record says; or why there is none."""
    named = code or (record.code.value if record.code else None)
    if named is None:
        message = "The record names no code. Write `code auction-1912` in it, or give one with --code."
        return None, (Finding("record.no-code", Severity.INCOMPLETE, message, (), record.file, record.place),)
    chosen = (
        tuple(options)
        if options
        else (
            tuple(o.value for o in record.options)
            if code in (None, record.code.value if record.code else None)
            else ()
        )
    )
    place = record.code.place if record.code and not code else record.place
    try:
        return rules_for(named, chosen), ()
    except UnknownCode as error:
        if error.what.startswith("option"):
            place = next((o.place for o in record.options if o.value == error.name), place)
        message = str(error)[0].upper() + str(error)[1:] + "."
        return None, (Finding("record.unknown-code", Severity.UNREADABLE, message, (), record.file, place),)


def check_record(
    record: Record,
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
    standing: Standing | None = None,
) -> Check:
    """Judge one record under a code (its own where none is given).

    `standing` is the state of the rubber before the deal where it is known from the deals before. Never
    raises for anything in the record: what is wrong is a finding.
    """
    phases = tuple(p for p in PHASES if p in set(only))
    rules, found = code_of(record, code, options)
    if rules is None:
        return Check(record, None, phases, findings=found)
    findings: list[Finding] = list(check_hands(record, rules))
    declared = declare(record, rules)
    if "declaring" in phases:
        findings += declared.findings
    outcome = followed(record, rules, declared.final)
    play_findings = [f for f in outcome.findings if not f.rule.startswith("score.")]
    if "play" in phases:
        findings += play_findings + _play_extent(record, rules, declared, outcome)
    state = _standing(record, rules, standing)
    result: Account | None = None
    if "score" in phases and not declared.passed_out:
        findings += [f for f in outcome.findings if f.rule.startswith("score.")]
        result, more = _score(record, rules, declared, outcome, state)
        findings += more
    elif "score" in phases and standing is not None:
        result = Account((), (), state, played=state)
    if "score" in phases:
        findings += _standing_findings(record, rules, standing)
    return Check(record, rules, phases, declared, outcome, result, _in_order(findings), state)


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the file, those without law last within a place."""
    return tuple(
        sorted(findings, key=lambda f: (f.severity is Severity.INCOMPLETE, f.place.line, f.place.column))
    )


def _finding(
    rule: str,
    message: str,
    record: Record,
    rules: Rules,
    place: Place,
    severity: Severity = Severity.IRREGULAR,
    extra: tuple[str, ...] = (),
    readings: tuple[str, ...] = (),
) -> Finding:
    laws = tuple(dict.fromkeys((*extra, *rules.behind.get(rule, ()))))
    if not laws and severity is Severity.IRREGULAR:
        severity = Severity.SILENT
        message = f"{message} {rules.silent.get(rule, f'{rules.short} has no law on it.')}"
    return Finding(rule, severity, message, laws, record.file, place, (), readings)


def _play_extent(record: Record, rules: Rules, declared: Declared, outcome: Outcome) -> list[Finding]:
    """Findings that say how far the play could be followed."""
    if declared.passed_out:
        return []
    if record.play is None:
        return [
            _finding(
                "record.no-play",
                "The play is not recorded.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        ]
    found = []
    if declared.final is None:
        found.append(
            _finding(
                "record.no-play",
                "The play could not be followed: the final declaration is not known.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    elif declared.final.declarer is None:
        found.append(
            _finding(
                "record.no-declarer",
                "The record does not let the declarer be known, so the play could not be followed.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    elif not outcome.complete:
        whole = sum(1 for t in outcome.tricks if t.winner)
        found.append(
            _finding(
                "record.no-play",
                f"The play is recorded in part: {number_words(whole, 'trick')} could be followed to the end.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    if len(known_hands(record, rules)) < 4:
        found.append(
            _finding(
                "record.no-hands",
                "Not all four hands are recorded; the cards were checked as far as they are.",
                record,
                rules,
                record.place,
                Severity.INCOMPLETE,
            )
        )
    return found


def _pair(figures: SideFigures | None) -> tuple[int | None, int | None]:
    """Figures of both sides; a side left out of a statement that was made has nothing."""
    return (None, None) if figures is None else (figures.ns or 0, figures.ew or 0)


def _standing(record: Record, rules: Rules, carried: Standing | None) -> Standing:
    """The state before the deal: carried from the deals before, or as the record states it."""
    if carried is not None:
        return carried
    games = _pair(record.standing_games)
    if record.standing_games is None and record.vulnerable and rules.value("vulnerability"):
        needed = rules.value("games-in-rubber")
        games = tuple(needed - 1 if s in record.vulnerable.value else 0 for s in Side)  # type: ignore[assignment]
    return Standing(games, _pair(record.standing_trick))


def _standing_findings(record: Record, rules: Rules, carried: Standing | None) -> list[Finding]:
    """What the record says of the state of the rubber, held against the deals before and against itself."""
    found = []
    if carried is not None:
        for stated, known, what in (
            (record.standing_games, carried.games, "game"),
            (record.standing_trick, carried.trick, "point"),
        ):
            if stated is None or None in known or _pair(stated) == known:
                continue
            said, is_ = (f"{a} to {b}" for a, b in (_pair(stated), known))
            message = f"The record gives the state as {said} ({what}s, North and South first); the deals before give {is_}."
            found.append(_finding("score.standing", message, record, rules, stated.place))
    how = rules.value("vulnerability")
    games = carried.games if carried else _pair(record.standing_games)
    if record.vulnerable and how and None not in games:
        right = frozenset(s for s, g in zip(Side, games, strict=True) if VULNERABILITY[how](g or 0))
        if right != record.vulnerable.value:
            said, is_ = (
                and_words(s.title for s in Side if s in sides) or "nobody"
                for sides in (record.vulnerable.value, right)
            )
            message = f"The record calls {said} vulnerable; by the games won it is {is_}."
            found.append(
                _finding(
                    "score.vulnerable",
                    message,
                    record,
                    rules,
                    record.vulnerable.place,
                    extra=rules.laws("vulnerability"),
                )
            )
    return found


def _facts(record: Record, rules: Rules, final: Final, outcome: Outcome, state: Standing) -> Facts:
    hands = known_hands(record, rules)
    honours = honours_of(final.denomination, hands, rules)
    if honours is None and record.honours:
        claimed = {c.side: Holding(c.total, c.in_one_hand) for c in record.honours}
        honours = {s: claimed.get(s, Holding(0, 0)) for s in Side}
    denomination = rules.denomination(final.denomination)
    voids = None
    if denomination and denomination.suit and len(hands) == 4:
        voids = {
            side: sum(
                1 for s in Seat if s.side is side and not any(c.suit is denomination.suit for c in hands[s])
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
    return Facts(final, outcome.taken, honours, voids, state)


def _score(
    record: Record, rules: Rules, declared: Declared, outcome: Outcome, state: Standing
) -> tuple[Account | None, list[Finding]]:
    final = declared.final
    if final is None:
        return None, []
    facts = _facts(record, rules, final, outcome, state)
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
            _finding("score.game", message, record, rules, record.game.place, extra=rules.laws("game"))
        )
    found += _missing_findings(record, rules, result)
    return result, found


def _missing_findings(record: Record, rules: Rules, result: Account) -> list[Finding]:
    """One finding for all that the score depends on and the record does not say."""
    if not result.missing:
        return []
    rule = "record.no-result" if "the number of tricks taken" in result.missing else "record.no-standing"
    if result.missing == ("who the declarer is",):
        rule = "record.no-declarer"
    elif all("honours" in m or "trump" in m for m in result.missing):
        rule = "record.no-hands"
    message = f"The score is told as far as it goes; the record does not say {and_words(result.missing)}."
    return [_finding(rule, message, record, rules, record.place, Severity.INCOMPLETE)]


def _holding_findings(record: Record, rules: Rules, final: Final) -> list[Finding]:
    """Honours and chicane as claimed, held against the cards."""
    found = []
    hands = known_hands(record, rules)
    held = honours_of(final.denomination, hands, rules)
    for claim in record.honours:
        if rules.get("honour-values") is None:
            found.append(
                _finding(
                    "score.no-such-item", f"{rules.short} counts no honours.", record, rules, claim.place
                )
            )
        elif held is not None:
            true = held[claim.side]
            if true.total != claim.total or (
                claim.in_one_hand is not None and claim.in_one_hand != true.more
            ):
                message = f"{claim.side.title} are credited with {_honour_words(claim.total, claim.in_one_hand)}; they held {_honour_words(true.total, true.more)}."
                found.append(
                    _finding(
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
                _finding(
                    "score.no-such-item", f"{rules.short} counts no chicane.", record, rules, stated.place
                )
            )
            continue
        denomination = rules.denomination(final.denomination)
        seats = [s for s in Seat if s is stated.value or s.side is stated.value]
        if (
            denomination
            and len(hands) == 4
            and (
                denomination.suit is None or any(c.suit is denomination.suit for s in seats for c in hands[s])
            )
        ):
            message = (
                f"Chicane is claimed for {and_words(s.title for s in seats)}, who held trumps."
                if denomination.suit
                else "Chicane is claimed where there are no trumps."
            )
            found.append(
                _finding(
                    "score.chicane-held", message, record, rules, stated.place, extra=rules.laws("chicane")
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


def _column_findings(claim: ScoreClaim, record: Record, rules: Rules, result: Account) -> list[Finding]:
    """One column of one side as written down, held against the entries of the law."""
    entries = [e for e in result.entries if e.side is claim.side and e.column == claim.column]
    due = sum(e.points for e in entries)
    if claim.total == due:
        return []
    if (result.open and claim.column == "honour") or result.made is None:
        message = f"The {claim.column} score of {claim.side.title} could not be checked: the record does not say {and_words(result.open)}."
        rule = "record.no-result" if result.made is None else "record.no-standing"
        return [_finding(rule, message, record, rules, claim.place, Severity.INCOMPLETE)]
    wrong = _unmatched(claim, entries)
    readings = tuple(dict.fromkeys(r for e in entries for r in e.readings))
    laws = tuple(dict.fromkeys(law for e in (wrong and [wrong]) or entries for law in e.laws))
    rule = (
        RULE_OF_ITEM[wrong.item]
        if wrong
        else ("score.odd-tricks" if claim.column == "trick" else "score.honour-column")
    )
    what = "below the line" if claim.column == "trick" else "in the honour score"
    count = f"{claim.side.title} are given {claim.total} {what}; the law gives {due}"
    detail = "; ".join(f"{e.points} for {e.reason}" for e in entries)
    message = f"{count}: {detail}." if detail else f"{count}."
    severity = Severity.DISPUTED if readings else Severity.IRREGULAR
    return [_finding(rule, message, record, rules, claim.place, severity, laws, readings)]


def _unmatched(claim: ScoreClaim, entries: list[Entry]) -> Entry | None:
    """The one entry that the amounts written down leave out or give wrong, if it is one."""
    amounts = Counter(claim.points)
    left = []
    for entry in entries:
        if amounts[entry.points]:
            amounts[entry.points] -= 1
        else:
            left.append(entry)
    extra = [p for p in amounts.elements() if p]
    return left[0] if len(left) == 1 and len(extra) <= 1 else None


def check_document(
    items: Iterable[Record | Group | Finding],
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
) -> Iterator[Check | GroupCheck | Finding]:
    """Judge everything of a file in order, one item at a time: records, groups after their records, readers' findings."""
    only = tuple(only)
    for item in items:
        if isinstance(item, Finding):
            yield item
        elif isinstance(item, Record):
            yield check_record(item, code, options, only)
        else:
            yield from check_group(item, code, options, only)


def check_group(
    group: Group, code: str | None, options: Iterable[str] | None, only: tuple[str, ...]
) -> Iterator[Check | GroupCheck]:
    """Judge the deals of a group in order, carrying the state of a rubber, then the group."""
    state: Standing | None = LOVE if group.kind == "rubber" else None
    checks: list[Check] = []
    over: Side | None = None
    for number, record in enumerate(group.records):
        carried = state
        if number == 0 and state is LOVE and (record.standing_games or record.standing_trick):
            carried = Standing(
                *(_pair(f) if f else (0, 0) for f in (record.standing_games, record.standing_trick))
            )
        check = check_record(record, code, options, only, carried)
        if over and check.rules and "score" in only:
            message = f"The rubber was already won by {over.title}."
            late = _finding(
                "score.after-the-rubber",
                message,
                record,
                check.rules,
                record.place,
                extra=check.rules.laws("rubber-end"),
            )
            check = replace(check, findings=_in_order([*check.findings, late]))
        checks.append(check)
        yield check
        if group.kind == "rubber" and check.account is not None:
            state = check.account.standing
            over = over or check.account.rubber
        elif group.kind == "rubber":
            state = check.standing if check.declared and check.declared.passed_out else Standing()
    yield _check_whole(group, checks, over, only)


def _check_whole(group: Group, checks: list[Check], over: Side | None, only: tuple[str, ...]) -> GroupCheck:
    rules = next((c.rules for c in checks if c.rules), None)
    accounts = [c.account for c in checks if c.account]
    told = rules is not None and len(accounts) == len(checks) and not any(a.missing for a in accounts)
    if rules is None or not told or group.kind != "rubber" or "score" not in only:
        return GroupCheck(group, rules, tuple(checks), None, over, None, ())
    totals = tuple(sum(e.points for a in accounts for e in a.entries if e.side is s) for s in Side)
    brought = _brought(checks[0].record) if checks else (0, 0)
    totals = (totals[0] + brought[0], totals[1] + brought[1])
    winner = Side.NS if totals[0] > totals[1] else Side.EW if totals[1] > totals[0] else None
    points = abs(totals[0] - totals[1])
    laws = rules.laws("rubber-end", "rubber-bonus")
    findings = _whole_findings(group, checks, rules, totals, winner, points)
    return GroupCheck(group, rules, tuple(checks), totals, winner, points, findings, laws)


def _brought(record: Record) -> tuple[int, int]:
    trick, honour = _pair(record.standing_trick), _pair(record.standing_honour)
    return ((trick[0] or 0) + (honour[0] or 0), (trick[1] or 0) + (honour[1] or 0))


def _whole_findings(
    group: Group, checks: list[Check], rules: Rules, totals: tuple[int, int], winner: Side | None, points: int
) -> tuple[Finding, ...]:
    """The claims on the whole. A total that follows from a fault already reported is not reported again."""
    file = checks[0].record.file if checks else "-"
    blank = Record(group.name or group.kind, file, group.place)
    faulty = any(
        f.severity in (Severity.IRREGULAR, Severity.DISPUTED) and f.rule.startswith("score.")
        for c in checks
        for f in c.findings
    )
    found = []
    for side, due in zip(Side, totals, strict=True):
        said = group.total.of(side) if group.total else None
        if (
            group.total
            and said is not None
            and said != due
            and not (faulty and said == _as_written(checks, side))
        ):
            found.append(
                _finding(
                    "score.total",
                    f"The total of {side.title} is given as {said}; it is {due}.",
                    blank,
                    rules,
                    group.total.place,
                )
            )
    if group.won_by and winner and group.won_by.value is not winner and not faulty:
        found.append(
            _finding(
                "score.rubber",
                f"The rubber is given to {group.won_by.value.title}; {winner.title} have the greater total.",
                blank,
                rules,
                group.won_by.place,
            )
        )
    elif group.points and group.points.value != points and not faulty:
        found.append(
            _finding(
                "score.rubber",
                f"The rubber is given as worth {group.points.value} points; it is worth {points}.",
                blank,
                rules,
                group.points.place,
            )
        )
    return tuple(found)


def _as_written(checks: list[Check], side: Side) -> int:
    """The total of a side by what was written down, deal by deal, and by the law where nothing was."""
    total = 0
    for check in checks:
        for column in ("trick", "honour", "total"):
            written = [c.total for c in check.record.scores if c.side is side and c.column == column]
            total += sum(written) if written else (check.account.points(side, column) if check.account else 0)
    return total


def exit_status(results: Iterable[Check | GroupCheck | Finding]) -> int:
    """0 nothing irregular, 1 something irregular or disputed, 2 something unreadable."""
    status = 0
    for result in results:
        verdicts = (
            [verdict_of([result])]
            if isinstance(result, Finding)
            else [result.verdict]
            if isinstance(result, Check)
            else [verdict_of(result.findings)]
        )
        for verdict in verdicts:
            if verdict is Verdict.UNREADABLE:
                status = 2
            elif verdict in (Verdict.IRREGULAR, Verdict.DISPUTED):
                status = max(status, 1)
    return status


def described(check: Check) -> str:
    """The final declaration of a check in words."""
    if check.rules is None or check.declared is None:
        return "not judged"
    if check.declared.passed_out:
        return "passed out"
    return final_words(check.declared.final, check.rules) if check.declared.final else "not known"
