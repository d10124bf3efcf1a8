"""States the score before each deal of a rubber in the deal, for a notation without rubbers."""

from __future__ import annotations

from dataclasses import replace

from oddtrick.cards import Side
from oddtrick.judge import Check, check_document
from oddtrick.record.deal import Deal, Figures, Group, Unreadable
from oddtrick.record.pbn.fields import history_of, history_text
from oddtrick.record.pbn.reader import RUBBER


def with_standing(item: Deal | Group | Unreadable) -> Deal | Group | Unreadable:
    """A rubber whose deals state the score before them, as far as it is known; others unchanged.

    PBN's own tags are added if the points of each game are known.
    """
    if not isinstance(item, Group) or item.kind != "rubber":
        return item
    first = item.deals[0].standing_honour if item.deals else None
    above = {side: (first and first.of(side)) or 0 for side in Side}
    below, known, deals = [dict.fromkeys(Side, 0)], True, list[Deal]()
    for one in check_document([item], only=("score",)):
        if not isinstance(one, Check):
            continue
        deal, account = one.source, one.account
        state = (one.carried or ((None,),) * 2)[:2]
        figures = (None if None in of else Figures(*of) for of in state)
        games, trick = figures
        deal = deal._replace(
            standing_games=deal.standing_games or games, standing_trick=deal.standing_trick or trick
        )
        text = history_text(above, below)
        if known and (history_of(text) or ())[:2] == (games, trick):
            own = {name for name, _ in deal.tags}
            tags = (RUBBER, ("ScoreRubberHistory", text))
            deal = deal._replace(tags=(*deal.tags, *(tag for tag in tags if tag[0] not in own)))
        deals.append(deal)
        if account is None or account.missing:
            known = known and one.declared.passed_out
            continue
        for side in Side:
            above[side] += account.points(side, "honour")
            below[-1][side] += account.points(side, "trick")
        if account.game:
            below.append(dict.fromkeys(Side, 0))
    return replace(item, deals=tuple(deals))
