"""Conversion both ways: a record means the same in every notation, whatever the positions in the
file.

The records in the folders of the laws and of the tests (every second one, or all in the whole run)
and random games of every code, legal and with a fault, are written to PBN and to our own notation,
read back, and judged alike each time.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

from command import commanded
from conftest import WHOLE
from faults import FAULTS
from files import ROOT
from lawbook import in_force, judged_codes
from made_deals import unworded
from oddtrick.judge.check import check as check_deal
from oddtrick.judge.events import events_of
from oddtrick.judge.random_deals import legal_game
from oddtrick.record.deal import NOWHERE, Deal, Source, deals_in
from oddtrick.record.hand.read import read_document, read_text
from oddtrick.record.hand.write import write_document
from oddtrick.record.pbn.reader import read_pbn
from oddtrick.record.sources import converted, read_paths, write

FOLDERS = ("laws", "tests")
FILES = sorted(
    path
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".hand", ".pbn")
)


def read_back(text: str, notation: str) -> Deal:
    """The one deal of a text."""
    items = read_pbn([text.encode()]) if notation == "pbn" else read_text(text).items
    (found,) = deals_in(items)
    return found


def judged(deal: Deal, code: str | None) -> dict[str, Any]:
    """The checker's answer on a record, without positions; the subject of a finding by its id."""
    check = check_deal(deal, code)
    told = unworded(check)
    for name in ("file", "line", "id"):
        del told[name]
    told["findings"] = sorted(
        (
            f.rule,
            f.severity.value,
            f.laws,
            f.readings,
            f.item or (),
            re.sub(r"\('line', \d+\)", "", repr(f.messages)),
            repr(f.gives),
        )
        for f in check.findings
    )
    return told


def idle(deal: Deal, code: str | None) -> list[tuple[str, str, str]]:
    """The statements that do not affect the answer, without positions."""
    return sorted((n.kind, n.reason, repr(n.statement)) for n in check_deal(deal, code).not_used)


def said(deal: Deal) -> str:
    """Everything in a record that the judge reads, without positions, comments and the owners of
    statements.
    """
    bare = deal._replace(
        source=Source(),
        span=NOWHERE,
        id="",
        stated=(),
        own=None,
        call_starts=(),
        card_starts=(),
        hand_spans=tuple(span and NOWHERE for span in deal.hand_spans),
        claims=tuple(replace(c, span=NOWHERE) for c in deal.claims),
        incidents=tuple(replace(i, span=NOWHERE) for i in events_of(deal).every),
        comments=(),
        unused=tuple((text, NOWHERE) for text, _ in deal.unused),
        assumed=tuple((text, NOWHERE) for text, _ in deal.assumed),
    )
    return repr(bare)


def lot(deal: Deal) -> int:
    """A random number for a record, the same each time."""
    return crc32(said(deal).encode())


def tried_under(deal: Deal) -> Sequence[str]:
    """The code under which a record that names none is tried, chosen at random by the record."""
    codes = judged_codes()
    return codes if WHOLE else (codes[lot(deal) % len(codes)],)


def unlike(deal: Deal) -> list[str]:
    """The conversions after which a record is judged differently. If two conversions end in the
    same text, they count as one, and records with the same content are judged once. The last has
    other positions, and is judged for one record in eight although its content is the same. Finding
    the idle statements takes long, so they are compared only at the end of one conversion, if its
    content differs, and for one record in four.
    """
    texts = {way: write([deal], way) for way in ("pbn", "hand")}
    back = {(text, way): read_back(text, way) for way, text in texts.items()}
    for way, other in (("pbn", "hand"), ("hand", "pbn")):
        text = write([back[texts[way], way]], other)
        if (text, other) not in back:
            back[text, other] = read_back(text, other)
        texts[f"{way} to {other}"] = text
    last = back[texts["pbn to hand"], "hand"]
    other_than = {said(r): (t, r) for (t, _), r in back.items() if said(r) != said(deal)}
    moved = {said(last): (texts["pbn to hand"], last)} if WHOLE or lot(deal) % 8 == 0 else {}
    tried = list((moved | other_than).values())
    wrong = []
    for code in () if not tried else (None,) if deal.code else tried_under(deal):
        first = judged(deal, code)
        wrong += [f"{code}: {text}" for text, r in tried if judged(r, code) != first]
        drawn = said(last) in other_than and (WHOLE or lot(deal) % 4 == 0)
        if drawn and idle(last, code) != idle(deal, code):
            wrong.append(f"{code}: not used")
    return wrong


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(ROOT)) for p in FILES])
def test_a_record_is_judged_alike_in_every_notation(path: Path) -> None:
    (source,) = read_paths([str(path)])
    drawn = (d for d in deals_in(source.items) if WHOLE or lot(d) % 2 == 0)
    assert {d.id: wrong for d in drawn if (wrong := unlike(d))} == {}


