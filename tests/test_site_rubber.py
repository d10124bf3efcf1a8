"""The page "Keep a rubber": what Python in the page makes of a rubber, without a browser."""

import json
import re
from html import unescape
from typing import Any

from oddtrick.cards import Side
from oddtrick.judge.check import Check
from oddtrick.judge.rubber import GroupCheck, check_document
from oddtrick.record import read_document
from oddtrick.site.in_page import answer

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


def over(made: dict[str, Any]) -> bool:
    """Whether there is no form for a further deal."""
    return 'class="kr-next"' not in made["html"]


def edited(made: dict[str, Any]) -> dict[str, str]:
    """The form to edit the last deal: the choices that are filled in, by name."""
    form = unescape(
        made["html"].rpartition('<template class="kr-at">')[2].partition("</template>")[0]
    )
    found = re.findall(r'name="(\w+)" value="([^"]+)"(?: checked| placeholder)', form)
    selects = re.findall(r'<select name="(\w+)">(.*?)</select>', form)
    chosen = (
        (name, value)
        for name, of in selects
        for value in re.findall(r'value="([^"]+)" selected', of)
    )
    return dict(found) | dict(chosen)


def begun(code: str = "auction-1912", honours: str = "") -> str:
    names = {"north": 'A "&" <b>', "south": "Bob", "east": "C \\ D", "title": "Tuesday"}
    return str(ask(begin={"code": code, "honours": honours, **names})["text"])


def test_a_rubber_of_five_deals_comes_to_what_was_worked_by_hand() -> None:
    text = begun()
    for words, _, _ in DEALS:
        made = ask(text=text, words=words)
        assert not made.get("failed"), made
        text = made["text"]
    assert made["html"].count("Remove</button>") == 5
    assert "The rubber is over" in made["status"]
    assert over(made)
    *checks, group = check_document(read_document(text.encode()).items)
    assert isinstance(group, GroupCheck)
    accounts = [check.account for check in checks if isinstance(check, Check)]
    found = [[[a.points(s, c) for c in ("trick", "honour")] for s in Side] for a in accounts if a]
    assert found == [[list(ours), list(theirs)] for _, ours, theirs in DEALS]
    # 32 + 64 + 32 + 16 + 250; 54 + 100 + 100 + 20
    assert group.totals == (394, 274)
    assert "394" in made["html"]
    assert "&lt;b&gt;" in made["html"]


def told(*deals: str, honours: str = "") -> dict[str, Any]:
    text, made = begun(honours=honours), dict[str, Any]()
    for words in deals:
        made = ask(text=text, words=words)
        assert not made.get("failed"), made
        text = made["text"]
    return made


def test_the_totals_are_told_without_the_honours_that_were_not_noted() -> None:
    made = told(*(words for words, *_ in DEALS[:2]), DEALS[2][0].removesuffix(", no honours"))
    assert 'class="kr-unknown"' in made["html"]
    without = "Without the honours of deal {}: the record does not say {}."
    assert without.format(3, "which honours were held") in made["html"]
    # 32 + 64; 54 + 100 + 100
    assert totals(made) == ["96 + ?", "254 + ?"]
    none = told(*(words.removesuffix(", no honours") for words, *_ in DEALS[:3]), honours="none")
    assert "kr-unknown" not in none["html"]
    noted = told(DEALS[0][0], honours="none")  # 32, and 64 for the honours that were noted
    assert totals(noted) == ["96", "0"]
    royalton = ask(text=begun("royalton-1915", "none"), words="4 hearts by South, 10 tricks")
    assert "honours north-south" not in royalton["text"]  # its law counts none
    names = {"south": "Boothby", "east": "Mrs Smith"}
    text = str(ask(begin={"code": "bridge-1904", "title": "", **names})["text"])
    made = ask(text=text, words="no trumps dealt by Boothby, 8 tricks, E-W four aces")
    split = "how the 4 honours of Mrs Smith and West were divided"
    assert without.format(1, split) in made["html"]
    assert totals(made) == ["24 + ?", "0 + ?"]  # law 4: no-trumps 12 a trick


def totals(made: dict[str, Any]) -> list[str]:
    """The last line of the sheet."""
    return re.findall(r"<td[^>]*>([^<]*)</td>", made["html"].partition("<tfoot>")[2])[:2]


