"""A check as readable text: a record, a rubber or match, a finding, a contract in words.

The text is built from the JSON of an answer. `tally` reports several answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import Any

from oddtrick.cards import PRINTED_SUITS, SEATS, Card, Seat, Side, Suit, card_in
from oddtrick.judge import Json
from oddtrick.law import reading_choices
from oddtrick.law.book import book, column_heading
from oddtrick.law.names import and_words
from oddtrick.law.rules import Rules
from oddtrick.report.under_codes import CIRCUMSTANCES, parting
from oddtrick.report.words import (
    CALLERS,
    declaration_words,
    number_words,
    team_words,
    to_write,
    verdict_words,
)
from oddtrick.rulings.engine import catalogue
from oddtrick.rulings.words import upper
from oddtrick.terminal import CYAN, GREEN, RED, YELLOW, Style, in_a_line

COLOURS = {
    "legal": GREEN,
    "settled": GREEN,
    "irregular": RED,
    "unreadable": RED,
    "disputed": YELLOW,
}
"""The colours of the verdicts; the others are cyan."""


def painted_verdict(verdict: str, style: Style) -> str:
    """The verdict in words, coloured by severity."""
    return style.bold(verdict_words(verdict), COLOURS.get(verdict, CYAN))


def law_of(answer: Mapping[str, Any]) -> Rules | None:
    """The law in force under which a record or group was judged, or a contract scored."""
    if answer["code"] is None:
        return None
    return book().rules(answer["code"], (*answer.get("options", ()), *answer.get("chosen", ())))


def grounds(thing: Json) -> list[str]:
    """The laws and readings on which a finding or ruling rests."""
    return list(dict.fromkeys((*thing["laws"], *thing.get("readings", ()))))


def seat_words(seat: str | None) -> str:
    """A seat in words (`North`); a question mark if it is not known."""
    return Seat(seat).title if seat else "?"


def side_words(side: str) -> str:
    """A side in words: `North and South`."""
    return Side(side).title


# --- the deal and the auction ---------------------------------------------------------------------


def suits_of(hand: Json) -> Iterator[tuple[Suit, list[Card], int]]:
    """Each suit of a hand: its cards, highest first, and the number of small cards not named."""
    cards = sorted((c for code in hand["cards"] if (c := card_in(code))), key=lambda c: -c.height)
    for suit in PRINTED_SUITS:
        yield suit, [c for c in cards if c.suit is suit], hand["small"].get(suit.value, 0)


def hand_lines(hand: Json | None) -> list[str]:
    """A hand as printed, one suit to a line: `♠ A K 10`.

    A void is a dash, an unknown suit a question mark.
    """
    if hand is None:
        return [f"{suit.symbol} ?" for suit in PRINTED_SUITS]
    out = []
    for suit, cards, small in suits_of(hand):
        words = " ".join(["10" if c.rank == "T" else c.rank for c in cards] + ["x"] * small)
        out.append(f"{suit.symbol} {words or ('?' if hand['partial'] else '–')}")
    return out


def diagram(record: Json) -> list[str]:
    """The deal as a hand diagram: North on top, West and East in the middle, South below."""
    if not record["hands"]:
        return []
    block = {s: hand_lines(record["hands"].get(s.value)) for s in SEATS}
    left = max(16, *(len(line) for line in block[Seat.WEST])) + 2
    middle = ["┌─────┐", "│  N  │", "│W   E│", "│  S  │", "└─────┘"]
    out = [" " * left + line for line in block[Seat.NORTH]]
    west, east = ["", *block[Seat.WEST]], ["", *block[Seat.EAST]]
    for i in range(5):
        out.append(f"{west[i]:<{left}}{middle[i]:<18}{east[i]}".rstrip())
    out += [" " * left + line for line in block[Seat.SOUTH]]
    return out


def call_cell(call: Json) -> str:
    """A call as a cell of the auction table."""
    kind, bid = call["kind"], (call["odd_tricks"], call["denomination"])
    return call_sign(kind, *bid, call["corrects"]) + (call["mark"] or "")


def call_sign(
    kind: str, odd_tricks: int | None, denomination: str | None, corrects: bool = False
) -> str:
    """A call in short form, with the suit's symbol."""
    found = book().denominations.get(denomination or "")
    denomination = found.short if found else denomination
    if kind == "bid":
        cell = f"{odd_tricks} {denomination}"
    elif kind == "make":
        cell = f"make {denomination}"
    else:
        cell = {"unrecorded": "…", "may-i-lead": "may I lead"}.get(kind, kind.replace("-", " "))
    return f"→ {cell}" if corrects else cell


