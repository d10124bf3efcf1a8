"""A PBN archive with known faults: games of `plain_games`, and between them the texts of `pbn/read.yaml`
that cannot be read whole.
"""

from files import table
from plain_games import pbn

Dirt = tuple[str, int, int]
"""A finding: the rule as the file names it, the line and the column."""

CASES = [
    c
    for c in table("pbn/read")
    if ("found" in c or "assumed" in c) and c["name"] != "lines that belong to nothing"
]


def archive(games: int) -> tuple[bytes, list[Dirt]]:
    """An archive of so many games, and all that is to be found in it, in the order of the lines."""
    clean, out, dirt = pbn().strip().split("\n\n"), list[str](), list[Dirt]()
    for number in range(games):
        if number % 2:
            out += [*clean[number // 2 % len(clean)].splitlines(), ""]
        else:
            case = CASES[number // 2 % len(CASES)]
            found = ((rule, int(line), int(at)) for rule, line, at in case.get("found", ()))
            dirt += [(rule, len(out) + line, at) for rule, line, at in found]
            out += [*case["pbn"].strip("\n").split("\n"), ""]
    return "\n".join(out).encode(), dirt
