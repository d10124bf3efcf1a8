"""A rubber or a match as a group.

Its deals are judged in order, with the state of the rubber carried forward; then the totals and the
claims on them are checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import chain
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.judge.check import PHASES, Check, check, in_order, law_of
from oddtrick.judge.finding import Entry, Finder, Finding, Json, Message, Severity, finding_of
from oddtrick.judge.match import Team, readings_of, scores_of, teams_of, tray_findings, trays_of
from oddtrick.judge.not_used import NotUsed, of_the_group
from oddtrick.judge.roles import dealer_of
from oddtrick.judge.score_procedures import (
    LOVE,
    SCORING,
    UNKNOWN,
    Account,
    Standing,
    Totals,
    greater_total,
)
from oddtrick.judge.what_if import WhatIf, condition, others_of
from oddtrick.judge.written_score import columns_written, pair
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal, Figures, Group, Unreadable, assumptions
from oddtrick.record.deal import Item as At
from oddtrick.rulings.engine import catalogue

WRONG_DEALER = "deal.wrong-dealer"
"""The finding on a player who deals out of turn."""

Item = Deal | Group | Unreadable
"""An item that a reader yields from a file."""


@dataclass(frozen=True, slots=True)
class GroupCheck:
    """The result for a rubber or a match: the checks of its records, and what concerns the group.

    `entries` are those added for the group, `totals` are by side. If a rubber is `over`, `winner`
    wins it by the code's own law; otherwise, and in a match, `winner` has the greater total.
    """

    group: Group
    law: Rules | None
    checks: tuple[Check, ...]
    totals: Totals | None
    winner: Side | None
    points: int | None
    findings: tuple[Finding, ...]
    laws: tuple[str, ...] = ()
    teams: tuple[Team, ...] = ()
    entries: tuple[Entry, ...] = ()
    trays: tuple[Json, ...] = ()
    readings: tuple[str, ...] = ()
    over: bool = False
    what_if: tuple[WhatIf, ...] = ()

    def __repr__(self) -> str:
        return f"<GroupCheck of {self.group.kind} with {len(self.checks)} deals>"

    @property
    def counted(self) -> tuple[Check, ...]:
        """The checks of the deals that count; in a rubber, those up to the deal that ended it.

        The deal from which a side retired does not count if its result is not recorded.
        """
        ends = (n for n, c in enumerate(self.checks) if c.account and c.account.rubber)
        counted = self.checks[: next(ends, len(self.checks)) + 1]
        given_up = self.group.retired and counted and counted[-1].outcome.taken is None
        return counted[:-1] if given_up else counted

    @property
    def scored(self) -> bool:
        """Whether the score was judged, and the code has groups of this kind."""
        if self.law is None or any("score" not in c.only for c in self.checks):
            return False
        return self.law.has("rubber-end") is (self.group.kind == "rubber")

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The readings on which the result of the group rests, apart from those of its deals."""
        return (*self.readings, *(r for e in self.entries for r in e.readings))

    @property
    def not_used(self) -> tuple[NotUsed, ...]:
        """The statements about the group that have no effect."""
        return of_the_group(self.group, self.totals is not None, [t.name for t in self.teams])


def check_document(
    items: Iterable[Item],
    code: str | None = None,
    options: Iterable[str] | None = None,
    only: Iterable[str] = PHASES,
) -> Iterator[Check | GroupCheck | Finding]:
    """Judge everything in a file in order, one item at a time; a group comes after its records.

    Findings on unreadable parts of a deal are in the check of that deal; if the whole deal is
    unreadable, its check contains nothing else. A finding that is yielded by itself belongs to no
    deal.
    """
    only = tuple(only)
    for item, others in _with_reports(items):
        found = tuple(finding_of(i) for i in (item, *others) if isinstance(i, Unreadable))
        if isinstance(item, Group):
            reports: dict[object, list[Unreadable]] = {}
            for other in others:
                reports.setdefault(other.about, []).append(other)
            for one in check_group(item, code, options, only):
                if isinstance(one, Check):
                    own = reports.pop((one.source.id, one.source.span), ())
                    one = _with(one, *map(finding_of, own))
                yield one
            yield from check_document(chain(*reports.values()), code, options, only)
        elif isinstance(item, Deal):
            found += tuple(map(finding_of, assumptions(item)))
            yield _with(check(item, code, options, only), *found)
        elif item.harmless or not item.about:
            yield from found
        else:
            (name, span), above = item.about, item.header
            deal = Deal(item.source, span, name, above.stated, above.code, above.options)
            if code or deal.code:
                found += law_of(deal, code, options)[1]
            yield Check(deal, None, only, findings=in_order(found))


