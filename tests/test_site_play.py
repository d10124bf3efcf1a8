"""The pages of the records: the drawings agree with the check, every finding is at its line, every
law is a link, and the other codes score as the command says.
"""

import html
import re
from functools import cache
from pathlib import Path

import pytest

from files import ROOT
from lawbook import codes, judged_codes
from oddtrick.cards import PACK, SEATS
from oddtrick.judge.check import Check
from oddtrick.judge.check import check as check_record
from oddtrick.judge.rubber import check_document
from oddtrick.law.names import path_of
from oddtrick.record import deals_in, read_document
from oddtrick.record.deal import held
from oddtrick.report.answers import as_json
from oddtrick.report.under_codes import CIRCUMSTANCES, ITEMS, compare
from oddtrick.site import record as site_record
from oddtrick.site import record as site_records
from oddtrick.site.record import published
from oddtrick.site.template import environment

HOME = ROOT / "laws" / "records"
FILES = sorted(HOME.glob("*.hand"))

REVOKE = """\
code auction-1912
deal 1 "A <revoke>"
dealer south
hands
  north  ♠ A K Q J  ♥ A K Q  ♦ A K Q  ♣ A K Q
  east   ♠ 10 9 8 7  ♥ J 10 9  ♦ J 10 9  ♣ J 10 9
  south  ♠ 6 5 4 3  ♥ 8 7 6  ♦ 8 7 6  ♣ 8 7 6
  west   ♠ 2  ♥ 5 4 3 2  ♦ 5 4 3 2  ♣ 5 4 3 2
bidding
  1 spade, pass, pass, pass
play
  west: ♥2 ♥A ♥9 ♥6
  north: ♠A ♦9 - ♠2
"""


def rendered(template: str, macro: str, *values: object) -> str:
    """A macro of a template, as on a page of records."""
    page = {"root": "../../", "path": "records/a.md"}
    module = environment().get_template(f"{template}.html").make_module(page)
    return flat(str(getattr(module, macro)(*values)))


def flat(text: str) -> str:
    """HTML in one line."""
    return re.sub(r"\n\s*", "", text)


def under(check: Check) -> str:
    return rendered("under", "under", as_json(check), compare(check), CIRCUMSTANCES, ITEMS)


def account(check: Check) -> str:
    return rendered("check", "account", as_json(check))


@cache
def pages() -> dict[str, str | bytes]:
    return site_records.record_pages(HOME)


def page(stem: str) -> str:
    return flat(str(pages()[f"records/{stem}.md"]))


@cache
def checks(path: Path) -> list[Check]:
    document = read_document(path.read_bytes(), path.name)
    return [
        c for c in check_document([*document.unreadable, *document.items]) if isinstance(c, Check)
    ]


def revoke(tmp_path: Path) -> tuple[Check, str]:
    path = tmp_path / "revoke.hand"
    path.write_text(REVOKE, "utf-8")
    _, made = site_records.record_page(path)
    return checks(path)[0], flat(str(made["records/revoke.md"]))


