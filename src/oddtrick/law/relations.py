"""How the provisions of the codes relate to each other, from the compiled parallels.

Two provisions answer each other when a parallel holds both. Where a code has no such provision, a
parallel may name the law that answers in general words.
"""

from __future__ import annotations

from functools import cache

from oddtrick.law.address import Address
from oddtrick.law.model import Change, Counterpart, Parallel, Parallels, Version


class Relations:
    """The parallels of each address (`of`), and the law in force of each code (`sides`)."""

    def __init__(self, parallels: Parallels) -> None:
        self.all = parallels.all
        self.sides = parallels.sides
        self.of: dict[str, list[Parallel]] = {}
        for rule in parallels.all:
            for address in rule.addresses:
                self.of.setdefault(address, []).append(rule)
        self._sides = {code: frozenset(found) for code, found in self.sides.items()}
        self.counterparts = cache(self._counterparts)

    def in_force(self, address: str, code: str) -> bool:
        """Whether a provision is in force under a code without options."""
        return address in self._sides.get(code, ())

    def _counterparts(self, address: str, ours: str, theirs: str) -> tuple[Address, ...]:
        """The provisions in force under `theirs` that answer one of `ours`."""
        if address in self._sides[theirs]:
            return (Address(address),)
        others = (other for rule in self.of.get(address, []) for other in rule.addresses)
        mine, wanted = self._sides[ours], self._sides[theirs]
        return tuple(dict.fromkeys(o for o in others if o in wanted and o not in mine))

    def general(self, address: str, ours: str, theirs: str) -> list[Address]:
        """The laws under `theirs` that answer in general words what has no counterpart there."""
        if self.counterparts(address, ours, theirs):
            return []
        named = (a for rule in self.of.get(address, []) for a in rule.general)
        return list(dict.fromkeys(a for a in named if a in self._sides[theirs]))

    def kind(self, one: str, other: str) -> str:
        """How one provision stands to another that answers it, a word of `KINDS`."""
        if one == other or self.same(one, other):
            return "same"
        changes = self.differences(one, other)
        worded = changes and all(d.difference == "wording" for d in changes)
        return "reworded" if worded else "different"

    def shape(self, one: str, other: str, ours: str, theirs: str) -> str:
        """Whether a provision is `split` into several, or `merged` of several, or neither."""
        if one == other or self.same(one, other):
            return ""
        forth = len(self.counterparts(one, ours, theirs))
        back = len(self.counterparts(other, theirs, ours))
        if forth > 1 and back == 1:
            return "split"
        return "merged" if forth == 1 and back > 1 else ""

    def stands(self, address: str, ours: str, theirs: str) -> tuple[Counterpart, ...]:
        """What answers a provision of the law under `ours` in the law under `theirs`, and how."""
        found = self.counterparts(address, ours, theirs)
        general = () if found else self.general(address, ours, theirs)
        return (
            *(
                Counterpart(
                    other,
                    self.kind(address, other),
                    self.shape(address, other, ours, theirs),
                    tuple(self.differences(address, other)),
                )
                for other in found
            ),
            *(Counterpart(other, "general", "", ()) for other in general),
        )

    def same(self, one: str, other: str) -> bool:
        """Whether a parallel has the two in the same words."""
        return any(
            one in group and other in group for rule in self.of.get(one, []) for group in rule.alike
        )

    def differences(self, one: str, other: str) -> list[Change]:
        """A change for each parallel that holds both; none where they have the same words."""
        if self.same(one, other):
            return []
        a, b = Address(one).code, Address(other).code
        found = []
        for rule in self.of.get(one, []):
            if other not in rule.members.get(b, ()) or a == b:
                continue
            mine, theirs = _version(rule, a), _version(rule, b)
            if mine is None or theirs is None or mine is theirs:
                continue
            kind = _difference(rule, mine, theirs)
            found.append(Change(rule.id, rule.label, kind, mine.text, theirs.text))
        return found


def _version(rule: Parallel, code: str) -> Version | None:
    """The version of a parallel that a code has; `None` where all have the same words."""
    return next((v for v in rule.versions if code in v.codes), None)


def _difference(rule: Parallel, mine: Version, theirs: Version) -> str:
    """`figure` or `wording` where both have in substance one version's rule; else `substance`."""
    ours, others = _descent(rule, mine), _descent(rule, theirs)
    if ours[-1] is not others[-1]:
        return "substance"
    apart = [v for v in ours if not any(v is o for o in others)]
    apart += [v for v in others if not any(v is o for o in ours)]
    return "figure" if any(v.differs == "figure" for v in apart) else "wording"


def _descent(rule: Parallel, version: Version) -> list[Version]:
    """A version and those it is like in substance, up to the one that is like no other."""
    found = [version]
    while found[-1].differs and len(found) <= len(rule.versions):
        like = found[-1].like
        base = _version(rule, like) if like else None
        found.append(base or next(v for v in rule.versions if not v.differs))
    return found