AUCTION_ORDER = ("W", "N", "E", "S")
"""The columns of an auction."""

RELATIVE = (CALLERS[-1], *CALLERS[:-1])
"""The same columns if the dealer's seat is not known."""


def auction_rows(auction: Json) -> tuple[tuple[str, ...], list[list[Json | None]]]:
    """The auction as a table: the column headings, and rows of calls.

    A call out of turn is in its caller's column; a correction is under the call that it replaces.
    """
    rows: list[list[Json | None]] = []
    at = len(AUCTION_ORDER)
    for call in auction["calls"]:
        column = AUCTION_ORDER.index(call["seat"])
        if column <= at:
            rows.append([None] * len(AUCTION_ORDER))
        rows[-1][column] = call
        at = column
    return RELATIVE if auction["relative"] else tuple(map(seat_words, AUCTION_ORDER)), rows


def auction_table(auction: Json) -> list[str]:
    """The auction as lines of a table with the seats as headings; empty if nobody calls."""
    if not auction["calls"]:
        return []
    heads, rows = auction_rows(auction)
    cells = [[call_cell(c) + (" ✗" if c["void"] else "") if c else "" for c in row] for row in rows]
    width = max(10, *(len(c) + 2 for row in (heads, *cells) for c in row))
    return ["".join(f"{c:<{width}}" for c in row).rstrip() for row in (heads, *cells)]


def play_table(record: Json) -> list[str]:
    """The play, one trick to a line with its winner at the end, and then the claims."""
    played, out = record["play"] or {"tricks": (), "claims": ()}, list[str]()
    for number, trick in enumerate(played["tricks"], 1):
        leader = seat_words(trick["cards"][0]["seat"] if trick["cards"] else None)
        cards = "  ".join(f"{card_in(c['card'] or '') or '–'!s:<3}" for c in trick["cards"])
        winner = f"  {seat_words(trick['winner'])}" if trick["winner"] else ""
        out.append(f"{number:>2}  {leader:<6} {cards:<20}{winner}".rstrip())
    return [*out, *map(claim_words, played["claims"])]


def claim_words(claim: Json) -> str:
    """A claim with its answer: `After trick 3, South claims 9 tricks: agreed`."""
    tricks, number = claim["tricks"], claim["after_trick"]
    what = "the rest" if tricks is None else number_words(tricks, "trick")
    when = f"After trick {number}, " if number else ""
    answer = f": {claim['answer']}" if claim["answer"] else ""
    return f"{when}{seat_words(claim['seat'])} {claim['verb']} {what}{answer}"


# --- the account ----------------------------------------------------------------------------------

COLUMNS = ("trick", "honour", "total")
"""Where points are written: below the line, above it, and in the total at the end of a rubber."""

SLOTS = [(side.value, column) for side in Side for column in ("trick", "honour")]
"""The columns of an account."""


def account_head(wide: int, code: str | None = None) -> list[str]:
    """The column headings of an account, after labels of the given width.

    The names that a code gives to the columns are written one word below the other.
    """
    words = [column_heading(column, code).split()[::-1] for _, column in SLOTS]
    lines = list(zip_longest(*words, fillvalue=""))[::-1]
    heads = (f"{'':<{wide}}{cells(line)}".rstrip() for line in lines)
    return [f"{'':<{wide}}{'N-S':>7}{'':>8}{'E-W':>8}", *heads]