def test_the_dealer_who_plays_the_hand_is_the_declarer() -> None:
    """Where the trump is made, the dealer plays the hand (Bridge 1904, law 62)."""
    text = begun("bridge-1904")
    for words in ("hearts dealt by Bob, 10 tricks", "Bob dealt, hearts, 10 tricks"):
        made = ask(text=text, words=words)
        assert "declaration hearts by south" in made["text"], made
        assert edited(made)["declarer"] == "South"
    made = ask(text=begun(), words="4 hearts dealt by Bob, 10 tricks")
    assert made.get("failed")  # in an auction the dealer need not be the declarer


def test_a_deal_that_was_passed_out_is_told_in_words_too() -> None:
    for words in ("passed out", "Passed out.", "all passed", " All pass ", "everybody passed"):
        made = ask(text=begun("auction-1926"), words=words)
        assert "passed out" in made["html"], words
        assert "declaration passed out\n" in made["text"], words
        assert edited(made)["words"] == words.strip()
    chosen = {"words": "", "number": "4", "denomination": "hearts", "passed": "passed out"}
    assert (
        ask(text=begun("auction-1926"), **chosen)["text"]
        == ask(text=begun("auction-1926"), words="passed out")["text"]
    )
    for code, said in (  # law 42 of 1912; in 1904 the dealer or dummy makes the trump (47)
        (
            "auction-1912",
            "The dealer must declare, so it is impossible for all four players to pass",
        ),
        ("bridge-1904", "There is no bidding; the dealer or his partner makes the trump"),
    ):
        made = ask(text=begun(code), words="passed out")
        law = {"auction-1912": "Auction 1912, law 42", "bridge-1904": "Bridge 1904, law 47"}[code]
        assert made.get("failed")
        assert made["status"] == f"{said} ({law})."
    for words in (
        "passed by South",
        "1 heart, all passed",
    ):  # neither a contract nor a passed-out hand
        assert ask(text=begun(), words=words).get("failed"), words


def test_any_deal_is_written_anew_or_removed_and_the_others_are_judged_anew() -> None:
    whole = told(*(words for words, *_ in DEALS))
    # the third deal made with 3 no-trumps: North and South win the second game and the rubber
    anew = ask(text=whole["text"], words="3 no trumps by North, just made, no honours", at=2)
    assert anew["html"].count("Remove</button>") == 5
    assert over(anew)
    assert not over(told(DEALS[0][0]))
    assert "deal 4 and deal 5 do not count: the rubber was over" in anew["html"].replace("D", "d")
    assert anew["status"] == "5 deals. The rubber is over, and deal 4 and deal 5 do not count."
    assert anew["html"].count('class="kr-late"') == 2
    assert ask(text=anew["text"], words=DEALS[2][0], at=2) == whole
    gone = ask(text=whole["text"], remove=1)
    assert gone == told(*(words for words, *_ in (DEALS[0], *DEALS[2:])))
    assert ask(text=gone["text"], words=DEALS[1][0], before=1) == whole
    assert ask(text=begun(), remove=0)["status"] == "There is no such deal."
    foreign = whole["text"].replace("result 9 tricks", "result 8 tricks")
    assert (
        ask(text=foreign)["html"].count('data-does="edit"') == 4
    )  # its words contradict its lines
    assert ask(text=foreign, words=DEALS[1][0], at=1)["failed"]


def test_what_cannot_be_written_down_is_said() -> None:
    text, wrong = begun(), []
    for words, said in (
        ("4 hearts, 10 tricks", "Who declared?"),
        ("4 hearts by S, 10 tricks, a game each", "leave them out"),
        ("3 nullo by S, 4 tricks", "has no nullo"),
        ("hearts by S, 9 tricks", "no number of tricks was declared"),
        ("4 hrts by S", "`hrts` is not understood: did you mean `hearts`?"),
        ("", "Choose the number of odd tricks, the denomination"),
    ):
        made = ask(text=text, words=words)
        if not made.get("failed") or said not in made["status"]:
            wrong.append(f"{words}: {made}")
    assert not wrong, "\n".join(wrong)
    made = ask(text=begun("bridge-1904"), words="hearts by S, 9 tricks, gibberish")
    assert "`hearts doubled, 11 tricks`" in made["status"]  # no number is bid in Bridge
    assert ask(text="code auction-1912\n", words=DEALS[0][0])["failed"]
    assert ask(text="", remove=0)["failed"]
    assert ask(text="no record at all")["failed"]


