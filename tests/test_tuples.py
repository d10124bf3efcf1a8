"""The named tuples that `oddtrick law` is made of behave as typing's."""

from __future__ import annotations

import copy
import pickle

import pytest

from oddtrick.law.book import book
from oddtrick.terminal import Style


def test_fields_are_given_by_place_or_name_and_shown() -> None:
    assert Style() == Style(80, False) == Style(width=80) == (80, False, "")
    assert Style(colour=True).colour
    assert repr(Style(40)) == "Style(width=40, colour=False, key='')"
    assert Style()._replace(width=60) == Style(60)
    assert Style()._asdict() == {"width": 80, "colour": False, "key": ""}


def test_a_wrong_field_is_refused() -> None:
    for values, named in (((1, 2, 3, 4), {}), ((), {"bad": 1}), ((1,), {"width": 2})):
        with pytest.raises(TypeError, match="Style takes width, colour, key"):
            Style(*values, **named)  # type: ignore[arg-type]


def test_nothing_is_changed_and_copies_are_equal() -> None:
    law = book().codes[0].laws[0]
    with pytest.raises(AttributeError):
        law.heading = "another"  # type: ignore[misc]
    assert copy.deepcopy(law) == law == pickle.loads(pickle.dumps(law))
    assert hash(Style()) == hash((80, False, ""))
