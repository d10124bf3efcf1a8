"""Parts of a frozen object that are left for later: made when somebody first reads them.

A whole archive is read and judged without anybody looking at the place of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar

T = TypeVar("T", bound="Later")


class Waiting(Protocol):
    """How parts are made by their names."""

    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Callable[[], object]: ...


class Later:
    """What has parts that may be left for later, as a frozen dataclass with slots.

    Whoever compares, copies or pickles it reads them all.
    """

    __slots__ = ("_later",)

    _later: Waiting

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


class _Whole:
    """Parts that are all taken from a thing of the same kind, which is made when it is asked for.

    What of it waits in its turn is made with it.
    """

    __slots__ = ("kind", "made", "whole")

    def __init__(self, kind: type[Later], made: Callable[[], Later]) -> None:
        self.kind, self.made = kind, made
        self.whole: Later | None = None

    def __contains__(self, name: object) -> bool:
        return name in getattr(self.kind, "__dataclass_fields__", ())

    def __getitem__(self, name: str) -> Callable[[], object]:
        return lambda: self._part(name)

    def _part(self, name: str) -> object:
        if self.whole is None:
            self.whole = self.made()
        return getattr(self.whole, name)


def left(kind: type[T], made: Callable[[], T], parts: Iterable[tuple[str, object]]) -> T:
    """A thing of which some parts are known; the rest is that of `made()`, when one is read."""
    thing, known = object.__new__(kind), object.__setattr__
    known(thing, "_later", _Whole(kind, made))
    for name, value in parts:
        known(thing, name, value)
    return thing


def put(thing: T, **parts: object) -> T:
    """The thing itself, which nobody else has yet, with other values of its parts.

    To copy it would make all that was left for later.
    """
    for name, value in parts.items():
        object.__setattr__(thing, name, value)
    return thing