def test_a_deal_may_name_the_players_and_the_totals_do() -> None:
    names = {"north": "Anne", "east": "Mrs Smith", "south": "Bob", "west": "May"}
    text = str(ask(begin={"code": "auction-1926", "title": "Tuesday", **names})["text"])
    for words, due in (
        ("four spades doubled bob went two light, no honours", "4 spades doubled by south"),
        ("3 sans atout by Mrs Smith, made 4, no honours", "3 no-trumps by east"),
        ("Anne made 3 no trumps, no honours", "3 no-trumps by north"),
        ("4 hearts South 10 tricks, no honours", "4 hearts by south"),
    ):
        made = ask(text=text, words=words)
        assert not made.get("failed"), made
        text = made["text"]
        assert text.split("declaration ")[-1].startswith(due)
        assert ("have the greater total" in made["html"]) is over(made)
    due = {"declarer": "South", "tricks": "10", "honours": "no honours"}
    assert due.items() <= edited(made).items()
    assert "Anne and Bob have the greater total" in made["html"]
    for words in ("4 hearts, 10 tricks, Anne had 4 honours", "4 hearts, 10 tricks, 4 honours Bob"):
        assert ask(text=text, words=words)["failed"]


def test_a_revoke_is_written_down_with_the_penalty_of_the_law() -> None:
    """Under the laws of 1912, worked by hand: law 84 (b) gives the declarer 150 points in the
    honour score or three tricks, which earn no bonus; by (a) his own revoke costs 150 points; a
    side that revokes scores only honours. Clubs count 6 (4.2), doubled 12 (53.1).
    """
    for words, due, remedy in (
        ("1 club by South, 7 tricks, C \\ D revoked, we take 150", [[6, 150], [0, 0]], "150"),
        (
            "1 club by S, 7 tricks, an adversary revoked: 150 points",
            [[6, 150], [0, 0]],
            "150 points",
        ),
        (
            "1 club by South, the declarer revoked, 150 points, 7 tricks",
            [[0, 0], [0, 150]],
            "150 points",
        ),
        (
            "1 club doubled by South, 6 tricks, West revoked, 3 tricks",
            [[36, 0], [0, 0]],
            "3 tricks",
        ),
    ):
        made = ask(text=begun(honours="none"), words=words)
        assert not made.get("failed"), made
        one, _ = check_document(read_document(made["text"].encode()).items)
        assert isinstance(one, Check)
        assert one.account
        found = [[one.account.points(s, c) for c in ("trick", "honour")] for s in Side]
        assert found == due, words
        assert f'remedy "{remedy}"' in made["text"]
        assert "law 84" in made["html"]
    assert edited(made)["words"] == words


def test_a_revoke_that_the_law_does_not_give_so_is_refused() -> None:
    for words, said in (
        ("1 club by S, 7 tricks, revoke by East", "`East revoked, 2 tricks`"),
        ("1 club by S, 7 tricks, E revoked", "`150 points`"),
        ("1 club by S, 7 tricks, E revoked", "or `3 tricks`"),
        ("1 club by S, 7 tricks, declarer revoked", "`150 points`"),
        ("1 club by S, 7 tricks, E revoked 150, W revoked 150", "only one"),
    ):
        made = ask(text=begun("auction-1912", "none"), words=words)
        assert made.get("failed"), made
        assert said.lower() in made["status"].lower(), made["status"]
    # law 84 (a) gives points, not tricks, for a revoke by the declarer
    # Royalton law 77 (b) gives 100 points or three tricks
    for code, words in (
        ("auction-1912", "1 club by S, 7 tricks, declarer revoked, 3 tricks"),
        ("royalton-1915", "1 club by S, 7 tricks, East revoked, 150"),
    ):
        assert "remedy.not-allowed" in ask(text=begun(code, "none"), words=words)["html"]


def test_what_is_missing_is_named_and_words_without_a_contract_are_added_to_the_choices() -> None:
    chosen = {"number": "4", "denomination": "hearts", "declarer": "South", "tricks": "10"}
    made = ask(text=begun(), words="", number="4")
    assert made["status"].startswith("Choose the denomination, the declarer and the tricks taken")
    made = ask(text=begun(), words="4 honours in one hand", **chosen)
    assert "# 4 hearts by South, 10 tricks, 4 honours in one hand\n" in made["text"]
    made = ask(text=begun(), words="2 clubs by East, 6 tricks", **chosen)
    assert "# 2 clubs by East, 6 tricks\n" in made["text"]
