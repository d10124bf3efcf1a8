"""What reading a board leaves beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from oddtrick.record.model import Comment, Place, Stated, Unreadable
from oddtrick.record.pbn.reader import MANY


@dataclass(slots=True)
class Margin:
    """What reading a record leaves beside it: the unreadable, text kept, assumptions, comments."""

    file: str
    unreadable: list[Unreadable] = field(default_factory=list)
    kept: list[Stated[str]] = field(default_factory=list)
    assumed: list[Stated[str]] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def unread(self, rule: str, message: str, text: str | None, place: Place) -> None:
        """Say that a piece could not be read at all, and keep it."""
        self._find(rule, message, place)
        if text is not None:
            self.keep(text, place)

    def unclear(self, rule: str, message: str, place: Place) -> None:
        """Say that something does not let a fact be known."""
        self._find(rule, message, place, unclear=True)

    def keep(self, text: str, place: Place) -> None:
        """Keep a text that was not used; noise is kept only in part."""
        if len(self.kept) < 8 * MANY:
            self.kept.append(Stated(text, place))

    def assume(self, text: str, place: Place) -> None:
        """Say what was taken for granted."""
        self.assumed.append(Stated(text, place))

    def _find(self, rule: str, message: str, place: Place, unclear: bool = False) -> None:
        number = self.counted[rule] = self.counted.get(rule, 0) + 1
        if number > MANY + 1:
            return
        if number == MANY + 1:
            message = "There is more of the same kind in this record."
        self.unreadable.append(Unreadable(rule, message, self.file, place, None, unclear))