def _with_reports(items: Iterable[Item]) -> Iterator[tuple[Item, list[Unreadable]]]:
    """Each deal with the reports on it, and each group with all that come before the next item."""
    latest: Item | None = None
    reports = list[Unreadable]()
    for item in items:
        if isinstance(item, Unreadable) and (
            isinstance(latest, Group) or (latest and _deal_of(latest) == _deal_of(item))
        ):
            reports.append(item)
        else:
            if latest:
                yield latest, reports
            latest, reports = item, []
    if latest:
        yield latest, reports


def _with(check: Check, *found: Finding) -> Check:
    """The check with additional findings, in order."""
    return check._replace(findings=in_order([*check.findings, *found])) if found else check


def _deal_of(item: Item) -> object:
    """The name and place of the deal that an item concerns; if there is none, a unique object."""
    if isinstance(item, Deal):
        return item.id, item.place
    if isinstance(item, Group) or not item.about:
        return object()
    return item.about[0], item.source.place(item.about[1])


def check_group(
    group: Group, code: str | None, options: Iterable[str] | None, only: tuple[str, ...]
) -> Iterator[Check | GroupCheck]:
    """Judge the deals of a group in order, each with the state of the rubber, then the group.

    Claims about the group are checked against every reading that its result rests on.
    """
    asked = tuple(options or ())

    @cache
    def read_so(choice: str) -> GroupCheck:
        return _check_whole(group, _put_right(_deals(group, code, (*asked, choice), only)))

    checks = _put_right(_deals(group, code, asked, only))
    yield from checks
    result = _check_whole(group, checks)
    if law := result.law:
        what_if = list[WhatIf]()
        for read in others_of(law, result.rests_on):
            other, found = read_so(read.written), list[Message]()
            if other.totals and other.totals != result.totals:
                found.append(Message("sums", NS=other.totals[0], EW=other.totals[1]))
            if other.teams != result.teams:
                found += [Message("team", **asdict(t)) for t in other.teams]
            if found:
                what_if.append(WhatIf(condition(read), tuple(found), None, (), read.written))
        findings = (*result.findings, *_claim_findings(result, law, read_so))
        result = replace(result, findings=findings, what_if=tuple(what_if))
    yield result


