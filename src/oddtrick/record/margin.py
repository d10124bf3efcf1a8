"""Collects what is reported with a deal: unreadable parts, unused text, assumptions, comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from oddtrick.limits import PBN_SAME
from oddtrick.record.deal import Comment, Deal, Source, Span, Unreadable
from oddtrick.terminal import in_a_line

MOST_KEPT = 8 * PBN_SAME.most
"""How many unused texts are kept for a deal."""


def shown(text: str) -> str:
    """The beginning of a text, cleaned and in quotation marks, for a message."""
    clean = in_a_line(" ".join(text[:200].split()))
    return f'"{clean if len(clean) <= 50 else clean[:47] + "..."}"'


class Margin:
    """The reports on one deal of PBN or LIN; `counted` counts them by rule."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.unreadable: list[Unreadable] = []
        self.unused: list[tuple[str, Span]] = []
        self.assumed: list[tuple[str, Span]] = []
        self.comments: list[Comment] = []
        self.counted: dict[str, int] = {}

    def unread(
        self, rule: str, message: str, span: Span, text: str | None = None, unclear: bool = False
    ) -> None:
        """Report what could not be read or, if `unclear`, leaves a fact unknown; store `text`."""
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number == PBN_SAME.most + 1:
            message = PBN_SAME.message()
        if number <= PBN_SAME.most + 1:
            found = Unreadable(rule, message, self.source, span, None, unclear)
            self.unreadable.append(found)
        if text is not None:
            self.keep(text, span)

    def unclear(self, rule: str, message: str, span: Span, text: str | None = None) -> None:
        """Report what leaves a fact unknown; store `text`."""
        self.unread(rule, message, span, text, unclear=True)

    def keep(self, text: str, span: Span) -> None:
        """Store unused text, up to a limit on the number of texts."""
        if len(self.unused) < MOST_KEPT:
            self.unused.append((text, span))

    def assume(self, text: str, span: Span) -> None:
        """Record an assumption."""
        self.assumed.append((text, span))

    def beside(self, deal: Deal) -> Iterator[Deal | Unreadable]:
        """Yield the deal and then its unreadable parts, in order."""
        yield deal
        for found in sorted(self.unreadable, key=lambda one: one.span):
            yield replace(found, about=(deal.id, deal.span))
