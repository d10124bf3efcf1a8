"""The law as typed objects: what a code, a law, a provision, a reading and the vocabulary are.

Each field is defined here once. `law.fill` makes these objects from the compiled JSON by their type
hints: a field is read from the key of its own name, or from the one that `key` gives it, and has
its default where the key is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any

from oddtrick.cards import Suit
from oddtrick.law.address import Address

Figure = int | str | list[Any] | dict[str, Any]
"""The value of a figure: a number, a word, a list of them, or a table of cells; its shape is in the
vocabulary.
"""

Words = tuple[str, ...]
Addresses = tuple[Address, ...]


def key(*names: str, default: Any = MISSING) -> Any:
    """A field that has another key in the compiled JSON than its name: the first of these."""
    return field(default=default, metadata={"keys": names})


def table() -> Any:
    """A mapping that is empty where the key is missing."""
    return field(default_factory=dict)


class UnknownCode(LookupError):
    """No such code or option, or options that exclude each other; `what` is `code` or `option`."""

    def __init__(self, name: str, message: str, what: str = "code") -> None:
        self.name, self.what = name, what
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference from a provision: to where, how it bears (`penalty-in`, `see` ...), as it is
    printed.
    """

    to: Address
    how: str
    printed: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What another edition of the code has instead of a provision; `absent` where it has
    nothing.
    """

    edition: str
    text: str | None = None
    note: str | None = None
    absent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """A numbered law, or a passage without a number, that holds provisions. `number` is a string:
    `84`, `decision.6`.
    """

    address: Address
    number: str
    heading: str
    page: str | None
    numbering: str
    note: str | None
    option: str | None
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """One rule of a code, restated, with its address and all that belongs to it.

    `at` is the place within its law (`b`, `g.2`; empty for the whole of it), `numbering` is `ours`
    where the print has no letter. `option` is the option of the code with which alone it is in
    force. `procedures` and `figures` are by their ids in the vocabulary.
    """

    address: Address
    law: Address
    at: str
    heading: str
    text: str
    topics: Words
    procedures: Mapping[str, str]
    figures: Mapping[str, Figure]
    refs: tuple[Reference, ...]
    cited_by: Addresses
    displaces: Addresses
    amends: Addresses
    displaced_by: Addresses
    terms: Words
    readings: Addresses
    page: str | None
    numbering: str
    note: str | None
    variants: tuple[Variant, ...]
    option: str | None
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One way in which a doubtful place can be read, and what of the law in force it changes.

    `procedures` and `figures` take the place of those in force; `absent` are those, or the cells
    of figures, that the code has not when it is read so. A choice that changes what the code gives
    for an irregularity has entries of its own among the rulings.
    """

    id: str
    text: str
    procedures: Mapping[str, str] = table()
    figures: Mapping[str, Figure] = table()
    absent: Words = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A doubt about the print: the question, the readings that can be defended, the one applied and
    why.

    `touches` names the figures that rest on it, with the cells of each (none: the whole);
    `procedures` are those that the reading itself supplies. `not_computed` says why the checker
    judges nothing by a choice that is not applied, where there is one of which that is so.
    """

    address: Address
    id: str
    question: str
    places: Addresses
    choices: tuple[Choice, ...]
    applied: str
    why: str
    not_computed: str | None = None
    touches: Mapping[str, Words] = table()
    procedures: Mapping[str, str] = table()
    figures: Mapping[str, Figure] = table()
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A reading and the choice that is taken of it."""

    reading: Reading
    choice: Choice

    @property
    def written(self) -> str:
        """As it is written in a record: `auction-1912:declarer-at-no-trump=suits-only`."""
        return written(self.reading.address, self.choice.id)

    @property
    def otherwise(self) -> bool:
        """Whether it is another choice than the one that is applied."""
        return self.choice.id != self.reading.applied


