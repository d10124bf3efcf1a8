"""A check as people read it: a record, a rubber or match, a finding.

`tally` tells of many of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oddtrick.cards import PRINTED_SUITS, SEATS, Seat, Side
from oddtrick.judge.check import Check
from oddtrick.judge.finding import Entry, Finding, Severity, Verdict
from oddtrick.judge.match import TrayScore
from oddtrick.judge.procedures import OPENING_LEAD, Declared, Final, final_words
from oddtrick.judge.rubber import GroupCheck
from oddtrick.judge.score_procedures import counted_tricks, greater_total
from oddtrick.judge.table_law import TableLaw
from oddtrick.judge.what_if import WhatIf
from oddtrick.judge.words import and_words, number_words, verdict_words
from oddtrick.law import readings as picks
from oddtrick.law.book import book
from oddtrick.law.rules import Rules
from oddtrick.record.model import Call, Hand, Record
from oddtrick.terminal import CYAN, GREEN, RED, YELLOW, Style, in_a_line

COLOURS = {
    Verdict.LEGAL: GREEN,
    Verdict.SETTLED: GREEN,
    Verdict.IRREGULAR: RED,
    Verdict.UNREADABLE: RED,
    Verdict.DISPUTED: YELLOW,
}
"""The colours of the verdicts; the others are cyan."""


def painted_verdict(verdict: Verdict, style: Style) -> str:
    """The verdict in words, coloured by its gravity."""
    return style.painted(verdict_words(verdict), COLOURS.get(verdict, CYAN))


# --- the deal and the auction ---------------------------------------------------------------------


def suit_line(hand: Hand | None, suit_index: int) -> str:
    """One suit of a hand as printed: `♠ A K 10`; a dash for a void, a question mark for the
    unknown.
    """
    suit = PRINTED_SUITS[suit_index]
    if hand is None:
        return f"{suit.symbol} ?"
    ranks = sorted((c for c in hand.cards if c.suit is suit), key=lambda c: -c.height)
    small = sum(n for s, n in hand.small if s is suit)
    words = " ".join(["10" if c.rank == "T" else c.rank for c in ranks] + ["x"] * small)
    return f"{suit.symbol} {words or ('?' if hand.partial else '–')}"


def diagram(record: Record) -> list[str]:
    """The deal as a hand diagram: North above, West and East beside the table, South below."""
    if not record.hands:
        return []
    block = {s: [suit_line(record.hand(s), i) for i in range(4)] for s in SEATS}
    left = max(16, *(len(line) for line in block[Seat.WEST])) + 2
    middle = ["┌─────┐", "│  N  │", "│W   E│", "│  S  │", "└─────┘"]
    out = [" " * left + line for line in block[Seat.NORTH]]
    west, east = ["", *block[Seat.WEST]], ["", *block[Seat.EAST]]
    for i in range(5):
        out.append(f"{west[i]:<{left}}{middle[i]:<18}{east[i]}".rstrip())
    out += [" " * left + line for line in block[Seat.SOUTH]]
    return out


def call_cell(call: Call) -> str:
    """A call for the table of the auction: short, with the suit's symbol."""
    if call.kind == "bid":
        found = book().denominations.get(call.denomination or "")
        cell = f"{call.odd_tricks} {found.short if found else call.denomination}"
    elif call.kind == "make":
        found = book().denominations.get(str(call.denomination))
        cell = f"make {found.short if found else call.denomination}"
    else:
        cell = {"unrecorded": "…", "may-i-lead": "may I lead"}.get(
            call.kind, call.kind.replace("-", " ")
        )
    if call.corrects:
        cell = f"→ {cell}"
    return cell + (call.mark or "")


def auction_rows(declared: Declared) -> tuple[list[Seat], list[list[str]]]:
    """The auction as a table: the seats in the order of columns, and rows of cells.

    A call out of turn stands in its caller's column; a correction under the call it replaces.
    """
    order = [Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH]
    rows: list[list[str]] = [[""] * 4]
    at = -1
    for made in declared.calls:
        column = order.index(made.seat)
        if column <= at:
            rows.append([""] * 4)
        rows[-1][column] = call_cell(made.call) + (" ✗" if made.void else "")
        at = column
    return order, rows


