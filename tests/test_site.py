"""The site: pages as a pure function, a strict build without a warning, links and fragments,
identical builds.
"""

import hashlib
import html
import importlib.util
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
import yaml

from conftest import few_of
from oddtrick.law.book import book
from oddtrick.law.names import path_of
from oddtrick.paths import folder
from oddtrick.site import plugin
from oddtrick.site.code import code_pages
from oddtrick.site.template import front

Pages = dict[str, str | bytes]
CONFIG = folder("mkdocs.yml")


@pytest.fixture(scope="module")
def site(built: Path) -> dict[str, str]:
    """The text of every page, by its path from the root of the site."""
    at = built.rglob("*.html")
    return {f"/{p.relative_to(built).as_posix()}": p.read_text("utf-8") for p in at}


def test_a_law_of_a_base_names_the_codes_under_which_it_is_in_force(
    pages: dict[str, str | bytes],
) -> None:
    for code, law in (("bridge-1904", "72"), ("auction-1926", "46")):
        page = str(pages[f"codes/{code}/{law}.md"])
        named = {"bridge-1904": "Auction 1908", "auction-1926": "Contract 1927"}[code]
        assert re.search(rf">{named}</a> [^\n]*: in force there too</li>", page), law


def test_every_law_has_its_page_and_every_provision_its_anchor(pages: Pages) -> None:
    for code in book().codes:
        for provision in code.provisions:
            path, _, fragment = path_of(provision.address).partition("#")
            text = str(pages[f"{path.rstrip('/')}.md"])
            assert f'id="{fragment or "law"}"' in text
            assert f"<code>{provision.address}</code>" in text


def test_the_navigation_has_every_code_in_order_and_what_is_in_it_has_a_page(pages: Pages) -> None:
    listed = yaml.safe_load(re.sub(r"!ENV.*", "", CONFIG.read_text("utf-8")))["nav"]
    documents = {p.name for p in folder("docs").glob("*.md")}
    nav = plugin.navigation(listed, plugin.code_entries(book()), pages.keys() | documents)
    (read,) = [v for item in nav for k, v in item.items() if k == "Read"]
    named = [{c.short: f"codes/{c.id}/index.md"} for c in book().codes]
    assert read[0] == {"Codes": ["codes/index.md", *named]}
    found = set(re.findall(r"[\w/.-]+\.md", str(nav)))
    assert found <= pages.keys() | documents
    assert ("check.md" in found) is ("check.md" in pages)
    assert not any(c.id in CONFIG.read_text("utf-8") for c in book().codes)


def test_pages_are_a_pure_function(pages: Pages) -> None:
    """This process makes the same pages of the codes as the process that built the site."""
    made = code_pages()
    assert len(made) > len(book().codes)
    assert {name: pages[name] for name in made} == made


def built_of(few: Pages, home: Path, strict: bool = True) -> subprocess.CompletedProcess[str]:
    """A build of a few pages in a separate process."""
    home.mkdir(exist_ok=True)
    (home / "pages").write_bytes(pickle.dumps(few))
    code = (
        "import pickle, sys; from pathlib import Path; from build_site import built; "
        "home = Path(sys.argv[1]); "
        f"sys.exit(built(home, (pickle.loads((home / 'pages').read_bytes()), []), {strict}))"
    )
    return subprocess.run(
        [sys.executable, "-c", code, str(home)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)},
        timeout=600,
    )


def test_each_broken_link_fails_the_build(tmp_path: Path, pages: Pages) -> None:
    """The site itself, built just as strictly, has none."""
    few: Pages = {name: content for name, content in pages.items() if "/" not in name}
    few |= {"codes/index.md": "# Codes\n", "codes/auction-1912/45.md": "# A law\n"}
    links = "[no anchor](codes/auction-1912/45.md#nothing) [no page](c.md)"
    few["index.md"] = f"# Home\n\n[a law](codes/auction-1912/45.md#a-law) {links}\n"
    done = built_of(few, tmp_path)
    assert done.returncode == 1, done.stderr
    assert "#nothing" in done.stderr
    assert "c.md" in done.stderr
    assert "Aborted with" in done.stderr


def unresolved(pages: dict[str, str], files: set[str]) -> list[tuple[str, str]]:
    """The links within a site that lead to no file, or to no element of a page; what follows
    `#record=` is a record, not an element.
    """
    ids = {at: set(re.findall(r'\sid="([^"]*)"', text)) for at, text in pages.items()}
    wrong = []
    for at, text in pages.items():
        for link in set(re.findall(r'\s(?:href|src)="(?![a-z]+:)([^"]*)"', text)):
            way, _, anchor = unquote(html.unescape(link)).partition("#")
            to = urljoin(at, way.partition("?")[0])
            to += "index.html" if to.endswith("/") else ""
            known = ids.get(to, set())
            if to not in files or (
                anchor and known and anchor.partition("=")[0] not in {*known, "record"}
            ):
                wrong.append((at, link))
    return wrong


