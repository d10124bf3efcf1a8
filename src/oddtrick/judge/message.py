"""The judge's messages, as ids and data. `report` has a sentence for each id."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """An id of `report.messages.SENTENCES` with the data of its sentence.

    The data are seats, cards, numbers and ids; a value may itself be a message, or a tuple of
    values.
    """

    id: str
    data: tuple[tuple[str, Hashable], ...]

    def __init__(self, id: str, /, **data: Hashable) -> None:
        object.__setattr__(self, "id", id)
        object.__setattr__(self, "data", tuple(data.items()))


Say = Callable[[Message], str]
"""A function that puts a message into words."""


def silent(message: Message) -> str:
    """Return an empty text for any message: for answers that are only compared."""
    del message
    return ""
