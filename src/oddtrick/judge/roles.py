"""The roles at a table, such as declarer or offender's left, and the seats that they mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oddtrick.cards import SEATS, Seat
from oddtrick.judge.procedures import Final, Made
from oddtrick.law.rules import Rules
from oddtrick.record.deal import Deal


@dataclass(frozen=True, slots=True)
class Roles:
    """The players of a deal by their roles, as far as known.

    `bidder` made the last bid, or the trump; `doublers` are those who have doubled, in order. If no
    hand is exposed, the declarer's partner is not dummy and has the role of declarer.
    """

    dealer: Seat | None = None
    declarer: Seat | None = None
    bidder: Seat | None = None
    doublers: tuple[Seat, ...] = ()
    open_hand: bool = True

    def role(self, seat: Seat | None) -> str | None:
        """The role of a player: declarer, dummy or adversary."""
        if seat is None or self.declarer is None:
            return None
        if seat is self.declarer:
            return "declarer"
        if seat is not self.declarer.partner:
            return "adversary"
        return "dummy" if self.open_hand else "declarer"

    def declares(self, seat: Seat | None) -> bool:
        """Whether a player is known to be of the declarer's side."""
        return self.role(seat) in ("declarer", "dummy")

    def of(self, seat: Seat) -> Iterator[str]:
        """All roles of a player, as answers of the catalogue to who committed an irregularity."""
        if role := self.role(seat):
            yield role
        if dealer := self.dealer:
            own = "dealers-partner" if seat is dealer.partner else "dealers-adversary"
            yield "dealer" if seat is dealer else own
            if seat is dealer.left:
                yield "eldest-hand"
            if seat is dealer.right:
                yield "eldest-hands-partner"
        if self.declarer and seat is self.declarer.left:
            yield "leader"
        if self.declarer and seat is self.declarer.right:
            yield "leaders-partner"

    def seats(self, chooser: str, offender: Seat | None) -> tuple[Seat, ...] | None:
        """The players whom a chooser (`either-adversary`) denotes; `None` if they are not known."""
        seats = (s for s in self.choosers(offender)[chooser] if s is not None)
        return tuple(sorted(seats, key=SEATS.index)) or None

    def choosers(self, offender: Seat | None) -> dict[str, tuple[Seat | None, ...]]:
        """The players whom each chooser of the catalogue denotes, given the offender.

        A chooser is whoever may choose a remedy, or to whom one applies.
        """
        dealer, declarer, bidder = self.dealer, self.declarer, self.bidder
        eldest = dealer.left if dealer else None
        others = (offender.left, offender.right) if offender else ()
        adversaries = (declarer.left, declarer.right) if declarer else ()
        return {
            "nobody": (),
            "second-hand": (),  # second hand to the trick, which `demands` determines
            "either-opponent": others,
            "other-side": others,
            "left-opponent": (offender.left if offender else None,),
            "offender": (offender,),
            "partner": (offender.partner if offender else None,),
            "declarer": (declarer,),
            "declarers-side": (declarer, declarer.partner) if declarer else (),
            "dummy": (declarer.partner if declarer else None,),
            "leader": (declarer.left if declarer else None,),
            "next-after-dummy": (declarer.right if declarer else None,),
            "either-adversary": adversaries,
            "adversary-next-to-lead": adversaries,
            "dealer": (dealer,),
            "dealers-side": (dealer, dealer.partner) if dealer else (),
            "eldest-hand": (eldest,),
            "dealers-adversaries": (dealer.left, dealer.right) if dealer else (),
            "maker": (bidder,) if bidder or not dealer else (dealer, dealer.partner),
            "maker-or-eldest-hand": tuple(s for s in (bidder, eldest) if s in others),
            "last-doubler": tuple(s for s in self.doublers if s in others)[-1:],
            "challenged-bidder": (bidder,),
            "any-player": SEATS,
            "all-players": SEATS,
            "players": SEATS,
        }


def dealer_of(deal: Deal, final: Final | None, law: Rules | None) -> Seat | None:
    """The recorded dealer; where the trump is made, the declarer if no dealer is recorded."""
    making = law is not None and law.has("making")
    return deal.dealer or (final.declarer if final and making else None)


def roles_after(
    calls: Sequence[Made], dealer: Seat | None, final: Final | None, law: Rules
) -> Roles:
    """The roles after some calls have been made, or when the declaration is final."""
    counted = [m for m in calls if not m.void]
    bidders = [m.seat for m in counted if m.call.kind in ("bid", "make")]
    return Roles(
        dealer,
        final.declarer if final else None,
        bidders[-1] if bidders else final.bidder if final else None,
        tuple(m.seat for m in counted if m.call.kind in ("double", "redouble")),
        law.has("open-hand"),
    )
