"""How the provisions of the codes stand to each other: same rule, in other words, different rule, split, merged, none.

All follows from the compiled rules (`laws/rules.yaml`): two provisions answer each other when a rule holds
both. Plain dicts and no heavy imports, because `oddtrick law` shows the counterparts.
"""

from oddtrick.law import store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WIDEST = ("split", "merged", "different", "reworded", "same")
"""How one provision can stand to another, the widest first."""

_loaded: "list[Relations]" = []


class Relations:
    """The compiled rules with what is looked up in them: the rules of an address, the law in force of a code."""

    def __init__(self, compiled: "dict[str, Any]") -> None:
        self.rules: list[dict[str, Any]] = compiled["rules"]
        self.sides: dict[str, list[str]] = compiled["sides"]
        self.names: dict[str, str] = compiled["names"]
        self.kinds: dict[str, str] = {k["id"]: k["label"] for k in compiled["kinds"]}
        self.of: dict[str, list[dict[str, Any]]] = {}
        for rule in self.rules:
            for members in rule["members"].values():
                for address in members:
                    self.of.setdefault(address, []).append(rule)
        self._in = {code: frozenset(found) for code, found in self.sides.items()}

    def counterparts(self, address: str, ours: str, theirs: str) -> "list[str]":
        """The provisions of the law in force under `theirs` that answer one of the law under `ours`, in order.

        A provision that stands in both (a base's, in force under the code that extends it) answers itself alone.
        """
        if address in self._in[theirs]:
            return [address]
        found: dict[str, None] = {}
        for rule in self.of.get(address, []):
            for members in rule["members"].values():
                for other in members:
                    if other in self._in[theirs] and other not in self._in[ours]:
                        found[other] = None
        return list(found)

    def kind(self, one: str, other: str, ours: str, theirs: str) -> str:
        """How one provision stands to another that answers it: `same`, `reworded`, `different`, `split` or `merged`."""
        if one == other or self.same(one, other):
            return "same"
        forth = len(self.counterparts(one, ours, theirs))
        back = len(self.counterparts(other, theirs, ours))
        if forth > 1 and back == 1:
            return "split"
        if forth == 1 and back > 1:
            return "merged"
        told = self.differences(one, other)
        return (
            "reworded" if told and all(d["difference"] == "wording" for d in told) else "different"
        )

    def stands(self, address: str, ours: str, theirs: str) -> "tuple[str, list[str]]":
        """How a provision stands to what answers it in another code, and what does.

        Where its pairs differ, the widest: `split` before `merged` before `different` before `reworded`.
        """
        found = self.counterparts(address, ours, theirs)
        kinds = {self.kind(address, other, ours, theirs) for other in found}
        return next((k for k in WIDEST if k in kinds), "none"), found

    def same(self, one: str, other: str) -> bool:
        """Whether a rule has the two in the same words."""
        a, b = _code(one), _code(other)
        for rule in self.of.get(one, []):
            if other not in rule["members"].get(b, []):
                continue
            entry = _entry(rule, a)
            if entry is _entry(rule, b):
                return bool(rule["members"][a].index(one) == rule["members"][b].index(other))
        return False

    def differences(self, one: str, other: str) -> "list[dict[str, str]]":
        """What changed between two provisions: for each rule that holds both, its id, label, kind of difference, statement."""
        a, b = _code(one), _code(other)
        found = []
        for rule in self.of.get(one, []):
            if other not in rule["members"].get(b, []) or a == b:
                continue
            mine, theirs = _entry(rule, a), _entry(rule, b)
            if mine is theirs:
                continue
            found.append(
                {
                    "rule": rule["id"],
                    "label": rule["label"],
                    "difference": _difference(rule, mine, theirs),
                    "ours": mine["text"],
                    "theirs": theirs["text"],
                }
            )
        return found


def _code(address: str) -> str:
    return address.partition(":")[0]


def _entry(rule: "dict[str, Any]", code: str) -> "dict[str, Any]":
    """The version of a rule that a code has; the rule itself where all have the same."""
    for entry in rule.get("says", ()):
        if code in entry["codes"]:
            return entry  # type: ignore[no-any-return]
    return rule


def _difference(rule: "dict[str, Any]", mine: "dict[str, Any]", theirs: "dict[str, Any]") -> str:
    """`figure` or `wording` where both have in substance one version's rule; else `substance`."""
    ours, others = _descent(rule, mine), _descent(rule, theirs)
    if ours[-1] is not others[-1]:
        return "substance"
    apart = [e for e in ours if not any(e is o for o in others)] + [
        e for e in others if not any(e is o for o in ours)
    ]
    return "figure" if any(e.get("differs") == "figure" for e in apart) else "wording"


def _descent(rule: "dict[str, Any]", entry: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A version and those it is like in substance, up to the one that is like no other."""
    found = [entry]
    while "differs" in found[-1] and len(found) <= len(rule["says"]):
        like = found[-1].get("like")
        found.append(
            _entry(rule, like) if like else next(e for e in rule["says"] if "differs" not in e)
        )
    return found


def load() -> Relations:
    """The relations of the lawbook in use."""
    if not _loaded:
        _loaded.append(Relations(store.load("rules")))
    return _loaded[0]
