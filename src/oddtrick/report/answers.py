"""The JSON of the judge's answers, with their wording.

Reports, pages and tests read only this part of the output; `docs/json.md` describes its keys.
Seats, sides, cards, suits and verdicts are given by id (`N`, `NS`, `SA`, `S`, `legal`); an unknown
value is `null`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

from oddtrick.cards import SEATS, Card, Seat, Side
from oddtrick.judge import Check, Entry, Finding, GroupCheck, Json, Message, Missing
from oddtrick.judge.events import Events, events_of, hands_of
from oddtrick.judge.finding import EVENTS, Gives
from oddtrick.judge.match import Team
from oddtrick.judge.not_used import NotUsed
from oddtrick.judge.play import Followed
from oddtrick.judge.score_procedures import Account, Standing, counted_tricks
from oddtrick.judge.what_if import WhatIf
from oddtrick.judge.written_score import RUBBER_FACTS
from oddtrick.law import reading_choices
from oddtrick.law.rules import Rules
from oddtrick.record.deal import item_of
from oddtrick.report.messages import Wording
from oddtrick.report.words import missing_json
from oddtrick.rulings import Answer as Ruled
from oddtrick.rulings.words import as_json as ruled_json

Depth = Literal["brief", "play", "full"]
"""How much of a record is shown.