def _deals(
    group: Group, code: str | None, options: tuple[str, ...], only: tuple[str, ...]
) -> Iterator[Check]:
    """The checks of the deals of a group in order, with the state of a rubber carried forward."""
    state: Standing | None = LOVE if group.kind == "rubber" else None
    before: Deal | None = None
    first: dict[tuple[object, ...], Deal] = {}
    over: Side | None = None
    dealer: Seat | None = None
    by = tuple[str, ...]()
    unread = [start for _, (start, _) in group.unread]
    for number, deal in enumerate(group.deals):
        if unread and unread[0] < deal.span[0]:
            # The state of the rubber after an unreadable deal is not known.
            unread = [start for start in unread if start > deal.span[0]]
            state, dealer = UNKNOWN if state else state, None
        carried = state and state._replace(dealer=dealer)
        stood = deal.standing_games, deal.standing_trick, deal.standing_honour
        if number == 0 and state is LOVE and any(stood):
            games, trick, honour = (pair(f) if f else (0, 0) for f in stood)
            carried = Standing(games, trick, honour)
        judged = check(deal, code, options, only, carried)._replace(grouped=True)
        found, finder = list[Finding](), judged.finder
        if over and judged.law and "score" in only:
            games, more = judged.law.value("games-in-rubber"), judged.law.laws("rubber-end")
            message = Message("deal-after-the-rubber", side=over, games=games)
            found.append(finder.find("score.after-the-rubber", message, more=more))
        # A deal is identified by its name, and in a match also by where it was played.
        again = first.setdefault((deal.id, deal.tray, deal.table, deal.playing), deal)
        if again is not deal:
            of = {"kind": group.kind, "deal": again.id, "line": again.place.line}
            found.append(finder.lacks("record.deal-twice", "deal-twice", **of))
        else:
            found += _dealer_findings(judged, before or deal, dealer, by)
            dealer, by = _next_dealer(judged, dealer)
        judged = _with(judged, *found)
        if group.total:
            left = tuple(f for f in judged.findings if not _in_total(f, judged, group.total))
            judged = judged._replace(findings=left)
        before = deal
        yield judged
        if group.kind == "rubber" and judged.account is not None:
            state = LOVE if judged.account.rubber else _state_after(judged.account, carried)
            over = over or judged.account.rubber
            dealer = None if over else dealer  # the next dealer begins another rubber
        elif group.kind == "rubber":
            state = judged.standing if judged.declared.passed_out else UNKNOWN


def _put_right(deals: Iterable[Check]) -> list[Check]:
    """The checks, with an error in a column settled if a later deal reports that it was corrected.

    The report concerns the last deal whose column is wrong, beginning with its own.
    """
    checks, wrong = list(deals), dict[str, int]()
    for number, one in enumerate(checks):
        wrong |= {column: number for f in one.findings if (column := _wrong_column(f, one))}
        for column in one.judged.corrected:
            at = wrong.pop(column, number)
            if at < number:
                checks[at] = _with_correction(checks[at], column)
    return checks


def _wrong_column(finding: Finding, check: Check) -> str | None:
    """The column of the written score that a finding says is wrong; `None` if it says no such."""
    match finding.at.item:
        case "score", int(number) if finding.severity is not Severity.INCOMPLETE:
            return check.source.scores[number].column
    return None


def _with_correction(check: Check, column: str) -> Check:
    """The check, in which the findings on a column are only notes, since it was put right."""
    right = Message("put-right")
    findings = [
        f._replace(severity=Severity.NOTE, messages=(*f.messages, right))
        if _wrong_column(f, check) == column
        else f
        for f in check.findings
    ]
    return check._replace(findings=in_order(findings))


def _state_after(account: Account, before: Standing | None) -> Standing:
    """The state of a rubber after a deal; without the honour score if points are missing."""
    honour = before.honour if before and not account.missing else UNKNOWN.honour
    gained = (account.points(side, "honour") for side in Side)
    known = (None if n is None else n + more for n, more in zip(honour, gained, strict=True))
    return account.standing._replace(honour=(next(known), next(known)))


def _next_dealer(check: Check, due: Seat | None) -> tuple[Seat | None, tuple[str, ...]]:
    """The player who deals next, and the laws that say so because of what happened in this deal.

    He is the one whom these laws name or, unless the deal is void, the one on the dealer's left.
    """
    law, named = check.law, check.judged.dealt_next_by
    last = dealer_of(check.source, check.final, law) or due
    places = {"proper": due, "same": last, "left": last and last.left}
    usual = None if check.judged.dealt_anew else places["left"]
    by = law.laws("passed-out") if law and check.declared.passed_out else (*named.values(),)
    return next((seat for place, seat in places.items() if place in named), usual), by