def bare(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


# --- the deal -------------------------------------------------------------------------------------


def test_every_card_of_a_whole_deal_stands_once_in_the_diagram() -> None:
    for check in checks(HOME / "made-up-rubber-1912.hand"):
        drawn = rendered("check", "diagram", as_json(check))
        assert sorted(re.findall(r'data-card="(..)"', drawn)) == sorted(c.code for c in PACK)
        for seat in SEATS:
            own = re.search(
                rf'<div class="hand hand-{seat.word}".*?(?=<div class="hand|<div class="felt)',
                drawn,
            )
            assert own
            cards = {c.code for c in held(check.source, seat)}
            assert set(re.findall(r'data-card="(..)"', own[0])) == cards
            assert 'data-size="13"' in own[0]


def test_unknown_cards_are_drawn_as_unknown() -> None:
    drawn = rendered("check", "diagram", as_json(checks(HOME / "lenz-p072-void-shown.hand")[0]))
    assert drawn.count('<span class="small">x</span>') == 5
    assert drawn.count("data-card") == 52 - 5
    assert re.search(
        r'aria-label="diamonds">♦</span> <span class="cards">–</span>', drawn
    )  # North is void


def test_every_suit_is_coloured_and_named() -> None:
    for stem in (p.stem for p in FILES):
        body = page(stem).partition('<section class="source"')[0]
        stripped = re.sub(
            r'<span class="suit suit-(\w+)" role="img" aria-label="\1">.</span>', "", body
        )
        assert not re.search("[♠♥♦♣]", stripped), stem


def test_the_tricks_are_those_that_were_followed() -> None:
    for check in checks(HOME / "made-up-rubber-1927.hand"):
        table = rendered("check", "play", as_json(check)["play"], {})
        assert check.outcome
        due = [
            (s.value if s else "", p.card.code if p.card else "")
            for t in check.tricks
            for s, p in t.cards
        ]
        assert re.findall(r'<td data-seat="(\w?)" data-card="(..)">', table) == due
        assert len(due) == 52
        won = re.findall(r'<tr data-winner="(\w)">', table)
        assert won == [t.winner.value for t in check.tricks if t.winner]
        assert table.count("<strong>") == 13


# --- findings -------------------------------------------------------------------------------------


def test_a_finding_is_marked_at_its_card_and_beside_its_line(tmp_path: Path) -> None:
    check, text = revoke(tmp_path)
    found = next(f for f in check.findings if f.rule == "play.revoke")
    cell = re.search(r'<td data-seat="E" data-card="D9">.*?</td>', text)
    assert cell
    number = re.search(r"#finding-(\d+)", cell[0])
    assert number
    listed = re.search(rf'<li id="finding-{number[1]}".*?</li>', text)
    assert listed
    assert "play.revoke" in listed[0]
    number_shown = found.place.line + 1  # a published record has a line before its own
    assert f'href="#line-{number_shown}"' in listed[0]
    line = re.search(rf'<div class="line" id="line-{number_shown}">.*?</div>', text)
    assert line
    assert f'href="#finding-{number[1]}"' in line[0]
    assert "<mark>♦9</mark>" in line[0]


def test_every_finding_of_every_record_is_listed_once_and_stands_beside_a_line() -> None:
    for path in FILES:
        text = page(path.stem)
        numbers = re.findall(r'<li id="finding-(\d+)"', text)
        assert numbers == [str(n) for n in range(1, len(numbers) + 1)], path
        assert (
            sorted(re.findall(r'class="beside [^"]*" href="#finding-(\d+)"', text), key=int)
            == numbers
        ), path
        assert sum(len(c.findings) for c in checks(path)) <= len(numbers), path


def test_the_source_is_drawnto_the_letter_but_for_what_it_tells_the_tests(tmp_path: Path) -> None:
    for path in FILES:
        shown = re.findall(r'<div class="line"[^>]*>.*?<code>(.*?)</code>', page(path.stem))
        lines = published(path).decode().rstrip("\n").split("\n")
        assert [bare(s).replace("\u200b", "") for s in shown] == [
            line.partition("# finds ")[0].rstrip() for line in lines
        ]
    _, text = revoke(tmp_path)
    assert "<revoke>" not in text.partition('<section class="source"')[2]


def test_remedies_and_what_was_done_stand_with_the_finding_their_laws_linked() -> None:
    text = page("card-committee-1912")
    given = re.search(r'<div class="remedies">.*?</div>', text)
    assert given
    assert "have the bid made sufficient, and bar the offender" in given[0]
    assert '<a href="../../codes/auction-1912/50/#2">Auction 1912, law 50 (2)</a>' in given[0]
    assert (
        "<li>Insufficient bid by East; noticed by South; chosen: made sufficient, by South.</li>"
        in text
    )


# --- the account ----------------------------------------------------------------------------------


def test_every_entry_of_an_account_stands_with_its_points_and_all_its_laws() -> None:
    for path in FILES:
        for check in checks(path):
            drawn = account(check)
            entries = check.account.entries if check.account else ()
            rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", drawn)[: len(entries)]
            score = as_json(check)["score"]
            reasons = [entry["reason"] for entry in score["entries"]] if score else []
            for entry, reason, row in zip(entries, reasons, rows, strict=True):
                assert bare(row).startswith(reason), path
                assert str(entry.points) in bare(row.partition("</th>")[2]), path
                for law in entry.laws:
                    assert f'href="../../{path_of(law)}"' in row, path


def foot(check: Check) -> list[list[str]]:
    """The rows of totals below an account, as the words of each cell."""
    drawn = re.search(r"<tfoot>(.*)</tfoot>", account(check))
    assert drawn
    return [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        for row in re.findall(r"<tr>(.*?)</tr>", drawn[1])
    ]


def test_the_sums_of_every_account_are_those_of_its_entries() -> None:
    seen = 0
    for path in FILES:
        for check in checks(path):
            if check.account and check.account.entries:
                drawn = sum(int(cell) for row in foot(check) for cell in row[1:])
                assert drawn == sum(e.points for e in check.account.entries), path
                seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("standing games east-west 0", "East and West no games"),
        ("standing games north-south 1", "North and South 1 game"),
        ("standing games north-south 1 east-west 0", "North and South 1 game"),
        ("standing games 1 all", "1 game each"),
        ("standing games none", "no games"),
        (
            "standing trick north-south 12 east-west 1",
            "North and South 12 points towards the game, East and West 1 point towards the game",
        ),
        (
            "standing games none\nstanding honour north-south 0",
            "no games; North and South no points above the line",
        ),
        ("vulnerable none", "nobody vulnerable"),
    ],
)
def test_the_state_before_a_deal_is_told_as_far_as_it_is_written(line: str, due: str) -> None:
    (deal,) = deals_in(read_document(f"code auction-1926\ndeal 1\n{line}\n".encode()).items)
    assert rendered("check", "standing", as_json(check_record(deal))["stated"]) == due


