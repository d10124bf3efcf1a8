"""The pages of rules: every finding has its page, its examples lead to the right findings, and the
law behind it is shown.
"""

import html
import re

import pytest

from lawbook import judged_codes
from oddtrick.book.write_citation import cite
from oddtrick.law.book import book
from oddtrick.law.model import Code
from oddtrick.paths import folder
from oddtrick.site.finding import examples

RULES = [r.id for r in book().vocabulary.findings]

BESIDE = {
    "declaring.barred": ["declaring.insufficient-bid"],
    "score.penalty": ["play.revoke"],
    "remedy.not-allowed": ["remedy.irregularity"],
    "remedy.wrong-chooser": ["remedy.irregularity"],
    "remedy.not-obeyed": ["remedy.irregularity"],
}
"""Rules that cannot be broken by themselves, with what both records contain."""


def found(rule: str) -> tuple[list[str], list[str]]:
    """The findings in each of the two records, without those that short records omit."""
    first, second = examples(rule)
    return [f["rule"] for f in first.findings], [f["rule"] for f in second.findings]


@pytest.mark.parametrize("rule", RULES)
def test_the_first_record_breaks_the_rule_and_no_other_and_the_second_none(rule: str) -> None:
    broken, kept = found(rule)
    beside = BESIDE.get(rule, [])
    assert set(broken) == {rule, *beside}
    assert kept == beside
    # a missing card may be reported in each phase; an offence is found once
    assert broken.count(rule) == 1 or rule.startswith("record.")


def test_every_file_of_examples_is_of_a_rule() -> None:
    files = sorted(p.stem for p in (folder("laws") / "examples").glob("*.hand"))
    assert files == sorted(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_a_page_has_its_meaning_its_records_and_its_law(
    rule: str, pages: dict[str, str | bytes]
) -> None:
    page = str(pages[f"rules/{rule}.md"])
    item = next(r for r in book().vocabulary.findings if r.id == rule)
    assert item.meaning in html.unescape(page)
    assert f"<code>{rule}</code>" in page
    assert page.count('class="source"') == 2
    for code in judged_codes():
        assert f'id="{code}"' in page
    for irregularity in book().irregularities.values():
        linked = f'<a href="../../disputes/{irregularity.id}/">' in page.partition("<h2 ")[0]
        assert linked is (irregularity.finding == rule)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    anchors = set(re.findall(r'href="#([^"]+)"', page))
    assert anchors <= set(ids)


def behind(page: str | bytes, code: str) -> str:
    """The text beside a code on the page of a rule."""
    return (
        html.unescape(str(page))
        .partition(f'<div class="behind-row" id="{code}">')[2]
        .partition("</div>")[0]
    )


@pytest.mark.parametrize("code", book().codes, ids=book().ids)
def test_each_law_of_findings_yaml_stands_behind_its_rule(
    code: Code, pages: dict[str, str | bytes]
) -> None:
    for rule, laws in code.findings.items():
        row = behind(pages[f"rules/{rule}.md"], code.id)
        said = re.findall(r"<li><a [^>]*>(.*?)</a> (.*?)</li>", row)
        assert [a for a, _ in said] == [a.local if a.code == code.id else cite(a) for a in laws]
        assert all(words for _, words in said)
    silent = {k: v for k, v in code.of_findings.items() if isinstance(v, str)}
    for rule, why in silent.items():
        named = "No law of its own." if rule.startswith("remedy.") else "Silent."
        assert f"<b>{named}</b> {why}</p>" in behind(pages[f"rules/{rule}.md"], code.id)


def test_a_code_without_a_word_of_its_own_is_told_by_its_base(
    pages: dict[str, str | bytes],
) -> None:
    extending = [c for c in book().codes if c.extends and c.judged]
    assert extending
    for code in extending:
        base = book().code(code.extends or "")
        for rule in {*base.of_findings} - {*code.of_findings}:
            row = behind(pages[f"rules/{rule}.md"], code.id)
            assert f'As under <a href="#{base.id}">' in row


def test_the_index_lists_every_rule_by_phase(pages: dict[str, str | bytes]) -> None:
    index = str(pages["rules/index.md"])
    at = -1
    for phase in ("record", "deal", "declaring", "play", "remedy", "score"):
        assert index.index(f'<h2 id="{phase}"') > at
        at = index.index(f'<h2 id="{phase}"')
        section = index[at:].partition("\n<h2 ")[0]
        for rule in RULES:
            assert (f'<a href="{rule}/">' in section) is (rule.partition(".")[0] == phase)


def test_no_code_is_named_in_python() -> None:
    """Only `book` and `cli` name some, in the examples of their messages."""
    paths = folder("laws").parent.glob("src/oddtrick/**/*")
    wanted = (
        p for p in paths if p.suffix in (".py", ".html") and p.parts[-2] not in ("book", "cli")
    )
    for path in wanted:
        text = re.sub(r'"""(.*?)"""', "", path.read_text("utf-8"), flags=re.DOTALL)
        assert not [c for c in book().ids if c in text], path.name
