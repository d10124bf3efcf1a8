"""A rubber that is kept in the page: what Python in the page makes of it, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record import read_document
from oddtrick.site.in_page import answer
from oddtrick.site.kept import without_last

# Under the laws of 1912, worked by hand before the program was run: law 4.2 (hearts 8, royal spades
# 9, no-trumps 10), 53.1 and 56 (doubled), 47.3 (undertricks 50), 6.2 (four honours in one hand
# count as 8 tricks), 2 (a game is 30), 11.1 (250 for the rubber).
DEALS = (
    ("4 hearts by South, 10 tricks, 4 honours in one hand", (32, 64), (0, 0)),
    ("2 royals doubled by East, 9 tricks, no honours", (0, 0), (54, 100)),
    ("3 no trumps by North, two down, no honours", (0, 0), (0, 100)),
    ("2 no trumps by W, just made, no honours", (0, 0), (20, 0)),
    ("3 hearts by N, made 4, 3 honours 2-1", (32, 16), (0, 0)),
)


def ask(**question: object) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(answer(json.dumps({"of": "rubber", **question})))
    return made


def begun(code: str = "auction-1912") -> str:
    names = {"ours": 'A "&" <b>', "theirs": "C \\ D", "title": "Tuesday"}
    return str(ask(begin={"code": code, **names})["text"])


def test_a_rubber_of_five_deals_comes_to_what_was_worked_by_hand() -> None:
    text = begun()
    for words, _, _ in DEALS:
        made = ask(text=text, add=words)
        assert not made.get("wrong"), made
        text = made["text"]
    assert made["deals"] == 5
    assert "The rubber is over" in made["said"]
    *checks, group = check_document(read_document(text.encode()).items)
    assert isinstance(group, GroupCheck)
    accounts = [check.account for check in checks if isinstance(check, Check)]
    found = [[[a.points(s, c) for c in ("trick", "honour")] for s in Side] for a in accounts if a]
    assert found == [[list(ours), list(theirs)] for _, ours, theirs in DEALS]
    # 32 + 64 + 32 + 16 + 250; 54 + 100 + 100 + 20
    assert group.totals == (394, 274)
    assert "394" in made["html"]
    assert "&lt;b&gt;" in made["html"]


def test_what_was_not_noted_is_marked_and_asked_for() -> None:
    made = ask(text=begun(), add="4 hearts by South, 10 tricks")
    assert 'class="kr-unknown"' in made["html"]
    assert "honours" in made["html"]


def test_a_deal_that_was_passed_out_is_told_in_words_too() -> None:
    pressed = ask(text=begun(), passed=True)
    assert "passed out" in pressed["html"]
    for words in ("passed out", "Passed out.", "all passed", " All pass ", "everybody passed"):
        assert ask(text=begun(), add=words) == pressed, words
    for words in ("passed by South", "1 heart, all passed"):  # neither a contract nor none
        assert ask(text=begun(), add=words).get("wrong"), words


def test_the_last_deal_is_taken_back_and_the_rest_stays() -> None:
    one = ask(text=begun(), add=DEALS[0][0])["text"]
    two = ask(text=one, add=DEALS[1][0])["text"]
    back = ask(text=two, back=True)
    assert back["deals"] == 1
    assert without_last(two).split() == one.split()
    assert ask(text=begun(), back=True)["said"] == "There is no deal to take back."


def test_what_cannot_be_written_down_is_said() -> None:
    text, wrong = begun(), []
    for words, said in (
        ("4 hearts, 10 tricks", "Who declared?"),
        ("4 hearts by S, 10 tricks, a game each", "leave them out"),
        ("3 nullo by S, 4 tricks", "has no nullo"),
        ("hearts by S, 9 tricks", "no number of tricks was declared"),
        ("4 hrts by S", "`hrts` is not understood: did you mean `hearts`?"),
        ("", "What was the contract?"),
    ):
        made = ask(text=text, add=words)
        if not made.get("wrong") or said not in made["said"]:
            wrong.append(f"{words}: {made}")
    assert not wrong, "\n".join(wrong)
    assert ask(text="code auction-1912\n", add=DEALS[0][0])["wrong"]
    assert ask(text="", back=True)["wrong"]
    assert ask(text="no record at all")["wrong"]


def test_a_record_with_cards_is_opened_and_goes_on() -> None:
    text = (Path(__file__).parents[1] / "laws/records/made-up-rubber-1927.hand").read_text("utf-8")
    opened = ask(text=text)
    assert opened["deals"] == 3
    assert opened["text"] == text
    assert ask(text=text, back=True)["deals"] == 2
