"""In random makings of a trump with a random irregularity and a random choice, the trump, the
doubling, the next speaker, the findings and the account agree with a literal interpretation of the
laws.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import tried
from literal_dialogue import WORTH, LiteralDialogue
from made_deals import BLANK, WRITTEN, with_calls, without_auction
from oddtrick.cards import SEATS, Seat, Side, cards_in
from oddtrick.judge.check import Check, check
from oddtrick.judge.events import Call
from oddtrick.judge.random_deals import Hands, deal_hands
from oddtrick.record.deal import Declaration, Incident, Result
from oddtrick.record.sources import write

LIMITS = {(): None, ("doubling-limit-100",): 100, ("doubling-limit-200",): 200}
Item = tuple[str | int, ...]


@dataclass
class Story:
    """A dialogue under construction: its record, call by call, its interpretation, the findings
    expected.
    """

    random: Random
    literal: LiteralDialogue
    hands: Hands
    calls: list[Call] = field(default_factory=list)
    before: list[Incident] = field(default_factory=list)
    finds: set[tuple[str, Item]] = field(default_factory=set)

    def say(self, seat: Seat, kind: str, trump: str | None = None, counts: bool = True) -> None:
        """Somebody says something, in the record and in the interpretation."""
        self.calls.append(Call(kind, denomination=trump, seat=seat))
        self.literal.say(seat, kind, trump, counts)

    def finds_here(self, rule: str) -> None:
        """A finding on the last call."""
        self.finds.add((rule, ("bidding", len(self.calls) - 1)))

    def tell(self, name: str, *rules: str, **said: object) -> None:
        """Record an irregularity at the last call, with the findings on it."""
        told = Incident(name, **said)  # type: ignore[arg-type]
        at: Item = ("irregularity", len(self.before))
        if self.calls:
            last = self.calls[-1]
            at = ("bidding", len(self.calls) - 1, "irregularity", len(last.incidents))
            self.calls[-1] = replace(last, incidents=(*last.incidents, told))
        else:
            self.before.append(told)
        self.finds |= {(rule, at) for rule in rules}

    def card(self, seat: Seat) -> str:
        """A card that a player holds."""
        return str(next(cards_in(self.hands[SEATS.index(seat)])))

    def trump(self) -> str:
        """Any trump."""
        return self.random.choice(list(WORTH))

    def one_of(self, *tellings: str) -> str:
        """Which of several things happens."""
        return self.random.choice(tellings)


# --- the trump ------------------------------------------------------------------------------------


def made(story: Story) -> None:
    """The trump is made in order, by the dealer or by the partner to whom he passes it (45)."""
    table = story.literal
    if story.random.random() < 0.5:
        story.say(table.dealer, "pass-to-partner")
    story.say(table.maker(), "make", story.trump())


def made_without_leave(story: Story) -> None:
    """The dealer's partner makes it: the eldest hand may claim a new deal, or it stands (46)."""
    table = story.literal
    how = story.one_of("new deal", "let stand", "nothing", "partner claims", "side claims")
    story.say(table.dealer.partner, "make", story.trump())
    story.finds_here("declaring.made-without-leave")
    if how in ("new deal", "let stand"):
        eldest = table.eldest
        story.tell("made-without-leave", noticed_by=eldest, remedy=how, chosen_by=eldest)
        table.nothing = how == "new deal"
    elif how != "nothing":  # the claim is the eldest hand's alone, and no other has a penalty (103)
        by = table.dealer if how == "side claims" else table.eldest.partner
        wrong = {"remedy": "new deal", "chosen_by": by}
        story.tell("made-without-leave", "remedy.wrong-chooser", noticed_by=by, **wrong)


def passed_back(story: Story) -> None:
    """The partner passes it back: the eldest hand may have a new deal, or compel him (47)."""
    table = story.literal
    how = story.one_of("new deal", "must make trump", "nothing", "partner compels")
    partner = table.dealer.partner
    story.say(table.dealer, "pass-to-partner")
    story.say(partner, "pass-to-partner", counts=False)
    story.finds_here("declaring.passed-back")
    maker = story.random.choice((table.dealer, partner))
    if how in ("new deal", "must make trump"):
        eldest = table.eldest
        story.tell("passed-back", noticed_by=eldest, remedy=how, chosen_by=eldest)
        table.nothing = how == "new deal"
        table.compelled = partner
        maker = partner
    elif how == "partner compels":
        by = table.eldest.partner
        wrong = {"remedy": "must make trump", "chosen_by": by}
        story.tell("passed-back", "remedy.wrong-chooser", noticed_by=by, **wrong)
    if not table.nothing:
        story.say(maker, "make", story.trump())


