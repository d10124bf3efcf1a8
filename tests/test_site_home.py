"""The first page, the first page of each code, and each code whole: pure functions and the data behind them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from oddtrick.law.in_force import code_data, codes
from oddtrick.site import descent as site_descent
from oddtrick.site import home as site_home
from oddtrick.site.law_words import link
from test_lawdata import problems, tiny, write  # noqa: F401 (a fixture)

ADDRESSES = {
    a
    for c in codes()
    for kind in ("laws", "provisions")
    for a in (x["address"] for x in code_data(c)[kind])
}


# --- the data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", codes())
def test_every_code_has_ten_peculiarities_of_one_sentence_and_every_address_exists(
    code: str,
) -> None:
    told = code_data(code)["peculiarities"]
    assert len(told) == 10
    assert len({p["text"] for p in told}) == 10
    for peculiarity in told:
        assert re.fullmatch(r'[A-Z"][^.]*\.', peculiarity["text"]), peculiarity["text"]
        assert peculiarity["laws"]
        assert set(peculiarity["laws"]) <= ADDRESSES


@pytest.mark.parametrize("code", codes())
def test_a_figure_told_as_peculiar_stands_in_one_of_its_laws(code: str) -> None:
    texts = {p["address"]: p["text"] for c in codes() for p in code_data(c)["provisions"]}
    for peculiarity in code_data(code)["peculiarities"]:
        behind = " ".join(
            t
            for a, t in texts.items()
            if any(a == law or a.startswith(f"{law}.") for law in peculiarity["laws"])
        )
        for number in re.findall(r"\d+", peculiarity["text"]):
            # the sum of the rubber's parts: two games of 200 and the 300 of law 5
            assert re.search(rf"\b{number}\b", behind) or (
                number == "700" and "200" in behind and "300" in behind
            ), peculiarity["text"]


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (
            "descent:\n  - {from: tinny-1900, text: It grew., source: {page: '1'}}",
            "grew from `tinny-1900`, which does not exist",
        ),
        (
            "parts:\n  - {from: '3', label: Play}",
            "the part `Play` begins with `3`, which is no law",
        ),
        (
            "peculiarities:\n" + "  - {text: It is odd., laws: ['7']}\n" * 10,
            "the law of a peculiarity `tiny-1900:7` does not exist",
        ),
        ("peculiarities:\n" + "  - {text: It is odd., laws: ['1']}\n" * 9, "peculiarities"),
    ],
)
def test_what_is_told_of_a_code_is_crossed_with_its_laws(tiny: Path, key: str, said: str) -> None:  # noqa: F811
    text = (tiny / "tiny-1900" / "code.yaml").read_text("utf-8")
    write(
        tiny,
        "code.yaml",
        text.replace("about: A code for tests.", f"about: A code for tests.\n{key}"),
    )
    assert any(said in p for p in problems(tiny)), problems(tiny)


# --- the line of time -----------------------------------------------------------------------------


def test_a_date_is_a_point_or_a_whole_year() -> None:
    assert site_descent.when("1912") == (1912, 1913)
    assert site_descent.when("1912-11")[0] == site_descent.when("1912-11")[1]
    assert (
        site_descent.when("1912-11")
        < site_descent.when("1926-04-05")
        < site_descent.when("1927-01-25")
    )


def test_the_longest_line_runs_straight_on_and_a_code_that_amends_stands_below() -> None:
    lanes = site_descent.lanes()
    assert set(lanes) == set(codes())
    for code in codes():
        base = code_data(code)["extends"]
        if base:
            assert lanes[code] == lanes[base] + 1
    straight = [c for c in codes() if lanes[c] == 0]
    assert straight[0] == codes()[0]
    assert all(a in site_descent.parents(b) for a, b in pairwise(straight))
    assert len(straight) == 3


def test_names_beside_the_line_keep_their_distance_their_order_and_the_end() -> None:
    made = site_descent.spread({"a": 5, "b": 6, "c": 100, "d": 101}, 10, 105)
    assert made == {"a": 5, "b": 15, "c": 95, "d": 105}
    assert list(site_descent.spread({"late": 9, "early": 2}, 1, 20)) == ["early", "late"]


@pytest.mark.parametrize("draw", [site_descent.wide_svg, site_descent.tall_svg])
def test_a_drawing_has_every_code_as_a_link_in_order_of_date_and_says_all_of_it_in_words(
    draw,
) -> None:  # type: ignore[no-untyped-def]
    drawn = draw("../")
    assert re.findall(r'href="\.\./codes/([^/]+)/"', drawn) == list(codes())
    for code in codes():
        assert f">{code_data(code)['short']}</text>" in drawn
        assert site_descent.told(code) in drawn
    amending = sum(1 for c in codes() if code_data(c)["extends"])
    ways = sum(len(site_descent.parents(c)) for c in codes())
    assert drawn.count('class="d-amends"') == amending == 1
    assert len(re.findall(r'class="d-(?:amends|grew|through)"', drawn)) == ways
    bars = sum(1 for c in codes() if "-" not in code_data(c)["date"])
    assert len(re.findall(r'<rect class="d-mark', drawn)) == bars


def test_the_small_drawing_fills_the_one_code() -> None:
    for code in codes():
        drawn = site_descent.place_svg(code)
        assert drawn.count("d-here") == 1
        assert site_descent.told(code) in drawn


# --- the first page -------------------------------------------------------------------------------


def test_the_first_page_has_three_doors_and_every_code_in_words() -> None:
    page = site_home.home_page()
    assert [f"]({p})" in page for p, _, _ in site_home.DOORS] == [True] * 3
    listed = page.partition('<ol class="h-codes"')[2]
    for code in codes():
        assert f'<a href="codes/{code}/">{code_data(code)["short"]}</a>' in listed
        for way in code_data(code)["descent"]:
            assert way["text"] in listed


def test_a_way_to_a_page_that_the_site_has_not_is_left_out() -> None:
    page = site_home.home_page(
        {"compare/index.md", "disputes/index.md", "topics/index.md", "scores.md"}
    )
    assert "check.md" not in page
    assert "](compare/index.md)" in page
    assert re.findall(r'<a href="([a-z-]+/)">', page.partition("h-more")[2]) == [
        "topics/",
        "scores/",
    ]


# --- a code ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", codes())
def test_the_parts_hold_every_law_once_and_in_order(code: str) -> None:
    data = code_data(code)
    parts = site_home.parts(data)
    assert [law["number"] for _, _, laws in parts for law in laws] == [
        law["number"] for law in data["laws"] if not law["option"]
    ]
    assert [p["label"] for p in data["parts"]] == [label for label, _, _ in parts]


@pytest.mark.parametrize("code", codes())
def test_the_first_page_of_a_code_links_every_law_its_peculiarities_and_its_kin(code: str) -> None:
    data = code_data(code)
    here = f"codes/{code}/index.md"
    page = site_home.code_page(data)
    links = set(re.findall(r"\]\(([^)]+)\)", page))
    for law in data["laws"]:
        assert f"{law['number']}.md" in links
    for peculiarity in data["peculiarities"]:
        assert all(link(a, here) in page for a in peculiarity["laws"])
    for other in {*site_descent.parents(code), *site_descent.children(code)}:
        assert f"../{other}/index.md" in links
    assert {"whole.md", f"../../data/{code}.json"} <= links
    for option in data["options"]:
        assert f'id="{option["id"]}"' in page


@pytest.mark.parametrize("code", codes())
def test_a_code_whole_has_every_paragraph_with_its_mark_and_no_anchor_twice(code: str) -> None:
    data = code_data(code)
    page = site_home.whole_page(data)
    ids = re.findall(r'(?<![\w-])id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {law["number"] for law in data["laws"]} <= set(ids)
    for item in data["provisions"]:
        if item["at"]:
            assert item["address"].partition(":")[2] in ids
        assert f'aria-label="{item["address"]}"' in page
    assert page.count('class="w-par"') == len(data["provisions"])
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert anchor in ids
    assert page.count('class="figures w-figures"') == sum(
        1 for p in data["provisions"] if p["figures"]
    )


def test_a_running_title_cannot_end_its_style() -> None:
    assert site_home._quoted('A "game" </style>') == 'A \\"game\\" \\3c /style>'


def test_what_is_the_same_for_a_whole_part_is_said_once() -> None:
    for code in codes():
        page = site_home.whole_page(code_data(code))
        for _, _, laws in site_home.parts(code_data(code)):
            notes = {law["note"] for law in laws}
            if len(laws) > 1 and len(notes) == 1 and None not in notes:
                assert page.count(f'<p class="w-note">{notes.pop()}</p>') == 1
