"""The play: turn, cards held and played, following suit, the winner of each trick, tricks taken.

A play is followed as far as it is recorded. Where the hands are known every card is held against
them; where they are not, a revoke is found when a later card of the same player proves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from oddtrick.cards import BITS, OF_SUIT, PACK, SEATS, Card, Seat, Side, bits, cards_in
from oddtrick.judge.finding import Finder, Finding, Written
from oddtrick.judge.procedures import Final, as_recorded, follow_if_able, trump_then_suit_led
from oddtrick.judge.score_procedures import counted_tricks, trump_of
from oddtrick.judge.words import and_words, number_words
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Claim
from oddtrick.record.deal import Declaration as StatedDeclaration
from oddtrick.record.deal import Result as StatedResult
from oddtrick.record.model import Declaration, Hand, Played, Record, Result, Stated, TableClaim
from oddtrick.record.numbers import Row


@dataclass(frozen=True, slots=True)
class Followed:
    """One trick as it was followed.

    Cards by seat in the order played, its winner where it can be known.
    """

    cards: tuple[tuple[Seat | None, Played], ...]
    winner: Seat | None


IN_SUIT: Mapping[Card | None, int] = {None: 0} | {card: OF_SUIT[card.suit] for card in PACK}
"""All cards of the suit of a card as bits."""
SUIT_OF_BIT: Mapping[int, int] = {BITS[card]: suit for card, suit in IN_SUIT.items()}
"""The same of a card that is a bit."""
PLACES = ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))
"""The places of a row in the order in which they are played, by the place of the leader."""
ROUND = tuple(SEATS[n:] + SEATS[:n] for n in range(4))
"""The seats in the order in which they play, by the number of who leads."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the play came to.

    `hands` are the cards that each player is known to have held: as dealt, or as he played them.
    `whole` is how many tricks were followed to their end, `taken` those of the declaring side,
    `None` where they are not known. `complete` says that every trick was followed to its end, or
    settled by a claim. `findings` are on the cards, `result` on the tricks that the record states.
    """

    tricks: tuple[Followed, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    whole: int = 0
    taken: int | None = None
    complete: bool = False
    findings: tuple[Finding, ...] = ()
    result: tuple[Finding, ...] = ()
    laws: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    winners: tuple[Seat, ...] = ()


# --- the deal -----------------------------------------------------------------------------------


def known_hands(record: Record, law: Rules) -> dict[Seat, tuple[Card, ...]]:
    """The hands that are wholly known; a fourth follows from three."""
    size: int = law.value("hand-size")
    known = {
        s: h.cards
        for s, h in record.hands
        if not h.partial and not h.small and len(h.cards) == size
    }
    if len(known) == 3:
        seen = {c for cards in known.values() for c in cards}
        missing = next(s for s in Seat if s not in known)
        rest = tuple(c for c in PACK if c not in seen)
        written = record.hand(missing)
        if len(rest) == size and (
            written is None or (set(written.cards) <= set(rest) and len(written.cards) <= size)
        ):
            known[missing] = rest
    return known


def whole_hands(record: Record, law: Rules) -> Sequence[int]:
    """The hands that are wholly known as bits, by `SEATS`; no bits where one is not."""
    hands = record.numbers.hands
    if hands and _all_dealt(hands, law):
        return hands
    known = known_hands(record, law)
    return [bits(known.get(seat, ())) for seat in SEATS]


def _all_dealt(hands: Sequence[int], law: Rules) -> bool:
    """Whether each of the four hands, as bits, has its number, and no card is in two of them."""
    size: int = law.value("hand-size")
    if [*map(int.bit_count, hands)] != [size] * len(SEATS):
        return False
    return sum(hands).bit_count() == size * len(SEATS)  # a card in two hands is carried over


def check_hands(record: Record, law: Rules) -> tuple[Finding, ...]:
    """Findings about the cards as dealt: a card in two places, a hand of the wrong number.

    Four hands of the same smaller number are the end of a play, which is no fault of the deal.
    """
    size, hands = law.value("hand-size"), record.numbers.hands
    if hands and _all_dealt(hands, law):
        return ()
    found: list[Finding] = []
    finder = Finder(law, record)
    first: dict[Card, Seat] = {}
    numbers = {seat: len(hand.cards) + sum(n for _, n in hand.small) for seat, hand in record.hands}
    ending = len(numbers) == 4 and len(set(numbers.values())) == 1 and max(numbers.values()) < size
    for seat, hand in record.hands:
        for index, card in enumerate(hand.cards):
            if card in first:
                there = f"both in {first[card].title}'s hand and in"
                where = "twice in" if first[card] is seat else there
                said = f"{card} is {where} {seat.title}'s hand."
                found.append(finder.find("deal.card-twice", said, _card_of(hand, index)))
            first.setdefault(card, seat)
        wrong = (numbers[seat] != size and not hand.partial) or numbers[seat] > size
        if wrong and not ending:
            held = number_words(numbers[seat], "card")
            said = f"{seat.title} has {held}; {size} are dealt to each player."
            found.append(finder.find("deal.wrong-number", said, hand))
    return tuple(found)


def _card_of(hand: Hand, index: int) -> Written:
    """A card of a hand as it is written, or the hand where its cards have no places."""
    return Stated(hand.cards[index], hand.places[index]) if index < len(hand.places) else hand


# --- the play -----------------------------------------------------------------------------------


Trick = tuple[Sequence[Seat | None], Sequence[Card | None]]
"""Who played to a trick, as far as that is known, and his card, in the order played."""


Four = Sequence[int]
"""Cards or hands of the four players as bits."""


def _all_follow(played: Four, hands: Four, suit: int, seen: int) -> bool:
    """Whether all cards of a trick, but those that are left out, follow suit as the law has it.

    `hands` are those of the same players as dealt, `seen` the cards played, these among them.
    """
    (a, b, c, d), (p, q, r, s), left = played, hands, ~seen & suit
    # One by one: a loop takes twice as long.
    return (
        (not a or a & suit or not p & left)
        and (not b or b & suit or not q & left)
        and (not c or c & suit or not r & left)
        and (not d or d & suit or not s & left)
    ) != 0


class _Play:
    """One walk through the tricks of a record: in numbers, until something is found."""

    def __init__(self, record: Record, law: Rules, final: Final | None) -> None:
        """Begin with the first lead; `won` counts the tricks of each side."""
        self.record, self.law, self.final = record, law, final
        self.rows = record.numbers.rows or ()
        self.trump = OF_SUIT[trump_of(final, law)]
        self.whole = hands = whole_hands(record, law)
        self.apart = hands is record.numbers.hands or _all_dealt(hands, law)
        self.found: list[Finding] = []
        self.won = {Side.NS: 0, Side.EW: 0}
        self.leaders: list[Seat | None] = [self._first_leader()]

    @cached_property
    def tricks(self) -> Sequence[Trick]:
        """Every trick as it was played."""
        return [self.trick(at) for at in range(len(self.rows))]

    def trick(self, at: int) -> Trick:
        """One trick as it was played, by its number."""
        seats, places = self._order(self.rows[at], self.leaders[at])
        return seats, [self.rows[at].cards[i] for i in places]

    @cached_property
    def followed(self) -> tuple[Followed, ...]:
        """Every trick as it was followed, with its cards as the record has them."""
        found = []
        for trick, row, leader, winner in zip(
            self.record.play or (), self.rows, self.leaders, self.leaders[1:], strict=False
        ):
            seats, places = self._order(row, leader)
            cards = zip(seats, (trick.cards[i] for i in places), strict=True)
            found.append(Followed(tuple(cards), winner))
        return tuple(found)

    @cached_property
    def owner(self) -> Mapping[Card, Seat]:
        """Whose each card is that is written in a hand, or is known to be in it."""
        known = known_hands(self.record, self.law)
        written = ((card, seat) for seat, hand in self.record.hands for card in hand.cards)
        return dict(written) | {card: seat for seat, cards in known.items() for card in cards}

    def hands(self) -> Mapping[Seat, tuple[Card, ...]]:
        """The cards that each player has held, as far as they are known."""
        known = known_hands(self.record, self.law)
        return {seat: known.get(seat) or self._held(seat) for seat in SEATS}

    def add(self, rule: str, message: str, at: Written) -> None:
        """Keep a finding of this play."""
        self.found.append(Finder(self.law, self.record).find(rule, message, at))

    def walk(self) -> None:
        """Follow every trick: who won it, and whether anything in it must be looked at.

        There is nothing to find where each plays a card that he still holds, and follows suit or
        cannot.
        """
        self._follow()
        leaders = self.leaders[1:]
        for seat in SEATS:
            self.won[seat.side] += leaders.count(seat)

    def _follow(self) -> None:
        leaders, doubtful = self.leaders, list[tuple[int, int]]()
        turn, trump, seen = leaders[-1], self.trump, 0
        whole = self.whole if self.apart else (0,) * len(SEATS)
        rounds = [(*whole[n:], *whole[:n]) for n in range(len(SEATS))]
        for row in self.rows:
            cards, first, leader, named = row
            if turn and len(cards) == len(SEATS) and not (leader or named):
                begin = (first or turn).number
                one, two, three, four = cards
                played = a, b, c, d = BITS[one], BITS[two], BITS[three], BITS[four]
                p, q, r, s = hands = rounds[begin]
                trick = a | b | c | d
                if a & p and b & q and c & r and d & s and not trick & seen:
                    suit, seen = IN_SUIT[cards[turn.number - begin]], seen | trick
                    if trick & ~suit and not _all_follow(played, hands, suit, seen):
                        doubtful.append((len(leaders) - 1, seen & ~trick))
                    turn = ROUND[begin][played.index(trump_then_suit_led(trick, suit, trump))]
                    leaders.append(turn)
                    continue
            doubtful.append((len(leaders) - 1, seen))
            trick, turn = self._won(row, turn)
            seen |= trick
            leaders.append(turn)
        if doubtful:
            self._judge(doubtful)

    def _won(self, row: Row, turn: Seat | None) -> tuple[int, Seat | None]:
        """The cards of a trick as bits, and who won it, where that can be known."""
        seats, places = self._order(row, turn)
        cards = [card for i in places if (card := row.cards[i])]
        trick, four = bits(cards), cards[: len(SEATS)]
        if self.final is None or len(row.cards) < len(SEATS) or len(cards) < len(row.cards):
            return trick, None
        winner = trump_then_suit_led(bits(four), IN_SUIT[four[0]], self.trump)
        return trick, seats[[BITS[card] for card in four].index(winner)]

    def _held(self, seat: Seat) -> tuple[Card, ...]:
        """What a player whose hand is not wholly known has held: what is written, what he plays."""
        written = self.record.hand(seat)
        played = (c for t in self.tricks for s, c in zip(*t, strict=True) if s is seat)
        own = (c for c in played if c and self.owner.get(c, seat) is seat)
        return tuple(dict.fromkeys((*(written.cards if written else ()), *own)))

    def _first_leader(self) -> Seat | None:
        if self.final is None or self.final.declarer is None:
            return None
        return self.final.declarer.left

    def _order(
        self, row: Row, expected: Seat | None
    ) -> tuple[Sequence[Seat | None], Sequence[int]]:
        """Who played the cards of a trick, as far as that can be known, and which card of the row
        each is, in the order played."""
        first, turn, number = row.columns_from, row.leader or expected, len(row.cards)
        if first and number == len(SEATS) and not row.seats:
            begin = (turn or first).number
            return ROUND[begin], PLACES[begin - first.number]
        if first:
            seats = row.seats or (None,) * number
            columns = [(seat or first.after(i), i) for i, seat in enumerate(seats)]
            if turn:
                start = turn.number
                columns.sort(key=lambda column: (column[0].number - start) % 4)
            return [seat for seat, _ in columns], [i for _, i in columns]
        if turn is None and row.cards and row.cards[0]:
            turn = self.owner.get(row.cards[0])
        order: list[Seat | None] = []
        for named in row.seats or (None,) * number:
            order.append(named or turn)
            turn = order[-1].left if order[-1] else None
        return order, range(number)

    # --- whether it was in order --------------------------------------------------------------

    def _judge(self, doubtful: Sequence[tuple[int, int]]) -> None:
        """Judge some tricks, each with the cards that were played before, card by card."""
        own = self.whole if self.apart else [self._own(seat) for seat in SEATS]
        held = own
        if not self.apart:
            held = [hand or bits(self._held(s)) for s, hand in zip(SEATS, self.whole, strict=True)]
        for at, before in doubtful:
            seen, (seats, cards) = before, self.trick(at)
            if self.rows[at].seats or not seats or seats[0] is not self.leaders[at]:
                self._judge_turn(at)
            of_suit = IN_SUIT[cards[0]] if cards else 0
            for index, card in enumerate(cards):
                if card is None:
                    continue
                bit = BITS[card]
                if seen & bit:
                    self._again(at, index)
                    continue
                seen |= bit
                seat = seats[index]
                if seat is None or (not own[seat.number] & bit and self._of_another(at, index)):
                    continue
                if of_suit and not bit & of_suit and seat not in seats[:index]:
                    left = held[seat.number] & ~seen
                    if not follow_if_able(bit, of_suit, left):
                        self._revoke(at, index, left)
            if len(cards) != len(SEATS):
                self._judge_number(at)

    def _own(self, seat: Seat) -> int:
        return bits(card for card, owner in self.owner.items() if owner is seat)

    def _judge_turn(self, at: int) -> None:
        """Judge who led to a trick and in which order it was played."""
        seats, expected = self.tricks[at][0], self.leaders[at]
        if seats and expected and seats[0] and seats[0] is not expected:
            self._wrong_lead(at, seats[0], expected)
        if not self.rows[at].columns_from and seats:
            self._turns(at, at == len(self.rows) - 1)

    def _judge_number(self, at: int) -> None:
        """Judge of how many cards a trick is; the last may have been broken off."""
        number = len(self.rows[at].cards)
        if number < len(SEATS) and at == len(self.rows) - 1:
            return
        trick = (self.record.play or ())[at]
        if number > len(SEATS):
            self.add("play.trick-surplus", f"Trick {at + 1} has {number} cards.", trick)
        else:
            said = f"Trick {at + 1} has only {number_words(number, 'card')}."
            self.add("play.trick-short", said, trick)

    def _wrong_lead(self, at: int, seat: Seat, expected: Seat) -> None:
        rule = "play.lead-out-of-turn" if at else "play.wrong-leader"
        said = (
            f"{seat.title} leads to trick {at + 1}; {expected.title} won the last trick "
            "and has the lead."
        )
        if not at:
            said = (
                f"{seat.title} leads to the first trick; the lead is {expected.title}'s, "
                "on the declarer's left."
            )
        self.add(rule, said, self.followed[at].cards[0][1])

    def _turns(self, at: int, last: bool) -> None:
        """Judge whether each played in his turn, where the cards do not stand in columns."""
        seats = self.tricks[at][0]
        turn, before = seats[0], None
        done = set() if last or len(seats) > 3 else set(SEATS) - set(seats)
        for index, seat in enumerate(seats):
            if seat and turn and before and seat is not turn and seat not in done:
                said = f"{seat.title} plays after {before.title}; it is {turn.title}'s turn."
                self.add("play.out-of-turn", said, self.followed[at].cards[index][1])
            before = seat
            if seat:
                done.add(seat)
            while turn in done:
                turn = turn.left if len(done) < len(SEATS) else None

    def _again(self, at: int, index: int) -> None:
        """A card that was played before."""
        card = self.tricks[at][1][index]
        first = next(n for n, (_, cards) in enumerate(self.tricks, 1) if card in cards)
        said = f"{card} is played again; it was played to trick {first}."
        self.add("play.card-again", said, self.followed[at].cards[index][1])

    def _of_another(self, at: int, index: int) -> bool:
        """Whether a card is another's, or is not in a hand that is wholly known."""
        seat, played = self.followed[at].cards[index]
        owner = self.owner.get(played.card) if played.card else None
        if seat is None or not (owner or self.whole[seat.number]):
            return False
        whose = f"{owner.title} holds it" if owner else "it was not dealt to him"
        self.add("play.card-not-held", f"{seat.title} plays {played.card}, but {whose}.", played)
        return True

    def _revoke(self, at: int, index: int, left: int) -> None:
        (leader, first), (seat, played) = (self.followed[at].cards[i] for i in (0, index))
        assert seat is not None
        assert first.card is not None
        could = and_words(map(str, cards_in(left & OF_SUIT[first.card.suit])))
        whose = f"{leader.title}'s " if leader else ""
        dummy = self.law.has("open-hand") and self.final is not None and self.final.dummy is seat
        who = f"Dummy ({seat.title})" if dummy else seat.title
        rule = "play.dummys-revoke" if dummy else "play.revoke"
        said = f"{who} plays {played.card} to {whose}{first.card} though he holds {could}."
        self.add(rule, said, played)


