"""Records from one notation to the other, and what is lost on the way said by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oddtrick.judge.finding import Finding, Severity
from oddtrick.record.model import Group, Record


@dataclass(frozen=True, slots=True)
class Converted:
    """The text in the other notation (`None` where nothing could be read), findings, and what was said of losses."""

    text: str | None
    findings: tuple[Finding, ...]
    said: tuple[str, ...]


def converted(items: Iterable[Record | Group | Finding], to: str, name: str) -> Converted:
    """Rewrite everything of a source in `hand` or `pbn`."""
    from oddtrick.record.hand.write import write_items
    from oddtrick.record.pbn.write import lost, write_pbn

    everything = list(items)
    findings = tuple(i for i in everything if isinstance(i, Finding))
    kept = [i for i in everything if not isinstance(i, Finding)]
    if not kept:
        why = () if findings else (f"{name}: there is no record in it.",)
        return Converted(None, findings, why)
    records = [r for i in kept for r in (i.records if isinstance(i, Group) else (i,))]
    said = [f"{name}, {r.id}: assumed: {a.value}" for r in records for a in r.assumed]
    unreadable = [f for f in findings if f.severity is Severity.UNREADABLE]
    if unreadable:
        said.append(
            f"{name}: {len(unreadable)} places could not be read and are not in the result."
        )
    if to == "hand":
        said += [f"{name}, {r.id}: kept as a note: {k.value}" for r in records for k in r.kept]
        return Converted(write_items(kept), findings, tuple(said))
    said += [f"{name}, {r.id}: PBN cannot say: {what}" for r in records for what in lost(r)]
    if any(isinstance(i, Group) for i in kept):
        said.append(f"{name}: PBN has no rubbers or matches; the deals stand one after another.")
    return Converted("".join(write_pbn(records)), findings, tuple(said))
