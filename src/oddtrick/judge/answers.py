"""The answer of the judge as JSON: its types, and what it repeats of the record.

Reports, pages and tests read this and nothing else of the judge. Seats, sides, cards, suits and
verdicts are their ids (`N`, `NS`, `SA`, `S`, `legal`); what is not known is `null`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict, final

from oddtrick.cards import Side
from oddtrick.judge.events import hands_of
from oddtrick.record.deal import Deal, Figures, Incident, item_of

if TYPE_CHECKING:
    from oddtrick.judge.play import Followed, Outcome
    from oddtrick.judge.procedures import Declared, Made


class OfSides(TypedDict):
    """A figure of each side."""

    NS: int | None
    EW: int | None


class GivesJson(TypedDict):
    """What the law gives for an irregularity; `remedies` of a finding has it in words, and
    `offender` is the seat of the player who committed it."""

    irregularity: str
    offender: str | None
    ruling: str
    possible: bool
    presumed: dict[str, list[str]]
    remedies: list[str]


@final
class FindingJson(TypedDict):
    """One thing found in a record, a group or a file."""

    rule: str
    severity: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    item: list[str | int] | None
    message: str
    laws: list[str]
    remedies: list[str]
    gives: list[GivesJson]
    readings: NotRequired[list[str]]
    chosen: NotRequired[list[str]]


class EntryJson(TypedDict):
    """One line of an account."""

    side: str
    column: str
    points: int
    item: str
    irregularities: list[str]
    reason: str
    laws: list[str]
    readings: NotRequired[list[str]]


class MissingJson(TypedDict):
    """A fact that an account lacks; of `honours-split` the side and its honours."""

    fact: str
    side: NotRequired[str]
    honours: NotRequired[int]


class StandingJson(TypedDict):
    """The state of a rubber: games won, points towards the next."""

    games: OfSides
    trick: OfSides


class ScoreJson(TypedDict):
    """An account: the sums of each side, the entries, what it `lacks`, and of that what the honour
    score depends on (`open`); whether the declaration was `made`, who won a `game` or the `rubber`
    by it, the state `after`.
    """

    NS: dict[str, int]
    EW: dict[str, int]
    entries: list[EntryJson]
    lacks: list[MissingJson]
    open: list[MissingJson]
    made: bool | None
    game: str | None
    rubber: str | None
    after: StandingJson


WhatIfJson = TypedDict(
    "WhatIfJson",
    {
        "if": str,
        "then": str,
        "choice": NotRequired[str],
        "irregularity": str | None,
        "offender": str | None,
        "remedy": str | None,
        "score": ScoreJson | None,
        "laws": list[str],
    },
)
"""What would be so on a condition: a right that nobody used, or another reading (`choice`)."""


class NotUsedJson(TypedDict):
    """A statement on which the answer does not turn."""

    kind: str
    reason: str
    item: list[str | int] | None
    statement: str
    why: str
    line: int
    column: int


class DeclarationJson(TypedDict):
    """The final declaration. `dummy` is null where no hand is open; `bridged` says that the play
    was passed to the partner, who is then the declarer.
    """

    odd_tricks: int | None
    denomination: str
    doubled: int
    declarer: str | None
    dummy: str | None
    leader: str | None
    bridged: bool
    laws: list[str]
    readings: NotRequired[list[str]]


class TricksJson(TypedDict):
    """The tricks of both sides; `counted` are those that count for the declaration (of a nullo the
    adversaries'), `over` how many more than it names.
    """

    declaring_side: int
    adversaries: int
    counted: int
    over: int | None
    after_penalties: NotRequired[dict[str, int]]


class HandJson(TypedDict):
    """A hand as written: its cards, the small cards by suit, whether more was not written."""

    cards: list[str]
    small: dict[str, int]
    partial: bool


class CallJson(TypedDict):
    """A call with who made it, and whether it does not stand."""

    item: list[str | int]
    seat: str
    kind: str
    odd_tricks: int | None
    denomination: str | None
    corrects: bool
    mark: str | None
    void: bool


class AuctionJson(TypedDict):
    """The calls; the seats are `relative` to a dealer who is not known."""

    calls: list[CallJson]
    relative: bool
    passed_out: bool


class CardJson(TypedDict):
    """A card played, and by whom."""

    item: list[str | int]
    seat: str | None
    card: str | None


class TrickJson(TypedDict):
    """A trick in the order played."""

    cards: list[CardJson]
    winner: str | None


class PlayJson(TypedDict):
    """The play; `complete` where every trick was followed to its end or settled by a claim."""

    tricks: list[TrickJson]
    complete: bool


class IncidentJson(TypedDict):
    """An irregularity as the record has it."""

    item: list[str | int]
    name: str
    by: str | None
    of: str | None
    noticed_by: str | None
    remedy: str | None
    chosen_by: str | None
    waived_by: str | None
    note: str | None


class StatedJson(TypedDict):
    """The state of the rubber before the deal as the record gives it."""

    games: OfSides | None
    trick: OfSides | None
    honour: OfSides | None
    vulnerable: list[str] | None


class Brief(TypedDict):
    """What a report shows of a record among many."""

    id: str
    file: str
    line: int
    title: str | None
    code: str | None
    options: list[str]
    chosen: NotRequired[list[str]]
    verdict: str
    passed_out: bool
    declaration: DeclarationJson | None
    tricks: TricksJson | None
    score: ScoreJson | None
    findings: list[FindingJson]


@final
class RecordJson(Brief, total=False):
    """The answer to one record: in brief, or in full. `phases` are what was judged; `auction` is
    null where nothing was; `standing` is the state before the deal as it was used, `stated` as it
    is written.
    """

    source: str | None
    note: str | None
    phases: list[str]
    dealer: str | None
    sides: dict[str, str]
    tray: int | None
    stated: StatedJson
    standing: StandingJson
    hands: dict[str, HandJson]
    auction: AuctionJson | None
    next_to_call: str | None
    play: PlayJson | None
    next_to_play: str | None
    winners: list[str | None]
    incidents: list[IncidentJson]
    what_if: list[WhatIfJson]
    not_used: list[NotUsedJson]


class TeamJson(TypedDict):
    """A team of a match; points are text where they are no whole number. `against` is what it is
    checked against: the average of all, or the best other.
    """

    name: str
    total: int | str
    odd_pair: int | str
    against_average: int | str
    against: str


class TrayJson(TypedDict):
    """A tray that was played more than once, with the points of each team."""

    tray: int
    plays: int
    points: dict[str, int]


class LackingJson(TypedDict):
    """A deal whose score lacks something; null: it could not be scored at all."""

    id: str
    lacks: list[MissingJson] | None


class UntoldJson(TypedDict):
    """Why a group has no totals: `no-code`, `no-matches`, `no-rubbers`, `unread`, `lacking` (with
    the deals), `games`.
    """

    reason: str
    deals: list[LackingJson]


@final
class GroupJson(TypedDict):
    """The answer to a rubber or a match as a whole. The first `counted` of its records count; it
    is `scored` where its code has such groups and the score was judged. It stands where its first
    deal does.
    """

    kind: str
    name: str | None
    file: str
    line: int
    code: str | None
    options: list[str]
    chosen: NotRequired[list[str]]
    records: list[str]
    counted: int
    scored: bool
    untold: UntoldJson | None
    totals: OfSides | None
    won_by: str | None
    over: bool
    points: int | None
    entries: list[EntryJson]
    laws: list[str]
    readings: list[str]
    what_if: list[WhatIfJson]
    teams: list[TeamJson]
    trays: list[TrayJson]
    not_used: list[NotUsedJson]
    findings: list[FindingJson]


Depth = Literal["brief", "play", "full"]
"""How much of a record is shown: as one among many; with the deal, the calls and the cards
too; all, with what only trials show (`what_if`, `not_used`).
"""

Answer = RecordJson | GroupJson | FindingJson
"""What the judge answers: to a record, to a group, or a finding that belongs to no deal."""


# --- what is repeated of the deal -----------------------------------------------------------------


def of_sides(pair: Iterable[int | None]) -> OfSides:
    """The figures of North and South and of East and West."""
    ours, theirs = pair
    return {"NS": ours, "EW": theirs}


def hands_json(deal: Deal) -> dict[str, HandJson]:
    """The hands as written, by seat."""
    return {
        seat.value: {
            "cards": [c.code for c in hand.cards],
            "small": {s.value: n for s, n in hand.small},
            "partial": hand.partial,
        }
        for seat, hand in hands_of(deal)
    }


def auction_json(deal: Deal, declared: Declared, made: Iterable[Made]) -> AuctionJson:
    """The calls with who made them."""
    marks = {item_of(deal, remark.event): remark.mark for remark in deal.remarks}
    calls: list[CallJson] = [
        {
            "item": list(one.call.item),
            "seat": one.seat.value,
            "kind": one.call.kind,
            "odd_tricks": one.call.odd_tricks,
            "denomination": one.call.denomination,
            "corrects": one.call.corrects,
            "mark": marks.get(one.call.item),
            "void": one.void,
        }
        for one in made
    ]
    return {"calls": calls, "relative": declared.relative, "passed_out": declared.passed_out}


def play_json(outcome: Outcome, followed: Iterable[Followed]) -> PlayJson:
    """The tricks as they were followed."""
    tricks: list[TrickJson] = [
        {
            "cards": [
                {
                    "item": list(played.item),
                    "seat": seat.value if seat else None,
                    "card": played.card.code if played.card else None,
                }
                for seat, played in trick.cards
            ],
            "winner": trick.winner.value if trick.winner else None,
        }
        for trick in followed
    ]
    return {"tricks": tricks, "complete": outcome.complete}


def incident_json(incident: Incident) -> IncidentJson:
    """An irregularity as written."""
    by, noticed = incident.by, incident.noticed_by
    chosen, waived = incident.chosen_by, incident.waived_by
    return {
        "item": list(incident.item),
        "name": incident.name,
        "by": by.value if by else None,
        "of": incident.of,
        "noticed_by": noticed.value if noticed else None,
        "remedy": incident.remedy,
        "chosen_by": chosen.value if chosen else None,
        "waived_by": waived.value if waived else None,
        "note": incident.note,
    }


def stated_json(deal: Deal) -> StatedJson:
    """The state of the rubber before the deal as written."""

    def figures(of: Figures | None) -> OfSides | None:
        return of_sides(of) if of else None

    sides = deal.vulnerable
    return {
        "games": figures(deal.standing_games),
        "trick": figures(deal.standing_trick),
        "honour": figures(deal.standing_honour),
        "vulnerable": None if sides is None else [s.value for s in Side if s in sides],
    }