def test_every_link_and_fragment_of_the_site_resolves(site: dict[str, str], built: Path) -> None:
    files = {f"/{p.relative_to(built).as_posix()}" for p in built.rglob("*") if p.is_file()}
    assert unresolved(site, files) == []
    broken = {"/a/index.html": '<p id="b"><a href="../a/#b"><a href="c/"><a href="#c">'}
    assert sorted(unresolved(broken, {*broken})) == [
        ("/a/index.html", link) for link in ("#c", "c/")
    ]


def test_nothing_of_the_site_is_asked_of_another(site: dict[str, str]) -> None:
    """Links lead to open copies of books and to the works and licences of others; no other link
    leaves the site, and nothing is fetched.
    """
    volumes = [v for code in book().codes for v in (code.book, *code.editions)]
    copies = {copy.url for volume in volumes for copy in volume.copies}
    followed = set()
    for page, text in site.items():
        links = set(re.findall(r'<a href="((?:https?:|//)[^"]*)"', text))
        for link in links:
            text = text.replace(f'<a href="{link}"', "")
        assert re.findall(r'(?:src|href)="(https?:|//)[^"]*"', text) == [], page
        if page != "/third-party/index.html":
            assert links <= copies, page
            followed |= links
    assert followed == copies


PYTHON = {"/check/index.html", "/rubber/index.html"}
"""The pages that run Python: only these may compile WebAssembly and run scripts from a blob."""


REFUSED = (
    re.compile(r"<(?:script(?![^>]* src=)(?![^>]* type=.application/json)|style|base)"),
    re.compile(r" (?:on[a-z]+|style)=[\"']"),
    re.compile(r"javascript:"),
)
"""Inline scripts and styles."""

POLICY = r'<head>\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)">'


def test_every_page_has_the_policy_first_and_nothing_that_it_refuses(site: dict[str, str]) -> None:
    policies, wrong = {}, {}
    for name, text in site.items():
        policy = re.search(POLICY, text)
        policies[name] = policy[1] if policy else "none"
        if written := [found for refused in REFUSED for found in refused.findall(text)]:
            wrong[name] = written[:3]
    assert wrong == {}
    assert {n for n, p in policies.items() if "blob:" in p or "wasm" in p} == PYTHON & {*policies}
    assert len({p for n, p in policies.items() if n in PYTHON}) <= 1
    assert len({p for n, p in policies.items() if n not in PYTHON}) == 1
    for policy in policies.values():
        assert policy.startswith("default-src 'none'; script-src 'self'")
        assert "unsafe-inline" not in policy
        assert "'unsafe-eval'" not in policy


def test_the_description_of_every_page_is_whole(site: dict[str, str]) -> None:
    described = 0
    for page, text in site.items():
        head = text.partition("</head>")[0]
        for tag in re.findall(r'<meta name="description"[^>]*>', head):
            assert re.fullmatch(r'<meta name="description" content="[^"]{1,420}">', tag), page
            described += 1
    assert described > 900


COPIED = {
    "base.html": "a919e32d2225e09e",
    "partials/copyright.html": "bc86bca3bf75070f",
    "partials/header.html": "8cf3fb15bcf969ff",
    "partials/nav-item.html": "89895208f22d68ce",
    "partials/top.html": "98f6f9ac2ebf6ef9",
    "partials/toc-item.html": "418f31ce2e6d5599",
    "partials/tabs.html": "d2c82916569e645a",
    "partials/tabs-item.html": "52fe1f551aa2dbfc",
    "partials/javascripts/base.html": "d6113712bc4deb30",
    "partials/javascripts/content.html": "3722e156f0f6339d",
    "partials/javascripts/palette.html": "8790389765ea6036",
}
"""The templates of Material for MkDocs that `site_overrides` replaces, by digest."""


def test_the_templates_of_the_theme_are_those_that_ours_were_made_from() -> None:
    spec = importlib.util.find_spec("material")
    assert spec is not None
    assert spec.origin is not None
    home = Path(spec.origin).parent / "templates"
    found = {name: hashlib.sha256((home / name).read_bytes()).hexdigest()[:16] for name in COPIED}
    assert found == COPIED, "compare site_overrides with the new templates of the theme"


HOSTILE = 'Tom & Jerry <3 "</title><script src=../p2.hand></script>" &amp; {{ 7 * 7 }}'


def test_a_title_reads_in_every_place_as_it_was_written(tmp_path: Path, pages: Pages) -> None:
    made = front({"title": HOSTILE, "description": HOSTILE}, "subjects.md") + '<h1 id="a">A</h1>\n'
    done = built_of(few_of(pages) | {"subjects.md": made}, tmp_path, strict=False)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "site" / "subjects" / "index.html").read_text("utf-8")
    assert "<script src=../p2" not in text
    places = (
        r"<title>(.*?) - Oddtrick</title>",
        r'<meta name="description" content="([^"]*)">',
        r'<meta property="og:title" content="([^"]*)">',
        r'<meta property="og:description" content="([^"]*)">',
        r'data-md-component="header-topic"><span class="md-ellipsis">(.*?)</span>',
    )
    for place in places:
        found = re.search(place, text, re.DOTALL)
        assert found, place
        assert html.unescape(found[1]) == HOSTILE, place
