"""The ruling engine: every irregularity under every code, compared with what the printed laws were
found to provide before it was run.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from conftest import STRANGERS, WHOLE
from files import table
from lawbook import code_data, codes, contradictory, vocabulary
from oddtrick.book.disputes import find
from oddtrick.cli.commands import run
from oddtrick.law.address import Address
from oddtrick.law.book import book
from oddtrick.law.cases import combinations, facts_of
from oddtrick.law.yaml import read as read_yaml
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.words import finding_words, laws_of, parts_of, ruling_words

HERE = Path(__file__).resolve().parent / "rulings"
NAMES = list(rulings.catalogue())
OPTIONED = [(c, o["id"]) for c in codes() for o in code_data(c)["options"]]


def load(name: str) -> Any:
    return table(f"rulings/{name}")


EVIDENCE = [code for code in codes() if code not in STRANGERS]
CASES = [(code, case) for code in EVIDENCE for case in load(code)]


def shape(ruling: rulings.Ruling) -> tuple[list[str], list[list[str]], list[str]]:
    """What follows automatically, the alternatives from which somebody may choose, and who may."""
    always = sorted({r.id for r in ruling.always if r.chosen_by == "nobody"})
    demanded = sorted({r.id for r in ruling.always if r.chosen_by != "nobody"})
    choices = [sorted({r.id for r in c}) for c in ruling.choices] + ([demanded] if demanded else [])
    return (
        always,
        sorted(choices),
        sorted({r.chosen_by for r in ruling.remedies if r.chosen_by != "nobody"}),
    )


def facts(case: Any) -> dict[str, str]:
    return {k: str(v) for k, v in (case.get("facts") or {}).items()}


def full(code: str, addresses: list[str] | None) -> list[str]:
    return [a if ":" in a else f"{code}:{a}" for a in addresses or ()]


@pytest.mark.parametrize("code", EVIDENCE)
def test_a_case_comes_to_what_the_printed_law_gives(code: str) -> None:
    own = [case for c, case in CASES if c == code]
    assert own
    assert {case["case"]: wrong for case in own if (wrong := otherwise(code, case))} == {}


def otherwise(code: str, case: Any) -> tuple[Any, ...]:
    """How the result of a case differs from the printed law, and what the law gives."""
    found = rulings.answer(case["irregularity"], code, case.get("options", ()), facts(case))
    wanted = "absent" if case.get("absent") else "silent" if case.get("silent") else "ruling"
    if found.kind != wanted:
        return found.kind, wanted, found.reason, [q.fact for q in found.questions]
    lacking = [
        a
        for a in full(code, case.get("laws"))
        if not any(x == a or x.startswith(a + ".") for x in found.laws)
    ]
    if lacking:
        return lacking, found.laws
    if found.ruling and wanted == "ruling":
        always, choices, chosen_by = shape(found.ruling)
        expected = sorted(sorted(set(c)) for c in case.get("choices") or [])
        if together(always, choices) != together(case.get("always") or [], expected):
            return always, choices, case.get("always"), expected
        if (len(found.ruling.choices) > 1 or len(expected) > 1) and choices != expected:
            return choices, expected
        if case.get("chosen_by") and case["chosen_by"] not in chosen_by:
            return case["chosen_by"], chosen_by
    return ()


def together(always: list[str], choices: list[list[str]]) -> set[str]:
    """Every remedy of a ruling. That the auction goes on is left out, and a lost right counts as a
    lost penalty, since the cases state it either way.
    """
    found = {*always, *(r for c in choices for r in c)} - {"goes-on"}
    return {"right-lost" if r == "penalty-lost" else r for r in found}


@pytest.mark.parametrize("code", EVIDENCE)
def test_a_card_that_the_print_calls_exposed_is_exposed_without_a_choice(code: str) -> None:
    chosen = []
    for case in (case for c, case in CASES if c == code):
        exposed = {"card-exposed", "others-exposed"} & {*(case.get("always") or ())}
        options = case.get("options", ())
        found = rulings.answer(case["irregularity"], code, options, facts(case)).ruling
        remedies = found.always if found and exposed else ()
        chosen += [case["case"] for r in remedies if r.id in exposed and r.chosen_by != "nobody"]
    assert chosen == []


@pytest.mark.parametrize("code", [c for c in EVIDENCE if not code_data(c)["extends"]])
def test_every_irregularity_has_a_case_under_every_code(code: str) -> None:
    assert set(NAMES) - {case["irregularity"] for c, case in CASES if c == code} == set()


def test_each_decision_on_an_irregularity_and_each_summarised_penalty_has_its_case() -> None:
    decided = {case["decision"] for _, case in CASES if "decision" in case}
    summed = {case["summary"] for _, case in CASES if "summary" in case}
    assert decided == {f"decision.{n}" for n in range(1, 13)} - {
        "decision.7"
    }  # who plays the hand: a record
    assert summed == {f"summary.{n}" for n in range(1, 31)}


@pytest.mark.slow
@pytest.mark.parametrize("code", codes())
def test_only_facts_that_can_change_the_ruling_are_asked_for(code: str) -> None:
    for name in NAMES if WHOLE else NAMES[codes().index(code) % 4 :: 4]:
        only_what_bears_on_it_is_asked(name, code)


def only_what_bears_on_it_is_asked(name: str, code: str) -> None:
    """Answer the questions of an irregularity in every way, and test the effect of each."""
    found = book().entry(name, code)
    table = facts_of(found[0].rulings, rulings.catalogue()[name])
    start = rulings.answer(name, code)
    assert (start.kind == "open") == bool(table), name
    assert [q.fact for q in start.questions] == list(table), name
    for answers in combinations(table):
        if contradictory(answers):
            continue
        # answered in order, each question is asked only while it can still change the ruling
        known: dict[str, str] = {}
        while (now := rulings.answer(name, code, (), known)).kind == "open":
            question = now.questions[0].fact
            others = {
                f: (known[f],) if f in known else v for f, v in table.items() if f != question
            }
            outcomes = {
                tuple(
                    repr(rulings.answer(name, code, (), rest | {question: v}).ruling)
                    for rest in combinations(others)
                )
                for v in table[question]
            }
            assert len(outcomes) > 1, (name, code, known, question)
            known[question] = answers[question]
        assert now.ruling == rulings.answer(name, code, (), answers).ruling, (name, answers)


@pytest.mark.slow
@pytest.mark.parametrize("code", codes())
def test_changing_a_decisive_fact_changes_the_ruling(code: str) -> None:
    idle = []
    for name in NAMES:
        found = book().entry(name, code)
        table = facts_of(found[0].rulings, rulings.catalogue()[name])
        for fact, values in table.items():
            if not any(
                rulings.answer(name, code, (), a).ruling
                != rulings.answer(name, code, (), a | {fact: v}).ruling
                for a in combinations(table)
                for v in values
            ):
                idle.append((name, fact))
    assert idle == []


@pytest.mark.parametrize(("code", "option"), OPTIONED)
def test_every_irregularity_has_an_answer_under_every_option(code: str, option: str) -> None:
    for name in NAMES:
        assert rulings.answer(name, code, [option]).kind in ("ruling", "silent", "absent", "open")


def test_every_remedy_chooser_limit_and_fact_is_used_by_a_code() -> None:
    entries = [e for c in codes() for e in code_data(c)["irregularities"]]
    rows = [r for e in entries for x in e["rulings"] for r in x.get("remedies", [])]
    for part, keys in (
        ("remedies", ("remedy",)),
        ("choosers", ("chosen_by", "whose")),
        ("limits", ("demand", "lasts", "unless")),
    ):
        used = {row[k] for row in rows for k in keys if k in row}
        assert {i["id"] for i in vocabulary()[part]} - used == set(), part
    turned_on = {(e["irregularity"], f) for e in entries for r in e["rulings"] for f in r["when"]}
    implies = {f: set().union(*fact.implies.values()) for f, fact in book().facts.items()}
    turned_on |= {(n, f) for f, others in implies.items() for n, of in turned_on if of in others}
    offered = {(n, f) for n, item in rulings.catalogue().items() for f in item.facts}
    assert offered - turned_on == set()


def reached() -> dict[str, list[str]]:
    """The irregularities whose rulings, entries or general rules on penalties rest on each
    address.
    """
    found: dict[str, list[str]] = {}
    for code in codes():
        data = code_data(code)
        for entry in data["irregularities"]:
            laws = list(entry["provisions"])
            for ruling in entry["rulings"]:
                laws += [
                    *ruling["provisions"],
                    *ruling["decisions"],
                    *(r["provision"] for r in ruling.get("remedies", [])),
                ]
            for law in dict.fromkeys(laws):
                found.setdefault(law, []).append(entry["irregularity"])
        for rule in data["penalties"]:
            for law in rule["provisions"]:
                found.setdefault(law, []).append(f"on penalties: {rule['about']}")
    return {a: list(dict.fromkeys(v)) for a, v in found.items()}


def reasons() -> dict[str, str]:
    """The reason for each provision that no ruling reaches."""
    told = read_yaml((HERE / "not-reached.yml").read_text("utf-8"))
    return {
        f"{code}:{at}": reason
        for code, rows in told.items()
        for reason, places in rows.items()
        for at in places
    }


@pytest.mark.shipped
def test_every_provision_is_reached_by_a_ruling_or_it_is_said_why_not() -> None:
    found, told = reached(), reasons()
    known = {p["address"] for code in codes() for p in code_data(code)["provisions"]}
    assert known - {*found, *told} == set()
    assert [a for a in told if a in found or a not in known] == []


DISPUTES = load("disputes")


def test_a_dispute_in_a_players_words_leads_to_its_irregularity() -> None:
    led = {d["said"]: [f.irregularity for f in find(d["said"], limit=3).found] for d in DISPUTES}
    missed = [d for d in DISPUTES if d["about"] not in led[d["said"]]]
    assert [(d["said"], d["about"], led[d["said"]]) for d in missed] == []


# --- the command ----------------------------------------------------------------------------------


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["ruling", *arguments])
    told = capsys.readouterr()
    return status, told.out, told.err


def test_a_code_named_in_the_words_is_the_code_of_the_ruling(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = ("a", "defender", "revoked", "and", "the", "trick", "is", "turned")
    named = asked(capsys, "In", "Auction", "1926,", *given)
    assert named == asked(capsys, *given, "--code", "auction-1926")
    assert "Auction 1926" in named[1]


def test_every_ruling_is_worded_as_sentences() -> None:
    for code in codes():
        for name in rulings.catalogue():
            entry = book().entry(name, code)
            for case in entry[0].rulings if entry else ():
                item = rulings.catalogue()[name]
                remedies = tuple(rulings.remedy_given(r, item) for r in case.remedies)
                words = ruling_words(case._replace(remedies=remedies))
                assert not re.search(r"\.\.|\.$|: :|, ,|; and|\band and\b", words), (
                    code,
                    name,
                    words,
                )
                assert words.count("In addition") <= 2, (code, name, words)
            parts = parts_of(rulings.answer(name, code, (), {}))
            whens = [x.pieces[0].words for p in parts if p.id == "may" for x in p.lines]
            assert ": " not in whens, (code, name)


@pytest.mark.parametrize(
    ("code", "established"),
    [
        ("bridge-1904", ["bridge-1904:91"]),
        ("bridge-elwell", ["bridge-elwell:86"]),
        ("auction-1908", ["bridge-1904:91"]),
        ("duplicate-1912", ["duplicate-1912:100.2"]),
        ("auction-1912", ["auction-1912:83.2"]),
        ("royalton-1915", ["royalton-1915:76.2"]),
        ("auction-1926", ["auction-1926:43.a.1", "auction-1926:43.a.2"]),
        ("contract-1927", ["auction-1926:43.a.1", "auction-1926:43.a.2"]),
    ],
)
def test_a_revoke_cites_first_the_law_that_says_when_it_is_established(
    code: str, established: list[str]
) -> None:
    facts = {"offender": "adversary", "other-side": "no", "which-revoke": "first"}
    found = rulings.answer("revoke", code, (), facts | {"revokes-of-side": "one"})
    assert found.ruling is not None
    remedies = [r.provision for r in (*found.ruling.always, *sum(found.ruling.choices, ()))]
    laws = list(laws_of(found))
    assert laws[: len(established)] == established
    assert laws[len(established) :][: len({*remedies})] == list(dict.fromkeys(remedies))
    numbers = ", ".join(Address(law).short(code) for law in established)
    assert f"it is too late to correct this ({numbers})." in finding_words(found)


def test_a_reading_is_shown_only_where_it_can_change_the_ruling() -> None:
    def shown(turn: str, called: str) -> list[str]:
        facts = {"turn": turn, "called": called}
        found = rulings.answer("bid-out-of-turn", "auction-1926", (), facts)
        return [address.partition("reading.")[2] for address in rulings.relied_on(found)]

    assert shown("left-opponent", "nothing") == []
    assert shown("right-opponent", "proper-called") == ["bar-when-the-turn-is-taken"]
    assert "left-in-turn" in shown("left-opponent", "proper-called")
