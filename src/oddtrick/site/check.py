"""The result of a check on a page: the values that `templates/check.html` shows in addition to the
JSON of the judge.

The same code runs when the site is built, for the pages of records and findings, and in the
reader's browser, for "Check a hand".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from oddtrick.cards import SEATS, Seat, Side, card_in
from oddtrick.judge import Json
from oddtrick.law.book import book
from oddtrick.report.check import (
    UNDERSTOOD,
    after_words,
    auction_rows,
    by_weight,
    by_words,
    call_cell,
    claim_words,
    group_name,
    not_used_words,
    seat_words,
    suits_of,
    title_line,
    totals,
    totals_words,
    tray_words,
    under_words,
    what_if_head,
)
from oddtrick.report.words import bid_words, doubled_words, verdict_words
from oddtrick.rulings import answer as ruling_answer
from oddtrick.rulings.words import (
    Piece,
    presumed_words,
    ruling_pieces,
    ruling_words,
    upper,
    when_words,
    with_offender,
)
from oddtrick.terminal import Style


class Numbered(NamedTuple):
    """A finding with its number on the page, used in anchors, and its number in its answer."""

    anchor: int
    number: int
    finding: Json


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer of the judge on a page: its numbered findings, the anchors of those that it shares
    with an answer above, its title, and the anchors of its heading and of its account (empty in the
    browser).
    """

    answer: Json
    findings: list[Numbered]
    shared: list[Numbered]
    title: str = ""
    anchor: str = ""
    account: str = ""

    @property
    def kind(self) -> str:
        """The kind of answer: `deal`, `group` or `finding`."""
        if "rule" in self.answer:
            return "finding"
        return "group" if "records" in self.answer else "deal"

    @property
    def marks(self) -> dict[str, list[Numbered]]:
        """The findings by item id, except those about missing information."""
        marks: dict[str, list[Numbered]] = {}
        for found in self.findings:
            if (item := found.finding["item"]) and found.finding["severity"] != "incomplete":
                marks.setdefault("-".join(map(str, item)), []).append(found)
        return marks


def checked(answers: Iterable[Json]) -> list[Checked]:
    """The answers with their titles and numbered findings.

    A finding on a line that holds for several deals is listed with the first of them. Notes on how
    the record was read come last; those outside of a deal are added to the last answer.
    """
    listed = list(answers)
    loose = [answer for answer in listed if answer.get("rule") == UNDERSTOOD]
    rest = [answer for answer in listed if answer.get("rule") != UNDERSTOOD]
    made, before = list[Checked](), dict[tuple[Json, ...], Numbered]()
    for answer in rest:
        own = [answer] if "rule" in answer else answer["findings"]
        found, shared = list[Numbered](), list[Numbered]()
        for finding in by_weight([*own, *(loose if answer is rest[-1] else ())]):
            key = tuple(finding[k] for k in ("file", "line", "column", "message"))
            if key in before:
                shared.append(before[key])
            else:
                found.append(Numbered(len(before) + 1, len(found) + 1, finding))
                before[key] = found[-1]
        made.append(Checked(answer, found, shared, title_of(answer)))
    return made


def title_of(answer: Json) -> str:
    """The title of a deal, a rubber or a match; empty for a finding."""
    if "rule" in answer:
        return ""
    if "records" in answer:
        return group_name(answer)
    return upper(answer["id"]) + (f": {answer['title']}" if answer["title"] else "")


# --- words ----------------------------------------------------------------------------------------


def finding_label(rule: str) -> str:
    """The label of a finding, `Insufficient bid`; its id if the vocabulary lacks it.

    Findings on how a record is written, `notation.*`, share two labels.
    """
    if rule.startswith("notation."):
        return "Assumption" if rule == UNDERSTOOD else "Notation"
    return next((f.label for f in book().vocabulary.findings if f.id == rule), rule)


def contract(final: Json) -> tuple[str, str]:
    """A final declaration in short and in full: `5 ♦ redoubled`, `5 diamonds redoubled`."""
    odd_tricks, denomination = final["odd_tricks"], final["denomination"]
    found, doubled = book().denominations.get(denomination), doubled_words(final["doubled"])
    short = f"{odd_tricks or ''} {found.short if found else denomination}".lstrip()
    return f"{short}{doubled}", bid_words(odd_tricks, denomination) + doubled


@dataclass(frozen=True, slots=True)
class Sentence:
    """A ruling in words: the facts on which it rests, and the remedies with their laws."""

    rests: str
    pieces: tuple[Piece, ...]


