"""The rubber of the page "Keep a rubber", edited and judged by Python in the reader's browser.

The rubber is a `.hand` document in which deals are added, rewritten or removed. The words in which
the player entered a deal follow `deal N` as a comment, so that the page can edit them. The document
is judged like any record, and drawn as a sheet that marks missing values.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from oddtrick.cards import Seat, Side
from oddtrick.judge import Json, check_document
from oddtrick.judge.events import Call
from oddtrick.judge.procedures import DECLARING
from oddtrick.law.book import book
from oddtrick.law.names import and_words, cited
from oddtrick.law.rules import Rules
from oddtrick.record import deals_in, read_stream
from oddtrick.record.deal import Honours
from oddtrick.record.hand.read import statements
from oddtrick.record.hand.write import quoted, write_hand
from oddtrick.report.answers import as_json
from oddtrick.report.check import totals_words
from oddtrick.report.contract_words import (
    Contract,
    Unclear,
    deal_of,
    facts_under,
    final_of,
    read_contract,
)
from oddtrick.report.messages import Wording
from oddtrick.report.score_table import honour_words
from oddtrick.report.sheet import THICK, UNKNOWN, Deals, Drawing, Undrawable, groups, rubber_sheet
from oddtrick.report.under_codes import cannot, penalty_not_stated
from oddtrick.report.words import degree_words, missing_words, number_words
from oddtrick.rulings.words import upper
from oddtrick.site.calculator import choices
from oddtrick.site.check import Checked, checked
from oddtrick.site.template import rendered
from oddtrick.terminal import in_a_line

PATH = "rubber.md"
"""The page to which the links in an answer are relative."""

PASSED_OUT = "declaration passed out"
NO_HONOURS = "  # no honours"
"""The beginning of a comment on a rubber whose deals have no honours unless noted."""

NEEDED = {
    "number": "the number of odd tricks",
    "denomination": "the denomination",
    "declarer": "the declarer",
    "tricks": "the tricks taken",
}
"""The choices of the page that a deal needs, each with its words."""

_PASSED = re.compile(
    r"\W*(?:(?:all|everyone|everybody|we all|four|all four) )?pass(?:es|ed)?(?: out)?\W*",
    re.IGNORECASE,
)
_DEALT = re.compile(r"\bdealt\b", re.IGNORECASE)
_CODE = re.compile(r"^[ \t]*code[ \t]+(\S+)", re.MULTILINE | re.IGNORECASE)
_ENTERED = re.compile(r"[ \t]*deal[ \t]+\d+  # ([^\n]*)\n(.*)", re.DOTALL)
_NUMBER = re.compile(r"(?<=deal )\d+")
_SEATS = re.compile(r"\b(?:North and South|East and West|North|East|South|West)\b")


def rubber_answer(asked: Mapping[str, Any]) -> dict[str, object]:
    """The answer to a question of the page.

    `text` is the rubber so far. At most one of these changes it:

    - `begin`: a new rubber, with `code`, `title`, the players by seat, and `honours` (`none` if
      there are none unless noted).
    - `words`, or if they are empty the choices of the form: a deal, which is added, or replaces the
      deal with the index `at`, or is inserted before the deal with the index `before`. The deal is
      passed out if there is `passed`.
    - `remove`: the index of a deal.

    The answer has the new `text`, a `status` line, the `code` and the `players`; its `html` has the
    sheet, and the forms for the next deal, unless the rubber is over, to insert one, and to edit
    each. On failure it has `failed`, the reason in `status`, and the place in the words (`start`,
    `end`).
    """
    text = str(asked.get("text") or "")
    try:
        if "begin" in asked:
            text = begun(**{k: str(v) for k, v in asked["begin"].items()})
        elif "words" in asked:
            at, before = (int(asked[k]) if k in asked else None for k in ("at", "before"))
            text = with_deal(text, asked.get("passed") or _deal_words(asked, text), at, before)
        elif "remove" in asked:
            text = without_deal(text, int(asked["remove"]))
        return {"text": text} | _shown(text)
    except Unclear as error:
        reason = upper(Wording(book().rules(_code(text))).say(error.message))
        return {"failed": True, "status": reason, "start": error.start, "end": error.end}
    except NotChanged as error:
        return {"failed": True, "status": upper(str(error)), "start": 0, "end": 0}


def begun(code: str, title: str, honours: str = "", **players: str) -> str:
    """The text of a rubber without a deal."""
    book().rules(code)
    of = {seat: name for seat in Seat if (name := players.get(seat.word, "").strip())}
    head = [f"code {code}"]
    if of:
        head.append(" ".join(["players", *(f"{s.word} {quoted(n)}" for s, n in of.items())]))
        pairs = {side: _pair(side, lambda s: of.get(s, s.title)) for side in Side}
        head.append(" ".join(["sides", *(f"{s.word} {quoted(p)}" for s, p in pairs.items())]))
    rubber = f"rubber {quoted(title.strip() or 'A rubber')}"
    default = f"{NO_HONOURS} unless noted" if honours else ""
    return "\n".join([*head, "", rubber + default, "", "end rubber", ""])


class NotChanged(Exception):
    """Raised if the rubber cannot be changed as asked; the message gives the reason."""


def _code(text: str) -> str:
    found = _CODE.search(text)
    if found is None:
        raise NotChanged("the record names no code; begin a rubber under one.")
    return found[1]


# --- the deals of a text --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parts:
    """The last rubber of a text: its deals, and the text before and after them."""

    before: str
    deals: tuple[str, ...]
    after: str

    def text(self, deals: Sequence[str]) -> str:
        """The text with `deals` instead of its own; deals with a number are renumbered."""
        numbered = (_NUMBER.sub(str(n), d, count=1) for n, d in enumerate(deals, 1))
        return "".join((self.before, *numbered, self.after))


def parts_of(text: str) -> Parts:
    """Split a text around the deals of its last rubber.

    Raises `NotChanged` if there is no rubber, or its end is missing.
    """
    pieces = list(statements(text))
    first = max((n for n, p in enumerate(pieces) if p.word == "rubber"), default=-1)
    own = pieces[first + 1 :]
    if first < 0 or not any(p.word == "end" for p in own):
        raise NotChanged("there is no rubber in this record that ends with `end rubber`.")
    number = next((n for n, p in enumerate(own) if p.word not in ("deal", "board")), len(own))
    deals = own[:number]
    start = deals[0].start if deals else own[0].start
    return Parts(
        text[:start], tuple(text[d.start : d.end] for d in deals), text[own[number].start :]
    )


def with_deal(text: str, words: str, at: int | None = None, before: int | None = None) -> str:
    """The text with a deal added, with the deal at the index `at` replaced, or with a deal inserted
    before the one at the index `before`.

    Raises `Unclear` or `NotChanged`.
    """
    parts, words = parts_of(text), " ".join(words.split())
    if at is not None and entered_words(parts, at, text) is None:
        more = "this deal states more than this page asks for; change it on “Check a hand”."
        raise NotChanged(more)
    lines = deal_text(words, book().rules(_code(text)), parts.before)
    deals = list(parts.deals)
    place = next((n for n in (at, before) if n is not None), len(deals))
    deals[place : place + (before is None)] = [f"deal {place + 1}  # {words}\n{lines}\n\n"]
    return parts.text(deals)


def without_deal(text: str, at: int) -> str:
    """The text without the deal at an index. Raises `NotChanged` if there is no such deal."""
    parts = parts_of(text)
    if not 0 <= at < len(parts.deals):
        raise NotChanged("there is no such deal.")
    return parts.text([*parts.deals[:at], *parts.deals[at + 1 :]])


def entered_words(parts: Parts, at: int, text: str) -> str | None:
    """The words in which a deal was entered; `None` if its lines no longer agree with them."""
    found = _ENTERED.fullmatch(parts.deals[at]) if 0 <= at < len(parts.deals) else None
    if not found:
        return None
    try:
        due = deal_text(found[1], book().rules(_code(text)), parts.before)
    except (Unclear, NotChanged):
        return None
    return found[1] if due == found[2].strip() else None


def entered(parts: Parts, at: int, text: str) -> dict[str, str] | None:
    """A deal as choices of the page, by the name of the control, with the words in which it was
    entered if the choices do not express them; `None` if the page cannot edit it.
    """
    words = entered_words(parts, at, text)
    if words is None:
        return None
    if _PASSED.fullmatch(words):
        return {"words": words}
    law, players = book().rules(_code(text)), _players(parts.before)
    contract = _contract(words, law, players)
    facts = facts_under(contract, law)
    final = facts.final
    side, held = next(
        ((s, h) for s, h in (contract.honours or {}).items() if h.total), (None, None)
    )
    voids = [(s, n) for s, n in (contract.voids or {}).items() if n]
    chicane = [f"{'double ' * (n > 1)}chicane{' against' * (s is Side.EW)}" for s, n in voids]
    choices = {
        "number": str(final.odd_tricks or ""),
        "denomination": book().denominations[final.denomination].label,
        "doubled": degree_words(final.doubled),
        "declarer": contract.seat.title,
        "tricks": str(facts.tricks),
        "honours": honour_words(held) if held else "no honours" if contract.honours else "",
        "side": "against" if side is Side.EW else "",
        "chicane": chicane[0] if len(chicane) == 1 else "",
    }
    same = deal_text(sentence(choices), law, parts.before) == deal_text(words, law, parts.before)
    return choices | {"words": "" if same else words}


def _deal_words(asked: Mapping[str, Any], text: str) -> str:
    """The words for a deal: those typed, or the choices, or both if the words name no contract.

    Raises `NotChanged` if nothing was typed and a choice is missing.
    """
    law, typed = book().rules(_code(text)), str(asked["words"])
    needed = [name for name in NEEDED if name != "number" or not law.has("making")]
    missing = [NEEDED[name] for name in needed if not asked.get(name)]
    if not typed and missing:
        raise NotChanged(f"choose {and_words(missing)}, or describe the deal in words.")
    try:
        read_contract(typed, _players(parts_of(text).before))
    except Unclear as error:
        if not missing and (not typed or error.message.id == "no-contract"):
            return ", ".join(filter(None, (sentence(asked), typed)))
    return typed


def sentence(choices: Mapping[str, Any]) -> str:
    """The choices of the page in words: `4 hearts doubled by South, 11 tricks`."""
    said = defaultdict(str, {name: str(words) for name, words in choices.items() if words})
    by = said["declarer"] and f"by {said['declarer']}"
    contract = (said["number"], said["denomination"], said["doubled"], by)
    taken = said["tricks"] and number_words(int(said["tricks"]), "trick")
    honours = said["honours"] and f"{said['honours']} {said['side']}".strip()
    parts = (" ".join(filter(None, contract)), taken, honours, said["chicane"])
    return ", ".join(filter(None, parts))


# --- a deal ---------------------------------------------------------------------------------------


def deal_text(words: str, law: Rules, before: str = "") -> str:
    """The lines of a record for a deal described in a player's words.

    `before`, the text before the deals, names the players and states the default of honours.

    Raises `Unclear` or `NotChanged`.
    """
    if _PASSED.fullmatch(words):
        begins = law.procedure("first-declaration", DECLARING)
        if not (begins and begins(Call("pass"), False)):
            laws = and_words(map(cited, law.laws("first-declaration", "making")))
            raise NotChanged(f"{law.absent['passed-out'].rstrip('.')} ({laws}).")
        return PASSED_OUT
    contract = _contract(words, law, _players(before))
    if contract.games or contract.below:
        raise NotChanged("the games and the score follow from the rubber; leave them out.")
    if contract.declarer is None:
        who, bid = ("dealt", "hearts") if law.has("making") else ("declared", "4 hearts")
        raise NotChanged(f"who {who}? Write for example `{bid} by South, 10 tricks`.")
    deal = deal_of(contract, law)
    if beyond := cannot(final_of(contract, law), law):
        raise NotChanged(f"{law.short} cannot score this, because {beyond.why}.")
    if lacking := penalty_not_stated(contract, law):
        raise NotChanged(f"{lacking.why} ({and_words(map(cited, lacking.laws))}).")
    if NO_HONOURS in before and not deal.honours and law.has("honour-values"):
        deal = deal._replace(honours=(Honours(Side.NS, 0),))
    return write_hand([deal]).partition("\n")[2].strip()


def _contract(words: str, law: Rules, players: Mapping[Seat, str]) -> Contract:
    """A contract in words. Where the trump is made, the dealer plays the hand, and `dealt by South`
    names him; its words keep their places.
    """
    return read_contract(_DEALT.sub("     ", words) if law.has("making") else words, players)


# --- the answer -----------------------------------------------------------------------------------


def _shown(text: str) -> dict[str, object]:
    """The last rubber of a text for the page: its sheet, deals and forms as `html`, a `status`
    line, the code and the players.

    Raises `NotChanged`.
    """
    parts = parts_of(text)
    source = read_stream(io.BytesIO(text.encode("utf-8", "replace")), "", "hand")
    items = list(source.items)
    answers = (as_json(r, "play") for r in check_document(items))
    rubbers = [pair for pair in groups(answers) if pair[0]["kind"] == "rubber"]
    code = (rubbers[-1][0]["code"] if rubbers else None) or _code(text)
    players = _players(parts.before)
    law, names = book().rules(code), {seat.title: name for seat, name in players.items()}
    state = {"code": code, "players": names}
    asks = {"law": law, "of": choices([law]), "players": names, "over": False, "dealer": ""}
    if not parts.deals or not rubbers:
        html = rendered("rubber_sheet", PATH, sheet=None, **asks)
        return state | {"html": html, "status": f"A rubber under {law.short} has begun."}
    group, deals = rubbers[-1]
    try:
        sheet = rubber_sheet(group, deals)
    except Undrawable as error:
        raise NotChanged(str(error)) from error
    if known := _known_totals(group, deals, sheet):
        sheet = replace(sheet, sums=known[0], notes=(known[1], *sheet.notes[1:]))
    asks["over"], final = _over(deals), deals[-1]["declaration"]
    if law.has("making") and final and final["declarer"]:
        asks["dealer"] = Seat(final["declarer"]).left.title  # the dealer plays the hand
    named = naming(players)
    html = rendered(
        "rubber_sheet",
        PATH,
        **asks,
        sheet=sheet,
        unknown=UNKNOWN,
        line=sheet.rows.index(THICK),
        deals=[_without_omissions(one) for one in checked(_named(deals, named))],
        named=named,
        titles={side.value: named(side.title) for side in Side},
        entered=[entered(parts, n, text) for n in range(len(deals))],
        late=group["counted"],
        whole=[f"{upper(named(w))}." for w in totals_words(group)] if group["totals"] else (),
        laws=group["laws"] if group["totals"] else (),
        without_source=True,
    )
    return state | {"html": html, "status": _state(deals, sheet, group["counted"])}


@lru_cache(1)
def _players(before: str) -> dict[Seat, str]:
    """The players by seat, as the text before the deals names them."""
    begun = f"{before}\ndeal 1\n{PASSED_OUT}\nend rubber\n".encode("utf-8", "replace")
    listed = list(deals_in(read_stream(io.BytesIO(begun), "-", "hand").items))
    return dict(listed[-1].players) if listed else {}


def _pair(side: Side, name: Callable[[Seat], str]) -> str:
    """The names of the players of a side, joined by `and`."""
    return " and ".join(name(seat) for seat in Seat if seat.side is side)


def naming(players: Mapping[Seat, str]) -> Callable[[str], str]:
    """A function that replaces the names of seats and sides in a text by names of players."""
    if any(_SEATS.search(name) for name in players.values()):
        return str  # a player whose name is West may sit elsewhere

    def name(seat: Seat) -> str:
        return in_a_line(players.get(seat, seat.title))

    called = {seat.title: name(seat) for seat in Seat}
    called |= {side.title: _pair(side, name) for side in Side}
    return lambda words: _SEATS.sub(lambda found: called[found[0]], words)


def _named(value: Any, named: Callable[[str], str]) -> Any:
    """A value of JSON with `named` applied to its texts."""
    if isinstance(value, str):
        return named(value)
    if isinstance(value, dict):
        return {key: _named(inner, named) for key, inner in value.items()}
    return [_named(inner, named) for inner in value] if isinstance(value, list) else value


def _known_totals(group: Json, deals: Deals, sheet: Drawing) -> tuple[tuple[str, str], str] | None:
    """The totals of an account in which only honours are missing, each marked as incomplete, with a
    note that gives the reason; otherwise `None`.
    """
    counted = deals[: group["counted"]]
    lacking = [d["id"] for d in counted if d["score"] is None or d["score"]["lacks"]]
    whole = all(d["score"] and d["score"]["made"] is not None for d in counted if d["declaration"])
    if group["totals"] or not lacking or not whole:
        return None

    def total(side: int) -> str:
        cells = (row[side] for row in sheet.rows if not isinstance(row, str))
        return f"{sum(c for c in cells if isinstance(c, int))} + {UNKNOWN}"

    facts = [m for d in counted if d["score"] for m in d["score"]["lacks"]]
    why = and_words([*dict.fromkeys(missing_words(facts))])
    note = f"Without the honours of {and_words(lacking)}: the record does not say {why}."
    return (total(0), total(1)), note


def _without_omissions(one: Checked) -> Checked:
    """A deal without the findings on missing information, except those on the score."""
    shown = [
        found
        for found in one.findings
        if found.finding["severity"] != "incomplete" or found.finding["rule"].startswith("score.")
    ]
    return replace(one, findings=shown)


def _over(deals: Deals) -> bool:
    """Whether one of the deals ends the rubber."""
    return any(d["score"] and d["score"]["rubber"] for d in deals)


def _state(deals: Deals, sheet: Drawing, counted: int) -> str:
    """The state of the rubber in words: the games and the points below the line, or that it is
    over and which deals do not count.
    """
    number, last = number_words(len(deals), "deal"), deals[-1]
    if _over(deals):
        late = [d["id"] for d in deals[counted:]]
        does = "does" if len(late) == 1 else "do"
        added = f", and {and_words(late)} {does} not count" if late else ""
        return f"{number}. The rubber is over{added}."
    stood = last["score"]["after"] if last["score"] else last["standing"]
    of_games, of_tricks = stood["games"], stood["trick"]
    both = (of_games["NS"], of_tricks["NS"]), (of_games["EW"], of_tricks["EW"])
    words = []
    for (games, below), (name, _) in zip(both, sheet.names, strict=True):
        won = UNKNOWN if games is None else number_words(games, "game") if games else "no game"
        words.append(f"{name}: {won}, {UNKNOWN if below is None else below} below")
    return f"{number}. {'; '.join(words)}."