def made_by_adversary(story: Story) -> None:
    """An adversary makes or passes it: the dealer has a new deal, or goes on as if not (48)."""
    table = story.literal
    seat = story.random.choice((table.eldest, table.eldest.partner))
    if story.random.random() < 0.5:
        story.say(seat, "make", story.trump(), counts=False)
    else:
        story.say(seat, "pass-to-partner", counts=False)
    story.finds_here("declaring.made-by-adversary")
    how, dealer = story.one_of("new deal", "void", "nothing", "partner claims"), table.dealer
    if how in ("new deal", "void"):
        story.tell("made-by-adversary", noticed_by=dealer, remedy=how, chosen_by=dealer)
        table.nothing = how == "new deal"
    elif how == "partner claims":
        wrong = {"remedy": "new deal", "chosen_by": dealer.partner}
        story.tell("made-by-adversary", "remedy.wrong-chooser", noticed_by=dealer.partner, **wrong)
    if not table.nothing:
        made(story)


def exposed_before(story: Story) -> None:
    """A card is exposed before the make: the partner may not double (68). If it belongs to the
    dealer's side, the eldest hand may claim a new deal (67).
    """
    table = story.literal
    seat = story.random.choice(SEATS)
    claims = seat.side is table.dealer.side and story.random.random() < 0.5
    name, eldest = "card-exposed-before-declaration", table.eldest
    if claims:
        claim = {"noticed_by": eldest, "remedy": "new deal", "chosen_by": eldest}
        story.tell(name, "remedy.irregularity", by=seat, of=story.card(seat), **claim)
        table.nothing = True
        return
    noticed = story.random.choice((None, seat.left))
    story.tell(name, "remedy.irregularity", by=seat, of=story.card(seat), noticed_by=noticed)
    table.exposed(seat)
    made(story)


# --- the doubling ---------------------------------------------------------------------------------


def in_order(story: Story, share: float = 0.4) -> None:
    """The player whose turn it is to speak doubles or not, in order (51 to 55)."""
    table = story.literal
    seat, kind = table.turn(), "redouble" if table.doubles() else "double"
    if seat in table.may_go_on() and story.random.random() < share:
        return story.say(seat, kind)
    if table.doubles():
        return story.say(seat, "satisfied")
    return story.say(seat, "yes" if table.asked() else "may-i-lead")


def out_of_turn(story: Story) -> None:
    """The partner of the player with the first right doubles: it is accepted or not. The maker
    decides on a double made before the question (54, 59), the adversary who last doubled on a
    redouble (55).
    """
    table = story.literal
    seat = table.turn().partner
    make, doubles = table.make(), table.doubles()
    if seat not in table.may_go_on() or table.turn() not in table.may_go_on() or make is None:
        return
    decides = doubles[-1].seat if doubles else make.seat
    how = story.one_of("let stand", "void", "nothing", "partner decides")
    story.say(seat, "redouble" if doubles else "double", counts=how != "void")
    story.finds_here("declaring.out-of-turn")
    table.undecided = how in ("nothing", "partner decides")
    if how in ("let stand", "void"):
        story.tell("double-out-of-turn", noticed_by=decides, remedy=how, chosen_by=decides)
        if how == "void":
            table.refused()
    elif how == "partner decides":
        by = decides.partner
        wrong = {"remedy": "void", "chosen_by": by}
        story.tell("double-out-of-turn", "remedy.wrong-chooser", noticed_by=by, **wrong)


def own_side_doubled(story: Story) -> None:
    """A player of the side that cannot double does so: no law lets it count."""
    table = story.literal
    seat = story.random.choice([s for s in SEATS if s.side is not table.side_to_double()])
    story.say(seat, "redouble" if table.doubles() else "double", counts=False)
    story.finds_here("declaring.double-of-partner")


