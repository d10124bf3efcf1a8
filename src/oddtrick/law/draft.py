"""A lawbook during compilation: its codes, the vocabulary and the other lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oddtrick.law.model import Code, Provision, Vocabulary
from oddtrick.law.yaml import Json


@dataclass(frozen=True, slots=True)
class Draft:
    """A lawbook being checked; `lists` maps the name of a list to its file and items."""

    codes: Mapping[str, Code]
    vocabulary: Vocabulary
    lists: Mapping[str, tuple[str, Json]]
    folder: str
    shapes: Mapping[str, Json]

    @property
    def provisions(self) -> list[Provision]:
        """The provisions of all codes."""
        return [p for code in self.codes.values() for p in code.provisions]

    def chain(self, code: Code) -> list[Code]:
        """A code, the code that it extends, and so on; stops at a circular reference."""
        found = {code.id: code}
        base = self.codes.get(code.extends or "")
        while base and base.id not in found:
            found[base.id] = base
            base = self.codes.get(base.extends or "")
        return list(found.values())

    def listed(self, name: str) -> Iterator[tuple[Json, tuple[str, int]]]:
        """Yield the items of a list, each with its file and line."""
        stem, items = self.lists[name]
        for item in items:
            yield item, (f"{self.folder}/{stem}.yaml", item.line)
