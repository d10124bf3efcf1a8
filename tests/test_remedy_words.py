"""Every wording that the program prints for a remedy is read as that remedy, and so are the plain
forms of the notation.
"""

import pytest

from files import table
from oddtrick.judge.check import check
from oddtrick.judge.effects import EFFECTS
from oddtrick.judge.remedy_words import read_remedy
from oddtrick.judge.roles import Roles
from oddtrick.law.book import book
from oddtrick.record.deal import deals_in
from oddtrick.record.hand.read import read_text
from oddtrick.rulings import engine
from oddtrick.rulings.words import may_words, remedy_words


def first(words: str) -> str | None:
    """The first remedy that words can mean."""
    return next(iter(read_remedy(words).ids), None)


def given() -> list[tuple[str, str]]:
    """Every remedy of every code with the words printed for it."""
    found = {}
    for code in (c.id for c in book().codes if c.judged):
        for name in engine.catalogue():
            entry = book().entry(name, code)
            for case in entry[0].rulings if entry else ():
                for given in case.remedies:
                    remedy = engine.remedy_given(given, engine.catalogue()[name])
                    may = [may_words(remedy)] if remedy.may else []
                    for words in (remedy.id, remedy.words, remedy_words(remedy), *may):
                        found[words, remedy.id] = None
    return list(found)


def test_every_printed_remedy_is_read() -> None:
    assert [(w, r, first(w)) for w, r in given() if first(w) != r] == []


FORMS = table("remedies")


@pytest.mark.parametrize(("words", "remedy"), FORMS.items())
def test_the_plain_forms_are_read(words: str, remedy: str) -> None:
    assert remedy in (read_remedy(words).ids or ("none",))


LIMITS = table("time_limits")


@pytest.mark.parametrize("code", LIMITS)
def test_a_right_lasts_as_long_as_its_law_says(code: str) -> None:
    found: dict[str, set[str]] = {}
    for name in engine.catalogue():
        entry = book().entry(name, code)
        for case in entry[0].rulings if entry else ():
            for remedy in case.remedies:
                address = str(remedy.provision)
                full = address if ":" in address else f"{code}:{address}"
                if full in LIMITS[code] and remedy.demand:
                    found.setdefault(full, set()).add(remedy.demand)
    assert found == {law: {limit} for law, limit in LIMITS[code].items()}


SECOND = """code bridge-elwell
deal 1
hands
  west ♠ 9 8 7 6 ♥ 10 7 6 ♦ A K Q J 9 ♣ J
declaration hearts by south
irregularity card-exposed-before-lead by east of "♠5" remedy "WORDS" chosen by south
play
  west: ♦A - - -
"""


@pytest.mark.parametrize(
    ("words", "second"),
    [
        ("forbid spades and call ♠5", "call ♠5"),
        ("call ♠5, forbid spades", "forbid spades"),
        ("forbid spades and the partner may not double or redouble", None),  # it goes with it
        ("forbid spades", None),
    ],
)
def test_a_second_remedy_in_the_words_of_one_is_named(words: str, second: str | None) -> None:
    (deal,) = deals_in(read_text(SECOND.replace("WORDS", words)).items)
    messages = [m for f in check(deal).findings if f.rule == "record.not-used" for m in f.messages]
    assert [dict(m.data)["second"] for m in messages] == [second] * bool(second)


def test_the_effects_of_the_catalogue_are_those_that_the_judge_has() -> None:
    assert {(e.id, of) for e in book().vocabulary.effects for of in e.of or (None,)} == set(EFFECTS)


def test_the_choosers_of_the_catalogue_are_those_that_the_judge_has() -> None:
    assert {c.id for c in book().vocabulary.choosers} == set(Roles().choosers(None))
