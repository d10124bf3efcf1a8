"""A slow, literal interpretation of what may be demanded of the cards, and of whether it was done.

It is written from the laws of the printed codes on exposed cards, leads and plays (with the
project's readings where the print is doubtful), and not from the judge: nothing of `oddtrick.judge`
is imported. A play is a list of cards; every demand reads the list from the beginning.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from literal_revokes import winner
from oddtrick.cards import Card, Seat, Suit

CODES = tuple(
    """
    bridge-elwell auction-1912 duplicate-1912 royalton-1915 auction-1926 contract-1927
""".split()
)
RANK, RESULT, TRUMP = ("highest", "lowest"), ("win", "lose"), ("trump", "not trump")
EITHER = dict.fromkeys(CODES, ("card", "suit"))
FOUR = {code: RANK + RESULT for code in CODES if code != "duplicate-1912"}

GIVEN: dict[str, dict[str, tuple[str, ...]]] = {
    # Bridge 69, 80; 1912 67, 75; Duplicate 80, 108; Royalton 63, 72; 1926 33 (b), (c)
    "card-exposed-in-play": dict.fromkeys(CODES, ("card",)),
    # 76; 76; 89; 59; 34 (a)
    "lead-out-of-turn": EITHER,
    # Bridge 60 (reading `wrong-first-lead`); 76; 89; 51; 34 (a)
    "first-lead-out-of-turn": EITHER | {"bridge-elwell": ("suit",)},
    # 68; 66; 79; 51; 34 (a)
    "card-exposed-before-lead": EITHER | dict.fromkeys(CODES[:3], ("card", "forbid")),
    # 101; 93; 92; 97; 54 (c)
    "incident-mentioned": dict.fromkeys(CODES, ("suit",)),
    # 100; 92; 97; 96; 54 (b)
    "attention-to-trick": FOUR | {"duplicate-1912": RANK},
    # 82; 80; 96; 73; 34 (f)
    "fourth-before-second": FOUR | {"duplicate-1912": RANK},
    # 64; 62; 76; 55; 30 (b)
    "dummy-suggests-play": dict.fromkeys(CODES, ("play", "not play")),
    # 91; 86; 103; 78; 45
    "renounce-corrected": dict.fromkeys(CODES, ("card", *RANK)),
    # 68; 65; 60 (reading: not called); (Royalton 50 has a new deal;) 28
    "card-exposed-before-declaration": {
        "bridge-elwell": ("card", "forbid"),
        "auction-1912": ("card", "forbid"),
        "duplicate-1912": (),
        "auction-1926": ("card", "forbid"),
        "contract-1927": ("card", "forbid"),
    },
}
"""What may be demanded for an irregularity of an adversary (or of dummy, if he suggests a play)."""

VOID: dict[str, dict[str, tuple[str, ...]]] = {
    # Royalton adds the highest card of any suit (73), 1926 has it instead (34 (f)); in Duplicate
    # the demand is to trump or not to trump (96, 97).
    "fourth-before-second": {
        "royalton-1915": (*RESULT, "highest of"),
        "auction-1926": ("highest of",),
        "contract-1927": ("highest of",),
        "duplicate-1912": TRUMP,
    },
    "attention-to-trick": {"duplicate-1912": TRUMP},
}
"""What else may be demanded of a player who has none of the suit led."""


@dataclass(frozen=True)
class Turn:
    """A card as it was played: where, by whom, from which hand, after which cards."""

    at: tuple[int, int]
    seat: Seat
    card: Card
    hand: tuple[Card, ...]
    before: tuple[tuple[Seat, Card], ...]

    def legal(self) -> list[Card]:
        """The cards that a player could play without revoking."""
        led = self.before[0][1].suit if self.before else None
        return [c for c in self.hand if c.suit is led] or list(self.hand)

    def suited(self, suit: Suit) -> list[Card]:
        """A player's cards of a suit, the lowest first."""
        return sorted((c for c in self.hand if c.suit is suit), key=lambda c: c.height)

    def beats(self, card: Card, trump: Suit | None) -> bool:
        """Whether a card wins against the cards already played to the trick."""
        return winner([*self.before, (self.seat, card)], trump) is self.seat


@dataclass(frozen=True)
class Demand:
    """A demand: its kind, the player bound, where it begins, and the card or suit named."""

    kind: str
    seats: tuple[Seat, ...]
    since: tuple[int, int]
    card: Card | None = None
    suit: Suit | None = None


Play = Sequence[Sequence[tuple[Seat, Card]]]