def made_again(story: Story) -> None:
    """The trump, once made, cannot be altered (49)."""
    make = story.literal.make()
    story.say(make.seat, "make", story.trump(), counts=False)
    story.finds_here("declaring.changed")


def led(story: Story, name: str, leader: Seat, consents: Seat) -> None:
    """Somebody leads too soon, and his partner may double only if a player consents."""
    table = story.literal
    partner, lost = leader.partner, leader.partner in table.barred
    how = story.one_of("consent", "nothing", "wrong player consents")
    told = {"by": leader, "of": story.card(leader), "noticed_by": consents}
    if how == "consent":
        told |= {"remedy": "consent", "chosen_by": consents}
        story.tell(name, "remedy.irregularity", **told)
    elif how == "nothing":
        story.tell(name, "remedy.irregularity", **told)
    else:
        told |= {"remedy": "consent", "chosen_by": consents.partner}
        story.tell(name, "remedy.irregularity", "remedy.wrong-chooser", **told)
    if how != "consent":
        table.consent.add(partner)
    counts = how == "consent" and not lost
    story.say(partner, "redouble" if table.doubles() else "double", counts=counts)
    if not counts:
        story.finds_here("declaring.barred")


def lead_without_asking(story: Story) -> None:
    """The eldest hand leads unasked: his partner may double if the maker consents (58)."""
    table = story.literal
    make = table.make()
    if not table.doubles() and not table.asked() and make:
        led(story, "lead-without-asking", table.eldest, make.seat)
        # He who led has not doubled, and his partner may not.
        table.over = not table.doubles()


def lead_by_the_partner(story: Story) -> None:
    """The eldest hand's partner leads: the eldest hand may double if the maker consents (60)."""
    table = story.literal
    make = table.make()
    if not table.doubles() and not table.asked() and make:
        led(story, "first-lead-out-of-turn", table.eldest.partner, make.seat)


def lead_before_doubling_ends(story: Story) -> None:
    """The eldest hand leads although his side may still redouble. His partner may redouble only if
    the adversary who last doubled consents (56).
    """
    table = story.literal
    if table.doubles() and table.turn() is table.eldest:
        last = table.doubles()[-1].seat
        led(story, "lead-before-doubling-ends", table.eldest, last)


def exposed_in_the_doubling(story: Story) -> None:
    """A card is exposed while the doubling is open: the partner may no longer double (68)."""
    table = story.literal
    seat = story.random.choice(SEATS)
    name = "card-exposed-before-declaration"
    story.tell(name, "remedy.irregularity", by=seat, of=story.card(seat), noticed_by=seat.left)
    table.exposed(seat)
    partner = seat.partner
    if partner is table.turn():
        kind = "redouble" if table.doubles() else "double"
        story.say(partner, kind, counts=False)
        story.finds_here("declaring.barred")


def asks_out_of_turn(story: Story) -> None:
    """The eldest hand's partner asks for leave: the eldest hand keeps his right (59)."""
    table = story.literal
    if table.doubles() or table.asked():
        return
    story.say(table.eldest.partner, "may-i-lead", counts=False)
    story.finds_here("declaring.out-of-turn")


def consulted(story: Story) -> None:
    """Partners consult on doubling: the maker or the eldest hand, whichever has the consulting
    players as adversaries, may have a new deal (55.5, reading `new-deal-for-consultation`).
    """
    table = story.literal
    make, seat = table.make(), story.random.choice(SEATS)
    claims = next(s for s in (make.seat, table.eldest) if s.side is not seat.side)
    new = story.random.random() < 0.5
    chosen = {"remedy": "new deal", "chosen_by": claims} if new else {}
    told = {"by": seat, "noticed_by": claims, **chosen}
    story.tell("consultation-on-doubling", "remedy.irregularity", **told)
    table.nothing = new


def after_the_end(story: Story) -> None:
    """Somebody doubles when the play should begin."""
    table = story.literal
    while not table.ended():
        in_order(story)
    seat = story.random.choice(SEATS)
    story.say(seat, "redouble" if table.doubles() else "double", counts=False)
    if table.at_limit() and not table.over:
        own = seat.side is not table.side_to_double()
        story.finds_here("declaring.double-of-partner" if own else "declaring.redouble-twice")
    else:
        story.finds_here("declaring.after-the-end")