def account_lines(score: Json, style: Style, code: str | None = None) -> list[str]:
    """The account under a code as lines: each entry with its points, its column and its laws.

    The totals follow if there is more than one entry, or if they lack any.
    """
    entries: Sequence[Json] = score["entries"]
    if not entries:
        lacks = "; the account is incomplete" if score["lacks"] else ""
        return [f"  nothing is scored{lacks}"]
    wide, sums = max(24, *(len(e["reason"]) + 4 for e in entries)), totals(entries)
    out = account_head(wide, code)
    for entry in entries:
        laws, points = ", ".join(grounds(entry)), entry["points"]
        if entry["column"] == "total":
            to = f"{points} to {side_words(entry['side'])} in the total"
            out.append(f"  {entry['reason']}: {to}   {laws}")
            continue
        own = (entry["side"], entry["column"])
        line = f"  {entry['reason']:<{wide - 2}}"
        line += cells(points if slot == own else "" for slot in SLOTS)
        if len(line) + len(laws) + 3 <= style.width:
            out.append(f"{line}   {laws}")
        else:
            out += [line.rstrip(), style.wrap(laws, " " * 6)]
    label = "incomplete total" if score["lacks"] else ""
    if label or len(entries) > 1:
        out.append(f"  {label:<{wide - 2}}" + cells(sums[Side(s)][c] for s, c in SLOTS))
        if any(e["column"] == "total" for e in entries):
            ours, theirs = (sums[s]["total"] for s in Side)
            out.append(f"  {'in the total':<{wide - 2}}{ours:>7}{'':>8}{theirs:>8}")
    return out


def cells(listed: Iterable[object]) -> str:
    """The cells of a line of an account, aligned."""
    first, *rest = listed
    return f"{first!s:>7}" + "".join(f"{c!s:>8}" for c in rest)


def totals(entries: Iterable[Json]) -> dict[Side, dict[str, int]]:
    """The sum of each column for each side.

    The columns are `trick`, `honour`, and `total` for what is added at the end of a rubber.
    """
    sums = {s: dict.fromkeys(COLUMNS, 0) for s in Side}
    for entry in entries:
        sums[Side(entry["side"])][entry["column"]] += entry["points"]
    return sums


# --- findings -------------------------------------------------------------------------------------

NO_LINE = (
    "notation.not-text",
    "notation.pbn-not-pbn",
    "notation.lin-not-lin",
    "notation.line-too-long",
)
"""Rule ids whose source line would only clutter the screen."""


UNDERSTOOD = "notation.understood"
"""The rule id of a note on how the record was read."""


def by_weight(findings: Iterable[Json]) -> list[Json]:
    """The findings in their order, with the notes on how the record was read after all others."""
    return sorted(findings, key=lambda finding: bool(finding["rule"] == UNDERSTOOD))


def finding_lines(finding: Json, style: Style) -> list[str]:
    """A finding as lines: its place, the source line with a mark, its laws and remedies."""
    rule, severity = finding["rule"], finding["severity"]
    where = f"{in_a_line(finding['file'])}:{finding['line']}:{finding['column']}"
    out = [f"  {style.bold(rule)}  {severity}, at {where}", style.wrap(finding["message"], "    ")]
    if finding["quoted"] and severity != "incomplete" and rule not in NO_LINE:
        out += caret(*finding["quoted"])
    if finding["laws"]:
        out.append(style.wrap("law: " + ", ".join(finding["laws"]), "    "))
    for label, rulings in remedies_of(finding):
        if len(rulings) == 1:
            out.append(style.wrap(f"remedy for “{label}”: {rulings[0]}", "    "))
        else:
            out.append(style.wrap(f"remedy for “{label}”:", "    "))
            out += [style.wrap(f"{upper(ruling)}.", "      ") for ruling in rulings]
    out += [f"    depends on the reading: {reading}" for reading in finding.get("readings", ())]
    out += [f"    as chosen: {choice}" for choice in finding.get("chosen", ())]
    return out


