"""In random plays with a random irregularity and a demand on the cards, the check finds exactly the
unfulfilled demands of a literal interpretation of the laws.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given as trying
from hypothesis import strategies as st

from conftest import tried
from lawbook import in_force
from literal_demands import CODES, GIVEN, KINDS, VOID, Demand, broken
from literal_revokes import winner
from made_deals import BLANK, WRITTEN, with_tricks
from oddtrick.cards import SEATS, Card, Seat, Suit, cards_in
from oddtrick.judge.check import check
from oddtrick.judge.events import Played, Trick
from oddtrick.judge.random_deals import deal_hands
from oddtrick.record.deal import Deal, Declaration, Incident, Result
from oddtrick.record.sources import write

Item = tuple[str | int, ...]
BEFORE = ("first-lead-out-of-turn", "card-exposed-before-lead", "card-exposed-before-declaration")


@dataclass
class Story:
    """A play under construction: all its cards, what is recorded about it and where, what is
    demanded.
    """

    random: Random
    code: str
    declarer: Seat
    trump: Suit | None
    hands: dict[Seat, tuple[Card, ...]]
    deal: Deal = BLANK
    play: list[list[tuple[Seat, Card]]] = field(default_factory=list)
    told: list[tuple[tuple[int, int] | None, Incident]] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    finds: set[tuple[str, Item]] = field(default_factory=set)

    @property
    def dummy(self) -> Seat:
        """The declarer's partner."""
        return self.declarer.partner

    def tell(self, at: tuple[int, int] | None, incident: Incident) -> Item:
        """Record something at a card, or before the play; returns its id."""
        number = sum(where == at for where, _ in self.told)
        self.told.append((at, incident))
        return ("play", *at, "irregularity", number) if at else ("irregularity", number)

    def held(self, seat: Seat, number: int) -> list[Card]:
        """A player's cards at the beginning of a trick."""
        gone = {c for trick in self.play[:number] for s, c in trick if s is seat}
        return [c for c in self.hands[seat] if c not in gone]

    def seats(self, number: int) -> list[Seat]:
        """Who played to a trick, in order."""
        return [s for s, _ in self.play[number]]


def played(story: Story) -> None:
    """Thirteen tricks in turn in which everybody follows suit."""
    left = {s: list(c) for s, c in story.hands.items()}
    leader = story.declarer.left
    for _ in range(13):
        trick: list[tuple[Seat, Card]] = []
        for seat in (leader.after(i) for i in range(4)):
            follow = [c for c in left[seat] if trick and c.suit is trick[0][1].suit]
            card = story.random.choice(follow or left[seat])
            left[seat].remove(card)
            trick.append((seat, card))
        story.play.append(trick)
        leader = winner(trick, story.trump)


# --- what happened --------------------------------------------------------------------------------
# For each: the offender, the card, where it is recorded, and who is bound from which point.

Happened = tuple[Seat, Card | None, tuple[int, int] | None, tuple[Seat, ...], tuple[int, int]]


def before_the_play(story: Story) -> Happened:
    """The partner of the player who has the first lead leads or exposes a card."""
    seat = story.declarer.right
    return seat, story.random.choice(story.hands[seat]), None, (story.declarer.left,), (0, 0)


def exposed(story: Story) -> Happened | None:
    """An adversary exposes a card during the play; a card that is already exposed cannot be exposed
    again.
    """
    number, index = story.random.randrange(11), story.random.randrange(4)
    seat = story.random.choice((story.declarer.left, story.declarer.right))
    card = story.random.choice(story.held(seat, number + 1))
    if any(incident.of == str(card) for _, incident in story.told):
        return None
    return seat, card, (number, index), (seat,), (number, index + 1)


def led_out_of_turn(story: Story) -> Happened:
    """An adversary leads in another's turn, and the card is taken back."""
    number = story.random.randrange(11)
    adversaries = (story.declarer.left, story.declarer.right)
    seat = story.random.choice([s for s in adversaries if s is not story.seats(number + 1)[0]])
    card = story.random.choice(story.held(seat, number + 1))
    return seat, card, (number, 3), adversaries, (number + 1, 0)


def mentioned(story: Story) -> Happened:
    """An adversary refers to an incident of the play."""
    number = story.random.randrange(12)
    adversaries = (story.declarer.left, story.declarer.right)
    return story.random.choice(adversaries), None, (number, 3), adversaries, (number + 1, 0)


