"""A slow, literal interpretation of what remedies do to an auction.

It is written from the design of the table, the words of the effects in laws/irregularities.yaml and
the printed laws, and not from the judge: nothing of `oddtrick.judge` is imported. Everything said
is stored in a list, and every question is answered by reading the list again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from lawbook import Rules
from oddtrick.cards import Seat
from oddtrick.law.model import Remedy
from oddtrick.rulings.engine import Ruling

ACTS = ("bid", "double", "redouble")


@dataclass(frozen=True)
class Said:
    """Something that was said, and whether it counts."""

    seat: Seat
    kind: str
    odd_tricks: int | None = None
    denomination: str | None = None
    counts: bool = True


@dataclass(frozen=True)
class Barred:
    """A player barred by the law after so much had been said."""

    seat: Seat
    lasts: str
    since: int


@dataclass(frozen=True)
class Contract:
    """The final contract, its declarer, and its degree of doubling."""

    odd_tricks: int
    denomination: str
    doubled: int
    declarer: Seat


@dataclass
class LiteralAuction:
    """An auction as a list; `fixed` is what the law made final, `nothing` says that the deal is
    void.
    """

    law: Rules
    turn: Seat
    said: list[Said] = field(default_factory=list)
    bars: list[Barred] = field(default_factory=list)
    fixed: tuple[Said, int] | None = None
    nothing: bool = False

    # --- reading the list -----------------------------------------------------------------------

    def bids(self) -> list[Said]:
        """The bids that count."""
        return [s for s in self.said if s.counts and s.kind == "bid"]

    def doubled(self) -> int:
        """The degree of doubling of the last bid that counts."""
        last = max(i for i, s in enumerate(self.said) if s.counts and s.kind == "bid")
        return sum(1 for s in self.said[last:] if s.counts and s.kind in ("double", "redouble"))

    def over(self) -> bool:
        """Whether three have passed the last declaration, or all four have passed."""
        passes = 0
        for s in reversed(self.said):
            if s.counts and s.kind in ACTS:
                break
            passes += 1
        needed = self.law.value("passes-to-end")
        return self.fixed is not None or passes >= (needed if self.bids() else needed + 1)

    def higher(self, bid: Said, than: Said) -> bool:
        """Whether a bid is higher than another, by points or by tricks and rank."""
        if self.law.value("sufficiency") == "points-then-tricks":
            worth = self.law.value("bid-value") or self.law.value("odd-trick")
            mine = (bid.odd_tricks or 0) * worth[bid.denomination]
            other = (than.odd_tricks or 0) * worth[than.denomination]
            return mine > other or (
                mine == other and (bid.odd_tricks or 0) > (than.odd_tricks or 0)
            )
        rank = list(self.law.value("bid-rank") or self.law.order())
        if bid.odd_tricks != than.odd_tricks:
            return (bid.odd_tricks or 0) > (than.odd_tricks or 0)
        return rank.index(str(bid.denomination)) > rank.index(str(than.denomination))

    def every_bid(self) -> list[Said]:
        """Every possible bid of the player whose turn it is."""
        most = range(self.law.value("bid-range")["least"], self.law.value("bid-range")["most"] + 1)
        return [Said(self.turn, "bid", n, d) for n in most for d in self.law.order()]

    def enough(self, bid: Said) -> Said | None:
        """The bid raised to be sufficient in its denomination by the fewest tricks."""
        last = self.bids()[-1]
        same = [
            replace(b, seat=bid.seat)
            for b in self.every_bid()
            if b.denomination == bid.denomination
        ]
        return next((b for b in same if self.higher(b, last)), None)

    def barred(self, seat: Seat, kind: str) -> bool:
        """Whether a player is barred from a kind of call."""
        return any(self._holds(b, kind) for b in self.bars if b.seat is seat)

    def _holds(self, bar: Barred, kind: str) -> bool:
        if kind not in ACTS or (bar.lasts == "bids-until-adversary-acts" and kind != "bid"):
            return False
        since = [s for s in self.said[bar.since :] if s.counts and s.kind in ACTS]
        if bar.lasts in ("until-adversary-acts", "bids-until-adversary-acts"):
            return not any(s.seat.side is not bar.seat.side for s in since)
        if bar.lasts == "until-overbid-or-doubled":
            before = [s for s in self.said[: bar.since] if s.counts and s.kind == "bid"]
            return len(since) < (1 if before else 2)
        return True

    # --- going on -------------------------------------------------------------------------------

    def say(self, said: Said) -> None:
        """The player whose turn it is calls; a call from which he is barred does not count."""
        counts = not self.barred(said.seat, said.kind)
        self.said.append(replace(said, counts=counts))
        self.turn = said.seat.left

    def carry_out(self, remedies: Iterable[Remedy], irregular: Said) -> None:
        """The effect of remedies for an irregular call, or for something that is not a call
        (`exposed`).
        """
        effects = [(e.id, e.of, r.lasts or "to-the-end") for r in remedies for e in r.effects]
        ids = {i for i, _, _ in effects}
        if "deal-again" in ids:
            self.nothing = True
        kept = irregular if ids & {"stand", "forfeit", "reopen"} else None
        kept = self.enough(irregular) if "suffice" in ids else kept
        if "all-tricks" in ids:
            kept = replace(irregular, odd_tricks=self.law.value("bid-range")["most"])
        if kept is not None:
            self.said.append(kept)
            self.turn = irregular.seat.left
        elif irregular.seat is self.turn and irregular.kind != "nothing":
            self.said.append(replace(irregular, counts=False))
            self.turn = irregular.seat.left
        for _, of, _ in [e for e in effects if e[0] == "final"]:
            self.fixed = self._fixed(of, irregular)
        if "skip-partner" in ids and self.turn is irregular.seat.partner:
            self.turn = self.turn.left
        for effect, of, lasts in effects:
            if effect == "bar":
                both = (irregular.seat, irregular.seat.partner)
                whom = {"offender": both[:1], "partner": both[1:], "side": both}[str(of)]
                self.bars += [Barred(seat, lasts, len(self.said)) for seat in whom]

    def _fixed(self, of: str | None, irregular: Said) -> tuple[Said, int]:
        if of == "doubled":
            return self.bids()[-1], self.doubled() + 1
        earlier = self.earlier(irregular)
        return earlier, self.doubled() if earlier == self.bids()[-1] else 0

    def earlier(self, irregular: Said) -> Said | None:
        """The last bid of the side that did not make the irregular call."""
        theirs = [b for b in self.bids() if b.seat.side is not irregular.seat.side]
        return theirs[-1] if theirs else None

    def contract(self) -> Contract | None:
        """The contract and its declarer; `None` if nothing is played."""
        if self.nothing or not self.bids():
            return None
        last, doubled = self.fixed or (self.bids()[-1], self.doubled())
        before = self.bids()[: self.bids().index(last) + 1]
        own = [b for b in before if b.seat.side is last.seat.side]
        rule = self.law.value("declarer")
        first = next(b for b in own if self._same(b, last, rule))
        nullo = self._plain(last) == "nullo" and rule == "first-to-name-suit"
        declarer = last.seat if nullo else first.seat
        return Contract(last.odd_tricks or 0, str(last.denomination), doubled, declarer)

    def _same(self, bid: Said, other: Said, rule: str) -> bool:
        if rule == "first-to-name":
            return bid.denomination == other.denomination
        return self._plain(bid) == self._plain(other)

    def _plain(self, bid: Said) -> str:
        found = self.law.denomination(str(bid.denomination))
        return (found.royal_of if found else None) or str(bid.denomination)


def had(possible: Sequence[Ruling], chosen: tuple[Remedy, ...] = ()) -> tuple[Remedy, ...]:
    """What follows automatically, together with what was chosen; of several rulings, what all of
    them provide.
    """
    each = [
        [*chosen, *(r for r in ruling.remedies if r.choice is None and r.chosen_by == "nobody")]
        for ruling in possible
    ]
    return tuple(r for r in (each[0] if each else []) if all(r in e for e in each[1:]))


def opponents(seat: Seat) -> tuple[Seat, Seat]:
    """The two players of the other side."""
    return seat.left, seat.right
