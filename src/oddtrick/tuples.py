"""`NamedTuple` as typing has it, for what `oddtrick law` makes at every start.

Importing typing and letting it make the forty classes of the law takes two thirds of the bare
interpreter's start, this a sixth (benchmarks/cold_start.py). Checkers are shown typing's own.
Modules that use it have `from __future__ import annotations`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from _collections import _tuplegetter

    class _Named(type):
        """Makes of a class with annotations a tuple with these fields, in their order."""

        def __new__(cls, name, _bases, namespace):
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {f: namespace.pop(f) for f in fields if f in namespace}
            for index, field in enumerate(fields):
                namespace[field] = _tuplegetter(index, "")
            namespace |= {"__slots__": (), "_fields": fields, "_defaults": defaults}
            return type.__new__(type, name, (_Tuple,), namespace)

    class _Tuple(tuple):
        """What all of them can do."""

        __slots__ = ()

        def __new__(cls, *values, **named):
            left = cls._fields[len(values) :]
            if left or named or len(values) > len(cls._fields):
                given = cls._defaults | named
                if len(values) > len(cls._fields) or not set(named) <= set(left) <= set(given):
                    raise TypeError(f"{cls.__name__} takes {', '.join(cls._fields)}")
                values += tuple(given[f] for f in left)
            return tuple.__new__(cls, values)

        def __repr__(self):
            told = ", ".join(f"{k}={v!r}" for k, v in self._asdict().items())
            return f"{type(self).__name__}({told})"

        def __getnewargs__(self):  # for copies and pickles
            return tuple(self)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def _replace(self, **named):
            return type(self)(**self._asdict() | named)

    NamedTuple = type.__new__(_Named, "NamedTuple", (), {})
