"""A `Record` as the `Deal` that is written. It goes with the adapter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from oddtrick.cards import SEATS, Card, Seat
from oddtrick.record import deal as new
from oddtrick.record import model as old
from oddtrick.record.hand.read import Document

SOURCE = new.Source()
Writable = new.Deal | new.Group | old.Record | old.Group


def document_of(
    items: Iterable[old.Record | old.Group], header: old.Header, comments: Iterable[old.Comment]
) -> Document:
    """A document to be written."""
    made = tuple(group_from(i) if isinstance(i, old.Group) else deal_of(i) for i in items)
    return Document(SOURCE, made, (), _header(header), _comments(comments))


def as_new(item: Writable) -> new.Deal | new.Group:
    """A deal or group in the form that is written."""
    if isinstance(item, old.Record):
        return deal_of(item)
    return group_from(item) if isinstance(item, old.Group) else item


def group_from(group: old.Group) -> new.Group:
    """A rubber or match to be written."""
    return new.Group(
        SOURCE,
        new.NOWHERE,
        group.kind,
        group.name,
        tuple(map(deal_of, group.records)),
        _header(group),
        _figures(group.total),
        _value(group.team_totals) or (),
        _value(group.won_by),
        _value(group.points),
        group.unfinished is not None,
        _value(group.retired),
        comments=_comments(group.comments),
    )


def _value(stated: old.Stated[Any] | None) -> Any:
    return None if stated is None else stated.value


def _figures(figures: old.SideFigures | None) -> new.Figures | None:
    return new.Figures(figures.ns, figures.ew) if figures else None


def _comments(comments: Iterable[old.Comment]) -> tuple[new.Comment, ...]:
    return tuple(new.Comment(c.text, c.anchor, c.where) for c in comments)


def _header(stated: old.Header | old.Group | old.Record) -> new.Header:
    options = tuple(o.value for o in stated.options)
    return new.Header(_value(stated.code), options, stated.tags, stated.players, stated.sides)


def incident_from(told: old.Incident, event: new.Event | None = None) -> new.Incident:
    """An irregularity to be written."""
    return new.Incident(
        told.name,
        told.by,
        told.of,
        told.noticed_by,
        told.remedy,
        told.chosen_by,
        told.waived_by,
        told.when,
        told.note,
        event,
        told.after,
    )


def claim_from(claim: old.TableClaim) -> new.Claim:
    """A claim to be written."""
    return new.Claim(claim.seat, claim.verb, claim.tricks, claim.answer, claim.after_trick)


def honours_from(claim: old.HonoursClaim) -> new.Honours:
    """Honours to be written."""
    return new.Honours(claim.side, claim.total, claim.in_one_hand)


def result_from(result: old.Result) -> new.Result:
    """A result to be written."""
    return new.Result(result.kind, result.number)


def packed(call: old.Call) -> int:
    """The integer of a call."""
    return new.call(call.kind, call.odd_tricks, call.denomination)


def deal_of(record: old.Record) -> new.Deal:
    """A deal to be written; it has no places."""
    header = _header(record)
    hands, details = [0] * len(SEATS), list[new.HandDetail]()
    for seat, hand in record.hands:
        again = list[Card]()
        for card in hand.cards:
            if hands[seat.number] >> card & 1:
                again.append(card)
            hands[seat.number] |= 1 << card
        details.append(new.HandDetail(seat, hand.partial, hand.small, tuple(again)))
    written = dict(record.hands)
    incidents = [incident_from(i) for i in record.incidents]
    remarks = list[new.Remark]()

    def told(event: new.Event, thing: old.Call | old.Played | old.TableClaim) -> None:
        incidents.extend(incident_from(i, event) for i in thing.incidents)
        if not isinstance(thing, old.TableClaim) and (thing.mark or thing.note is not None):
            remarks.append(new.Remark(event, thing.mark, thing.note))

    for number, call in enumerate(record.bidding or ()):
        told(new.Event("call", number), call)
    cards, starts, named = list[int](), list[int](), list[tuple[int, Seat]]()
    for trick in record.play or ():
        starts.append(len(cards))
        for played in trick.cards:
            told(new.Event("card", len(cards)), played)
            if played.seat:
                named.append((len(cards), played.seat))
            cards.append(new.UNKNOWN_CARD if played.card is None else int(played.card))
    for number, claim in enumerate(record.table_claims):
        told(new.Event("claim", number), claim)
    return new.Deal(
        SOURCE,
        new.NOWHERE,
        record.id,
        code=header.code,
        options=header.options,
        tags=header.tags,
        players=header.players,
        sides=header.sides,
        own=_header(record.own) if record.own else None,
        dealer=_value(record.dealer),
        vulnerable=_value(record.vulnerable),
        standing_games=_figures(record.standing_games),
        standing_trick=_figures(record.standing_trick),
        standing_honour=_figures(record.standing_honour),
        tray=_value(record.tray),
        table=_value(record.table),
        playing=_value(record.playing),
        hands=(hands[0], hands[1], hands[2], hands[3]),
        hand_spans=tuple(new.NOWHERE if s in written else None for s in SEATS),  # type: ignore[arg-type]
        hand_details=tuple(details),
        first_caller=_value(record.bidding_from),
        calls=None if record.bidding is None else tuple(map(packed, record.bidding)),
        callers=tuple((n, c.seat) for n, c in enumerate(record.bidding or ()) if c.seat),
        corrections=tuple(n for n, c in enumerate(record.bidding or ()) if c.corrects),
        declaration=declaration_from(record.declaration) if record.declaration else None,
        columns=next((t.columns_from for t in record.play or () if t.columns_from), None),
        cards=None if record.play is None else tuple(cards),
        trick_starts=tuple(starts),
        leaders=tuple((n, t.leader) for n, t in enumerate(record.play or ()) if t.leader),
        players_named=tuple(named),
        more_play=record.more_play,
        claims=tuple(map(claim_from, record.table_claims)),
        incidents=tuple(incidents),
        remarks=tuple(remarks),
        result=result_from(record.result) if record.result else None,
        honours=tuple(map(honours_from, record.honours)),
        chicane=tuple(c.value for c in record.chicane),
        scores=tuple(new.Score(s.side, s.column, s.points) for s in record.scores),
        game=_value(record.game),
        comments=_comments(record.comments),
        kept=tuple((k.value, new.NOWHERE) for k in record.kept),
        assumed=tuple((a.value, new.NOWHERE) for a in record.assumed),
    )


def declaration_from(stated: old.Declaration) -> new.Declaration:
    """A declaration to be written."""
    return new.Declaration(
        stated.odd_tricks,
        stated.denomination,
        stated.doubled,
        stated.declarer,
        stated.bridged,
        stated.passed_out,
    )