def auction_table(declared: Declared) -> list[str]:
    """The auction drawn as a table with the seats over the columns."""
    order, rows = auction_rows(declared)
    names = [s.title for s in order] if not declared.relative else ["4th", "Dealer", "2nd", "3rd"]
    width = max(10, *(len(c) + 2 for row in rows for c in row))
    lines = ["".join(f"{n:<{width}}" for n in names).rstrip()]
    return lines + ["".join(f"{c:<{width}}" for c in row).rstrip() for row in rows]


def play_table(check: Check) -> list[str]:
    """The play, a trick to a line in the order played, the winner named behind it."""
    if not check.outcome or not check.outcome.tricks:
        return []
    out = []
    for number, trick in enumerate(check.outcome.tricks, 1):
        leader = trick.cards[0][0].title if trick.cards and trick.cards[0][0] else "?"
        cards = "  ".join(f"{p.card or '–'!s:<3}" for _, p in trick.cards)
        winner = f"  {trick.winner.title}" if trick.winner else ""
        out.append(f"{number:>2}  {leader:<6} {cards:<20}{winner}".rstrip())
    return out


# --- the account ----------------------------------------------------------------------------------

COLUMNS = ("trick", "honour", "total")
"""Where points are written: below the line, above it, and in the total at the end of a rubber."""


def account_lines(entries: Iterable[Entry], style: Style) -> list[str]:
    """The account: a line for each entry with its points under side and column, its laws behind."""
    listed = list(entries)
    if not listed:
        return ["  nothing is scored"]
    reason = max(24, *(len(e.reason) + 4 for e in listed))
    head = f"{'':<{reason}}{'N-S':>7}{'':>8}{'E-W':>8}"
    sub = f"{'':<{reason}}{'trick':>7}{'honour':>8}{'trick':>8}{'honour':>8}"
    out = [head.rstrip(), sub]
    slots = {
        (Side.NS, "trick"): 0,
        (Side.NS, "honour"): 1,
        (Side.EW, "trick"): 2,
        (Side.EW, "honour"): 3,
    }
    for entry in listed:
        laws = ", ".join([*entry.laws, *entry.readings])
        if entry.column == "total":
            out.append(
                f"  {entry.reason}: {entry.points} to {entry.side.title} in the total   {laws}"
            )
            continue
        cells = ["", "", "", ""]
        cells[slots[entry.side, entry.column]] = str(entry.points)
        line = f"  {entry.reason:<{reason - 2}}{cells[0]:>7}{cells[1]:>8}{cells[2]:>8}{cells[3]:>8}"
        if len(line) + len(laws) + 3 <= style.width:
            out.append(f"{line}   {laws}")
        else:
            out += [line.rstrip(), style.wrap(laws, " " * 6)]
    return out


def totals_lines(entries: Iterable[Entry], reason: int = 24) -> list[str]:
    """The sums of the columns, and below them what is added in the total where anything is."""
    listed = list(entries)
    wide = max(reason, *(len(e.reason) + 4 for e in listed)) if listed else reason
    sums = totals(listed)
    cells = [sums[s][c] for s in Side for c in ("trick", "honour")]
    out = [f"  {'':<{wide - 2}}{cells[0]:>7}{cells[1]:>8}{cells[2]:>8}{cells[3]:>8}"]
    if any(e.column == "total" for e in listed):
        ours, theirs = (sums[s]["total"] for s in Side)
        out.append(f"  {'in the total':<{wide - 2}}{ours:>7}{'':>8}{theirs:>8}")
    return out


def totals(entries: Iterable[Entry]) -> dict[Side, dict[str, int]]:
    """The sum of each column for each side.

    The columns are `trick`, `honour`, and `total` for what is added at the end of a rubber.
    """
    listed = list(entries)
    return {
        s: {c: sum(e.points for e in listed if e.side is s and e.column == c) for c in COLUMNS}
        for s in Side
    }


NO_LINE = (
    "notation.not-text",
    "notation.pbn-not-pbn",
    "notation.lin-not-lin",
    "notation.line-too-long",
    "notation.pbn-long-line",
)
"""Findings whose line would only be noise on the screen."""


