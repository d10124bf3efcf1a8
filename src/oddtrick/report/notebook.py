"""HTML for notebooks: the text of a deal's record or of a check's report."""

from __future__ import annotations

from html import escape

from oddtrick.judge import Check
from oddtrick.record.deal import Deal
from oddtrick.record.hand.write import write_hand
from oddtrick.report.answers import as_json
from oddtrick.report.check import check_text
from oddtrick.terminal import Style


def install() -> None:
    """Add `_repr_html_` to `Deal` and `Check`, whose packages may not import `report`."""
    Deal._repr_html_ = lambda deal: _html(write_hand([deal]))  # type: ignore[attr-defined]
    Check._repr_html_ = lambda check: _html(  # type: ignore[attr-defined]
        check_text(as_json(check), Style())
    )


def _html(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"