def _dealer_findings(
    check: Check, before: Deal, due: Seat | None, by: tuple[str, ...]
) -> Iterator[Finding]:
    """A finding if a player deals out of turn, unless the record reports it itself.

    `by` are the laws that name the dealer because of what happened in the deal before. In a match
    the turn passes from tray to tray in the order in which they are first played at a table.
    """
    deal, dealer = check.source, dealer_of(check.source, check.final, check.law)
    if due is None or dealer is None or dealer is due or check.law is None:
        return
    irregular = (catalogue().get(i.name) for i in deal.incidents if i.event is None)
    if any(irregularity and irregularity.finding == WRONG_DEALER for irregularity in irregular):
        return
    if deal.tray is not None or before.tray is not None:
        original = deal.playing == before.playing == "original"
        in_turn = None not in (deal.tray, before.tray) and deal.tray == (before.tray or 0) + 1
        if not (original and in_turn and deal.table == before.table):
            return
    message = Message("wrong-dealer", dealer=dealer, due=due)
    place = ("dealer",) if deal.dealer else ("declaration",)
    yield check.finder.find(WRONG_DEALER, message, place, more=by)


def _in_total(finding: Finding, check: Check, total: Figures) -> bool:
    """Whether a finding only says that a rubber bonus is missing, though the total includes it."""
    account = check.account
    if finding.rule != "score.rubber-bonus" or account is None:
        return False
    return any(
        account.points(w.side, "honour") - w.total == account.points(w.side, item="rubber-bonus")
        for w in columns_written(check.source)
        if (w.column, w.item) == ("honour", finding.at.item) and total.of(w.side) is not None
    )


def _check_whole(group: Group, checks: Sequence[Check]) -> GroupCheck:
    """The check of a match or a rubber before its claims are checked; without totals if unknown."""
    law = next((c.law for c in checks if c.law), None)
    blank = GroupCheck(group, law, tuple(checks), None, None, None, ())
    if law is None or not blank.scored:
        return blank
    ended = (c.account.rubber for c in checks if c.account and c.account.rubber)
    over, accounts = next(ended, None), [c.account for c in blank.counted if c.account]
    blank = replace(blank, winner=_winner(over, None, law))
    known = len(accounts) == len(blank.counted) and not any(a.missing for a in accounts)
    if not known or group.unread:  # the score of an unreadable deal is not known
        return blank
    if group.kind == "match":
        return _check_match(blank, law)
    return _check_rubber(blank, law, over, accounts)


def _check_rubber(
    blank: GroupCheck, law: Rules, over: Side | None, accounts: list[Account]
) -> GroupCheck:
    """Add the totals of a rubber, its winner and the points won."""
    group, checks = blank.group, blank.checks
    last = accounts[-1].standing if accounts else checks[0].standing if checks else None
    added, broken_off = _broken_off(group, law, over, last)
    if added is None:
        return replace(blank, findings=broken_off)
    entries = [*(e for a in accounts for e in a.entries), *added]
    first = group.deals[0] if group.deals else None
    stood = [f for f in (first.standing_trick, first.standing_honour) if f] if first else []
    ours, theirs = (
        sum(e.points for e in entries if e.side is side) + sum(f.of(side) or 0 for f in stood)
        for side in Side
    )
    winner, ahead = _winner(over, (ours, theirs), law), greater_total((ours, theirs))
    laws = law.laws("rubber-winner", "rubber-points")
    readings = law.readings("rubber-winner.equal") if over and ahead is None else ()
    if over and winner and ahead is winner.other:
        readings = law.readings("rubber-points.losers-ahead")
    if group.unfinished and not over:
        of_entries = (address for e in added for address in e.laws)
        laws = tuple(dict.fromkeys((*of_entries, *law.finding_laws.get("score.rubber", ()))))
    return replace(
        blank,
        totals=(ours, theirs),
        winner=winner,
        points=abs(ours - theirs),
        findings=broken_off,
        laws=laws,
        readings=readings,
        entries=added,
        over=over is not None,
    )


def _winner(over: Side | None, totals: Totals | None, law: Rules) -> Side | None:
    """The winner of the rubber; if it is not over, the side with the greater total."""
    wins = law.procedure("rubber-winner", SCORING)
    return wins(over, totals) if over and wins else greater_total(totals)


