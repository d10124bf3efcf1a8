"""A `Deal` as the `Record` that the judge's irregular part still reads. It goes with that part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from oddtrick.cards import PACK, SEATS, Card, Seat
from oddtrick.record import deal as new
from oddtrick.record import model as old

T = TypeVar("T")


def records_of(items: Iterable[new.Deal | new.Unreadable]) -> Iterator[old.Record | old.Unreadable]:
    """What a reader gives, each deal as its record."""
    for item in items:
        yield record_of(item) if isinstance(item, new.Deal) else unreadable_of(item)


@lru_cache(8)
def record_of(deal: new.Deal) -> old.Record:
    """The record with an object for each call and card, and places in lines and columns."""
    return _Adapter(deal).record()


def frame_of(deal: new.Deal) -> old.Record:
    """The record without calls and cards: what is stated of the deal beside them."""
    return _Adapter(deal).frame()


def group_of(group: new.Group) -> old.Group:
    """The rubber or match with its records."""
    source = group.source

    def stated(item: new.Item, value: T | None) -> old.Stated[T] | None:
        span = next((s for path, s in group.stated if path == item), group.span)
        return None if value is None else old.Stated(value, source.place(span))

    header = _header(source, group.header)
    total = next((s for path, s in group.stated if path == ("total",)), group.span)
    return old.Group(
        group.kind,
        group.name,
        tuple(record_of(deal) for deal in group.deals),
        total=group.total and old.SideFigures(*group.total, source.place(total)),
        won_by=stated(("won",), group.won_by),
        points=stated(("points",), group.points),
        tags=header.tags,
        players=header.players,
        sides=header.sides,
        code=header.code,
        options=header.options,
        comments=_comments(source, group.comments),
        place=source.place(group.span),
        unread=tuple(old.Stated(name, source.place(span)) for name, span in group.unread),
        unfinished=stated(("unfinished",), group.unfinished or None),
        retired=stated(("retired",), group.retired),
        team_totals=stated(("team_totals",), group.team_totals or None),
    )


def unreadable_of(found: new.Unreadable) -> old.Unreadable:
    """What cannot be read, with its place."""
    about = found.about and old.Stated(found.about[0], found.source.place(found.about[1]))
    return old.Unreadable(
        found.rule,
        found.message,
        found.source.name,
        found.source.place(found.span),
        about,
        found.unclear,
        found.harmless,
    )


def document_parts(
    source: new.Source, header: new.Header, comments: Iterable[new.Comment]
) -> tuple[old.Header, tuple[old.Comment, ...]]:
    """What a file states for all its deals, and its comments."""
    return _header(source, header), _comments(source, comments)


def _comments(source: new.Source, comments: Iterable[new.Comment]) -> tuple[old.Comment, ...]:
    return tuple(old.Comment(c.text, c.anchor, c.where, source.place(c.span)) for c in comments)


def _header(source: new.Source, header: new.Header) -> old.Header:
    spans = dict(header.stated)
    code = old.Stated(header.code, source.place(spans[("code",)])) if header.code else None
    options = tuple(
        old.Stated(name, source.place(spans[("option", number)]))
        for number, name in enumerate(header.options)
    )
    return old.Header(code, options, header.tags, header.players, header.sides)


class _Adapter:
    """One deal while its record is made."""

    def __init__(self, deal: new.Deal) -> None:
        self.deal, self.source = deal, deal.source
        self.spans = dict(reversed(deal.stated))
        self.remarks = {remark.event: remark for remark in deal.remarks}
        self.incidents: dict[new.Event | None, list[old.Incident]] = {}
        for incident in deal.incidents:
            self.incidents.setdefault(incident.event, []).append(self._incident(incident))

    def at(self, *item: str | int) -> new.Place:
        """Where a statement stands."""
        return self.source.place(self.spans.get(item, self.deal.span))

    def stated(self, value: T | None, *item: str | int) -> old.Stated[T] | None:
        """A value with its place."""
        return None if value is None else old.Stated(value, self.at(*item))

    def figures(self, value: new.Figures | None, name: str) -> old.SideFigures | None:
        """Figures with their place."""
        return value and old.SideFigures(value.ns, value.ew, self.at(name))

    def _incident(self, said: new.Incident) -> old.Incident:
        return old.Incident(
            said.name,
            said.by,
            said.of,
            said.noticed_by,
            said.remedy,
            said.chosen_by,
            said.waived_by,
            said.when,
            said.note,
            self.source.place(said.span),
            said.after,
        )

    def _of(self, event: new.Event) -> tuple[str | None, str | None, tuple[old.Incident, ...]]:
        """The mark, the remark and the irregularities of an event."""
        remark = self.remarks.get(event)
        told = tuple(self.incidents.get(event, ()))
        return (remark.mark, remark.note, told) if remark else (None, None, told)

    def record(self) -> old.Record:
        """The record."""
        return replace(
            self.frame(),
            hands=self.hands(),
            bidding=self.bidding(),
            play=self.play(),
            comments=_comments(self.source, self.deal.comments),
        )

    def frame(self) -> old.Record:
        """The record without calls, cards and comments; with hands only if honours are stated."""
        deal, source = self.deal, self.source
        return old.Record(
            deal.id,
            source.name,
            source.place(deal.span),
            code=self.stated(deal.code, "code"),
            options=tuple(
                old.Stated(name, self.at("option", n)) for n, name in enumerate(deal.options)
            ),
            tags=deal.tags,
            players=deal.players,
            sides=deal.sides,
            dealer=self.stated(deal.dealer, "dealer"),
            vulnerable=self.stated(deal.vulnerable, "vulnerable"),
            standing_games=self.figures(deal.standing_games, "standing games"),
            standing_trick=self.figures(deal.standing_trick, "standing trick"),
            standing_honour=self.figures(deal.standing_honour, "standing honour"),
            tray=self.stated(deal.tray, "tray"),
            table=self.stated(deal.table, "table"),
            playing=self.stated(deal.playing, "playing"),
            bidding_from=self.stated(deal.first_caller, "bidding"),
            hands=self.hands() if deal.honours or deal.chicane else (),
            declaration=self.declaration(),
            more_play=deal.more_play,
            table_claims=tuple(
                old.TableClaim(
                    claim.seat,
                    claim.verb,
                    claim.tricks,
                    claim.answer,
                    claim.after_trick,
                    tuple(self.incidents.get(new.Event("claim", n), ())),
                    source.place(claim.span),
                )
                for n, claim in enumerate(deal.claims)
            ),
            incidents=tuple(self.incidents.get(None, ())),
            result=deal.result and old.Result(*deal.result, self.at("result")),
            honours=tuple(
                old.HonoursClaim(*h, self.at("honours", n)) for n, h in enumerate(deal.honours)
            ),
            chicane=tuple(
                old.Stated(who, self.at("chicane", n)) for n, who in enumerate(deal.chicane)
            ),
            scores=tuple(
                old.ScoreClaim(*score, self.at("score", n)) for n, score in enumerate(deal.scores)
            ),
            game=self.stated(deal.game, "game"),
            kept=tuple(old.Stated(text, source.place(span)) for text, span in deal.kept),
            assumed=tuple(old.Stated(text, source.place(span)) for text, span in deal.assumed),
            own=_header(source, deal.own) if deal.own else None,
        )

    def declaration(self) -> old.Declaration | None:
        """The declaration as stated."""
        stated = self.deal.declaration
        if stated is None:
            return None
        return old.Declaration(
            stated.odd_tricks,
            stated.denomination,
            stated.doubled,
            stated.declarer,
            stated.bridged,
            stated.passed_out,
            self.at("declaration"),
        )

    def hands(self) -> tuple[tuple[Seat, old.Hand], ...]:
        """The hands that are written, with the places of the cards if one may be written twice."""
        deal, hands = self.deal, []
        north, east, south, west = deal.hands
        twice = deal.hand_details or sum(deal.hands) != north | east | south | west
        for number, seat in enumerate(SEATS):
            span = deal.hand_spans[number]
            if span is None:
                continue
            detail = next((d for d in deal.hand_details if d.seat is seat), None)
            cards = tuple(new.held(deal, seat))
            hand = old.Hand(
                cards,
                detail.small if detail else (),
                detail.partial if detail else False,
                tuple(map(self.source.place, new.card_spans(deal, seat))) if twice else (),
                self.source.place(span),
            )
            hands.append((seat, hand))
        return tuple(hands)

    def bidding(self) -> tuple[old.Call, ...] | None:
        """The calls."""
        deal = self.deal
        if deal.calls is None:
            return None
        callers, made = dict(deal.callers), list[old.Call]()
        for number, packed in enumerate(deal.calls):
            event = new.Event("call", number)
            made.append(
                old.Call(
                    new.kind_of(packed),
                    new.odd_tricks_of(packed),
                    new.denomination_of(packed),
                    callers.get(number),
                    number in deal.corrections,
                    *self._of(event),
                    self.source.place(new.event_span(deal, event)),
                )
            )
        return tuple(made)

    def play(self) -> tuple[old.Trick, ...] | None:
        """The tricks."""
        deal = self.deal
        if deal.cards is None:
            return None
        leaders, players, tricks = dict(deal.leaders), dict(deal.players_named), []
        for number, (start, end) in enumerate(pairwise((*deal.trick_starts, len(deal.cards)))):
            cards = []
            for index in range(start, end):
                event = new.Event("card", index)
                place = self.source.place(new.event_span(deal, event))
                card = CARD_OF_NUMBER.get(deal.cards[index])
                cards.append(old.Played(card, players.get(index), *self._of(event), place))
            place = self.trick_place(number, cards)
            tricks.append(old.Trick(tuple(cards), leaders.get(number), deal.columns, place))
        return tuple(tricks)

    def trick_place(self, number: int, cards: Sequence[old.Played]) -> new.Place:
        """Where a trick stands: its statement, or from the first card to the last."""
        if ("play", number) in self.spans or not cards:
            return self.at("play", number)
        first, last = cards[0].place, cards[-1].place
        return new.Place(first.line, first.column, last.end_line, last.end_column)


CARD_OF_NUMBER: dict[int, Card] = {int(card): card for card in PACK}
