"""Makes the cards of the codes anew, SVG and PNG, with Debian's Chromium: `.venv/bin/python
tests/make_cards.py`.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from cards import HEIGHT, WIDTH, card_svg
from conftest import CHROMIUM
from lawbook import codes

FOLDER = Path(__file__).resolve().parent.parent / "site_overrides" / "assets" / "cards"

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for name in ("", *codes()):
            drawn = card_svg(name)
            stem = FOLDER / (name or "oddtrick")
            stem.with_name(f"{stem.name}.svg").write_text(drawn, "utf-8")
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawn}")
            page.screenshot(path=stem.with_name(f"{stem.name}.png"))
        browser.close()
