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
            if named or len(values) != len(cls._fields):
                if len(values) > len(cls._fields):
                    raise TypeError
                values += tuple(
                    named.pop(f) if f in named else cls._defaults[f]
                    for f in cls._fields[len(values) :]
                )
            return tuple.__new__(cls, values)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

    NamedTuple = type.__new__(_Named, "NamedTuple", (), {})