`brief` is the form for a list of many; `play` adds the deal, the calls and the cards; `full` adds
the results of trials (`what_if`, `not_used`).
"""

OF_INCIDENT = "item name by of noticed_by remedy chosen_by waived_by note".split()
"""The fields of a recorded irregularity that the answer repeats."""


def as_json(result: Check | GroupCheck | Finding | Ruled, depth: Depth = "full") -> Json:
    """The JSON of the answer to a record, a group or a dispute, or of a single finding."""
    if isinstance(result, Ruled):
        return ruled_json(result)
    answer = Answer(Wording(result.law).say)
    if isinstance(result, Check):
        return answer.record(result, depth)
    made: Json = answer.plain(result)
    return made


class Answer:
    """Writes what the judge has found as JSON; `say` puts messages into words."""

    def __init__(self, say: Callable[[Message], str]) -> None:
        self.say = say

    def plain(self, value: Any) -> Any:
        """A value as JSON: a message in words, an object by its keys, anything else by id.

        Points that are not whole numbers are given as text: `1/2`.
        """
        if of_type := OF_TYPE.get(type(value)):
            return of_type(self, value)
        if isinstance(value, Card):
            return value.code
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, Mapping):
            return {self.plain(key): self.plain(one) for key, one in value.items()}
        return [*map(self.plain, value)] if isinstance(value, tuple | list) else value

    def fields(self, value: object, *names: str) -> Json:
        """The named fields of an object as JSON."""
        return {name: self.plain(getattr(value, name)) for name in names}

    # --- a record --------------------------------------------------------------------------------

    def record(self, check: Check, depth: Depth = "full") -> Json:
        """A record as it appears in the JSON of a check."""
        out, deal = self.brief(check), check.source
        if depth == "brief":
            return out
        sides, tricks, events = deal.vulnerable, check.tricks, check.events or events_of(deal)
        out |= {
            "source": deal.tag("source"),
            "note": deal.tag("note"),
            **self.fields(deal, "dealer", "tray"),
            "sides": self.plain(dict(deal.sides)),
            "stated": {
                "games": of_sides(deal.standing_games),
                "trick": of_sides(deal.standing_trick),
                "honour": of_sides(deal.standing_honour),
                "vulnerable": None if sides is None else [s.value for s in Side if s in sides],
            },
            "hands": {
                s.value: self.fields(h, "cards", "partial") | {"small": self.plain(dict(h.small))}
                for s, h in hands_of(deal)
            },
            "auction": self._auction(check) if check.law else None,
            "play": self._play(check, events, tricks) if check.law else None,
            "incidents": [self.fields(one, *OF_INCIDENT) for one in events.every],
            **self.fields(check, "standing", "next_to_call", "winners"),
            "next_to_play": self.plain(_next_to_play(check, tricks)),
        }
        return out | (self.fields(check, "what_if", "not_used") if depth == "full" else {})

    def brief(self, check: Check) -> Json:
        """The short form of a record, as shown in a list of many."""
        law, deal, final, why = check.law, check.source, check.final, check.why_unscored
        declaration: Json | None = None
        if final and law:
            names = ["denomination", "doubled", "declarer", "bridged", "laws"]
            names += ["readings"] if final.readings else []
            declaration = {
                "odd_tricks": final.odd_tricks or None,
                **self.fields(final, *names),
                "dummy": self.plain(final.dummy if law.has("open-hand") else None),
                "leader": self.plain(final.declarer and final.declarer.left),
            }
        return {
            "id": deal.id,
            "file": deal.source.name,
            "line": deal.place.line,
            "title": deal.tag("title"),
            **_law(law),
            "phases": list(check.only),
            "passed_out": check.declared.passed_out,
            "declaration": declaration,
            "tricks": _tricks(check),
            "score": self.plain(check.account),
            "unscored": self.say(Message("not-used", reason=why)) if why else None,
            **self.fields(check, "verdict", "findings"),
        }

    def _auction(self, check: Check) -> Json:
        """The calls with their players; `relative` to each other if the dealer is not known."""
        deal, declared = check.source, check.declared
        marks = {item_of(deal, remark.event): remark.mark for remark in deal.remarks}
        calls = [
            self.fields(one.call, "item", "kind", "odd_tricks", "denomination", "corrects")
            | {"seat": one.seat.value, "mark": marks.get(one.call.item), "void": one.void}
            for one in check.calls
        ]
        return {"calls": calls, **self.fields(declared, "relative", "passed_out")}

    def _play(self, check: Check, events: Events, tricks: Sequence[Followed]) -> Json:
        """The tricks in the order played; `complete` if all were followed or settled by a claim."""
        shown = []
        for trick in tricks:
            played = ((self.fields(card, "item", "card"), seat) for seat, card in trick.cards)
            cards = [card | {"seat": self.plain(seat)} for card, seat in played]
            shown.append({"cards": cards, "winner": self.plain(trick.winner)})
        names = "seat verb tricks answer after_trick".split()
        claims = [self.fields(claim, *names) for claim in events.deal.claims]
        back = [
            self.fields(row.cards[0], "item", "card") | {"after_trick": number}
            for number, row in events.taken_back
        ]
        over = {"complete": check.outcome.complete}
        return {"tricks": shown, "claims": claims, **over, "taken_back": back}

    # --- a group ---------------------------------------------------------------------------------

    def group(self, group: GroupCheck) -> Json:
        """A group as it appears under `groups` in the JSON of a check."""
        first = group.checks[0].source if group.checks else None
        names = "over points entries laws readings what_if teams trays not_used findings".split()
        return {
            **self.fields(group.group, "kind", "name"),
            "file": first.source.name if first else "",
            "line": first.place.line if first else 0,
            **_law(group.law),
            "records": [c.source.id for c in group.checks],
            "counted": len(group.counted),
            "scored": group.scored,
            "untold": self._why_no_totals(group),
            "totals": of_sides(group.totals),
            "won_by": self.plain(group.winner),
            **self.fields(group, *names),
        }

    def _why_no_totals(self, group: GroupCheck) -> Json | None:
        """Why there are no totals; `None` if there are, or if the score was not asked for.

        `deals` are the counted deals that lack something, without what follows only from an earlier
        deal.
        """
        if group.totals or group.teams or any("score" not in c.only for c in group.checks):
            return None
        lacking = list[Json]()
        if group.law is None:
            reason = "unread" if group.group.unread else "no-code"
        elif not group.scored:
            reason = "no-matches" if group.group.kind == "match" else "no-rubbers"
        elif group.group.unread:
            reason = "unread"
        else:
            for of in group.counted:
                missing = of.account.missing if of.account else ()
                left = [m for m in missing if not lacking or m.fact not in RUBBER_FACTS]
                if of.account is None or left:
                    lacks = self.plain(left) if of.account else None
                    lacking.append({"id": of.source.id, "lacks": lacks})
            reason = "lacking" if lacking else "games"
        return {"reason": reason, "deals": lacking}

    # --- parts -----------------------------------------------------------------------------------

    def finding(self, finding: Finding) -> Json:
        """A finding, with the text that it concerns."""
        place, source = finding.place, finding.at.of.source
        if_any = [name for name in ("readings", "chosen") if getattr(finding, name)]
        return {
            **self.fields(finding, "rule", "severity", "item", "laws", "gives", *if_any),
            "file": source.name,
            **self.fields(place, "line", "column", "end_line", "end_column"),
            "quoted": list(source.quoted(finding.at.span)) if source.text else [],
            "message": " ".join(map(self.say, finding.messages)),
            "remedies": [self.say(Message("given", gives=g)) for g in finding.gives],
        }

    def gives(self, gives: Gives) -> Json:
        """What the law provides for an irregularity."""
        return {
            **self.fields(gives, "irregularity", "offender", "possible"),
            "ruling": gives.ruling.id,
            "presumed": {fact: list(said) for when in gives.presumed for fact, said in when},
            "remedies": [r.id for r in gives.ruling.remedies],
        }

    def entry(self, entry: Entry) -> Json:
        """A line of an account."""
        names = ["side", "column", "points", "item", "irregularities", "laws"]
        names += ["readings"] if entry.readings else []
        return self.fields(entry, *names) | {"reason": ", ".join(map(self.say, entry.reason))}

    def account(self, account: Account) -> Json:
        """The score of a deal, with the sums of both sides."""
        sides = {s.value: {c: account.points(s, c) for c in ("trick", "honour")} for s in Side}
        own = self.fields(account, "entries", "open", "made", "game", "rubber")
        lacks = {"lacks": self.plain(account.missing), "after": self.plain(account.standing)}
        return {**sides, **own, **lacks}

    def what_if(self, other: WhatIf) -> Json:
        """A condition and its result."""
        names = ["irregularity", "offender", "remedy", "laws"]
        names += ["choice"] if other.choice else []
        return {
            "if": self.say(other.condition),
            "then": "\n".join(dict.fromkeys(map(self.say, other.result))),
            "score": self.plain(other.account),
            **self.fields(other, *names),
        }

    def not_used(self, unused: NotUsed) -> Json:
        """A statement that has no effect."""
        item = unused.at.item
        return {
            **self.fields(unused, "kind", "reason", "statement"),
            **self.fields(unused.at.place, "line", "column"),
            "item": list(item) if item and item[0] in EVENTS else None,
            "why": self.say(Message("not-used", reason=unused.reason)),
        }


OF_TYPE: Mapping[type, Callable[[Answer, Any], Any]] = {
    Message: lambda answer, message: answer.say(message),
    Fraction: lambda _, points: points.numerator if points.denominator == 1 else str(points),
    GroupCheck: Answer.group,
    Finding: Answer.finding,
    Gives: Answer.gives,
    Entry: Answer.entry,
    Account: Answer.account,
    Missing: lambda _, missing: missing_json(missing),
    Standing: lambda _, state: {"games": of_sides(state.games), "trick": of_sides(state.trick)},
    Team: lambda answer, team: answer.fields(
        team, "name", "total", "odd_pair", "against_average", "against"
    ),
    WhatIf: Answer.what_if,
    NotUsed: Answer.not_used,
}
"""How values of the judge become JSON, by type."""


def of_sides(pair: Iterable[int | None] | None) -> Json | None:
    """A pair of figures by side, North-South first; `None` if there is none."""
    return dict(zip(("NS", "EW"), pair, strict=True)) if pair is not None else None


def _law(law: Rules | None) -> Json:
    if law is None:
        return {"code": None, "options": []}
    of: Json = {"code": law.code, "options": [*reading_choices.options_of(law.options)]}
    return of | ({"chosen": [*reading_choices.choices_of(law.options)]} if law.chosen else {})


def _next_to_play(check: Check, tricks: Sequence[Followed]) -> Seat | None:
    final = check.final
    if not (final and final.declarer) or check.outcome.complete:
        return None
    if not tricks:
        return final.declarer.left
    last = tricks[-1]
    if len(last.cards) >= len(SEATS):
        return last.winner
    seat = last.cards[-1][0] if last.cards else None
    return seat.left if seat else None


def _tricks(check: Check) -> Json | None:
    """The tricks as played, as counted, and as counted after penalties moved some."""
    taken, final, law = check.outcome.taken, check.final, check.law
    if taken is None or law is None:
        return None
    total, after = law.value("hand-size"), check.after_penalties
    counted = counted_tricks(taken, final, law) if final else taken
    over = counted - law.value("book") - final.odd_tricks if final and final.odd_tricks else None
    out: Json = {"declaring_side": taken, "adversaries": total - taken}
    out |= {"counted": counted, "over": over}
    if after is not None and after != taken:
        out["after_penalties"] = {"declaring_side": after, "adversaries": total - after}
    return out