def followed(record: Record, law: Rules, final: Final | None) -> Outcome:
    """Follow the play of a record: findings, tricks with their winners, tricks taken by the
    declaring side.

    The tricks taken come from a play that is complete, else from a claim that was agreed, else from
    the result the record states. A stated result that the play contradicts is a finding.
    """
    walk = _Play(record, law, final)
    if walk.rows:
        walk.walk()
    total = law.value("hand-size")
    side = final.declarer.side if final and final.declarer else None
    taken, complete = None, False
    played, over = len(walk.rows), sum(walk.won.values())
    if final and side and played:
        if over == played == total:
            taken, complete = walk.won[side], True
        elif over == played or _broken_off(walk, over):
            taken = claimed(record.table_claims, played, total - over, walk.won, side)
            complete = taken is not None
    stated = stated_tricks(record, final, law)
    result: tuple[Finding, ...] = ()
    bounds = (walk.won[side], total - walk.won[side.other]) if side and walk.rows else (0, total)
    of = record.numbers.result
    if stated is not None and final and (wrong := wrong_result(of, stated, taken, bounds, total)):
        result = (Finder(law, record).find("score.tricks", wrong, record.result),)
    names = ("following-suit", "winning-a-trick", "opening-lead")
    readings = law.readings(*names) if played else ()
    if not complete and taken is None:
        taken = stated if stated is not None and 0 <= stated <= total else None
    found, laws = tuple(walk.found), law.laws(*names)
    return Outcome(
        walk.followed, walk.hands(), over, taken, complete, found, result, laws, readings
    )