@pytest.mark.slow
@pytest.mark.parametrize("code", judged_codes())
def test_a_random_game_is_judged_alike_in_every_notation(code: str) -> None:
    """Each fault in a game of its own; the first few of these games are also judged without the
    fault.
    """
    rules = in_force(code)
    for number, fault in enumerate(FAULTS.values()):
        game = legal_game(Random(number), rules)
        faults = FAULTS.values() if WHOLE else [fault]
        made = [m.deal for f in faults if (m := f(game, Random(number), rules))]
        for deal in (game, *made) if WHOLE or number < 4 else made:
            assert unlike(deal) == []


def test_the_state_of_a_rubber_that_pbn_cannot_express_is_said() -> None:
    """The first deal begins the rubber, and the third states its own; only the second loses it."""
    deal = "deal {}\n{}declaration 4 hearts by south\nresult made 0\n"
    own = "standing games none\nstanding trick none\n"
    texts = deal.format(1, own), deal.format(2, ""), deal.format(3, own)
    text = f"code auction-1926\nrubber\n{''.join(texts)}end rubber\n"
    notes = converted(read_text(text, "a.hand").items, "pbn", "a.hand").notes
    lost = "PBN cannot express the games and points won before this deal"
    assert [n for n in notes if "won before" in n] == [f"a.hand, deal 2: {lost}"]


def test_a_record_is_the_same_text_after_pbn_and_back() -> None:
    """No reading that is meant for other programs' files is applied to our own."""
    (source,) = read_paths([str(ROOT / "tests/notation/converted.hand")])
    for deal in deals_in(source.items):
        back = read_back(write([deal], "pbn"), "pbn")
        assert (back.id, back.assumed) == (deal.id, ())
        assert write([back], "hand") == write([deal], "hand")


def test_a_converted_record_has_the_layout_of_the_formatter() -> None:
    """What PBN has and the notation lacks is a note; the players come after it."""
    tags = '[Event "A"]\n[North "N."]\n[Dealer "S"]\n[Table "11"]\n[Deal "N:... ... ... ..."]\n'
    table = '[OptimumResultTable "Declarer;Result\\\\2R"]\nN 7\n'
    text = converted(read_pbn([(tags + table).encode()]), "hand", "a.pbn").text
    assert text is not None
    assert text.index("note ") < text.index("players ")
    assert write_document(read_document(text.encode(), "a.hand")) == text


def test_the_formatter_takes_a_folder_without_what_is_hidden_in_it(tmp_path: Path) -> None:
    for name in ("a.hand", "sub/b.hand", ".hidden/c.hand", "sub/.d.hand"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("deal 1\ndealer: South\n", "utf-8")
    (tmp_path / "note.txt").write_text("deal 1\n", "utf-8")
    done = commanded("format", str(tmp_path))
    assert (done.returncode, done.stdout.count("rewritten")) == (0, 2)
    assert commanded("format", "--check", str(tmp_path)).returncode == 0
    (tmp_path / "none").mkdir()
    done = commanded("format", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "there is no .hand file in this folder" in done.stderr
