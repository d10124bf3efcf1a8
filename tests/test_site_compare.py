"""The comparisons, tables and drawings of the site: the pages agree with the lawbook."""

import html
import re
from collections import Counter

import pytest

from oddtrick.book.compare import concordance, marked
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from oddtrick.site import concordance as site_concordance
from oddtrick.site.compare import topic_pairs
from oddtrick.site.lineage import KINDS, drawn, families, pairs, steps

TOPICS = [t.id for t in book().vocabulary.topics]
FIGURES = book().vocabulary.figures


def codes() -> tuple[str, ...]:
    return book().ids


def short(code: str) -> str:
    return book().code(code).short


@pytest.fixture(scope="module")
def made(pages: dict[str, str | bytes]) -> dict[str, str]:
    names = ("compare", "concordance", "lineage", "figures")
    return {
        k: re.sub(r"\n\s*", "", v)
        for k, v in pages.items()
        if isinstance(v, str) and k.startswith(names)
    }


def alike(runs: list[tuple[bool, str]]) -> list[str]:
    return [
        re.sub(r"^[,.;:]+|[,.;:]+$", "", w).lower() for d, run in runs if not d for w in run.split()
    ]


# --- words ----------------------------------------------------------------------------------------


def test_words_are_marked_where_the_other_lacks_them() -> None:
    left, right = marked("The dealer may shuffle last.", "The dealer must shuffle last.")
    assert left == [(False, "The dealer"), (True, "may"), (False, "shuffle last.")]
    assert right == [(False, "The dealer"), (True, "must"), (False, "shuffle last.")]


def test_both_sides_agree_on_what_is_alike_and_no_word_is_lost() -> None:
    for one, other in pairs():
        for topic in TOPICS:
            for pair in topic_pairs(topic, one, other)[1]:
                texts = [" ".join(t for _, t in side) for side in (pair.left, pair.right)]
                runs = marked(*texts)
                assert alike(runs[0]) == alike(runs[1])
                for text, side in zip(texts, runs, strict=True):
                    assert " ".join(w for _, w in side) == " ".join(text.split())


# --- rows -----------------------------------------------------------------------------------------


def test_the_kind_of_a_row_follows_its_texts_and_rules() -> None:
    seen: Counter[str] = Counter()
    for one, other in pairs():
        for topic in TOPICS:
            for pair in topic_pairs(topic, one, other)[1]:
                seen[pair.kind] += 1
                equal = [t for _, t in pair.left] == [t for _, t in pair.right]
                assert equal == (pair.kind == "same")
                if pair.kind in KINDS[1:]:
                    assert pair.kind == max(
                        (d.difference for d in pair.differences), key=KINDS.index, default="wording"
                    )
    assert set(seen) == {*KINDS, "alone", "summary"}


# --- pages of two codes ---------------------------------------------------------------------------


def test_every_two_codes_have_a_page_both_ways_with_every_topic(made: dict[str, str]) -> None:
    for one, other in pairs():
        page, swapped = made[f"compare/{one}--{other}.md"], made[f"compare/{other}--{one}.md"]
        for topic in TOPICS:
            assert f'<h3 id="{topic}"' in page
            assert f'<li id="{topic}"><a href="../{one}--{other}/#{topic}">' in swapped
    assert sum(n.startswith("compare/") and "--" in n and n.endswith(".md") for n in made) == len(
        codes()
    ) * (len(codes()) - 1)


def test_silence_is_said_with_its_reason(made: dict[str, str]) -> None:
    seen = set()
    for one, other in pairs():
        for topic in TOPICS:
            for code, how in topic_pairs(topic, one, other)[0].states.items():
                words = {"silent": "silent", "does-not-arise": "does not arise"}[how.state]
                assert f"<b>{short(code)}: {words}.</b> {how.reason}" in html.unescape(
                    made[f"compare/{one}--{other}.md"]
                )
                seen.add(how.state)
    assert seen == {"silent", "does-not-arise"}


def test_differences_are_marked_by_elements_and_not_in_what_is_the_same(
    made: dict[str, str],
) -> None:
    page = made[f"compare/{'--'.join(pairs()[0])}.md"]
    for kind, body in re.findall(r'<section class="cmp-row cmp-(\w+)">(.*?)</section>', page):
        both = {t for t in ("<ins>", "<del>") if t in body}
        assert not both if kind in ("same", "alone", "summary") else both or kind == "wording", body


# --- choosing -------------------------------------------------------------------------------------


def test_the_index_links_every_pair_on_every_topic(made: dict[str, str]) -> None:
    """The first link leads past the table of every pair."""
    listed = re.findall(r'href="([^"]+)"', made["compare/index.md"])
    assert listed[1] == "#topics"
    links = set(listed)
    for one, other in pairs():
        assert f"../compare/{one}--{other}/" in links
        assert {f"{one}--{other}/#{t}" for t in TOPICS} <= links


# --- figures and concordances
# -----------------------------------------------------------------------


def test_a_rule_of_one_code_is_counted_as_it_is_shown(made: dict[str, str]) -> None:
    """The summary of penalties of Auction 1912 only restates its laws, so none of it is counted."""
    for pair, counts in (
        ("bridge-1904--bridge-elwell", (("Bridge 1904", 16), ("Elwell 1905", 27))),
        ("auction-1912--royalton-1915", (("Auction 1912", 8), ("Royalton", 25))),
    ):
        page = made[f"compare/{pair}.md"]
        for name, number in counts:
            assert page.count(f"<small>Only in {name}</small>") == number
            assert f"{number} rules are only in {name}." in page


