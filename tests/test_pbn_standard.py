"""PBN 2.1: for each section a file with games that break it and neighbours that do not.

The files of `pbn/standard` are named by the sections of the standard, and were written from it
before the program was run. A line `% breaks 3.4.3 at 1995.13.06` says that the standard is broken
where these words stand next; of what cannot be known for it `hides` is written, of what is lost
`loses`. Nothing else is found in the file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeGuard

from dirty_pbn import KINDS, compared
from oddtrick.judge.check import check
from oddtrick.judge.finding import Severity, Verdict, finding_of, verdict_of
from oddtrick.record.lin.read import read_lin
from oddtrick.record.model import RULES, Record, Unreadable
from oddtrick.record.pbn.read import lines_of, read_pbn
from oddtrick.record.sources import strictly
from oddtrick.report.tally import NO_FAULT

FILES = sorted((Path(__file__).parent / "pbn" / "standard").glob("*.pbn"))
_EXPECTED = re.compile(r"% (breaks|hides|loses) (\S+) at (.*)")

Found = tuple[str, str, int, int]
"""How the standard is broken, its section, line and column."""


def expected(lines: list[str]) -> list[Found]:
    """What the file itself says."""
    out = []
    for number, line in enumerate(lines):
        if not (said := _EXPECTED.fullmatch(line)):
            continue
        for later in range(number + 1, len(lines)):
            text = lines[later]
            if not text.startswith("%") and (said[3] in text if said[3] else not text.strip()):
                out.append((said[1], said[2], later + 1, text.index(said[3]) + 1))
                break
        else:
            raise AssertionError(f"line {number + 1}: {said[3]!r} does not follow")
    return sorted(out)


def found(data: bytes) -> list[Found]:
    """What the program finds."""
    items = [i for i in read_pbn([data]) if isinstance(i, Unreadable)]
    assert {i.rule for i in items} <= RULES.keys()
    how = ("loses", "hides", "breaks")
    return sorted(
        (how[i.unclear + 2 * i.harmless], i.section, i.place.line, i.place.column) for i in items
    )


def test_what_breaks_the_standard_is_found_and_nothing_else() -> None:
    wrong = []
    for path in FILES:
        data = path.read_bytes()
        want, got = expected(lines_of(data)), found(data)
        missed, more = [w for w in want if w not in got], [g for g in got if g not in want]
        if want != got or not want:
            wrong.append(f"{path.name}: missed {missed}, too much {more}")
    assert not wrong, "\n".join(wrong)
    assert len(FILES) > 50


def test_what_breaks_the_standard_is_a_note_and_with_strict_an_error() -> None:
    wrong = []
    for path in FILES:
        items = [i for i in read_pbn([path.read_bytes()]) if isinstance(i, Unreadable)]
        for item, grave in zip(items, strictly(items), strict=True):
            assert isinstance(grave, Unreadable)
            told, strict = finding_of(item), finding_of(grave)
            note = verdict_of([told]) is Verdict.LEGAL and told.severity is Severity.NOTE
            said = f"(PBN 2.1, {item.section})" in told.message
            if note is not item.harmless or not said or strict.severity is not Severity.UNREADABLE:
                wrong.append(f"{path.name}: {told} {strict}")
    assert not wrong, "\n".join(wrong)


def test_the_second_table_takes_its_board_from_the_record_before() -> None:
    items = list(read_pbn([(FILES[0].parent / "3.pbn").read_bytes()]))
    first, second = [r for r in items if isinstance(r, Record)][-2:]
    assert (second.id, second.dealer, second.hands) == (first.id, first.dealer, first.hands)
    (assumed,) = second.assumed
    assert "board, dealer, deal" in assumed.value
    # Without another room, table or player nothing says that it is the same board.
    opened = '[Room "Open"]\n[Board "5"]\n[Dealer "N"]\n[Deal "N:- - - -"]\n'
    text = f'{opened}\n[Room "Open"]\n[Contract "1C"]\n'
    (_, alone) = [r for r in read_pbn([text.encode()]) if isinstance(r, Record)]
    assert (alone.id, alone.dealer) == ("record 2", None)


def test_an_irregularity_that_the_record_marks_is_settled() -> None:
    # 3.9: insufficient and out of turn, "accepted by the opponents"; a revoke "without being
    # noticed in time"; declarer and dummy swapped. Without the marks the revoke is irregular.
    data = (FILES[0].parent.parent / "accepted.pbn").read_bytes()
    wrong = []
    for code in ("auction-1908", "auction-1912", "royalton-1915", "auction-1926", "contract-1927"):
        for text, alarms in ((data, []), (data.replace(b"^R ", b""), ["play.revoke"])):
            records = (r for r in read_pbn([text]) if isinstance(r, Record))
            found = [
                f for r in records for f in check(r, code, only=("declaring", "play")).findings
            ]
            grave = [f.rule for f in found if f.severity.value not in NO_FAULT]
            if grave != alarms:
                wrong.append(f"{code}: {grave}, not {alarms}")
            notes = {f.rule for f in found if f.severity is Severity.NOTE}
            if not {"declaring.insufficient-bid", "declaring.out-of-turn"} <= notes:
                wrong.append(f"{code}: only {notes} are noted")
    assert not wrong, "\n".join(wrong)


def test_what_another_library_writes_brings_no_alarm() -> None:
    # Random legal games with dates and vulnerabilities of duplicate: nothing is irregular, disputed
    # or unreadable, and nobody asks for a rubber. What is lacking is only the play behind a `*`.
    folder = Path(__file__).parent / "endplay"
    judged = {}
    for read, name in ((read_pbn, "clean.pbn"), (read_lin, "clean.lin")):
        items = list(read([(folder / name).read_bytes()]))
        records = [i for i in items if isinstance(i, Record)]
        assert len(records) == 24, name
        # Its PBN says `% EXPORT`, deals from north whoever dealt, and doubles with a small x.
        broken = {(i.section, i.harmless) for i in items if isinstance(i, Unreadable)}
        assert broken == ({("3.4.11", True), ("3.11", True)} if read is read_pbn else set())
        checks = [check(r, "contract-1927") for r in records]
        found = {f.rule for c in checks for f in c.findings}
        assert found <= {"record.no-play"}, (name, found)
        judged[name] = [
            (c.record.id, c.answer()["declaration"], c.outcome and c.outcome.taken) for c in checks
        ]
    assert judged["clean.pbn"] == judged["clean.lin"]


def test_dirt_of_every_kind_is_found_where_it_is_and_nothing_else() -> None:
    assert compared(2 * len(KINDS), 1927) == ([], [])
    assert len(KINDS) > 30


def test_a_tag_of_none_that_ends_in_date_may_say_anything() -> None:
    found = [i for i in read_pbn([b'[Board "1"]\n[PrintedDate "2021.02.30"]\n']) if not_record(i)]
    assert [(i.section, i.place.line) for i in found] == [("4.9", 2)]


def not_record(item: object) -> TypeGuard[Unreadable]:
    return isinstance(item, Unreadable)