def _broken_off(
    group: Group, law: Rules, over: Side | None, last: Standing | None
) -> tuple[tuple[Entry, ...] | None, tuple[Finding, ...]]:
    """The entries for an unfinished rubber, and findings.

    A side that has won games may get a bonus; if a side retires from a deal, the other gets the
    price of retirement. The entries are `None` if the games are not known.
    """
    if not group.unfinished:
        return (), ()
    name, retired = "unfinished-rubber-bonus", group.retired

    def wrong(message: Message, at: str, *clauses: str) -> tuple[Finding]:
        more = law.laws(*clauses)
        return (Finder(law, group).find("score.unfinished", message, (at,), more=more),)

    if over:
        message = Message("rubber-finished", side=over, games=law.value("games-in-rubber"))
        return (), wrong(message, "unfinished", "rubber-end")
    entries, findings = tuple[Entry, ...](), tuple[Finding, ...]()
    price = law.value("retirement")
    if retired and price is None:
        findings = wrong(Message("no-price-to-retire", side=retired), "retired", name)
    elif retired:
        of = (Message("retired", side=retired),), law.laws("retirement"), law.readings("retirement")
        entries = (Entry(retired.other, "honour", price, "retirement", *of),)
    bonus = law.value(name)
    if not bonus and any(name in c.choice.absent for c in law.chosen.values()):
        return entries, findings  # lawfully broken off: one reading then cancels the points
    if not bonus:
        return (), (*wrong(Message("unfinished-stands"), "unfinished"), *findings)
    games = last.games if last else (None, None)
    if None in games:
        return None, findings
    laws, readings = law.laws(name), law.readings(name)
    ours, theirs = (n or 0 for n in games)
    if ours and theirs:
        readings += law.readings("unfinished-rubber")
    has, reason = law.procedure("unfinished-rubber", SCORING), (Message("game-won-unfinished"),)
    sides = ((Side.NS, ours, theirs), (Side.EW, theirs, ours))
    won = (side for side, own, other in sides if has(own, other))
    bonuses = (Entry(side, "honour", bonus, name, reason, laws, readings) for side in won)
    return (*entries, *bonuses), findings


def _check_match(blank: GroupCheck, law: Rules) -> GroupCheck:
    """Add the aggregate of each team of a match, and the trays.

    If no team changes seats, the sides have totals too.
    """
    checks = blank.checks
    scores = scores_of(checks)
    laws = (*law.finding_laws.get("score.total", ()), *law.finding_laws.get("score.rubber", ()))
    teams = teams_of(scores, law)
    odd = law.laws("odd-pairs") if any(t.odd_pair for t in teams) else ()
    match = replace(
        blank,
        findings=tray_findings([c.source for c in checks], law),
        laws=tuple(dict.fromkeys((*laws, *odd, *law.laws("average")))),
        teams=teams,
        trays=tuple(trays_of(scores)),
        readings=(*readings_of(scores, teams, law), *law.readings("match-result")),
    )
    if len({check.source.sides for check in checks}) > 1 or odd:
        return match
    ours, theirs = (sum(s.points for s in scores if s.side is side) for side in Side)
    totals, winner = (ours, theirs), greater_total((ours, theirs))
    return replace(match, totals=totals, winner=winner, points=abs(ours - theirs))


Key = tuple[str, Side | str]
"""A figure of the group: its rule id, and whose total it is."""

WINNER, WORTH = ("score.rubber", "winner"), ("score.rubber", "points")


def _due(result: GroupCheck) -> dict[Key, Hashable]:
    """The figures of the group according to the law: totals, winner, points."""
    due: dict[Key, Hashable] = {("score.total", t.name): t.total for t in result.teams}
    due |= {("score.total", s): n for s, n in zip(Side, result.totals or (), strict=False)}
    if isinstance(result.group.won_by, str):
        best = max((team.total for team in result.teams), default=None)
        first = [team.name for team in result.teams if team.total == best]
        own = [t.against_average for t in result.teams if t.name == result.group.won_by]
        due |= {WINNER: first[0] if len(first) == 1 else None, WORTH: own[0]} if own else {}
    elif result.totals:
        # The side that wins the points has the greater total, though it may have lost the rubber.
        ahead = greater_total(result.totals) if result.group.points is not None else None
        due |= {WINNER: ahead or result.winner, WORTH: result.points}
    return due


