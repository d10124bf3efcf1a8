"""The gallery of shipped records: diagram, auction, play, findings and account, with links to the laws."""

from __future__ import annotations

import html
from pathlib import Path

from oddtrick.cards import PRINTED_SUITS, SEATS, Side, Suit
from oddtrick.check import Check
from oddtrick.declaring import OPENING_LEAD, final_words
from oddtrick.findings import Finding, Verdict
from oddtrick.notation import read_bytes
from oddtrick.record import Record
from oddtrick.report import auction_rows, suit_line
from oddtrick.rubbers import GroupCheck, check_document
from oddtrick.site_laws import front, link
from oddtrick.words import number_words

WORDS = {Verdict.LEGAL: "in order", Verdict.UNREADABLE: "not readable"}


def suit_html(suit: Suit, ranks: str) -> str:
    """A suit and its cards: the symbol coloured, and named for those who do not see it."""
    return f'<span class="suit suit-{suit.word}" role="img" aria-label="{suit.word}">{suit.symbol}</span> {html.escape(ranks)}'


def coloured(text: str) -> str:
    """Text with its suit symbols coloured and named."""
    out = html.escape(text)
    for suit in Suit:
        out = out.replace(
            suit.symbol,
            f'<span class="suit suit-{suit.word}" role="img" aria-label="{suit.word}">{suit.symbol}</span>',
        )
    return out


def diagram_html(record: Record) -> str:
    """The hand diagram."""
    if not record.hands:
        return ""
    cells = []
    for seat in SEATS:
        hand = record.hand(seat)
        lines = "<br>".join(suit_html(s, suit_line(hand, i)[2:]) for i, s in enumerate(PRINTED_SUITS))
        cells.append(
            f'<div class="hand hand-{seat.word}"><span class="seat">{seat.title}</span>{lines}</div>'
        )
    return f'<div class="diagram">{"".join(cells)}</div>'


