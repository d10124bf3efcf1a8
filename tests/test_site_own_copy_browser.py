"""A reader's own copy of a book in the site, in Debian's Chromium: given to the page, shown beside
the restatement, kept in the browser only, removed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from test_site_check_browser import PATIENCE
from test_sources import printed


def test_a_book_is_given_shown_beside_the_law_and_removed_and_what_is_none_is_told(
    page: Any, base: str, built: Path, tmp_path: Path
) -> None:
    if not (built / "own-copy" / "index.html").is_file():
        pytest.skip("the site was built without npm's pyodide")
    page.set_default_timeout(PATIENCE)
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url))
    book = tmp_path / "<b>My & Book.txt"
    before, law, after = printed("auction-1912").partition("\n84. ")
    assert "150" in after[:200]
    text = before + law + after.replace("150", "160", 1)
    book.write_text(text.replace("\n4. ", "\n4. <img src=x onerror=alert(1)> ", 1), "utf-8")
    page.goto(f"{base}sources/")
    assert page.get_by_role("link", name="Give this site the text").count() == 1
    page.goto(f"{base}own-copy/")
    page.wait_for_selector(".own:not([hidden])")  # the page is ready for a file
    none = tmp_path / "blank.txt"
    none.write_bytes(b"caf\xe9, not a book " * 50)
    page.set_input_files(".own input", str(none))
    page.locator(".own-said", has_text="No laws of any of these codes").wait_for()
    assert page.locator(".own-list li").count() == 0
    page.set_input_files(".own input:enabled", str(book))
    page.wait_for_selector(".own-list li")
    assert "Auction 1912, 97 of 97 laws" in page.inner_text(".own-said")
    assert "<b>My & Book.txt" in page.inner_text(".own-list")
    page.goto(f"{base}codes/auction-1912/84/")
    page.wait_for_selector("details.printed[open]")
    shown = page.inner_text("details.printed")
    assert "160 points" in shown
    assert "in this browser only" in shown
    page.goto(f"{base}codes/auction-1912/4/")
    page.wait_for_selector("details.printed")
    assert "<img src=x" in page.inner_text(".printed-words")
    assert page.locator("details.printed img").count() == 0
    page.goto(f"{base}codes/royalton-1915/4/")
    page.wait_for_selector(".cite-row button", state="attached")
    assert page.locator("details.printed").count() == 0
    page.goto(f"{base}own-copy/")
    page.get_by_role("button", name="Remove Auction 1912").click()
    page.wait_for_selector(".own-list:empty", state="attached")
    page.goto(f"{base}codes/auction-1912/84/")
    page.wait_for_selector(".cite-row button", state="attached")
    assert page.locator("details.printed").count() == 0
    assert all(url.startswith((base, "blob:")) for url in asked)