def _claimed(group: Group) -> Iterator[tuple[Key, Any, At]]:
    """The figures written for the group, each with its key and its path."""
    for side, total in zip(Side, group.total or (), strict=False):
        if total is not None:
            yield ("score.total", side), total, ("total",)
    for name, points in group.team_totals:
        yield ("score.total", name), points, ("team_totals",)
    if group.won_by:
        yield WINNER, group.won_by, ("won",)
    if group.points is not None:
        yield WORTH, group.points, ("points",)


def _as_written(result: GroupCheck) -> dict[Key, int]:
    """The group's figures that follow from the written scores and the points outside any deal."""
    found: dict[Key, int] = Counter()
    for side, total in zip(Side, result.totals or (0, 0), strict=True):
        found["score.total", side] = total
    for of in result.counted:
        assert of.account is not None
        for side in Side:
            points = _points_written(of.source, side, of.account)
            found["score.total", dict(of.source.sides).get(side, side.title)] += points
            found["score.total", side] += points - of.account.points(side)
    ours, theirs = (found["score.total", side] for side in Side)
    return {**found, WORTH: abs(ours - theirs)}


def _points_written(deal: Deal, side: Side, account: Account) -> int:
    """The points of a side in a deal as written; for a column not written, as the law counts them.

    The rubber bonus counts once, even if it is written in the honour score but belongs to the
    total, or the reverse.
    """
    due = {column: account.points(side, column) for column in ("trick", "honour", "total")}
    written = {w.column: w.total for w in columns_written(deal) if w.side is side}
    points = {column: written.get(column, by_law) for column, by_law in due.items()}
    bonus = account.points(side, item="rubber-bonus")
    missing = -bonus if due["total"] else bonus
    return sum(points.values()) + (missing if points["honour"] + missing == due["honour"] else 0)


def _claim_findings(
    result: GroupCheck, law: Rules, read_so: Callable[[str], GroupCheck]
) -> Iterator[Finding]:
    """Findings on figures of the group that differ from the law.

    The messages also state the sum of the deals as written. A finding is disputed if another
    reading gives the figure written.
    """
    group, due, finder = result.group, _due(result), Finder(law, result.group)
    of_deals = (e for c in result.counted if c.account for e in c.account.entries)
    rests_on = (*result.rests_on, *(r for e in of_deals for r in e.readings))
    for key, claimed, at in _claimed(group):
        if key not in due or claimed == due[key]:
            continue
        rule, of = key
        others = [
            o for o in others_of(law, rests_on) if _due(read_so(o.written)).get(key) == claimed
        ]
        if key == WINNER:
            won, totals = due[key], result.totals or (0, 0)
            why = Message("greater-total", side=won) if won else Message("totals-equal")
            if won and group.kind == "rubber" and won is not greater_total(totals):
                why = Message("games-won-by", side=won, games=law.value("games-in-rubber"))
            name = "winner-otherwise" if group.points is None else "points-otherwise"
            message = Message(name, kind=group.kind, stated=claimed, why=why)
        else:
            points = {"stated": claimed, "due": due[key], "written": _as_written(result)[key]}
            message = Message("total-otherwise", of=of, **points)
            if key == WORTH:
                message = Message("worth-otherwise", kind=group.kind, **points)
                if isinstance(group.won_by, str):
                    del points["written"]
                    message = Message("won-otherwise", team=group.won_by, **points)
        yield finder.find(
            rule,
            message,
            at,
            Severity.DISPUTED if others else Severity.IRREGULAR,
            more=law.laws("rubber-winner") if key == WINNER and result.over else (),
            readings=tuple(dict.fromkeys(o.reading.address for o in others)),
        )
