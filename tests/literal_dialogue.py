"""A slow, literal interpretation of Bridge's making of the trump and of the dialogue of doubling.

It is written from laws 45 to 60, 67 and 68 of the printed code (with the project's readings where
the print is doubtful), and not from the judge: nothing of `oddtrick.judge` is imported. Everything
said is stored in a list, and every question is answered by reading the list again.
"""

from dataclasses import dataclass, field, replace

from oddtrick.cards import Seat, Side

WORTH = {"spades": 2, "clubs": 4, "diamonds": 6, "hearts": 8, "no-trump": 12}
"""The value of each trick above six (law 4)."""
DOUBLES = ("double", "redouble")


@dataclass(frozen=True)
class Said:
    """Something that was said, and whether it counts."""

    seat: Seat
    kind: str
    trump: str | None = None
    counts: bool = True


@dataclass
class LiteralDialogue:
    """A dialogue as a list of what was said.

    `limit` is the value at which a club ends the doubling; `over` says that a law has ended it;
    `nothing` says that there is a new deal. `compelled` must make the trump; `barred` have
    forfeited their right to double; `consent` are those who may double only with a consent that was
    not given.
    """

    dealer: Seat
    limit: int | None = None
    said: list[Said] = field(default_factory=list)
    over: bool = False
    nothing: bool = False
    undecided: bool = False
    compelled: Seat | None = None
    barred: set[Seat] = field(default_factory=set)
    consent: set[Seat] = field(default_factory=set)

    # --- reading the list -----------------------------------------------------------------------

    @property
    def eldest(self) -> Seat:
        """The player on the dealer's left (law 46)."""
        return self.dealer.left

    def make(self) -> Said | None:
        """The make that counts; a declaration once made cannot be altered (law 49)."""
        return next((s for s in self.said if s.counts and s.kind == "make"), None)

    def doubles(self) -> list[Said]:
        """The doubles and redoubles that count."""
        return [s for s in self.said if s.counts and s.kind in DOUBLES]

    def since(self) -> list[Said]:
        """What was said since the last double or, if there is none, in all."""
        counted = [s for s in self.said if s.counts]
        start = max((i + 1 for i, s in enumerate(counted) if s.kind in DOUBLES), default=0)
        return counted[start:]

    def asked(self) -> bool:
        """Whether the eldest hand has asked leave to lead."""
        return any(s.counts and s.kind == "may-i-lead" for s in self.said)

    def maker(self) -> Seat:
        """Who may make the trump: the dealer, or his partner if it is passed to him (45)."""
        passed = any(s.kind == "pass-to-partner" and s.counts for s in self.said)
        return self.compelled or (self.dealer.partner if passed else self.dealer)

    def side_to_double(self) -> Side:
        """The side that may double: first the adversaries, then the sides in turn (51 to 53)."""
        doubles = self.doubles()
        return doubles[-1].seat.side.other if doubles else self.eldest.side

    def first_right(self) -> Seat:
        """Who has the first right (51, 52, 53, 55): the player who last doubled for the side,
        otherwise the maker; of the dealer's adversaries, before a double, the eldest hand.
        """
        side, make = self.side_to_double(), self.make()
        own = [s.seat for s in self.doubles() if s.seat.side is side]
        if own:
            return own[-1]
        return make.seat if make and side is self.dealer.side else self.eldest

    def may_go_on(self) -> list[Seat]:
        """Who may still double, the one with the first right before his partner. Those who asked
        leave to lead, said that they are satisfied, or lost the right may not.
        """
        if self.over or self.at_limit():
            return []
        first = self.first_right()
        kinds = ("may-i-lead", "satisfied", "yes")
        done = {s.seat for s in self.since() if s.kind in kinds} | self.barred | self.consent
        return [s for s in (first, first.partner) if s not in done]

    def turn(self) -> Seat:
        """The player whose turn it is to speak."""
        if self.make() is None:
            return self.maker()
        first = self.first_right()
        spoken = any(
            s.seat is first and s.kind in ("may-i-lead", "satisfied") for s in self.since()
        )
        return first.partner if spoken else first

    def at_limit(self) -> bool:
        """Whether an odd trick is worth more than a club's limit (the note to law 55)."""
        make = self.make()
        if self.limit is None or make is None:
            return False
        return WORTH[str(make.trump)] * 2 ** len(self.doubles()) > self.limit

    def ended(self) -> bool:
        """Whether the play begins (57): leave is given, or the player with the last right is
        satisfied.
        """
        if self.make() is None:
            return False
        if self.over or self.at_limit():
            return True
        leave = any(s.kind == "yes" and s.counts for s in self.said)
        return (leave and not self.doubles()) or (bool(self.doubles()) and not self.may_go_on())

    def contract(self) -> tuple[str, int, Seat] | None:
        """The trump, the degree of doubling, and the dealer, who plays both hands (law 61)."""
        if self.undecided:  # the play begins, and the double does not stand (54, 55)
            self.said[-1] = replace(self.said[-1], counts=False)
            self.refused()
        make = self.make()
        if self.nothing or make is None or not self.ended():
            return None
        return str(make.trump), len(self.doubles()), self.dealer

    # --- going on -------------------------------------------------------------------------------

    def say(self, seat: Seat, kind: str, trump: str | None = None, counts: bool = True) -> None:
        """Somebody says something."""
        self.undecided = False
        self.said.append(Said(seat, kind, trump, counts))

    def refused(self) -> None:
        """A double out of turn is not accepted: there is no further doubling (55.4). By the reading
        `refused-double`, this applies to the first double too.
        """
        self.over, self.undecided = True, False

    def exposed(self, seat: Seat) -> None:
        """A card is exposed before the lead: the partner may neither double nor redouble (68)."""
        self.barred.add(seat.partner)