def test_the_value_of_chicane_is_in_words(made: dict[str, str]) -> None:
    """Bridge 1904, law 8: twice the value of the trick. Auction 1912, law 9: as simple honours,
    which are three (6); the honours of law 6 themselves are divided without `as`.
    """
    page = " ".join(re.sub("<[^>]+>", " ", made["figures.md"]).split())
    assert "Value of chicane: single 2 odd-trick values" in page
    assert "as three honours, two in one hand" in page
    assert "as four honours, two in one hand" in page
    assert "Value of honours: trump, 2 and 1" in page
    rows = {row[0]: row for row in site_concordance.figures_sheet()}
    assert "as three honours, two in one hand" in rows["Value of chicane: single"]


def test_every_figure_has_a_row_with_a_cell_for_each_code(made: dict[str, str]) -> None:
    page = made["figures.md"].partition('id="options"')[0]
    rows = {row.partition('"')[0]: row for row in page.split('<tr id="')[1:]}
    assert list(rows) == [f.id for f in FIGURES]
    for kind in FIGURES:
        found = site_concordance.figure_rows(kind)
        row = html.unescape(rows[kind.id])
        assert all(all(cells) for part, cells in found if part or len(found) == 1)
        values = [(part, v) for part, cells in found for own in cells for v in own]
        assert all(v.absent in row for _, v in values)
        cited = {a for part, v in values for a in v.laws if kind.many or not part}
        cited |= {a for _, v in values for a in v.readings}
        assert {*re.findall(r'href="[^"]+"', row)} == {f'href="../{path_of(a)}"' for a in cited}


@pytest.mark.parametrize(
    ("row", "code", "value", "laws"),
    [
        # law 90 II: the penalty can be claimed for as many revokes as occur
        ("Penalty in tricks: Further revokes", "Bridge 1904", "the same penalty for every revoke",
         "bridge-1904:90.2"),
        # law 46: a revoke costs tricks, and no points
        ("Penalty in points: Penalty for the declarer's revoke", "Auction 1926", "2 tricks",
         "auction-1926:46.1"),
        # laws 11 and 41: Contract 1927 names the slams and has the tricks of Auction 1926
        ("Tricks of a slam: little", "Contract 1927", 12, "contract-1927:11.2"),
        ("Value of honours: trump, 2 and 1", "Contract 1927", "not in this code", "contract-1927:6.1"),
        ("Limit on the loss: lifted by", "Auction 1908", "none",
         "auction-1908:51, auction-1908:reading.one-spade-redoubled"),
        ("Deals: A simple match", "Royalton", "The game is played in rubbers.", ""),
    ],
)  # fmt: skip
def test_a_code_without_a_figure_has_the_reason(
    row: str, code: str, value: str | int, laws: str
) -> None:
    head, *sheet = site_concordance.figures_sheet()
    assert all("" not in cells[1::2] for cells in sheet)
    at = head.index(code)
    assert next(cells[at : at + 2] for cells in sheet if cells[0] == row) == [value, laws]
    # the summary of Auction 1912 restates its laws
    assert not [cells[0] for cells in sheet if "Revoke by" in str(cells[0])]


def test_a_concordance_has_every_provision_once_in_order(made: dict[str, str]) -> None:
    for ours in codes():
        for theirs in codes():
            if ours == theirs:
                continue
            rows = re.findall(
                r'<tr class="con-(\w+)"><th scope="row"><a href="\.\./\.\./([^"]+)">',
                made[f"concordance/{ours}--{theirs}.md"],
            )
            lines = concordance(ours, theirs)
            assert [k for k, _ in rows] == [line.kind for line in lines]
            assert [p for _, p in rows] == [path_of(line.address) for line in lines]
            new = re.findall(
                r'<tr class="con-new">.*?href="\.\./\.\./([^"]+)"',
                made[f"concordance/{ours}--{theirs}.md"],
            )
            back = concordance(theirs, ours)
            assert new == [path_of(x.address) for x in back if x.kind == "none"]


# --- lineage
# ----------------------------------------------------------------------------------------


def test_the_table_has_every_rule_with_its_laws_in_every_code(made: dict[str, str]) -> None:
    table = made["lineage.md"].split('data-csv="rules"')[1]
    found = {
        r.id: row for r in drawn() if (row := re.search(rf"#rule-{r.id}\">.*?</tr>", table, re.S))
    }
    assert len(found) == len(drawn())
    for rule in drawn():
        row = found[rule.id][0]
        for code, kind in steps(rule):
            laws = book().relations.holding(rule, code)
            assert bool(kind) == bool(laws)
            assert not laws or f'href="../{path_of(laws[0])}"' in row
        assert row.count("<td>–</td>") == sum(not kind for _, kind in steps(rule))


def test_the_label_of_a_rule_ends_before_its_marks() -> None:
    assert [rule.label for rule in drawn() if len(rule.label) > 48] == []


def test_every_drawing_has_a_title_and_a_description(made: dict[str, str]) -> None:
    drawings = re.findall(
        r'<svg [^>]*class="drawing"[^>]*aria-labelledby="(\S+) (\S+)">(.*?)</svg>',
        made["lineage.md"],
    )
    assert len(drawings) == len(families()) + 1
    for title, description, body in drawings:
        assert f'<title id="{title}">' in body
        assert f'<desc id="{description}">' in body
