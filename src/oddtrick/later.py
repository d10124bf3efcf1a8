"""Parts of a frozen object that are left for later: made when somebody first reads them.

A whole archive is read and judged without anybody looking at the place of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

T = TypeVar("T", bound="Later")


class Later:
    """What has parts that may be left for later, as a frozen dataclass with slots.

    Whoever compares, copies or pickles it reads them all.
    """

    __slots__ = ("_later",)

    _later: Mapping[str, Callable[[], object]]

    if not TYPE_CHECKING:  # checkers know the parts from the class

        def __getattr__(self, name: str) -> object:
            """Make a part that was left for later: a slot that is empty is looked for here."""
            if name == "_later" or name not in (waiting := getattr(self, "_later", ())):
                said = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(said, name=name, obj=self)
            put(self, **{name: waiting[name]()})
            return getattr(self, name)


def later(thing: T, **parts: Callable[[], object]) -> T:
    """The thing itself, which nobody else has yet, with parts that are made when they are read."""
    object.__setattr__(thing, "_later", parts)
    for name in parts:
        object.__delattr__(thing, name)
    return thing


def put(thing: T, **parts: object) -> T:
    """The thing itself, which nobody else has yet, with other values of its parts.

    To copy it would make all that was left for later.
    """
    for name, value in parts.items():
        object.__setattr__(thing, name, value)
    return thing
