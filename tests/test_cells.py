"""The cells of a figure: where each is printed, and how they combine in the law in force."""

from pathlib import Path

import pytest

from files import table
from lawbook import in_force
from oddtrick.law.compile import compile_laws
from test_lawdata import LAWS, problems, tiny, write  # noqa: F401

PRINTED = table("cells")


@pytest.mark.parametrize("row", PRINTED)
def test_a_cell_is_cited_where_it_is_printed(row: str) -> None:
    game, name, laws = row.split(", ")
    code, *options = game.split()
    assert in_force(code, options).laws(name) == tuple(f"{code}:{a}" for a in laws.split())


def test_a_procedure_that_several_laws_say_is_cited_by_the_one_that_is_cited_anyway() -> None:
    law = in_force("auction-1912")
    assert law.laws("slam.little", "slam-when") == ("auction-1912:8",)
    assert law.laws("slam-when") == ("auction-1912:7",)
    assert law.laws("slam") == ("auction-1912:7", "auction-1912:8")
    table = in_force("duplicate-1912")
    assert table.laws("slam.grand", "slam-tricks.grand", "slam-when") == (
        "duplicate-1912:17.2",
        "duplicate-1912:15",
    )


def test_a_cell_rests_on_the_readings_that_touch_it() -> None:
    vanderbilt = in_force("contract-1927", ["vanderbilt"])
    redoubled = ("contract-1927:reading.vanderbilt-redoubled",)
    assert vanderbilt.readings("undertrick.vulnerable.redoubled") == redoubled
    assert vanderbilt.readings("undertrick.vulnerable.doubled") == ()
    assert vanderbilt.readings("undertrick") == ()
    assert in_force("contract-1927").readings("undertrick.redoubled") == ()


def test_the_cells_of_a_figure_may_stand_in_several_provisions(tiny: Path) -> None:  # noqa: F811
    more = (
        'at: "2"\n        text: {} tricks are worth {} points.\n        topics: [rubber]\n'
        "        procedures: {{slam-when: tricks-taken}}\n        figures: {{slam: {{{}: {}}}}}\n"
    )
    little, grand = more.format("Twelve", 20, "little", 20), more.format("All", 40, "grand", 40)
    write(tiny, "laws.yaml", LAWS + "      - " + little + "      - " + grand.replace("2", "3", 1))
    assert problems(tiny) == []
    slam = compile_laws(tiny).book["codes"]["tiny-1900"]["provisions"][-2:]
    assert [p["figures"] for p in slam] == [{"slam": {"little": 20}}, {"slam": {"grand": 40}}]