def remedies_of(finding: Json) -> Iterator[tuple[str, list[str]]]:
    """Yield the label of each irregularity of a finding, with the rulings on it in words."""
    pairs = zip(finding["gives"], finding["remedies"], strict=True)
    for (name, _), rulings in groupby(pairs, lambda p: (p[0]["irregularity"], p[0]["offender"])):
        yield catalogue()[name].label, [words for _, words in rulings]


def caret(before: str, about: str, after: str) -> list[str]:
    """The source line and a mark under the part `about`.

    Unprintable characters are shown by their code, a tab as a space.
    """
    before, about, after = (in_a_line(part.replace("\t", " ")) for part in (before, about, after))
    mark = " " * len(before) + "^" * max(1, len(about))
    return [f"      | {before}{about}{after}", f"      | {mark}"]


# --- whole reports --------------------------------------------------------------------------------


def name_line(record: Json, style: Style) -> str:
    """The name and title of a deal."""
    return style.bold(record["id"]) + (f": {record['title']}" if record["title"] else "")


def title_line(record: Json, style: Style) -> str:
    """A deal in one line: its name, the final declaration, the number of tricks."""
    parts, final = [name_line(record, style)], record["declaration"]
    if final:
        parts.append(f"{final_words(final, law_of(record))}{by_words(final)}")
    if record["tricks"]:
        parts.append(number_words(record["tricks"]["declaring_side"], "trick"))
    return "; ".join(parts)


def check_text(record: Json, style: Style, account_only: bool = False) -> str:
    """The report on one record: diagram, auction, play, declaration, verdict, findings, account.

    With `account_only` the deal and the auction are omitted, as in `oddtrick score`.
    """
    auction, score = record["auction"], record["score"]
    out = [name_line(record, style)]
    if record["code"]:
        out.append(f"under {under_words(record)}")
    if record["source"]:
        out.append(style.wrap(record["source"]))
    out.append("")
    drawn = [] if account_only else [diagram(record), auction_table(auction) if auction else []]
    for table in (*drawn, play_table(record) if "play" in record["phases"] else []):
        out += ["  " + line for line in table] + [""] * bool(table)
    if auction:
        words, laws, result = declared_words(record)
        out.append(style.wrap(words) if laws else words)
        out += [style.wrap(f"law: {', '.join(laws)}", "  ")] if laws else []
        out += [result, ""] if result else [""]
    out.append(_verdict_line(record, style))
    for finding in by_weight(record["findings"]):
        out += finding_lines(finding, style)
    if record["note"] and not account_only:
        out += ["", style.wrap(f"Note: {record['note']}")]
    if score and record["declaration"]:
        out += ["", style.bold("Account"), *account_lines(score, style, record["code"])]
        out += [f"  {words}" for words in after_words(record)]
    out += what_if_lines(record["what_if"], style)
    if not (account_only and score):
        out += not_used_lines(record["not_used"], style)
    return "\n".join(out) + "\n"


def what_if_head(other: Json) -> str:
    """A condition with its laws, each changed reading on a line of its own: `If ...:`."""
    laws = f" ({', '.join(other['laws'])})" if other["laws"] else ""
    return f"If {other['if']}{laws}:"


def what_if_lines(listed: Iterable[Json], style: Style) -> Iterator[str]:
    """Yield each condition and below it its results, one to a line."""
    for other in listed:
        yield from (style.wrap(line, "  ") for line in what_if_head(other).splitlines())
        yield from (style.wrap(line, "    ") for line in other["then"].splitlines())