def sentence_of(given: Json, record: Json | None) -> Sentence | None:
    """The ruling under the code of the record, in words; `None` if the record has no code or the
    ruling is not found.
    """
    if record is None or not record["code"]:
        return None
    found = ruling_answer(given["irregularity"], record["code"], record["options"])
    known = (*found.possible, *([found.ruling] if found.ruling else []))
    ruling = next((r for r in known if r.id == given["ruling"]), None)
    if ruling is None:
        return None
    presumed = tuple((fact, tuple(values)) for fact, values in given["presumed"].items())
    rests = when_words(ruling.when) if given["possible"] else presumed_words(presumed)
    return Sentence(with_offender(rests, ruling_words(ruling)), ruling_pieces(ruling))


def roles(record: Json, seat: str) -> list[str]:
    """The roles of a player in the deal: dealer, declarer, dummy."""
    final = record["declaration"]
    declarer = Seat(final["declarer"]) if final and final["declarer"] else None
    by_role = {
        "dealer": record["dealer"],
        "declarer": declarer and declarer.value,
        "dummy": declarer and declarer.partner.value,
    }
    return [role for role, own in by_role.items() if own == seat]


# --- the play, card by card -----------------------------------------------------------------------


def sentences(tricks: Iterable[Json]) -> Iterator[str]:
    """The captions of the deal player, before the first card and after each card.

    `Trick 1: East leads the two of hearts. South to play.`
    """
    cards = [
        (number, trick, place, played["seat"], card_in(played["card"] or ""))
        for number, trick in enumerate(tricks, 1)
        for place, played in enumerate(trick["cards"])
    ]
    turns = [seat for _, _, _, seat, _ in cards]
    yield f"{seat_words(turns[0]) if turns and turns[0] else 'Somebody'} leads to the first trick."
    for count, (number, trick, place, seat, card) in enumerate(cards, 1):
        who, winner = seat_words(seat) if seat else "Somebody", trick["winner"]
        what = f"the {RANKS[card.rank]} of {card.suit.word}" if card else UNRECORDED
        words = f"Trick {number}: {who} {'plays' if place else 'leads'} {what}"
        over = place == len(trick["cards"]) - 1
        if over and winner:
            own = winner == seat
            words += " and wins the trick" if own else f"; {seat_words(winner)} wins the trick"
        elif over and len(trick["cards"]) >= len(SEATS):
            words += "; who wins the trick is not recorded"
        after = turns[count] if count < len(turns) else None
        name = seat_words(after) if after else "The next player"
        if count == len(cards):
            yield f"{words}. The record of the play ends here."
        else:
            yield f"{words}. {name} {'leads next' if over else 'to play'}."


UNRECORDED = "a card that is not recorded"
RANKS = dict(
    zip(
        "AKQJT98765432",
        "ace king queen knave ten nine eight seven six five four three two".split(),
        strict=True,
    )
)


# --- the record as it is written ------------------------------------------------------------------

Line = tuple[list[tuple[str, bool]], list[Numbered]]
"""A line of a record: its pieces, each with whether a finding marks it, and its findings."""


def source(text: str, findings: Iterable[Numbered]) -> list[Line]:
    """The lines of a record, each with the findings that begin on it."""
    beside: dict[int, list[Numbered]] = {}
    for found in findings:
        beside.setdefault(found.finding["line"], []).append(found)
    return [
        (list(_pieces(line, beside.get(n, ()))), beside.get(n, []))
        for n, line in enumerate(text.rstrip("\n").split("\n"), 1)
    ]


def _pieces(line: str, found: Sequence[Numbered]) -> Iterator[tuple[str, bool]]:
    spans = sorted(
        (f["column"] - 1, f["end_column"] - 1 if f["end_line"] == f["line"] else len(line))
        for _, _, f in found
        if f["severity"] != "incomplete"
    )
    at = 0
    for start, end in spans:
        if start < at or end <= start:
            continue
        yield line[at:start], False
        yield line[start:end], True
        at = end
    yield line[at:], False


FUNCTIONS = {"seats": SEATS, "sides": tuple(Side), "UNDERSTOOD": UNDERSTOOD}
FILTERS = {
    "after_words": after_words,
    "auction_rows": auction_rows,
    "by_words": by_words,
    "claim_words": claim_words,
    "call_cell": call_cell,
    "contract": contract,
    "finding_label": finding_label,
    "not_used_words": not_used_words,
    "roles": roles,
    "sentence": sentence_of,
    "sentences": sentences,
    "suits_of": suits_of,
    "title_line": lambda record: title_line(record, Style()),
    "totals": totals,
    "totals_words": totals_words,
    "tray_words": tray_words,
    "under_words": under_words,
    "verdict_words": verdict_words,
    "what_if_head": what_if_head,
    "zip": zip,
}
"""The filters of `templates/check.html`, in addition to those of `markup`."""