# --- findings -------------------------------------------------------------------------------------


def finding_lines(finding: Finding, style: Style, source: Sequence[str] = ()) -> list[str]:
    """A finding with its place, the line it points at, and its laws."""
    where = f"{in_a_line(finding.file)}:{finding.place.line}:{finding.place.column}"
    out = [
        f"  {style.bold(finding.rule)}  {finding.severity.value}, at {where}",
        style.wrap(finding.message, "    "),
    ]
    shown = finding.severity is not Severity.INCOMPLETE and finding.rule not in NO_LINE
    if shown and 0 < finding.place.line <= len(source):
        out += caret(source[finding.place.line - 1], finding)
    if finding.laws:
        out.append(style.wrap("law: " + ", ".join(finding.laws), "    "))
    out += [style.wrap(f"remedy: {r}", "    ") for r in finding.remedies]
    out += [f"    it turns on {reading}" for reading in finding.readings]
    out += [f"    as chosen: {choice}" for choice in finding.chosen]
    return out


def caret(line: str, finding: Finding, limit: int = 100) -> list[str]:
    """The line shown with a mark under the place; a long line is cut around it.

    What cannot be seen is shown by its number, a tab as a space.
    """
    place = finding.place
    start = max(0, place.column - 1)
    end = max(start + 1, place.end_column - 1 if place.end_line == place.line else len(line))
    end = max(start + 1, min(end, len(line.rstrip()) or 1))
    shift = max(0, start - limit // 2) if len(line) > limit else 0
    cut = line.rstrip("\r\n").replace("\t", " ")[shift : shift + limit]
    before, about, after = (
        in_a_line(part)
        for part in (cut[: start - shift], cut[start - shift : end - shift], cut[end - shift :])
    )
    mark = " " * len(before) + "^" * max(1, len(about), min(end - start, limit - start + shift))
    return [f"      | {before}{about}{after}", f"      | {mark}"]


# --- whole reports --------------------------------------------------------------------------------


def title_line(check: Check) -> str:
    """A deal in one line: its name, the final declaration, the tricks taken."""
    title = check.record.tag("title")
    parts = [check.record.id + (f": {title}" if title else "")]
    final, law = check.final, check.law
    if final and law:
        parts.append(f"{final_words(final, law)}{by_words(final)}")
    if check.outcome and check.outcome.taken is not None:
        parts.append(number_words(check.outcome.taken, "trick"))
    return "; ".join(parts)


def check_text(
    check: Check, style: Style, source: Sequence[str] = (), account_only: bool = False
) -> str:
    """The report of one record: diagram, auction, what was declared, the verdict, the account.

    With `account_only` the deal and the auction are left out, as `oddtrick score` does.
    """
    record, law = check.record, check.law
    title = record.tag("title")
    out = [style.bold(record.id) + (f": {title}" if title else "")]
    if law:
        out.append(under_words(law))
    if record.tag("source"):
        out.append(style.wrap(record.tag("source") or ""))
    out.append("")
    drawn = [] if account_only else diagram(record)
    if drawn:
        out += ["  " + line for line in drawn] + [""]
    if check.declared and check.declared.calls and not account_only:
        out += ["  " + line for line in auction_table(check.declared)] + [""]
    played = play_table(check)
    if played and "play" in check.only:
        out += ["  " + line for line in played] + [""]
    if law and check.declared:
        out += [*declared_lines(check, law, style), ""]
    out.append(f"{style.bold('Verdict')}: {painted_verdict(check.verdict, style)}")
    for finding in check.findings:
        out += finding_lines(finding, style, source)
    if record.tag("note") and not account_only:
        out += ["", style.wrap(f"Note: {record.tag('note')}")]
    if check.account is not None and check.declared and check.declared.final:
        out += ["", style.bold("Account"), *account_lines(check.account.entries, style)]
        if len(check.account.entries) > 1:
            out += totals_lines(check.account.entries)
        out += after_lines(check)
    out += [style.wrap(what_if_words(other), "  ") for other in check.what_if]
    if not account_only:
        out += not_used_lines(check, style)
    return "\n".join(out) + "\n"


def what_if_words(other: WhatIf) -> str:
    """What would be so on a condition, with the laws that give it."""
    return f"{other.words} ({', '.join(other.laws)})." if other.laws else f"{other.words}."


def not_used_lines(check: Check, style: Style) -> list[str]:
    """The statements of the record on which nothing turns, each with the reason."""
    idle = [style.wrap(f"{n.statement}: {n.why}.", "  ") for n in check.not_used]
    return ["", style.bold("Not used"), *idle] if idle else []


def short_text(result: Check | GroupCheck, style: Style, source: Sequence[str] = ()) -> str:
    """A record or a group among many: its title, its verdict, what was found."""
    if isinstance(result, GroupCheck):
        out = [group_title(result, style)]
    else:
        id_, verdict = result.record.id, painted_verdict(result.verdict, style)
        under = f" {under_words(result.law)}" if result.law else ""
        title = style.bold(id_) + title_line(result).removeprefix(id_)
        out = [title, f"{style.bold('Verdict')}: {verdict}{under}"]
    for finding in result.findings:
        out += finding_lines(finding, style, source)
    return "\n".join(out) + "\n"


def under_words(law: Rules) -> str:
    """`under Auction 1926`, `under Contract 1927, with canadian`, and the readings chosen."""
    plain = picks.options_of(law.options)
    said = f"under {law.short}" + (f", with {and_words(plain)}" if plain else "")
    chosen = [f"{c.reading.address} as {c.choice.id}" for c in law.chosen.values()]
    return said + (f", reading {and_words(chosen)}" if chosen else "")


def declared_lines(check: Check, law: TableLaw, style: Style) -> list[str]:
    """The final declaration, who plays it, who leads, the tricks taken."""
    declared = check.declared
    assert declared is not None
    if declared.passed_out:
        return ["All four players pass; the hand is not played."]
    final = declared.final
    if final is None:
        return ["The declaration did not come to an end."]
    words = final_words(final, law)
    if final.declarer is None:
        said = f"Final declaration: {words}."
    else:
        leader = OPENING_LEAD[law.value("opening-lead")](final.declarer)
        plays = f"{final.declarer.title} plays, " if final.bridged else ""
        dummy = f"{final.declarer.partner.title} is dummy and " if law.open_hand else ""
        said = f"Final declaration: {words}{by_words(final)}; {plays}{dummy}{leader.title} leads."
    out = [style.wrap(said), style.wrap(f"law: {', '.join((*final.laws, *final.readings))}", "  ")]
    if check.outcome and check.outcome.taken is not None:
        taken = check.outcome.taken
        counted = counted_tricks(taken, final, law)
        over = counted - law.value("book") - final.odd_tricks
        tricks = f"The declaring side takes {number_words(taken, 'trick')}"
        if final.odd_tricks == 0:
            return [*out, f"{tricks}."]
        if counted != taken:
            tricks += f" and its adversaries {counted}"
        result = over_words(over)
        out.append(f"{tricks}: {result}.")
    return out


def over_words(over: int) -> str:
    """`as declared`, `2 more than declared`, `1 trick short`."""
    if over == 0:
        return "as declared"
    if over > 0:
        return f"{number_words(over, 'more', 'more')} than declared"
    return f"{number_words(-over, 'trick')} short"


def by_words(final: Final) -> str:
    """Who made the final declaration, with a space before; nothing where he is not known.

    ` by South`, ` by West, the play passed to his partner`
    """
    if final.declarer is None:
        return ""
    if final.bridged:
        return f" by {final.declarer.partner.title}, the play passed to his partner"
    return f" by {final.declarer.title}"


def after_lines(check: Check) -> list[str]:
    """What the deal did to the rubber.

    Who wins it, the side of the games or of the greater total, is told of the whole.
    """
    account, law = check.account, check.law
    assert account is not None
    if account.rubber and law:
        games = number_words(law.value("games-in-rubber"), "game")
        return [f"  {account.rubber.title} have won {games}; the rubber is over."]
    if account.game:
        return [f"  {account.game.title} win a game."]
    return []


def group_name(group: GroupCheck) -> str:
    """`The rubber “Tuesday, second”`."""
    return f"The {group.group.kind}" + (f" “{group.group.name}”" if group.group.name else "")


def group_title(group: GroupCheck, style: Style) -> str:
    """`The rubber “Tuesday, second”: 4 deals`."""
    return style.bold(group_name(group)) + f": {number_words(len(group.checks), 'deal')}"


def whole_words(group: GroupCheck) -> list[str]:
    """What a rubber or a match comes to, in clauses without a full stop.

    Both totals and which is the greater, the teams of a match, or why it is not told; none where
    the score was not judged.
    """
    if group.totals:
        said = ", ".join(f"{s.title} {n}" for s, n in zip(Side, group.totals, strict=True))
        ahead = greater_total(None, group.totals)
        by = number_words(group.points or 0, "point")
        greater = f"{ahead.title} have the greater total, by {by}" if ahead else ""
        out = [said, greater or "the totals are equal"]
        if group.over and group.winner:
            out.append(f"{group.winner.title} win the rubber")
        return out
    if group.teams:
        return [t.words() for t in group.teams]
    if any("score" not in c.only for c in group.checks):
        return []
    return [f"the totals are not told: {why_untold(group)}"]


def why_untold(group: GroupCheck) -> str:
    """Why a rubber or a match has no totals: the deals that lack something, and what to write."""
    if group.law is None:
        return "the record names no code"
    match = group.group.kind == "match"
    if group.law and match != (group.law.get("rubber-end") is None):
        return f"{group.law.short} has no {'matches' if match else 'rubbers'}"
    if group.group.unread:
        return "a deal cannot be read"
    lacking = unscored(group)
    if lacking:
        return "; ".join(lacking)
    return "the record does not say how many games were won"


STATEMENTS = {
    "the number of tricks taken": "result",
    "the honours held": "honours",
    "whether a hand held no trump": "chicane",
    "the trick score before the deal": "standing trick",
    "the games won before the deal": "standing games",
    "whether the declaring side is vulnerable": "standing games",
    "who the declarer is": "declaration",
}
"""The statement of a record that says what an account misses."""

FOLLOWING = frozenset(m for m, statement in STATEMENTS.items() if statement.startswith("standing"))
"""What an account misses in a rubber because a deal before it could not be scored."""


def unscored(group: GroupCheck) -> list[str]:
    """Why the deals that count could not be scored, deal by deal, with the statement to write.

    What only follows from a deal before is not told again.
    """
    told: list[str] = []
    for check in group.counted:
        account = check.account
        if account is None:
            told.append(f"{check.record.id} could not be scored")
            continue
        missing = [m for m in account.missing if not (told and m in FOLLOWING)]
        if missing:
            told.append(f"{check.record.id} does not say {and_words(map(_to_write, missing))}")
    return told


def _to_write(missing: str) -> str:
    """What is missing, with its statement: `the honours held (honours)`."""
    statement = STATEMENTS.get(missing, "honours")
    return f"{missing} (`{statement}`)"


def tray_words(tray: TrayScore) -> str:
    """`tray 3, in 2 plays: Blues 100, Reds 36`."""
    made = ", ".join(f"{name} {points}" for name, points in tray.points)
    return f"tray {tray.tray}, in {number_words(tray.plays, 'play')}: {made}"


def group_text(group: GroupCheck, style: Style, source: Sequence[str] = ()) -> str:
    """The report of a rubber or match as a whole."""
    out = [group_title(group, style)]
    whole = [f"  {words}" for words in whole_words(group)]
    laws = ", ".join((*group.laws, *group.readings))
    if group.teams and not group.totals:
        out += [*whole, f"  {laws}"]
    for entry in group.entries:
        behind = ", ".join((*entry.laws, *entry.readings))
        out.append(f"  {entry.reason}: {entry.points} to {entry.side.title}   {behind}")
    out += [f"  {tray_words(tray)}" for tray in group.trays]
    if group.totals:
        out += [*whole[:-1], f"{whole[-1]}   {laws}"]
    elif not group.teams:
        out += [style.wrap(words, "  ") for words in whole_words(group)]
    out += [style.wrap(what_if_words(other), "  ") for other in group.what_if]
    for finding in group.findings:
        out += finding_lines(finding, style, source)
    return "\n".join(out) + "\n"