def _verdict_line(record: Json, style: Style) -> str:
    """The verdict, with the parts of the record that were judged if not all were."""
    judged = [PART_WORDS[phase] for phase in record["phases"]]
    on = f" on {and_words(judged)}" if 0 < len(judged) < len(PART_WORDS) else ""
    return f"{style.bold(f'Verdict{on}')}: {painted_verdict(record['verdict'], style)}"


PART_WORDS = {"declaring": "the declaration", "play": "the play", "score": "the score"}
"""The parts of a record, by phase."""


def not_used_lines(not_used: Iterable[Json], style: Style) -> list[str]:
    """The statements of the record that have no effect, each with the reason."""
    idle = [style.wrap(f"{not_used_words(n)}.", "  ") for n in not_used]
    return ["", style.bold("Statements not used"), *idle] if idle else []


def not_used_words(idle: Json) -> str:
    """A statement that has no effect or was not tested, and why: a sentence without full stop."""
    if idle["kind"] == "statements":
        return f"{idle['statement']} were not tested, because {idle['why']}"
    return f"“{idle['statement']}” has no effect, because {idle['why']}"


def short_text(result: Json, style: Style) -> str:
    """A record or group in short: its title, its verdict or its totals, and its findings."""
    if "records" in result:
        totals = " ".join(f"{upper(w)}." for w in (*totals_words(result), *doubt_words(result)))
        out = [group_title(result, style), *([style.wrap(totals, "  ")] if totals else [])]
    else:
        under = f" under {under_words(result)}" if result["code"] else ""
        out = [title_line(result, style), _verdict_line(result, style) + under]
    for finding in by_weight(result["findings"]):
        out += finding_lines(finding, style)
    return "\n".join(out) + "\n"


def under_words(answer: Json) -> str:
    """The code, its options and the readings chosen: `Contract 1927, with canadian`."""
    law = law_of(answer)
    if law is None:
        return ""
    options = reading_choices.options_of(law.options)
    chosen = [f"{c.reading.address} as {c.choice.id}" for c in law.chosen.values()]
    words = law.short + (f", with {and_words(options)}" if options else "")
    return words + (f", reading {and_words(chosen)}" if chosen else "")


def final_words(final: Json, law: Rules | None) -> str:
    """The final declaration in words: `4 spades redoubled`."""
    return declaration_words(final["odd_tricks"], final["denomination"], final["doubled"], law)


def declared_words(record: Json) -> tuple[str, list[str], str]:
    """The final declaration with its declarer and leader, its laws, and the tricks taken."""
    final, tricks = record["declaration"], record["tricks"]
    if record["passed_out"]:
        return "All four players pass; the hand is not played.", [], ""
    if final is None:
        return "No declaration became final.", [], ""
    words = f"Final declaration: {final_words(final, law_of(record))}{by_words(final)}"
    if final["declarer"]:
        plays = f"{seat_words(final['declarer'])} plays, " if final["bridged"] else ""
        dummy = f"{seat_words(final['dummy'])} is dummy and " if final["dummy"] else ""
        words += f"; {plays}{dummy}{seat_words(final['leader'])} leads"
    result = ""
    if tricks:
        taken, counted = tricks["declaring_side"], tricks["counted"]
        result = f"The declaring side takes {number_words(taken, 'trick')}"
        if tricks["over"] is not None:
            result += f" and loses {counted}" if counted != taken else ""
            result += f", {over_words(tricks['over'])}"
        result += "."
        if after := tricks.get("after_penalties"):
            counted = number_words(after["declaring_side"], "trick")
            result += f" After the penalty it has {counted}."
    return f"{words}.", grounds(final), result


def over_words(over: int) -> str:
    """The tricks against the declaration: `as declared`, `2 more than declared`, `1 trick
    short`.
    """
    if over == 0:
        return "as declared"
    if over > 0:
        return f"{number_words(over, 'more', 'more')} than declared"
    return f"{number_words(-over, 'trick')} short"