def turns(play: Play, hands: dict[Seat, tuple[Card, ...]]) -> Iterator[Turn]:
    """Every card of a play as it was played."""
    left = {s: list(c) for s, c in hands.items()}
    for number, trick in enumerate(play):
        for index, (seat, card) in enumerate(trick):
            yield Turn((number, index), seat, card, tuple(left[seat]), tuple(trick[:index]))
            left[seat].remove(card)


def called_card(demand: Demand, mine: list[Turn], play: Play, trump: Suit | None) -> Turn | None:
    """The card must be played at the first turn at which that is possible without a revoke."""
    for turn in mine:
        if turn.card == demand.card:
            return None
        if demand.card in turn.legal():
            return turn
    return None


def called_suit(demand: Demand, mine: list[Turn], play: Play, trump: Suit | None) -> Turn | None:
    """The first of the players bound to lead must lead the suit, if he has any of it."""
    lead = next((t for t in mine if not t.before), None)
    paid = lead is None or lead.card.suit is demand.suit or not lead.suited(demand.suit)
    return None if paid else lead


def forbidden(demand: Demand, mine: list[Turn], play: Play, trump: Suit | None) -> Turn | None:
    """The very first lead must not be of the suit, if the player has another."""
    lead = next((t for t in mine if t.at == (0, 0)), None)
    if lead is None or lead.card.suit is not demand.suit:
        return None
    return lead if any(c.suit is not demand.suit for c in lead.hand) else None


def in_the_trick(demand: Demand, mine: list[Turn], play: Play, trump: Suit | None) -> Turn | None:
    """A demand on the first card that a player plays to the trick."""
    turn = next((t for t in mine if t.at[0] == demand.since[0]), None)
    if turn is None or not turn.before:
        return None
    led = turn.before[0][1].suit
    own = turn.suited(led)
    if demand.kind in RANK:
        due = own[-1 if demand.kind == "highest" else 0] if own else turn.card
        return None if turn.card == due else turn
    if demand.kind == "highest of":
        due = turn.suited(demand.suit)[-1:]  # type: ignore[assignment]
        return None if own or not due or [turn.card] == due else turn
    if demand.kind in TRUMP:
        meant = [c for c in turn.hand if (c.suit is trump) is (demand.kind == "trump")]
        return None if trump is None or own or not meant or turn.card in meant else turn
    won = winner(play[turn.at[0]], trump) is turn.seat
    if demand.kind == "win":
        could = any(turn.beats(c, trump) for c in turn.legal())
        return turn if could and not turn.beats(turn.card, trump) else None
    could = any(not turn.beats(c, trump) for c in turn.legal())
    return turn if could and won else None


def suggested(demand: Demand, mine: list[Turn], play: Play, trump: Suit | None) -> Turn | None:
    """The card of dummy's that was suggested must be played to the trick, or must not."""
    turn = next((t for t in mine if t.at[0] == demand.since[0]), None)
    if turn is None or demand.card not in turn.legal():
        return None
    if demand.kind == "play":
        return turn if turn.card != demand.card else None
    return turn if turn.card == demand.card and turn.legal() != [demand.card] else None


KINDS: dict[str, Callable[[Demand, list[Turn], Play, Suit | None], Turn | None]] = {
    "card": called_card,
    "suit": called_suit,
    "forbid": forbidden,
    "play": suggested,
    "not play": suggested,
    "highest of": in_the_trick,
    **dict.fromkeys(RANK + RESULT + TRUMP, in_the_trick),
}


def broken(
    demand: Demand,
    play: Play,
    hands: dict[Seat, tuple[Card, ...]],
    trump: Suit | None,
    others: Sequence[Demand] = (),
) -> tuple[int, int] | None:
    """Where a demand was not met, though it could have been; `None` if it was met or lapsed.

    A player plays only one card at a time: if he plays another card that was called, he has obeyed,
    unless that call had already been disobeyed and so is over. If he leads another suit that was
    called, a card may still be called later.
    """
    every = [*turns(play, hands)]
    mine = [t for t in every if t.seat in demand.seats and t.at >= demand.since]
    for other in (o for o in others if o.kind == "suit" and demand.kind == "card"):
        leads = (t for t in every if t.seat in other.seats and t.at >= other.since)
        lead = next((t for t in leads if not t.before), None)
        if demand.card and lead and lead.card.suit is other.suit is not demand.card.suit:
            mine = [t for t in mine if t.at != lead.at]
    for other in (o for o in others if o.kind == "card"):
        over = broken(other, play, hands, trump) or (len(play), 0)
        obeyed = [t for t in mine if t.card == other.card and other.since <= t.at <= over]
        mine = [t for t in mine if t not in obeyed]
    turn = KINDS[demand.kind](demand, mine, play, trump)
    return turn.at if turn else None