def auction_html(check: Check) -> str:
    """The auction as a table with the seats over the columns."""
    if not check.declared or not check.declared.calls:
        return ""
    order, rows = auction_rows(check.declared)
    head = "".join(f'<th scope="col">{s.title}</th>' for s in order)
    body = "".join("<tr>" + "".join(f"<td>{coloured(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f'<table class="auction"><caption>The auction</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def play_html(check: Check) -> str:
    """The play, a row to a trick, in the order played."""
    if not check.outcome or not check.outcome.tricks:
        return ""
    rows = []
    for number, trick in enumerate(check.outcome.tricks, 1):
        cards = "".join(f"<td>{coloured(str(p.card)) if p.card else '–'}</td>" for _, p in trick.cards)
        blank = "<td></td>" * (4 - len(trick.cards))
        leader = trick.cards[0][0].title if trick.cards and trick.cards[0][0] else ""
        winner = trick.winner.title if trick.winner else ""
        rows.append(f'<tr><th scope="row">{number}</th><td>{leader}</td>{cards}{blank}<td>{winner}</td></tr>')
    head = "".join(
        f'<th scope="col">{h}</th>' for h in ("Trick", "Leader", "1st", "2nd", "3rd", "4th", "Won by")
    )
    return f'<table class="play"><caption>The play, as far as it is recorded</caption><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def account_md(check: Check, here: str) -> list[str]:
    """The account as a table: side, column, points, reason and laws."""
    if check.account is None or not check.account.entries:
        return ["Nothing is scored, as far as the record goes.", ""]
    out = ["| for | North and South | East and West |", "| --- | ---: | ---: |"]
    for entry in check.account.entries:
        points = f"{entry.points} {entry.column}"
        cells = [points, ""] if entry.side is Side.NS else ["", points]
        laws = ", ".join(link(a, here) for a in (*entry.laws, *entry.readings))
        out.append(f"| {entry.reason}<br><small>{laws}</small> | {cells[0]} | {cells[1]} |")
    return [*out, ""]


def finding_md(finding: Finding, here: str) -> str:
    """A finding as a line of a list."""
    laws = ", ".join(link(a, here) for a in (*finding.laws, *finding.readings))
    return (
        f"- **{finding.rule}**, {finding.severity.value}, line {finding.place.line}: {coloured(finding.message)}"
        + (f" ({laws})" if laws else "")
    )


def check_md(check: Check, here: str, alone: bool) -> list[str]:
    """One deal: what was dealt, called and played, what was found, what it counts."""
    record, rules = check.record, check.rules
    title = record.tag("title")
    anchor = "-".join("".join(c if c.isalnum() else " " for c in record.id.lower()).split())
    name = f"{record.id[:1].upper()}{record.id[1:]}{': ' + title if title else ''}"
    out = [f'## {"The deal" if alone else name} {{ id="{anchor}" }}', ""]
    out += [diagram_html(record), "", auction_html(check), ""]
    final = check.final
    if final and rules:
        said = final_words(final, rules)
        if final.declarer:
            said += f" by {final.declarer.title}; {OPENING_LEAD[rules.value('opening-lead')](final.declarer).title} leads"
        laws = ", ".join(link(a, here) for a in (*final.laws, *final.readings))
        out += [f"**Final declaration:** {coloured(said)} ({laws})", ""]
        if check.outcome and check.outcome.taken is not None:
            out += [f"The declaring side takes {number_words(check.outcome.taken, 'trick')}.", ""]
    out += [
        play_html(check),
        "",
        f'<p class="verdict verdict-{check.verdict.value}">Verdict: {WORDS.get(check.verdict, check.verdict.value)}</p>',
        "",
    ]
    out += [finding_md(f, here) for f in check.findings]
    out += ["", "### Account", "", *account_md(check, here)]
    note = record.tag("note")
    if note:
        out += [f'<p class="record-note">{coloured(note)}</p>', ""]
    return out


def record_page(path: Path) -> tuple[str, str, list[Check]]:
    """The page of a file of records, its title, and its checks."""
    data = path.read_bytes()
    document = read_bytes(data, path.name)
    here = f"records/{path.stem}.md"
    results = list(check_document([*document.findings, *document.items]))
    checks = [r for r in results if isinstance(r, Check)]
    first = checks[0].record if checks else None
    title = (first.tag("title" if len(checks) == 1 else "event") if first else None) or path.stem.replace(
        "-", " "
    )
    source = (first.tag("source") if first else None) or ""
    out = [front(title, f"{title}. {source}", hide="navigation"), f"# {title[:1].upper()}{title[1:]}", ""]
    if source:
        under = (
            f" Judged under [{checks[0].rules.short}](../codes/{checks[0].rules.code}/index.md)."
            if checks and checks[0].rules
            else ""
        )
        out += [f'<p class="law-head" markdown="span">{source}.{under}</p>', ""]
    for result in results:
        if isinstance(result, Check):
            out += check_md(result, here, len(checks) == 1)
        elif isinstance(result, GroupCheck):
            out += group_md(result, here)
        else:
            out += [finding_md(result, here), ""]
    out += ["## As it is written", "", "```text", data.decode("utf-8").rstrip("\n"), "```", ""]
    return title, "\n".join(out), checks


def group_md(group: GroupCheck, here: str) -> list[str]:
    """A rubber as a whole."""
    name = f"The {group.group.kind}" + (f" “{group.group.name}”" if group.group.name else "")
    out = [f"## {name}", ""]
    if group.totals:
        laws = ", ".join(link(a, here) for a in group.laws)
        out += [f"North and South {group.totals[0]}, East and West {group.totals[1]} ({laws}).", ""]
    out += [finding_md(f, here) for f in group.findings]
    return [*out, ""]


def record_pages(home: Path) -> dict[str, str | bytes]:
    """A page for each shipped file of records, and their index."""
    made: dict[str, str | bytes] = {}
    rows = [
        front("Records", "Deals of the printed books, judged by their own code.", True),
        "# Records",
        "",
        "Deals and auctions of the printed books, each judged by the code it was played under.",
        "",
        "| record | code | verdict |",
        "| --- | --- | --- |",
    ]
    for path in sorted(home.glob("*.hand")):
        title, text, checks = record_page(path)
        made[f"records/{path.stem}.md"] = text
        made[f"records/{path.name}"] = path.read_bytes()
        code = checks[0].rules.short if checks and checks[0].rules else ""
        verdicts = ", ".join(dict.fromkeys(WORDS.get(c.verdict, c.verdict.value) for c in checks))
        rows.append(f"| [{title[:1].upper()}{title[1:]}]({path.stem}.md) | {code} | {verdicts} |")
    made["records/index.md"] = "\n".join([*rows, ""])
    return made