def _broken_off(walk: _Play, over: int) -> bool:
    """Whether the play stops within a trick, all before it having been followed to their end."""
    if over != len(walk.rows) - 1:
        return False
    cards = walk.trick(over)[1]
    known = len(cards) - cards.count(None)
    return 0 < known < len(SEATS) and None not in cards[:known]


def claimed(
    claims: Sequence[TableClaim | Claim],
    played: int,
    rest: int,
    won: Mapping[Side, int],
    side: Side,
) -> int | None:
    """Tricks of the declaring side when an agreed claim settles the rest, or `None`.

    A claim within a trick settles that one too.
    """
    last = next(
        (c for c in reversed(claims) if c.answer != "refused" and c.after_trick == played), None
    )
    if last is None:
        return None
    tricks = rest if last.tricks is None else last.tricks
    if tricks > rest:
        return None
    winner = last.seat.side if last.verb == "claims" else last.seat.side.other
    return won[side] + (tricks if winner is side else rest - tricks)


def stated_tricks(record: Record, final: Final | None, law: Rules) -> int | None:
    """The tricks of the declaring side that the record's result states, or `None`."""
    numbers = record.numbers
    return counted_result(numbers.result, numbers.declaration, final, law)


def counted_result(
    result: Result | StatedResult | None,
    stated: Declaration | StatedDeclaration | None,
    final: Final | None,
    law: Rules,
) -> int | None:
    """The tricks of the declaring side that a result states, or `None`.

    The result is of the stated declaration: its tricks stay with the side that took them. At
    nullo it counts the adversaries' tricks; the rest is the side's own.
    """
    book = law.value("book")
    if result is None:
        return None
    if final is None:
        own = {"tricks": result.number, "odd": None if law.has("nullo") else book + result.number}
        return own.get(result.kind)
    recorded = as_recorded(final, stated)
    contract = book + recorded.odd_tricks
    counted = {
        "odd": book + result.number,
        "made": contract + result.number,
        "down": contract - result.number,
    }
    tricks = result.number
    if result.kind in counted:
        tricks = counted_tricks(counted[result.kind], recorded, law)
    sides = {one.declarer.side for one in (final, recorded) if one.declarer}
    return law.value("hand-size") - tricks if len(sides) > 1 else tricks


def wrong_result(
    result: Result | StatedResult | None,
    stated: int,
    taken: int | None,
    bounds: tuple[int, int],
    total: int,
) -> str | None:
    """What is wrong with the tricks that the record gives the declaring side.

    `stated` is what the result comes to, `taken` the side's tricks if they are known, `bounds` the
    fewest and the most that the play leaves it.
    """
    if taken == stated and 0 <= stated <= total:
        return None
    said = number_words(stated, "trick")
    if not 0 <= stated <= total:
        why = "."
        how = {"made": "more", "down": "fewer"}.get(result.kind) if result else None
        if result and how and result.number:
            number = result.number
            why = f": `{result.kind} {number}` is {number} {how} than declared."
        said = f"{said}; there are {total}" if stated > total else "less than no trick"
        return f"The result would be {said}{why}"
    given = f"The record gives the declaring side {said}"
    if taken is not None:
        return f"{given}; in the play it took {taken}."
    least, most = bounds
    if not least <= stated <= most:
        range_ = f"at least {least} and at most {most}"
        return f"{given}; as far as the play is recorded it takes {range_}."
    return None