def attention(story: Story) -> Happened | None:
    """An adversary says that the trick is his before his partner has played."""
    number = story.random.randrange(12)
    seats = story.seats(number)
    index = next(i for i, s in enumerate(seats) if s.side is not story.declarer.side)
    seat = seats[index]
    return seat, None, (number, index), (seat.partner,), (number, index + 1)


def fourth_first(story: Story) -> Happened | None:
    """After a lead of the declarer's side the fourth hand plays before the second."""
    led = [n for n in range(12) if story.seats(n)[0].side is story.declarer.side]
    if not led:
        return None
    number = story.random.choice(led)
    lead, second, third, fourth = story.play[number]
    story.play[number] = [lead, fourth, second, third]
    return fourth[0], None, (number, 1), (second[0],), (number, 2)


def suggested(story: Story) -> Happened | None:
    """Dummy suggests one of his cards before he plays to the trick."""
    later = [n for n in range(12) if story.seats(n)[0] is not story.dummy]
    if not later:
        return None
    number = story.random.choice(later)
    card = story.random.choice(story.held(story.dummy, number))
    return story.dummy, card, (number, 0), (story.dummy,), (number, 1)


def renounced(story: Story) -> Happened | None:
    """An adversary who can follow plays another suit, and takes it back in time."""
    could = []
    for number in range(12):
        led = story.play[number][0][1].suit
        for seat in story.seats(number)[1:]:
            held = story.held(seat, number)
            others = [c for c in held if c.suit is not led]
            if seat.side is not story.declarer.side and others and len(others) < len(held):
                could.append((seat, story.random.choice(others), number))
    if not could:
        return None
    seat, card, number = story.random.choice(could)
    return seat, card, (number, 3), (seat,), (number, 1)


HAPPENS: dict[str, Callable[[Story], Happened | None]] = {
    "card-exposed-in-play": exposed,
    "lead-out-of-turn": led_out_of_turn,
    "first-lead-out-of-turn": before_the_play,
    "card-exposed-before-lead": before_the_play,
    "card-exposed-before-declaration": before_the_play,
    "incident-mentioned": mentioned,
    "attention-to-trick": attention,
    "fourth-before-second": fourth_first,
    "dummy-suggests-play": suggested,
    "renounce-corrected": renounced,
}


# --- what is demanded -----------------------------------------------------------------------------


def choice(story: Story, name: str, happened: Happened) -> tuple[str, Demand]:
    """A random demand: in words, and as it binds."""
    seat, card, _, bound, since = happened
    kinds = list(GIVEN[name][story.code])
    void = False
    if name in VOID:
        number = since[0]
        led = story.play[number][0][1].suit
        void = not any(c.suit is led for c in story.held(bound[0], number))
    if void:
        kinds = list(VOID[name].get(story.code, kinds))
    if story.random.random() < 0.2 or not kinds:
        others = {"highest of"} if name in VOID and void else set()
        kinds = [k for k in KINDS if k not in kinds and k not in others] or kinds
    kind = story.random.choice(kinds)
    if kind == "card" and card:
        seats, start = (seat,), (0, 0) if name in BEFORE else since
        if name == "renounce-corrected":
            start = (since[0] + 1, 0)
        return f"call {card}", Demand(kind, seats, start, card=card)
    suit = story.random.choice(list(Suit))
    if kind == "forbid" and card:
        suit = card.suit
    words = {
        "suit": f"call a suit {suit.word}",
        "forbid": f"forbid {suit.word}",
        "highest of": f"highest of {suit.word}",
        "card": f"call {story.hands[seat][0]}",
    }
    return words.get(kind, kind), Demand(kind, bound, since, card, suit)


def allowed(story: Story, name: str, demand: Demand) -> bool:
    """Whether the code allows the demand."""
    if name in VOID:
        number = demand.since[0]
        led = story.play[number][0][1].suit
        if not any(c.suit is led for c in story.held(demand.seats[0], number)):
            return demand.kind in VOID[name].get(story.code, GIVEN[name][story.code])
    return demand.kind in GIVEN[name][story.code]


