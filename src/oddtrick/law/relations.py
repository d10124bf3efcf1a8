"""Relates the provisions of different codes to each other, from the compiled parallels.

Two provisions correspond if a parallel contains both. For a code without such a provision, a
parallel may name a general law that covers the point.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from oddtrick.law.address import Address
from oddtrick.law.model import Change, Counterpart, Parallel, Version


class Relations:
    """The relations between provisions.

    `all` holds the parallels, `of` those of each address, `sides` the provisions in force under
    each code without options, and `amending` those of them that amend a provision. `unrelated` are
    the amending provisions without a parallel of their own: they have those of the amended one.
    """

    def __init__(
        self,
        parallels: tuple[Parallel, ...],
        sides: Mapping[str, list[str]],
        amended: Mapping[str, list[str]],
    ) -> None:
        self.all = parallels
        self.sides = {code: tuple(map(Address, found)) for code, found in sides.items()}
        self.of: dict[str, list[Parallel]] = {}
        for rule in parallels:
            for address in rule.addresses:
                self.of.setdefault(address, []).append(rule)
        self._sides = {code: frozenset(found) for code, found in self.sides.items()}
        self.amending = {
            own: [a for a in map(Address, laws) if self.in_force(a, a.code)]
            for own, laws in amended.items()
        }
        self._amends: dict[str, list[Address]] = {}
        for own, laws in self.amending.items():
            for law in laws:
                self._amends.setdefault(law, []).append(Address(own))
        self.unrelated = self._amends.keys() - self.of.keys()
        for new in self.unrelated:
            self.of[new] = self.of.get(self._amends[new][0], [])
        self.counterparts = cache(self._counterparts)

    def in_force(self, address: str, code: str) -> bool:
        """Whether a provision is in force under a code without options."""
        return address in self._sides.get(code, ())

    def _counterparts(self, address: str, ours: str, theirs: str) -> tuple[Address, ...]:
        """The counterparts in force under `theirs` of a provision in force under `ours`."""
        mine, wanted = self._sides[ours], self._sides[theirs]
        amended, anew = self._amends.get(address, ()), self.amending.get(address, ())
        alike = [other for rule in self.of.get(address, []) for other in rule.addresses]
        if address in wanted:
            found = [a for a in anew if a in wanted and a not in mine]
            # A law of one code may repeat a rule of a law that stays in force under both.
            others = (o for o in alike if o in wanted and o not in mine)
            found += [o for o in others if address in self.counterparts(o, theirs, ours)]
            return tuple(dict.fromkeys((Address(address), *found)))
        alike += [a for o in alike for a in self.amending.get(o, ()) if a in self.unrelated]
        found = [o for o in (*alike, *amended) if o in wanted]
        new = [o for o in found if o not in mine or o in amended]
        return tuple(dict.fromkeys(new or found))

    def holding(self, rule: Parallel, code: str) -> list[Address]:
        """The provisions of a rule in force under a code: its own or, failing that, its base's."""
        found = [a for a in rule.addresses if self.in_force(a, code)]
        return [a for a in found if a.code == code] or found

    def version(self, rule: Parallel, code: str) -> Version | None:
        """What a rule is under a code; `None` if it is not in force or all codes have it alike."""
        owner = next((a.code for a in self.holding(rule, code)), None)
        return next((v for v in rule.versions if owner in v.codes), None)

    def excluded_by(self, address: str, code: str) -> bool:
        """Whether a provision only says, under a code, that a thing does not exist or count."""
        versions = [self.version(rule, code) for rule in self.of.get(address, ())]
        return bool(versions) and all(v is not None and v.excludes for v in versions)

    def presumed_by(self, irregularity: str, code: str) -> dict[Address, str]:
        """The provisions in force under a code that an irregularity presumes, with their labels."""
        rules = (rule for rule in self.all if irregularity in rule.presumed_by)
        return {a: r.label for r in rules for a in r.addresses if a in self._sides[code]}

    def general(self, address: str, ours: str, theirs: str) -> list[Address]:
        """The general laws in force under `theirs` for a provision without a counterpart there."""
        if self.counterparts(address, ours, theirs):
            return []
        named = (a for rule in self.of.get(address, []) for a in rule.general)
        return list(dict.fromkeys(a for a in named if a in self._sides[theirs]))

    def kind(self, one: str, other: str, ours: str, theirs: str) -> str:
        """The relation of a provision under `ours` to a counterpart under `theirs`: `same`,
        `reworded` or `different`.
        """
        if self.same(one, other):
            return "same"
        kinds = {change.difference for change in self.differences(one, other, ours, theirs)}
        return "reworded" if kinds == {"wording"} else "different"

    def shape(self, one: str, other: str, ours: str, theirs: str) -> str:
        """`split` if `one` has several counterparts, `merged` if `other` has several.

        Empty if neither or both apply, or the two have the same wording.
        """
        forth = len(self.counterparts(one, ours, theirs))
        back = len(self.counterparts(other, theirs, ours))
        if self.same(one, other) or (forth > 1) == (back > 1):
            return ""
        return "split" if forth > 1 else "merged"

    def detailed_counterparts(
        self, address: str, ours: str, theirs: str
    ) -> tuple[Counterpart, ...]:
        """The counterparts under `theirs` of a provision in force under `ours`.

        If there are none, returns the general laws that cover the point.
        """
        if found := self.counterparts(address, ours, theirs):
            return tuple(
                Counterpart(
                    other,
                    self.kind(address, other, ours, theirs),
                    self.shape(address, other, ours, theirs),
                    tuple(self.differences(address, other, ours, theirs)),
                )
                for other in found
            )
        general = self.general(address, ours, theirs)
        return tuple(Counterpart(other, "general", "", ()) for other in general)

    def same(self, one: str, other: str) -> bool:
        """Whether two provisions are one, or a parallel counts their wording as identical."""
        groups = (group for rule in self.of.get(one, []) for group in rule.alike)
        return one == other or any(one in group and other in group for group in groups)

    def differences(self, one: str, other: str, ours: str, theirs: str) -> list[Change]:
        """The changes from a provision under `ours` to one under `theirs`, one per parallel in
        which the versions of the two codes differ.
        """
        if self.same(one, other):
            return []
        found = []
        for rule in self.of.get(one, []):
            if other in rule.members.get(Address(other).code, ()):
                old, new = self.version(rule, ours), self.version(rule, theirs)
                if old and new and old is not new:
                    kind = _difference(rule, old, new)
                    found.append(Change(rule.id, rule.label, kind, old.text, new.text))
        return found


def _difference(rule: Parallel, mine: Version, theirs: Version) -> str:
    """The kind of difference between two versions.

    `substance`, unless both derive from one version; then `figure` or `wording`.
    """
    ours, others = descent(rule, mine), descent(rule, theirs)
    if ours[-1] != others[-1]:
        return "substance"
    own = [v.differs for v in (*ours, *others) if not (v in ours and v in others)]
    return "figure" if "figure" in own else "wording"


def descent(rule: Parallel, version: Version) -> list[Version]:
    """The version and the versions it derives from, up to the first that has no `differs`."""
    found = [version]
    while found[-1].differs and len(found) <= len(rule.versions):
        like = found[-1].like
        based = (v for v in rule.versions if like in v.codes or not (like or v.differs))
        found.append(next(based))
    return found