def by_words(final: Json) -> str:
    """The player of the final declaration, with a space before it; empty if he is not known.

    Examples are ` by South` and ` by West, the play passed to his partner`.
    """
    if final["declarer"] is None:
        return ""
    declarer = Seat(final["declarer"])
    if final["bridged"]:
        return f" by {declarer.partner.title}, the play passed to his partner"
    return f" by {declarer.title}"


def after_words(answer: Json) -> list[str]:
    """The effect of the deal on the rubber: a game or the rubber won.

    The winner of the rubber may depend on the totals, so it is reported for the group.
    """
    score, law = answer["score"], law_of(answer)
    if score and law and score["rubber"]:
        games = number_words(law.value("games-in-rubber"), "game")
        return [f"{side_words(score['rubber'])} have won {games}, and the rubber is over."]
    return [f"{side_words(score['game'])} win a game."] if score and score["game"] else []


def group_name(group: Json) -> str:
    """A group by its kind and name: `The rubber “Tuesday, second”`."""
    return f"The {group['kind']}" + (f" “{group['name']}”" if group["name"] else "")


def group_title(group: Json, style: Style) -> str:
    """A group with its number of deals: `The rubber “Tuesday, second”: 4 deals`."""
    return style.bold(group_name(group)) + f": {number_words(len(group['records']), 'deal')}"


def is_final(group: Json) -> bool:
    """Whether the totals are those of a match or of a rubber that is over or was made up."""
    return group["kind"] == "match" or group["over"] or bool(group["entries"])


def totals_words(group: Json) -> list[str]:
    """The totals of a rubber or a match, as clauses without a full stop.

    They give both totals and, at the end, which is greater, or the teams of a match, or why there
    are none. The result is empty if the score was not judged.
    """
    if totals := group["totals"]:
        ours, theirs = totals["NS"] or 0, totals["EW"] or 0
        ahead = Side.NS if ours > theirs else Side.EW
        by = number_words(group["points"] or 0, "point")
        greater = f"{ahead.title} have the greater total, by {by}"
        out = [f"{Side.NS.title} {ours}, {Side.EW.title} {theirs}"]
        if is_final(group):
            out.append("the totals are equal" if ours == theirs else greater)
        if group["over"] and group["won_by"]:
            out.append(f"{side_words(group['won_by'])} win the rubber")
        return out
    if group["teams"]:
        return [team_words(t) for t in group["teams"]]
    why = no_totals_words(group)
    return [f"the totals are not known: {why}"] if why else []


def doubt_words(group: Json) -> list[str]:
    """The readings on which the result of a group depends, as one clause."""
    readings = and_words(group["readings"])
    return [f"the result depends on the reading {readings}"] if readings else []


def no_totals_words(group: Json) -> str:
    """Why a rubber or a match has no totals: the deals that lack something, and what to add."""
    missing = group["untold"]
    if missing is None:
        return ""
    if missing["reason"] in ("no-matches", "no-rubbers"):
        short = book().code(group["code"] or "").short
        return f"{short} has {missing['reason'].replace('-', ' ')}"
    if missing["reason"] in NO_TOTALS:
        return NO_TOTALS[missing["reason"]]
    deals = [d for d in missing["deals"] if d["lacks"] is not None]
    reasons = [f"{d['id']} does not say {to_write(d['lacks'])}" for d in deals]
    unscored = and_words(d["id"] for d in missing["deals"] if d["lacks"] is None)
    return "; ".join([*reasons, f"{unscored} could not be scored"] if unscored else reasons)


NO_TOTALS = {
    "no-code": "the record names no code",
    "unread": "a deal could not be read",
    "games": "the record does not say how many games were won",
}
"""The reasons why a group has no totals, by id."""


def tray_words(tray: Json) -> str:
    """The points of a tray: `tray 3, in 2 plays: Blues 100, Reds 36`."""
    made = ", ".join(f"{name} {points}" for name, points in tray["points"].items())
    return f"tray {tray['tray']}, in {number_words(tray['plays'], 'play')}: {made}"