def happen(story: Story, name: str) -> bool:
    """Something happens, and something is demanded for it; false if it cannot happen."""
    happened = HAPPENS[name](story)
    if happened is None:
        return False
    seat, card, at, *_ = happened
    words, demand = choice(story, name, happened)
    led = story.play[demand.since[0]][0][1].suit
    as_rank = replace(demand, kind="highest")
    if demand.kind == "highest of" and not allowed(story, name, demand):
        demand = as_rank if allowed(story, name, as_rank) else demand
    chooser = story.declarer.left if name == "dummy-suggests-play" else story.declarer
    wrong = story.random.random() < 0.1
    incident = Incident(
        name,
        by=seat,
        of=str(card) if card else None,
        noticed_by=chooser,
        remedy=words,
        chosen_by=seat if wrong else chooser,
        after="bidding" if at is None and name != "card-exposed-before-declaration" else None,
    )
    item = story.tell(at, incident)
    if name == "fourth-before-second":
        story.finds.add(("play.out-of-turn", ("play", demand.since[0], 1)))
    else:
        story.finds.add(("remedy.irregularity", item))
    if not allowed(story, name, demand):
        story.finds.add(("remedy.not-allowed", item))
        return True
    if other := demand is as_rank and demand.suit is not led:  # the highest of another suit
        story.finds.add(("remedy.not-allowed", item))
    if wrong:
        story.finds.add(("remedy.wrong-chooser", item))
    if not (wrong or other):
        story.demands.append(demand)
    return True


def told(random: Random, code: str) -> Story | None:
    """A random play in which something happens and something is demanded for it."""
    law, declarer = in_force(code), random.choice(SEATS)
    denomination = random.choice([d for d in law.order() if "nullo" not in d])
    found = law.denomination(denomination)
    hands = deal_hands(random)
    held = {s: tuple(cards_in(hand)) for s, hand in zip(SEATS, hands, strict=True)}
    trump = found.suit if found else None
    story = Story(random, code, declarer, trump, held)
    played(story)
    name = random.choice([n for n in HAPPENS if code in GIVEN[n]])
    if not happen(story, name):
        return None
    if random.random() < 0.5:
        happen(story, "card-exposed-in-play")
    last = max([at[0] + 2 for at, _ in story.told if at] + [random.randint(0, 13)])
    shown = 13 if random.random() < 0.6 else min(13, last)
    hidden = random.random() < 0.3  # the cards played, and those exposed, prove what was held
    story.play = story.play[:shown]
    known = _proved(story) if hidden else story.hands
    for demand in story.demands:
        others = [d for d in story.demands if d is not demand]
        if place := broken(demand, story.play, known, trump, others):
            story.finds.add(("remedy.not-obeyed", ("play", *place)))
    odd = None if code == "bridge-elwell" else 1
    won = [winner(t, trump).side for t in story.play].count(declarer.side)
    deal = BLANK._replace(
        code=code,
        dealer=declarer,
        declaration=Declaration(odd, denomination, 0, declarer),
        incidents=tuple(i for at, i in story.told if at is None),
        result=Result("tricks", won) if shown == 13 else None,
    )
    deal = deal if hidden else deal._replace(hands=hands, hand_spans=WRITTEN)
    story.deal = with_tricks(deal, [_trick(story, n) for n in range(shown)])
    return story


def _proved(story: Story) -> dict[Seat, tuple[Card, ...]]:
    """The cards that each player's plays and exposed cards prove that he held."""
    known = {s: [c for t in story.play for p, c in t if p is s] for s in SEATS}
    for demand in story.demands:
        for seat in demand.seats if demand.kind == "card" else ():
            known[seat] += [c for c in (demand.card,) if c and c not in known[seat]]
    return {s: tuple(cards) for s, cards in known.items()}


def _trick(story: Story, number: int) -> Trick:
    def at(index: int) -> tuple[Incident, ...]:
        return tuple(i for where, i in story.told if where == (number, index))

    cards = [
        Played(card, seat, incidents=at(i)) for i, (seat, card) in enumerate(story.play[number])
    ]
    return Trick(tuple(cards), leader=cards[0].seat)


def differs(story: Story) -> list[object]:
    """How the findings on a story differ from the literal interpretation."""
    found = check(story.deal)
    rules = {(f.rule, f.item) for f in found.findings if f.rule.startswith(("play.", "remedy."))}
    rules |= {(f.rule, f.item) for f in found.findings if f.rule == "score.tricks"}
    return [] if rules == story.finds else [rules - story.finds, story.finds - rules]


@pytest.mark.parametrize("code", CODES)
@tried(2.0)
@trying(seed=st.integers(0, 2**32))
def test_demands_are_found_broken_as_the_literal_reading_says(code: str, seed: int) -> None:
    random = Random(seed)
    story = next(s for s in (told(random, code) for _ in range(20)) if s)
    assert differs(story) == [], write([story.deal], "hand")
