"""A rubber or a match as a whole: deals in order, the state carried, the totals and the claims on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.check import PHASES, Check, check_record, in_order, verdict_of
from oddtrick.judge.finding import Entry, Finding, Severity, Verdict, finding_of
from oddtrick.judge.match import (
    Team,
    TrayScore,
    readings_of,
    tallied,
    teams_of,
    tray_findings,
    trays_of,
)
from oddtrick.judge.score_procedures import (
    LOVE,
    RUBBER_POINTS,
    RUBBER_WINNER,
    Standing,
    difference,
    greater_total,
)
from oddtrick.judge.words import number_words
from oddtrick.judge.written_score import finding, pair
from oddtrick.law.in_force import InForce
from oddtrick.record.model import Group, Record, Stated, Unreadable


@dataclass(frozen=True, slots=True)
class GroupCheck:
    """The answer to a rubber or a match: its records' checks, what is added for the whole, totals by side, findings.

    `winner` wins the rubber by the code's own law where it is `over`; else, and in a match, it has the greater total.
    """

    group: Group
    rules: InForce | None
    checks: tuple[Check, ...]
    totals: tuple[int, int] | None
    winner: Side | None
    points: int | None
    findings: tuple[Finding, ...]
    laws: tuple[str, ...] = ()
    teams: tuple[Team, ...] = ()
    entries: tuple[Entry, ...] = ()
    trays: tuple[TrayScore, ...] = ()
    readings: tuple[str, ...] = ()
    over: bool = False

    def as_json(self) -> dict[str, Any]:
        """The group as JSON: beside `records`, under `groups`."""
        return {
            "kind": self.group.kind,
            "name": self.group.name,
            "records": [c.record.id for c in self.checks],
            "totals": dict(zip(("NS", "EW"), self.totals, strict=True)) if self.totals else None,
            "won_by": self.winner.value if self.winner else None,
            "points": self.points,
            "entries": [e.as_json() for e in self.entries],
            "laws": list(self.laws),
            "readings": list(self.readings),
            "teams": [
                {
                    "name": t.name,
                    "total": _json(t.total),
                    "odd_pair": _json(t.odd_pair),
                    "against_average": _json(t.against_average),
                }
                for t in self.teams
            ],
            "trays": [
                {"tray": t.tray, "plays": t.plays, "points": dict(t.points)} for t in self.trays
            ],
            "findings": [f.as_json() for f in self.findings],
        }


def _json(points: Fraction) -> int | str:
    """Points as a number; where a fraction decides a match as its text, `1/2`."""
    return points.numerator if points.denominator == 1 else str(points)


def check_document(
    items: Iterable[Record | Group | Unreadable],
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
) -> Iterator[Check | GroupCheck | Finding]:
    """Judge everything of a file in order, one item at a time: records, groups after their records.

    What of a deal cannot be read is in the check of that deal, which is nothing but its findings where
    the deal could not be read. A finding that is yielded by itself belongs to no deal.
    """
    only = tuple(only)
    for item, found in _gathered(items):
        if isinstance(item, Group):
            yield from check_group(item, code, options, only)
        elif isinstance(item, Record):
            check = check_record(item, code, options, only)
            yield replace(check, findings=in_order([*check.findings, *found])) if found else check
        elif item.about:
            yield Check(
                Record(item.about.value, item.file, item.about.place),
                None,
                only,
                findings=in_order(found),
            )
        else:
            yield finding_of(item)


def _gathered(
    items: Iterable[Record | Group | Unreadable],
) -> Iterator[tuple[Record | Group | Unreadable, tuple[Finding, ...]]]:
    """Each item with the findings of its reader; for a deal that could not be read the first stands."""
    held: Record | Group | Unreadable | None = None
    found: tuple[Finding, ...] = ()
    for item in items:
        if isinstance(item, Unreadable) and item.about and held and _deal(held) == item.about:
            found += (finding_of(item),)
            continue
        if held:
            yield held, found
        held, found = item, ()
        if isinstance(item, Unreadable) and item.about:
            found = (finding_of(item),)
    if held:
        yield held, found


def _deal(item: Record | Group | Unreadable) -> Stated[str] | None:
    """The deal that an item is, or is about."""
    if isinstance(item, Record):
        return Stated(item.id, item.place)
    return item.about if isinstance(item, Unreadable) else None


def check_group(
    group: Group, code: str | None, options: Iterable[str] | None, only: tuple[str, ...]
) -> Iterator[Check | GroupCheck]:
    """Judge the deals of a group in order, carrying the state of a rubber, then the group."""
    state: Standing | None = LOVE if group.kind == "rubber" else None
    checks: list[Check] = []
    over: Side | None = None
    believed: Standing | None = None
    for number, record in enumerate(group.records):
        carried = state
        if number == 0 and state is LOVE and (record.standing_games or record.standing_trick):
            carried = Standing(
                *(pair(f) if f else (0, 0) for f in (record.standing_games, record.standing_trick))
            )
        check = check_record(record, code, options, only, carried)
        check, believed = _follows(check, believed, only)
        if over and check.rules and "score" in only:
            message = f"The rubber was over: {over.title} had won {_games(check.rules)}."
            late = finding(
                "score.after-the-rubber",
                message,
                record,
                check.rules,
                record.place,
                extra=check.rules.laws("rubber-end"),
            )
            check = replace(check, findings=in_order([*check.findings, late]))
        checks.append(check)
        yield check
        if group.kind == "rubber" and check.account is not None:
            state = LOVE if check.account.rubber else check.account.standing
            over = over or check.account.rubber
        elif group.kind == "rubber":
            state = check.standing if check.declared and check.declared.passed_out else Standing()
    yield _check_whole(group, checks, over, only)


def _follows(
    check: Check, believed: Standing | None, only: tuple[str, ...]
) -> tuple[Check, Standing | None]:
    """The check without a wrong state of the rubber that only follows from one told before, and the state the record goes on from.

    `believed` is the state before the deal by the record's own reckoning since it first went wrong, `None` while it is right.
    """
    record = check.record
    wrong = [f for f in check.findings if f.rule == "score.standing"]
    if not wrong:
        return check, None
    stated = Standing(
        *(
            pair(figures) if figures else known
            for figures, known in (
                (record.standing_games, check.standing.games),
                (record.standing_trick, check.standing.trick),
            )
        )
    )
    if stated == believed:
        check = replace(check, findings=tuple(f for f in check.findings if f not in wrong))
    again = check_record(
        record,
        check.rules.code if check.rules else None,
        check.rules.options if check.rules else None,
        only,
        stated,
    )
    return check, again.account.standing if again.account else None


def _check_whole(
    group: Group, checks: list[Check], over: Side | None, only: tuple[str, ...]
) -> GroupCheck:
    rules = next((c.rules for c in checks if c.rules), None)
    counted = _until_the_end(checks)
    accounts = [c.account for c in counted if c.account]
    told = (
        rules is not None and len(accounts) == len(counted) and not any(a.missing for a in accounts)
    )
    match = group.kind == "match"
    if rules is None or "score" not in only or match != (rules.get("rubber-end") is None):
        return GroupCheck(group, rules, tuple(checks), None, None, None, ())
    if not told:
        return GroupCheck(group, rules, tuple(checks), None, _winner(over, None, rules), None, ())
    if match:
        return _check_match(group, checks, rules)
    brought = _brought(checks[0].record) if checks else (0, 0)
    last = accounts[-1].standing if accounts else None
    added, broken_off = _broken_off(group, rules, over, last)
    if added is None:
        return GroupCheck(
            group, rules, tuple(checks), None, _winner(over, None, rules), None, broken_off
        )
    entries = [*(e for a in accounts for e in a.entries), *added]
    ours, theirs = (sum(e.points for e in entries if e.side is s) for s in Side)
    totals = (ours + brought[0], theirs + brought[1])
    winner = _winner(over, totals, rules)
    points = RUBBER_POINTS[rules.value("rubber-points")](totals)
    laws = rules.laws("rubber-winner", "rubber-points")
    if group.unfinished and not over:
        laws = tuple(
            dict.fromkeys(
                (*(law for e in added for law in e.laws), *rules.behind.get("score.rubber", ()))
            )
        )
    findings = broken_off + _whole_findings(
        group, checks, rules, totals, winner, points, over is not None
    )
    return GroupCheck(
        group,
        rules,
        tuple(checks),
        totals,
        winner,
        points,
        findings,
        laws,
        entries=added,
        over=over is not None,
    )


def _until_the_end(checks: list[Check]) -> list[Check]:
    """The deals of a rubber up to the one that ended it, which alone count."""
    end = next((n for n, c in enumerate(checks) if c.account and c.account.rubber), len(checks))
    return checks[: end + 1]


def _winner(over: Side | None, totals: tuple[int, int] | None, rules: InForce) -> Side | None:
    """Who wins the rubber; where it is not over, who has the greater total of the score as it stands."""
    return (
        RUBBER_WINNER[rules.value("rubber-winner")](over, totals)
        if over
        else greater_total(None, totals)
    )


def _games(rules: InForce) -> str:
    return number_words(rules.value("games-in-rubber"), "game")


def _whole(group: Group) -> Record:
    """The group as a record without a deal, for findings on the whole."""
    return Record(
        group.name or group.kind, group.records[0].file if group.records else "-", group.place
    )


def _broken_off(
    group: Group, rules: InForce, over: Side | None, last: Standing | None
) -> tuple[tuple[Entry, ...] | None, tuple[Finding, ...]]:
    """What a rubber that is said to be unfinished gives the winners of a game; `None` where the games are not known."""
    if not group.unfinished:
        return (), ()
    record = _whole(group)
    if over:
        said = f"The rubber is over, since {over.title} have won {_games(rules)}; it is not unfinished."
        extra = rules.laws("rubber-end")
        return (), (
            finding("score.unfinished", said, record, rules, group.unfinished.place, extra=extra),
        )
    entries, findings = _retired(group, rules)
    bonus = rules.value("unfinished-rubber-bonus")
    if not bonus:
        said = "The score stands as it is."
        return (), (
            finding("score.unfinished", said, record, rules, group.unfinished.place),
            *findings,
        )
    games = last.games if last else (None, None)
    if None in games:
        return None, findings
    laws = rules.laws("unfinished-rubber-bonus")
    readings = rules.readings("unfinished-rubber-bonus")
    entries += tuple(
        Entry(
            side,
            "honour",
            bonus,
            "unfinished-rubber-bonus",
            "game won in an unfinished rubber",
            laws,
            readings,
        )
        for side, won in zip(Side, games, strict=True)
        if won
    )
    return entries, findings


def _retired(group: Group, rules: InForce) -> tuple[tuple[Entry, ...], tuple[Finding, ...]]:
    """What a side that retires from a deal begun gives the other."""
    if group.retired is None:
        return (), ()
    side, price = group.retired.value, rules.value("retirement")
    if price is None:
        said = f"{side.title} retire from the rubber; {rules.short} sets no price for which a side may."
        extra = rules.laws("unfinished-rubber-bonus")
        return (), (
            finding(
                "score.unfinished", said, _whole(group), rules, group.retired.place, extra=extra
            ),
        )
    laws, readings = rules.laws("retirement"), rules.readings("retirement")
    return (
        Entry(
            side.other,
            "honour",
            price,
            "retirement",
            f"{side.title} retire from a deal begun",
            laws,
            readings,
        ),
    ), ()


def _check_match(group: Group, checks: list[Check], rules: InForce) -> GroupCheck:
    """A match: the aggregate of each team, or of each side where nobody changes his seat, and the trays one by one."""
    tally = tallied(checks)
    behind = (*rules.behind.get("score.total", ()), *rules.behind.get("score.rubber", ()))
    teams, trays = teams_of(tally, rules), trays_of(tally)
    odd = rules.laws("odd-pairs") if any(t.odd_pair for t in teams) else ()
    laws = tuple(dict.fromkeys((*behind, *odd, *rules.laws("average"))))
    readings = readings_of(tally, teams, rules)
    findings = tray_findings([c.record for c in checks], rules)
    if len({check.record.sides for check in checks}) > 1 or odd:
        return GroupCheck(
            group,
            rules,
            tuple(checks),
            None,
            None,
            None,
            findings,
            laws,
            teams,
            trays=trays,
            readings=readings,
        )
    totals = (tally.sides[Side.NS], tally.sides[Side.EW])
    winner, points = greater_total(None, totals), difference(totals)
    findings += _whole_findings(group, checks, rules, totals, winner, points)
    return GroupCheck(
        group,
        rules,
        tuple(checks),
        totals,
        winner,
        points,
        findings,
        laws,
        teams,
        trays=trays,
        readings=readings,
    )


def _brought(record: Record) -> tuple[int, int]:
    trick, honour = pair(record.standing_trick), pair(record.standing_honour)
    return ((trick[0] or 0) + (honour[0] or 0), (trick[1] or 0) + (honour[1] or 0))


def _whole_findings(
    group: Group,
    checks: list[Check],
    rules: InForce,
    totals: tuple[int, int],
    winner: Side | None,
    points: int,
    over: bool = False,
) -> tuple[Finding, ...]:
    """The claims on the whole. A total that follows from a fault already reported is not reported again."""
    blank = _whole(group)
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
                finding(
                    "score.total",
                    f"The total of {side.title} is given as {said}; it is {due}.",
                    blank,
                    rules,
                    group.total.place,
                )
            )
    if group.won_by and group.won_by.value is not winner and not faulty:
        why = f"The {group.kind} is given to {group.won_by.value.title}; {_why_won(group, winner, totals, rules)}."
        extra = rules.laws("rubber-winner") if over else ()
        found.append(finding("score.rubber", why, blank, rules, group.won_by.place, extra=extra))
    elif group.points and group.points.value != points and not faulty:
        found.append(
            finding(
                "score.rubber",
                f"The {group.kind} is given as worth {group.points.value} points; it is worth {points}.",
                blank,
                rules,
                group.points.place,
            )
        )
    return tuple(found)


def _why_won(group: Group, winner: Side | None, totals: tuple[int, int], rules: InForce) -> str:
    """Why the law gives a rubber or a match to the side that it gives it to."""
    if winner is None:
        return "the totals are equal"
    if group.kind == "rubber" and winner is not greater_total(None, totals):
        return f"{winner.title} have won {_games(rules)}"
    return f"{winner.title} have the greater total"


def _as_written(checks: list[Check], side: Side) -> int:
    """The total of a side by what was written down, deal by deal, and by the law where nothing was."""
    total = 0
    for check in checks:
        for column in ("trick", "honour", "total"):
            written = [
                c.total for c in check.record.scores if c.side is side and c.column == column
            ]
            total += (
                sum(written)
                if written
                else (check.account.points(side, column) if check.account else 0)
            )
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
