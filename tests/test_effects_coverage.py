"""Every effect of every code has a record in which it happens, and one in which it does not."""

from __future__ import annotations

import pytest

from effects_coverage import ELSEWHERE, every_effect, lacking
from oddtrick.law.book import book


@pytest.mark.shipped
@pytest.mark.slow
def test_every_effect_of_every_code_has_its_pair_of_records() -> None:
    assert lacking() == []


def test_every_effect_of_the_vocabulary_is_of_a_judged_code() -> None:
    kinds = {(e.id, of) for e in book().vocabulary.effects for of in e.of or (None,)}
    had = {effect for _, effect in every_effect()}
    assert had <= kinds
    # The others are of a reading that is not applied.
    assert {name for name, _ in had} == {name for name, _ in kinds}


def test_what_is_excused_is_an_effect_of_its_code() -> None:
    assert set(ELSEWHERE) <= set(every_effect())
