"""Converts records from one notation to another and lists what is lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oddtrick.limits import WRITTEN
from oddtrick.record.deal import Deal, Group, Unreadable, assumptions, deals_in
from oddtrick.record.hand.write import CONTROL
from oddtrick.record.margin import shown
from oddtrick.record.sources import NOTATIONS, write


@dataclass(frozen=True, slots=True)
class Converted:
    """The converted text, or `None` if nothing could be read or written.

    `unreadable` lists what could not be read. `notes` lists what was assumed, changed or lost, in
    words for the user.
    """

    text: str | None
    unreadable: tuple[Unreadable, ...]
    notes: tuple[str, ...]


def converted(items: Iterable[Deal | Group | Unreadable], to: str, name: str) -> Converted:
    """Convert the items of a file to the notation `to`; `name` is the file's name in the notes."""
    everything = list(items)
    unreadable = tuple(i for i in everything if isinstance(i, Unreadable) and not i.harmless)
    readable = [i for i in everything if not isinstance(i, Unreadable)]
    if not readable:
        why = () if unreadable else (f"{name} contains no record.",)
        return Converted(None, unreadable, why)
    deals = list(deals_in(readable))
    if sum(len(words) for r in deals for _, words in r.tags) > WRITTEN.most:
        return Converted(None, unreadable, (WRITTEN.message(name=name),))
    notes = [f"{name}, {r.id}: {a.message}" for r in deals for a in assumptions(r)]
    notes += [
        f"{name}, {r.id}: control characters in its texts were replaced by spaces."
        for r in deals
        if CONTROL.search(r.source.text, *r.span)
    ]
    if gone := sum(not u.unclear for u in unreadable):
        what = "1 place was" if gone == 1 else f"{gone} places were"
        notes.append(f"{name}: {what} omitted as unreadable.")
    lost = NOTATIONS[to].lost
    if lost is None:
        notes += [f"{name}, {r.id}: kept as a note: {shown(k)}" for r in deals for k, _ in r.unused]
    else:
        notes += [f"{name}, {r.id}: PBN cannot express: {w}" for r in deals for w in lost(r)]
        groups = [i for i in readable if isinstance(i, Group)]
        if groups:
            notes.append(f"{name}: PBN has no rubbers or matches; only the deals were written.")
        rubbers = (g.deals[1:] for g in groups if g.kind == "rubber")
        notes += [
            f"{name}, {r.id}: PBN cannot express: the games and points won before it in the rubber"
            for deals in rubbers
            for r in deals
            if r.standing_games is None or r.standing_trick is None
        ]
    return Converted(write(readable, to), unreadable, tuple(notes))