def test_a_result_against_its_declaration() -> None:
    said = {p.stem: [rendered("check", "result", as_json(c)) for c in checks(p)] for p in FILES}
    assert said["lenz-p042-jettisoned-king"] == ["11 tricks, as declared"]
    assert said["lenz-p062-scott"] == ["11 tricks, 1 over", "7 tricks, 3 short"]
    assert said["lenz-p026-hearts-once"] == [""]


# --- the other codes ------------------------------------------------------------------------------


def test_the_table_has_every_code_with_its_points_or_its_reason() -> None:
    for path in FILES:
        for check in checks(path):
            drawn = under(check)
            rows = compare(check)["under"]
            if "under-none" in drawn:
                assert all(r["score"] is None for r in rows)
                continue
            assert len(re.findall(r'<th scope="col">', drawn)) == len(judged_codes())
            for row in rows:
                for entry in row["score"]["entries"] if row["score"] else ():
                    assert f"<b>{entry['points']}</b>" in drawn
                    assert html.escape(entry["reason"]) in drawn
            reasons = [r["why"] for r in rows if r["why"]]
            assert drawn.count('class="cannot"') == len(reasons)
            assert all(f"Cannot be expressed: {r}." in drawn for r in reasons)


# --- the gallery ----------------------------------------------------------------------------------


def gallery() -> str:
    return flat(str(pages()["records/index.md"]))


def test_the_gallery_has_every_file_once_under_its_code_in_order_of_date() -> None:
    sections = re.findall(
        r'<section class="gallery-code" data-code="([^"]+)".*?(?=<section class="gallery-code"|\Z)',
        gallery(),
        re.S,
    )
    assert sections == sorted(sections, key=codes().index)
    for part in re.split(r'<section class="gallery-code" ', gallery())[1:]:
        code = re.match(r'data-code="([^"]+)"', part)
        stems = re.findall(r'<h3><a href="([^"/]+)/">', part)
        assert code
        assert stems == sorted(stems)
        assert all(checks(HOME / f"{s}.hand")[0].source.code == code[1] for s in stems)
    assert sorted(re.findall(r'<h3><a href="([^"/]+)/">', gallery())) == [p.stem for p in FILES]


def test_a_record_without_a_code_has_its_place_in_the_gallery(tmp_path: Path) -> None:
    path = tmp_path / "bare.hand"
    path.write_text(REVOKE.replace("code auction-1912\n", ""), "utf-8")
    shown, made = site_records.record_page(path)
    assert shown.code is None
    text = site_record.gallery_page([shown])
    assert '<h2 id="none">No code named</h2>' in text
    assert 'href="bare/"' in text
    assert "No code" in str(made["records/bare.md"])


# --- the files ------------------------------------------------------------------------------------


def test_the_old_urls_stand() -> None:
    for path in FILES:
        assert pages()[f"records/{path.name}"] == published(path)
        anchors = re.findall(r'<h2 id="(deal[^"]*)"', page(path.stem))
        assert anchors == [site_records.anchor_of(as_json(c)) for c in checks(path)]
        assert '<h2 id="as-it-is-written"' in page(path.stem)


TWICE = """\
code auction-1912
rubber "One"
deal 1
declaration 2 hearts by south
result made 0
deal "1 under"
declaration 2 hearts by south
result made 0
end rubber
rubber "Two"
deal 1
declaration 2 hearts by south
result made 0
deal "1 2"
declaration 2 hearts by south
result made 0
end rubber
"""


def test_no_fragment_stands_twice_on_the_page_of_two_rubbers(tmp_path: Path) -> None:
    path = tmp_path / "two-evenings.hand"
    path.write_text(TWICE, "utf-8")
    text = str(site_records.record_page(path)[1]["records/two-evenings.md"])
    deals = re.findall(r'<h2 id="(deal[^"]*)"', text)
    assert deals == ["deal-1", "deal-1-under-2", "deal-1-3", "deal-1-2"]
    written = re.findall(r'\bid="([^"]+)"', text)
    assert len(set(written)) == len(written)
    assert '<h1 id="two-evenings">Two evenings' in text
