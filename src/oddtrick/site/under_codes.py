"""A deal scored under every code, on a page: the score in each code with the reasons, and the first
point at which the codes differ. `templates/under.html` renders the JSON of the comparison.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from oddtrick.judge.answers import Json
from oddtrick.law.names import and_words
from oddtrick.report.under_codes import CIRCUMSTANCES, ITEMS

ITEM_WORDS = {
    "contract-bonus": "doubled contract made",
    "game-bonus": "game",
    "rubber-bonus": "rubber",
}
"""Words for kinds of entries whose id is unclear; the others are named by their id."""

OWN = "its own code"
"""The heading of the column for the code of the record."""

DIFFERS = (
    "The account above follows what the record says of the rubber, of options and of penalties, "
    f"and so differs from the column “{OWN}”."
)


def under_json(compared: Iterable[Json]) -> str:
    """The content of `records/<id>.under.json`: the deals as printed by `oddtrick score --under all
    --format json`.
    """
    return json.dumps(list(compared), ensure_ascii=False, indent=2) + "\n"


def item_words(item: str) -> str:
    """A kind of score entry in words: `odd tricks`."""
    return ITEM_WORDS.get(item, item.replace("-", " "))


def under(record: Json, compared: Json) -> dict[str, object]:
    """The values for the template: the columns (`codes`), and the kinds of entries with words
    (`items`).

    `none` is the reason why no code can score the deal, if it is the same for all. `intro` states
    the assumptions. `at` is the kind of entry at which the codes first differ, and `apart` lists
    the balances there, signed, with the codes that have them.
    """
    codes, apart = compared["under"], compared["part_first_at"]
    scores, reasons = [c["score"] for c in codes if c["score"]], {c["why"] for c in codes}
    own = next((c["score"] for c in codes if c["code"] == record["code"]), None)
    score = record["score"]
    differs = own is not None and score is not None and own["entries"] != score["entries"]
    intro = f"{CIRCUMSTANCES} The declaration and the tricks are those of the record."
    found = {e["item"] for score in scores for e in score["entries"]}
    balances: dict[int, list[str]] = {}
    for short, points in apart["balance"].items() if apart else ():
        balances.setdefault(points, []).append(short)
    return {
        "record": record,
        "none": "" if scores or len(reasons) > 1 else reasons.pop(),
        "intro": f"{intro} {DIFFERS}" if differs else intro,
        "codes": codes,
        "items": {item: item_words(item) for item in ITEMS if item in found},
        "at": apart["item"] if apart else None,
        "at_words": item_words(apart["item"]) if apart else "",
        "apart": [(_signed(points), and_words(names)) for points, names in balances.items()],
        "alike": len(scores) > 1 and apart is None,
        "missing": any(s["missing"] for s in scores),
    }


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"
