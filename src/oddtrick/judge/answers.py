"""The JSON of the judge's answers: its types, and the parts that repeat the record.

Reports, pages and tests read only this part of the judge's output. Seats, sides, cards, suits and
verdicts are given by id (`N`, `NS`, `SA`, `S`, `legal`); an unknown value is `null`.
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
    """A figure for each side."""

    NS: int | None
    EW: int | None


class GivesJson(TypedDict):
    """What the law gives for an irregularity.

    `remedies` describes the remedies in words; `offender` is the seat of the offending player.
    """

    irregularity: str
    offender: str | None
    ruling: str
    possible: bool
    presumed: dict[str, list[str]]
    remedies: list[str]


@final
class FindingJson(TypedDict):
    """A finding in a record, a group or a file."""

    rule: str
    severity: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    quoted: list[str]
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
    """A fact that an account lacks.

    For `honours-split` it also names the side and the number of honours it holds.
    """

    fact: str
    side: NotRequired[str]
    honours: NotRequired[int]


class StandingJson(TypedDict):
    """The state of a rubber: games won, points towards the next."""

    games: OfSides
    trick: OfSides


class ScoreJson(TypedDict):
    """An account.

    It contains the totals of each side, the entries, and the missing facts (`lacks`); `open` are
    those missing facts on which the honour score depends. `made` says whether the declaration was
    made, `game` and `rubber` which side won one by it, `after` the state afterwards.
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
"""What would follow on a condition: if an unused right were used, or another reading chosen.

`choice` is the other reading.
"""


class NotUsedJson(TypedDict):
    """A statement of the record that does not affect the answer."""

    kind: str
    reason: str
    item: list[str | int] | None
    statement: str
    why: str
    line: int
    column: int


class DeclarationJson(TypedDict):
    """The final declaration.

    `dummy` is null if no hand is exposed; `bridged` means that the play was passed to the partner,
    who is then the declarer.
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
    """The tricks of both sides.

    `counted` are the tricks that count for the declaration (at nullo, those of the adversaries);
    `over` is how many more these are than it names, negative if there are fewer.
    """

    declaring_side: int
    adversaries: int
    counted: int
    over: int | None
    after_penalties: NotRequired[dict[str, int]]


class HandJson(TypedDict):
    """A hand as written: its cards, small cards by suit, and whether it is only partly recorded."""

    cards: list[str]
    small: dict[str, int]
    partial: bool


class CallJson(TypedDict):
    """A call with the player who made it; `void` if it does not count."""

    item: list[str | int]
    seat: str
    kind: str
    odd_tricks: int | None
    denomination: str | None
    corrects: bool
    mark: str | None
    void: bool


class AuctionJson(TypedDict):
    """The calls; if the dealer is not known, the seats are only `relative`."""

    calls: list[CallJson]
    relative: bool
    passed_out: bool


class CardJson(TypedDict):
    """A card played, with its player."""

    item: list[str | int]
    seat: str | None
    card: str | None


class TrickJson(TypedDict):
    """A trick, its cards in the order played."""

    cards: list[CardJson]
    winner: str | None


class PlayJson(TypedDict):
    """The play; `complete` if every trick was followed to its end or settled by a claim."""

    tricks: list[TrickJson]
    complete: bool


class IncidentJson(TypedDict):
    """An irregularity as the record states it."""

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
    """The state of the rubber before the deal, as the record states it."""

    games: OfSides | None
    trick: OfSides | None
    honour: OfSides | None
    vulnerable: list[str] | None


class Brief(TypedDict):
    """The short answer to a record, as shown in a list of many."""

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
    """The answer to one record, in brief or in full.

    `phases` are the phases that were judged; `auction` is null if no call was judged. `standing` is
    the state before the deal that was used for the score, `stated` the state that the record
    states.
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
    """A team of a match; points that are not whole numbers are given as text.

    `against` names the standard of comparison: the average of all teams, or the best other team.
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
    """A deal whose score lacks something; `lacks` is null if it could not be scored at all."""

    id: str
    lacks: list[MissingJson] | None


class UntoldJson(TypedDict):
    """Why a group has no totals.

    `reason` is `no-code`, `no-matches`, `no-rubbers`, `unread`, `lacking` (with the deals) or
    `games`.
    """

    reason: str
    deals: list[LackingJson]


@final
class GroupJson(TypedDict):
    """The answer to a rubber or a match as a group.

    Only the first `counted` of its records count. It is `scored` if its code has such groups and
    the score was judged. Its place in the file is that of its first deal.
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
"""How much of a record is shown.

`brief` is the form for a list of many; `play` adds the deal, the calls and the cards; `full` adds
the results of trials (`what_if`, `not_used`).
"""

Answer = RecordJson | GroupJson | FindingJson
"""An answer of the judge: to a record, to a group, or a finding that belongs to no deal."""


# --- what the answer repeats of the deal ----------------------------------------------------------


def of_sides(pair: Iterable[int | None]) -> OfSides:
    """A pair of figures as JSON, North-South first."""
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
    """The calls with their players."""
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
    """The tricks as followed, and whether the play is complete."""
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
    """An irregularity as the record states it."""
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
    """The state of the rubber before the deal, as the record states it."""

    def figures(of: Figures | None) -> OfSides | None:
        return of_sides(of) if of else None

    sides = deal.vulnerable
    return {
        "games": figures(deal.standing_games),
        "trick": figures(deal.standing_trick),
        "honour": figures(deal.standing_honour),
        "vulnerable": None if sides is None else [s.value for s in Side if s in sides],
    }