def group_text(group: Json, style: Style) -> str:
    """The report on a rubber or match."""
    out, laws = [group_title(group, style)], ", ".join(grounds(group))
    totals = [f"  {words}" for words in totals_words(group)]
    if group["teams"] and not group["totals"]:
        out += [*totals, f"  {laws}"]
    for entry in group["entries"]:
        to = f"{entry['points']} to {side_words(entry['side'])}"
        out.append(f"  {entry['reason']}: {to}   {', '.join(grounds(entry))}")
    out += [f"  {tray_words(tray)}" for tray in group["trays"]]
    if group["totals"]:
        out += [*totals[:-1], f"{totals[-1]}   {laws}"]
    elif not group["teams"]:
        out += [style.wrap(words, "  ") for words in totals_words(group)]
    out += what_if_lines(group["what_if"], style)
    for finding in group["findings"]:
        out += finding_lines(finding, style)
    out += not_used_lines(group["not_used"], style)
    return "\n".join(out) + "\n"


# --- a contract in words, and a deal under several codes ------------------------------------------


def contract_text(scored: Json, style: Style) -> str:
    """The facts understood and presumed, then the account or, for several codes, a comparison."""
    taken = f"This assumes that {and_words(scored['presumed'])}." if scored["presumed"] else ""
    title = style.bold(style.wrap(scored["understood"]))
    presumed = [style.wrap(taken)] if taken else []
    if len(scored["under"]) > 1:
        return under_text(scored["under"], title, "\n".join(presumed))
    row = scored["under"][0]
    score, out = row["score"], [title, *presumed, "", f"under {under_words(row)}"]
    if score is None:
        return "\n".join([*out, f"It cannot be scored, because {_why(row)}."]) + "\n"
    out += account_lines(score, style, row["code"])
    for lacking, words in zip(score["lacks"], score["missing"], strict=True):
        why = "illegible in the book" if "laws" in lacking else "not stated"
        out.append(style.wrap(f"{why}, and so not counted: {words}", "  "))
    out += [f"  {words}" for words in after_words(row)]
    out += what_if_lines(row["what_if"], style)
    return "\n".join(out) + "\n"


def _why(row: Json) -> str:
    return f"{row['why']} ({', '.join(row['laws'])})" if row["laws"] else str(row["why"])


def under_text(rows: Sequence[Json], title: str, circumstances: str = CIRCUMSTANCES) -> str:
    """The comparison as a table, then the entries of each code with their laws."""
    short = {r["code"]: book().code(r["code"]).short for r in rows}
    width = max(map(len, short.values())) + 2
    out = [title, circumstances, "", *account_head(width)]
    for r in rows:
        name, score = f"{short[r['code']]:<{width}}", r["score"]
        if score is None:
            out.append(f"{name}  not possible: {_why(r)}")
            continue
        sums = totals(score["entries"])
        lacks = f"  not stated: {and_words(score['missing'])}" if score["missing"] else ""
        out.append(name + cells(sums[Side(s)][c] for s, c in SLOTS) + lacks)
    out.append("")
    for r in rows:
        for e in r["score"]["entries"] if r["score"] else ():
            to = f"{short[r['code']]}, {e['points']} to {side_words(e['side'])}"
            out.append(f"{to}: {e['reason']}  ({', '.join(e['laws'])})")
        for other in r.get("what_if", ()):
            out.append(f"{short[r['code']]}: {' '.join(what_if_head(other).split())}")
            out += [f"  {line}" for line in other["then"].splitlines()]
    if apart := parting(rows):
        balance = ", ".join(
            f"{code} {points:+}" if points else f"{code} 0"
            for code, points in apart["balance"].items()
        )
        at = apart["item"].replace("-", " ")
        out += ["", f"The codes first differ in the {at} (N-S points minus E-W points): {balance}."]
    return "\n".join(out) + "\n"