MAKING: tuple[Callable[[Story], None], ...] = (
    made_without_leave,
    passed_back,
    made_by_adversary,
    exposed_before,
)
DOUBLING: tuple[Callable[[Story], None], ...] = (
    out_of_turn,
    own_side_doubled,
    made_again,
    lead_without_asking,
    lead_by_the_partner,
    lead_before_doubling_ends,
    exposed_in_the_doubling,
    asks_out_of_turn,
    consulted,
    after_the_end,
)


def told(random: Random, limit: int | None) -> tuple[Story, str]:
    """A random dialogue in which something goes wrong, complete or broken off."""
    story = Story(random, LiteralDialogue(random.choice(SEATS), limit), deal_hands(random))
    table = story.literal
    happens = random.choice(MAKING + DOUBLING)
    (happens if happens in MAKING else made)(story)
    for _ in range(random.randint(0, 4)):
        if not table.ended() and not table.nothing:
            in_order(story, 0.6)
    ready = happens is after_the_end or not (table.ended() or table.nothing)
    if happens in DOUBLING and ready:
        happens(story)
    while not table.ended() and not table.nothing and random.random() < 0.97:
        in_order(story)
    return story, happens.__name__


def judged(story: Story, options: tuple[str, ...], tricks: int) -> Check:
    """The check of a story as a record, with random cards and so many tricks."""
    result = None if story.literal.nothing else Result("tricks", tricks)
    deal = BLANK._replace(
        code="bridge-elwell",
        options=options,
        dealer=story.literal.dealer,
        hands=story.hands,
        hand_spans=WRITTEN,
        incidents=tuple(story.before),
        result=result,
    )
    return check(with_calls(deal, story.calls))


def totals(of: Check) -> dict[str, dict[str, int]] | None:
    """The points of each side."""
    account = of.account
    if account is None:
        return None
    return {s.value: {c: account.points(s, c) for c in ("trick", "honour")} for s in Side}


def differs(story: Story, found: Check) -> list[object]:
    """How the check of a story differs from the literal interpretation."""
    contract = story.literal.contract()
    final, different = found.final, list[object]()
    nothing = story.literal.nothing
    got = (final.denomination, final.doubled, final.declarer) if final and not nothing else None
    if got != contract:
        different.append((got, contract))
    rules = {(f.rule, f.item) for f in found.findings if _is_of_calls(f.rule)}
    if rules != story.finds:
        different.append((rules - story.finds, story.finds - rules))
    unfinished = contract is None and not nothing
    if unfinished and found.next_to_call is not story.literal.turn():
        different.append((found.next_to_call, story.literal.turn()))
    if contract:
        trump, doubled, dealer = contract
        stated = Declaration(None, trump, doubled, dealer)
        bare = without_auction(found.source)._replace(incidents=())
        clean = check(bare._replace(declaration=stated))
        if totals(found) != totals(clean):
            different.append((totals(found), totals(clean)))
    elif found.account is not None and any((totals(found) or {}).values()):
        different.append(totals(found))
    return different


def _is_of_calls(rule: str) -> bool:
    return rule.startswith(("declaring.", "remedy.")) and rule != "declaring.unfinished"


@pytest.mark.parametrize("options", LIMITS, ids=lambda o: "".join(o) or "no-limit")
@tried(2.0)
@given(seed=st.integers(0, 2**32), tricks=st.integers(0, 13))
def test_the_dialogue_ends_as_the_literal_reading_of_the_laws(
    options: tuple[str, ...], seed: int, tricks: int
) -> None:
    story, name = told(Random(seed), LIMITS[options])
    found = judged(story, options, tricks)
    assert differs(story, found) == [], f"{name}\n{write([found.source], 'hand')}"


def test_the_stories_have_every_irregularity_of_the_dialogue() -> None:
    random = Random(1)
    seen = {name for story, name in (told(random, None) for _ in range(400)) if story.finds}
    assert seen == {f.__name__ for f in (*MAKING, *DOUBLING)}
