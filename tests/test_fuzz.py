"""Mutated records raise nothing (`fuzz.py`), and no record takes long: some hundreds in each run;
set `ODDTRICK_FUZZ=20000 ODDTRICK_SEED=7` for more and others.
"""

import os
from pathlib import Path

import pytest

import fuzz
from conftest import WHOLE
from fuzz import (
    NOTATIONS,
    ROOT,
    SECONDS,
    Mutant,
    TooLong,
    bounded,
    examine,
    examine_all,
    mutant,
    pieces,
)
from fuzz_guided import CORPUS, TARGETS
from oddtrick.judge.check import PHASES, Check
from oddtrick.judge.rubber import check_document
from oddtrick.record.deal import Deal, Group, deals_in
from oddtrick.record.hand.read import read_text

pytestmark = pytest.mark.slow

PARTS = 8
COUNT = max(
    int(os.environ.get("ODDTRICK_FUZZ", "20000" if WHOLE else "72")), PARTS * len(NOTATIONS)
)
SEED = int(os.environ.get("ODDTRICK_SEED", "1927"))


@pytest.fixture(autouse=True, scope="module")
def ready() -> None:
    """Load the law and the grammars in advance, so that no record is charged with it."""
    fuzz.warm()


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_mutant_brings_anything_down(notation: str, part: int, tmp_path: Path) -> None:
    numbers = range(part, COUNT // len(NOTATIONS), PARTS)
    assert examine_all((mutant(notation, SEED, n) for n in numbers), tmp_path)


HAND = "code bridge-elwell\ndeal 1\ndealer south\n"
DECLARED = '[Contract "1S"]\n[Declarer "N"]\n[Result "7"]\n'

# What once took minutes, or raised because a number had more digits than Python will write.
HEAVY = {
    "a declaration doubled beyond all numbers": HAND
    + "declaration hearts doubled 99999 times by south\nresult 10 tricks\n",
    "more redoubles than digits": HAND
    + f"bidding\n  make hearts double\n{4 * ('  ' + 'redouble ' * 5000 + chr(10))}  satisfied satisfied\n",
    "many cards in a hand": f"{HAND}hands\n  north ♠ {'A' * 20_000}\n",
    "a remedy of more digits than may be read": "code royalton-1915\ndeal 1\nbidding\n"
    f'  irregularity double-of-partner noticed by west remedy "{"9" * 6000} points"\n',
    "honours beyond the pack": HAND
    + "honours north-south 999999\ndeclaration hearts by south\nresult 10 tricks\n",
    "a doubling in a statement": '[Result "7"]\n[OddtrickHand ""]\n'
    f"declaration 1 heart doubled {'9' * 30} times by north\n",
    "honours in a statement": f'{DECLARED}[OddtrickHand ""]\nhonours ns 999999999\n',
    "a number of more digits than may be written": f'{DECLARED}[ScoreRubber "NS {"9" * 5000}/30"]\n',
    "games of more digits than may be written": DECLARED
    + f'[ScoreRubberHistory "NS 0 {"9" * 5000}/ 0 EW 0 0 / 30"]\n',
    "one card over and over in a hand": '[Result "7"]\n[OddtrickHand ""]\nhands\n'
    + f"  north ♠ A K Q ♥ {'9' * 900}\n",
    "asterisks before a call": f'[Auction "N"]\n1S {"* " * 30_000}Pass\n',
    "escaped quotation marks": '[Auction "N"]\n1S ' + '"\\' * 30_000 + "\n",
    "marks of irregularity": f'[Auction "N"]\n1S {"^I " * 20_000}Pass\n',
    "amounts in a statement": DECLARED
    + f'[OddtrickHand ""]\nscore north-south trick {"1 " * 20_000}\n',
    "an irregularity at every card": DECLARED
    + '[Play "E"]\n'
    + "SA S2 H3 S4\n" * 4000
    + '[OddtrickHand ""]\n'
    + "irregularity revoke by south\n" * 4000,
    "comments among many tags": '[OddtrickHand ""]\n' + 'tag a "b"\n' * 10_000 + "{c}\n" * 8000,
}


@pytest.mark.parametrize("text", HEAVY.values(), ids=HEAVY)
def test_no_record_takes_long(text: str, tmp_path: Path) -> None:
    notation, code = ("pbn", "bridge-elwell") if text[0] == "[" else ("hand", None)
    heavy = Mutant(notation, 0, 1, text.encode(), code, (), PHASES)
    with bounded(2 * SECONDS):
        examine(heavy, tmp_path)


@pytest.mark.parametrize("target", TARGETS)
def test_what_guided_fuzzing_found_once_raises_nothing(target: str) -> None:
    tried, kept = TARGETS[target](), sorted((CORPUS / target).iterdir())
    assert kept
    for path in kept:
        tried(path.read_bytes())


def test_a_mutant_is_made_again_from_its_numbers() -> None:
    for notation in NOTATIONS:
        first = [mutant(notation, 7, n) for n in range(40)]
        assert [mutant(notation, 7, n) for n in reversed(range(40))] == first[::-1]
        assert len({m.data for m in first}) > 30
        assert [m.data for m in first] != [mutant(notation, 8, n).data for n in range(40)]


def test_the_records_to_begin_with_are_read_whole() -> None:
    path = ROOT / "tests" / "findings" / "auction-1912-rubber.hand"
    text = path.read_text("utf-8")
    document = read_text(text)
    deals = len(list(deals_in(document.items)))
    groups = sum(isinstance(i, Group) for i in document.items)
    read = [read_text(p) for p in pieces(text)]
    assert [d.unreadable for d in read] == [()] * (deals + groups)
    assert sum(isinstance(i, Deal) for d in read for i in d.items) == deals
    assert sum(isinstance(i, Group) for d in read for i in d.items) == groups


def test_what_raises_or_hangs_is_a_failure_with_its_record(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def check(items: object, *rest: object) -> list[object]:
        found = list(check_document(items, *rest))  # type: ignore[arg-type]
        for one in found:
            if isinstance(one, Check) and one.source.table:
                raise ZeroDivisionError
            while isinstance(one, Check) and one.source.tray is not None:
                pass
        return found

    monkeypatch.setattr(fuzz, "check_document", check)
    monkeypatch.setattr(fuzz, "SECONDS", 0.2)
    text = "code auction-1912\ndeal 1\ndealer north\ntable 3\nvulnerable none\n"
    texts = (text, text.replace("table", "tray"), text.replace("table 3\n", ""))
    mutants = [
        Mutant("hand", 0, n, t.encode(), None, (), PHASES) for n, t in enumerate(texts, start=1)
    ]
    with pytest.raises(ExceptionGroup) as raised:
        examine_all(mutants, tmp_path)
    assert [type(e) for e in raised.value.exceptions] == [ZeroDivisionError, TooLong]
    assert [(tmp_path / f"hand-0-{n}.hand").read_text() for n in (1, 2)] == [*texts[:2]]
    assert "mutant('hand', 0, 2)" in raised.value.exceptions[1].__notes__[0]
    assert examine_all(mutants[2:], tmp_path) == 1