def written(reading: Address, choice: str) -> str:
    """A choice in its one spelling."""
    return f"{reading.code}:{reading.local.removeprefix('reading.')}={choice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedy:
    """One thing that a ruling gives, as the code's data have it.

    `id` is of the catalogue. Remedies of one `choice` are taken together; those without follow in
    any case. `chosen_by`, `whose`, `demand`, `lasts` and `unless` are ids of the catalogue;
    `figure` says which figure of the provision is its amount, `column` where points are written.
    """

    id: str = key("remedy")
    chosen_by: str
    provision: Address
    choice: int | None = None
    whose: str | None = None
    demand: str | None = None
    lasts: str | None = None
    unless: str | None = None
    figure: str | None = None
    column: str | None = None
    consult: str | None = None


AMOUNTS = {
    "points": ("penalty-points", "retirement"),
    "tricks": ("penalty-tricks",),
    "limit": ("score-ceiling",),
}
"""Which figures of a provision the amount of a remedy can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a code gives for an irregularity where certain facts hold: one row of its table of
    rulings.
    """

    id: str
    when: Mapping[str, Words]
    provisions: Addresses = ()
    remedies: tuple[Remedy, ...] = ()
    silent: str | None = None
    says: str | None = None
    decisions: Addresses = ()
    readings: Addresses = ()
    gives_way: Words = key("except", default=())
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What a code says of one irregularity: its rulings, or why it is silent or the irregularity
    cannot arise.

    It holds under an option of the code, and where readings are chosen, by their ids. `formerly`
    has ids that rulings had before, with those that answer to them now.
    """

    irregularity: str
    option: str | None
    reading: Mapping[str, str] = table()
    formerly: Mapping[str, str] = table()
    rulings: tuple[Case, ...]
    silent: str | None = None
    absent: str | None = None
    provisions: Addresses
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Exaction:
    """A general rule of a code on exacting penalties: what it is about, for which groups of
    irregularities and for the rights of whom (none: all).
    """

    about: str
    answer: str | None = None
    groups: Words = ()
    choosers: Words = ()
    provisions: Addresses
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where something is printed: the book, its pages, the passage."""

    book: str | None = None
    pages: str | None = key("pages", "page", default=None)
    passage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """An author of a book."""

    family: str
    given: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCopy:
    """Where a reader can see a printed book: what the place is called, and a link that lasts."""

    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """The book that a code is printed in; `reprint` where the code is another body's."""

    authors: tuple[Author, ...]
    title: str
    place: str
    publisher: str
    year: int
    copies: tuple[OpenCopy, ...]
    reprint: bool = key("code", default=False)
    country: str = "us"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A variant of a code that the books describe; `absent` are rules that the code has not with
    it, with the reason.
    """

    id: str
    label: str
    about: str | None = None
    source: Source
    excludes: Words = ()
    absent: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """An edition of a code's print that differs from another."""

    id: str
    label: str
    book: str
    copies: tuple[OpenCopy, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """A code that this one's game grew from, `through` a game between them where there was one."""

    of: str = key("from")
    through: str | None = None
    text: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageKind:
    """A kind of passage beside the numbered laws, such as etiquette: what it is called, said and
    worth.

    `one` and `many` are what a citation calls it, empty where the heading is cited. `role` is
    `rule` for rules of their own, `gloss` for what somebody decided of the laws, `restatement` for
    the laws again in less words. `weight` is what one weighs in the search, a law weighing 100. An
    `attached` one stands under a law (`55.note`). `section` and `mark` are the headings and the
    word before a number by which it is found in print.
    """

    id: str
    one: str = ""
    many: str = ""
    said: Words
    role: str = "rule"
    weight: int = 100
    attached: bool = False
    section: Words = ()
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading over several laws: the number of the first, the heading."""

    first: str = key("from")
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Peculiarity:
    """What is peculiar to a code, in a sentence, with the laws it rests on."""

    text: str
    laws: Addresses


STATES = {"silent": "silent", "does-not-arise": "does not arise"}
"""How a code without a provision stands to a topic, in words."""

SILENT = STATES | {"absent": "not in the code"}
"""How a code stands to what it has not, in words: to a topic, an irregularity, or a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """Why a code has no provision on a topic: `state` is `silent` or `does-not-arise`."""

    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Silence:
    """What a code has not: the topic or the clause by name, which of `SILENT`, the reason in the
    code's own words, and the topics that it belongs to.
    """

    code: str
    label: str
    state: str
    reason: str
    topics: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One of the law codes, complete.

    `settled` has for each former reading the provision whose note explains how it was settled;
    `absent` the rules of the vocabulary that the code does not have, with the reason; `terms` what
    it calls things; `places` the file and line of what has no object of its own.
    """

    id: str
    short: str
    title: str
    body: str
    date: str
    numbered_laws: int
    extends: str | None
    keeps_numbers: bool = False
    judged: bool
    ancestor: bool
    about: str
    source: Source
    book: Volume
    aliases: Words
    called: Mapping[str, str] = table()
    editions: tuple[Edition, ...]
    descent: tuple[Descent, ...]
    passages: tuple[PassageKind, ...]
    parts: tuple[Part, ...]
    peculiarities: tuple[Peculiarity, ...]
    terms: Mapping[str, str]
    absent: Mapping[str, str]
    topics: Mapping[str, Treatment]
    options: tuple[Option, ...]
    laws: tuple[Law, ...]
    provisions: tuple[Provision, ...]
    readings: tuple[Reading, ...]
    settled: Mapping[str, Address]
    of_findings: Mapping[str, Any] = key("findings")
    entries: tuple[Entry, ...] = key("irregularities")
    exactions: tuple[Exaction, ...] = key("penalties")
    places: Mapping[str, tuple[str, int]]

    @property
    def findings(self) -> dict[str, Addresses]:
        """The laws behind each finding of the checker that has any."""
        found = self.of_findings.items()
        return {k: tuple(map(Address, v)) for k, v in found if isinstance(v, list)}

    @property
    def silences(self) -> dict[str, str]:
        """The reason why no law is behind a finding, for those without any."""
        return {k: v["silent"] for k, v in self.of_findings.items() if isinstance(v, dict)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A word of the vocabulary with what it is called, and in some lists what it means."""

    id: str
    label: str
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic of the vocabulary and the question it answers."""

    id: str
    family: str
    label: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Denomination:
    """A denomination: its words, its trump suit if it has one, what it is the royal of."""

    id: str
    label: str
    one: str
    short: str
    suit: Suit | None
    royal_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """A procedure that codes choose among, and what each choice does, in words.

    `absent` is why a code has none of a rare one that says nothing of it.
    """

    id: str
    label: str
    values: Mapping[str, str]
    absent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureKind:
    """A figure of the vocabulary: its shape, its unit; `many` where each provision may have one of
    its own.

    `cells` are the keys of its cells in the order in which they are read.
    """

    id: str
    label: str
    shape: str
    unit: str | None
    many: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact that rulings turn on: the question, the answers with their words.

    `presumed` is the answer that is taken where a record does not say, `implies` what an answer
    says of other facts.
    """

    id: str
    question: str
    values: Mapping[str, str]
    presumed: str | None = None
    implies: Mapping[str, Mapping[str, str]] = table()


@dataclass(frozen=True, slots=True, kw_only=True)
class Irregularity:
    """An irregularity of the catalogue; `facts` are those it may turn on, with the answers;
    `finding` the checker's rule, of some kinds of `calls` alone where others break it too; `see`
    others to whose rulings it leads.

    `first_of` is the one of which it is that of the first trick; `before_lead` says that it happens
    before the first lead, wherever it is written, `of_trick` that the card it names was played to
    its trick.
    """

    id: str
    group: str
    label: str
    meaning: str
    said: Words = ()
    facts: Mapping[str, Words]
    finding: str | None = None
    calls: Words = ()
    see: Words = ()
    before_lead: bool = False
    first_of: str | None = None
    of_trick: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One thing that a remedy does to the table: which effect of the closed set, and of what."""

    id: str = key("effect")
    of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RemedyKind:
    """A remedy of the catalogue: its words, and what it does to the table when it is had.

    `said` are other words for it in a record; one that `condones` lets an irregularity pass, one
    that `closes` leaves nothing to be put right; one that is a `leave` names its chooser itself
    and is no penalty.
    """

    id: str
    label: str
    effects: tuple[Effect, ...]
    said: Words = ()
    condones: bool = False
    closes: bool = False
    leave: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectKind:
    """An effect of the closed set; `of` lists what it can be of."""

    id: str
    label: str
    of: Words = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """Who may choose a remedy: `label` after a comma (`either opponent may ask`), `who` alone.

    One that `exacts_nothing` exacts no penalty from the other side.
    """

    id: str
    label: str
    who: str
    exacts_nothing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Synonym:
    """Words of players, and the words of the laws for them."""

    words: Words = key("for")
    say: Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The closed lists that all codes share, each in its order, and the number of this state of
    the restatement. `cells` has the keys of the cells of each shape of figures, in reading order.
    """

    restatement: str
    families: tuple[Label, ...]
    topics: tuple[Topic, ...]
    relations: tuple[Label, ...]
    kinds: tuple[Label, ...]
    differences: tuple[Label, ...]
    denominations: tuple[Denomination, ...]
    procedures: tuple[Procedure, ...]
    figures: tuple[FigureKind, ...]
    findings: tuple[Label, ...]
    terms: tuple[Label, ...]
    synonyms: tuple[Synonym, ...] = key("words")
    groups: tuple[Label, ...]
    facts: tuple[Fact, ...]
    irregularities: tuple[Irregularity, ...]
    remedies: tuple[RemedyKind, ...]
    effects: tuple[EffectKind, ...]
    choosers: tuple[Chooser, ...]
    limits: tuple[Label, ...]
    cells: Mapping[str, Words]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The story of a topic through the codes, with the provisions it rests on, in their order."""

    topic: str
    text: str
    laws: Addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningSentence:
    """What a player does, in a sentence, and the laws it rests on by the code of which it is
    true.
    """

    text: str
    laws: Mapping[str, Addresses]


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningStep:
    """A step of an evening, from the cut to the settling of the score."""

    id: str
    heading: str
    sentences: tuple[EveningSentence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a parallel is in some codes, in a line; `differs` and `like` say to which other version
    it comes in substance.
    """

    codes: Words
    text: str
    differs: str | None = None
    like: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallel:
    """One rule through several codes: its provisions in each, and its versions (none: all have the
    same words).

    `alike` groups the provisions that have the same words, to the letter; `general` has the laws of
    a code without such a provision that answer in general words.
    """

    id: str
    label: str
    members: Mapping[str, Addresses]
    versions: tuple[Version, ...] = key("says", default=())
    alike: tuple[Addresses, ...] = ()
    general: Addresses = ()


@dataclass(frozen=True, slots=True)
class Change:
    """What changed between two provisions of a parallel: its id and label, the kind, both
    versions.
    """

    rule: str
    label: str
    difference: str
    ours: str
    theirs: str


KINDS = ("same", "reworded", "different", "general")
"""How one provision can stand to another that answers it."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision that answers another: its address, how it stands to it (of `KINDS`), whether the
    other is `split` into several, it is `merged` of several, or neither (`""`), what changed.
    """

    address: Address
    kind: str
    shape: str
    differences: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parallels:
    """Every parallel, the provisions that stand alone, and of each code the provisions in force
    without options.
    """

    all: tuple[Parallel, ...]
    alone: Mapping[str, Addresses]
    sides: Mapping[str, Addresses]
    names: Mapping[str, str]
    kinds: tuple[Label, ...]
