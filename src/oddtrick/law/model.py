"""The law as typed objects: what a code, a law, a provision, a reading and the vocabulary are.

All are named tuples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from oddtrick.law.address import Address

if TYPE_CHECKING:
    from collections.abc import Mapping

    from oddtrick.cards import Suit

Figure = int | str | list["Figure"] | dict[str, "Figure"]
"""The value of a figure: a number, a word, a list of them, or a table of cells; its shape is in the
vocabulary.
"""


class Reference(NamedTuple):
    """A reference from a provision: to where, how it bears (`penalty-in`, `see` ...), as it is
    printed.
    """

    to: Address
    how: str
    printed: str | None
    note: str | None


class Variant(NamedTuple):
    """What another edition of the code has instead of a provision; `absent` where it has
    nothing.
    """

    edition: str
    text: str | None
    note: str | None
    absent: bool


class Law(NamedTuple):
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


class Provision(NamedTuple):
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
    topics: tuple[str, ...]
    procedures: Mapping[str, str]
    figures: Mapping[str, Figure]
    refs: tuple[Reference, ...]
    cited_by: tuple[Address, ...]
    displaces: tuple[Address, ...]
    amends: tuple[Address, ...]
    displaced_by: tuple[Address, ...]
    terms: tuple[str, ...]
    readings: tuple[Address, ...]
    page: str | None
    numbering: str
    note: str | None
    variants: tuple[Variant, ...]
    option: str | None
    file: str
    line: int


class Choice(NamedTuple):
    """One way in which a doubtful place can be read, and what of the law in force it changes.

    `procedures` and `figures` take the place of those in force; `absent` are those, or the cells
    of figures, that the code has not when it is read so. A choice that changes what the code gives
    for an irregularity has entries of its own among the rulings.
    """

    id: str
    text: str
    procedures: Mapping[str, str]
    figures: Mapping[str, Figure]
    absent: tuple[str, ...]


class Reading(NamedTuple):
    """A doubt about the print: the question, the readings that can be defended, the one applied and
    why.

    `touches` names the figures that rest on it, with the cells of each (none: the whole);
    `procedures` are those that the reading itself supplies. `not_computed` says why the checker
    judges nothing by a choice that is not applied, where there is one of which that is so.
    """

    address: Address
    id: str
    question: str
    places: tuple[Address, ...]
    choices: tuple[Choice, ...]
    applied: str
    why: str
    not_computed: str | None
    touches: Mapping[str, tuple[str, ...]]
    procedures: Mapping[str, str]
    figures: Mapping[str, Figure]
    file: str
    line: int


class Chosen(NamedTuple):
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


class Remedy(NamedTuple):
    """One thing that a ruling gives, as the code's data have it.

    `id` is of the catalogue. Remedies of one `choice` are taken together; those without follow in
    any case. `chosen_by`, `whose`, `demand`, `lasts` and `unless` are ids of the catalogue;
    `figure` says which figure of the provision is its amount, `column` where points are written.
    """

    id: str
    chosen_by: str
    provision: Address
    choice: int | None
    whose: str | None
    demand: str | None
    lasts: str | None
    unless: str | None
    figure: str | None
    column: str | None
    consult: str | None


AMOUNTS = {
    "points": ("penalty-points", "retirement"),
    "tricks": ("penalty-tricks",),
    "limit": ("score-ceiling",),
}
"""Which figures of a provision the amount of a remedy can be."""


class Case(NamedTuple):
    """What a code gives for an irregularity where certain facts hold: one row of its table of
    rulings.
    """

    id: str
    when: Mapping[str, tuple[str, ...]]
    provisions: tuple[Address, ...]
    remedies: tuple[Remedy, ...]
    silent: str | None
    says: str | None
    decisions: tuple[Address, ...]
    readings: tuple[Address, ...]
    gives_way: tuple[str, ...]
    line: int


class Entry(NamedTuple):
    """What a code says of one irregularity: its rulings, or why it is silent or the irregularity
    cannot arise.

    It holds under an option of the code, and where readings are chosen, by their ids. `formerly`
    has ids that rulings had before, with those that answer to them now.
    """

    irregularity: str
    option: str | None
    reading: Mapping[str, str]
    formerly: Mapping[str, str]
    rulings: tuple[Case, ...]
    silent: str | None
    absent: str | None
    provisions: tuple[Address, ...]
    file: str
    line: int


class Exaction(NamedTuple):
    """A general rule of a code on exacting penalties: what it is about, for which groups of
    irregularities and for the rights of whom (none: all).
    """

    about: str
    answer: str | None
    groups: tuple[str, ...]
    choosers: tuple[str, ...]
    provisions: tuple[Address, ...]


class Source(NamedTuple):
    """Where something is printed: the book, its pages, the passage."""

    book: str | None
    pages: str | None
    passage: str | None


class Author(NamedTuple):
    """An author of a book."""

    family: str
    given: str


class OpenCopy(NamedTuple):
    """Where a reader can see a printed book: what the place is called, and a link that lasts."""

    label: str
    url: str


class Volume(NamedTuple):
    """The book that a code is printed in; `reprint` where the code is another body's."""

    authors: tuple[Author, ...]
    title: str
    place: str
    publisher: str
    year: int
    copies: tuple[OpenCopy, ...]
    reprint: bool
    country: str


class Option(NamedTuple):
    """A variant of a code that the books describe; `absent` are rules that the code has not with
    it, with the reason.
    """

    id: str
    label: str
    about: str | None
    source: Source
    excludes: tuple[str, ...]
    absent: Mapping[str, str]


class Edition(NamedTuple):
    """An edition of a code's print that differs from another."""

    id: str
    label: str
    book: str
    copies: tuple[OpenCopy, ...]


class Descent(NamedTuple):
    """A code that this one's game grew from, `through` a game between them where there was one."""

    of: str
    through: str | None
    text: str
    source: Source


class PassageKind(NamedTuple):
    """A kind of passage beside the numbered laws, such as etiquette: what it is called, said and
    worth.

    `one` and `many` are what a citation calls it, empty where the heading is cited. `role` is
    `rule` for rules of their own, `gloss` for what somebody decided of the laws, `restatement` for
    the laws again in less words. `weight` is what one weighs in the search, a law weighing 100. An
    `attached` one stands under a law (`55.note`). `section` and `mark` are the headings and the
    word before a number by which it is found in print.
    """

    id: str
    one: str
    many: str
    said: tuple[str, ...]
    role: str
    weight: int
    attached: bool
    section: tuple[str, ...]
    mark: str


class Part(NamedTuple):
    """A heading over several laws: the number of the first, the heading."""

    first: str
    label: str


class Peculiarity(NamedTuple):
    """What is peculiar to a code, in a sentence, with the laws it rests on."""

    text: str
    laws: tuple[Address, ...]


STATES = {"silent": "silent", "does-not-arise": "does not arise"}
"""How a code without a provision stands to a topic, in words."""

SILENT = STATES | {"absent": "not in the code"}
"""How a code stands to what it has not, in words: to a topic, an irregularity, or a clause."""


class Treatment(NamedTuple):
    """Why a code has no provision on a topic: `state` is `silent` or `does-not-arise`."""

    state: str
    reason: str


class Silence(NamedTuple):
    """What a code has not: the topic or the clause by name, which of `SILENT`, the reason in the
    code's own words, and the topics that it belongs to.
    """

    code: str
    label: str
    state: str
    reason: str
    topics: tuple[str, ...]


class Code(NamedTuple):
    """One of the law codes, whole.

    `settled` has for each former reading the provision whose note tells how it was settled;
    `findings` has the laws behind each finding of the checker, or in `silences` the reason where
    there are none; `absent` the rules of the vocabulary that it does not have, with the reason;
    `terms` what it calls things.
    """

    id: str
    short: str
    title: str
    body: str
    date: str
    numbered_laws: int
    extends: str | None
    keeps_numbers: bool
    judged: bool
    ancestor: bool
    about: str
    source: Source
    book: Volume
    aliases: tuple[str, ...]
    called: Mapping[str, str]
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
    findings: Mapping[str, tuple[Address, ...]]
    silences: Mapping[str, str]
    entries: tuple[Entry, ...]
    exactions: tuple[Exaction, ...]


class Label(NamedTuple):
    """A word of the vocabulary with what it is called, and in some lists what it means."""

    id: str
    label: str
    meaning: str


class Topic(NamedTuple):
    """A topic of the vocabulary and the question it answers."""

    id: str
    family: str
    label: str
    question: str


class Denomination(NamedTuple):
    """A denomination: its words, its trump suit if it has one, what it is the royal of."""

    id: str
    label: str
    one: str
    short: str
    suit: Suit | None
    royal_of: str | None


class Procedure(NamedTuple):
    """A procedure that codes choose among, and what each choice does, in words.

    `absent` is why a code has none of a rare one that says nothing of it.
    """

    id: str
    label: str
    values: Mapping[str, str]
    absent: str | None


class FigureKind(NamedTuple):
    """A figure of the vocabulary: its shape, its unit; `many` where each provision may have one of
    its own.

    `cells` are the keys of its cells in the order in which they are read.
    """

    id: str
    label: str
    shape: str
    unit: str | None
    many: bool
    cells: tuple[str, ...]


class Fact(NamedTuple):
    """A fact that rulings turn on: the question, the answers with their words.

    `presumed` is the answer that is taken where a record does not say.
    """

    id: str
    question: str
    values: Mapping[str, str]
    presumed: str | None = None


class Irregularity(NamedTuple):
    """An irregularity of the catalogue; `facts` are those it may turn on, with the answers;
    `finding` the checker's rule, of some kinds of `calls` alone where others break it too; `see`
    others to whose rulings it leads.

    `first_of` is the one of which it is that of the first trick.
    """

    id: str
    group: str
    label: str
    meaning: str
    said: tuple[str, ...]
    facts: Mapping[str, tuple[str, ...]]
    finding: str | None
    calls: tuple[str, ...]
    see: tuple[str, ...]
    first_of: str | None


class Effect(NamedTuple):
    """One thing that a remedy does to the table: which effect of the closed set, and of what."""

    id: str
    of: str | None


class RemedyKind(NamedTuple):
    """A remedy of the catalogue: its words, and what it does to the table when it is had.

    `said` are other words for it in a record; one that `condones` lets an irregularity pass, one
    that `closes` leaves nothing to be put right.
    """

    id: str
    label: str
    effects: tuple[Effect, ...]
    said: tuple[str, ...] = ()
    condones: bool = False
    closes: bool = False


class EffectKind(NamedTuple):
    """An effect of the closed set; `of` lists what it can be of."""

    id: str
    label: str
    of: tuple[str, ...]


class Chooser(NamedTuple):
    """Who may choose a remedy: `label` after a comma (`either opponent may ask`), `who` alone."""

    id: str
    label: str
    who: str


class Synonym(NamedTuple):
    """Words of players, and the words of the laws for them."""

    words: tuple[str, ...]
    say: tuple[str, ...]


class Vocabulary(NamedTuple):
    """The closed lists that all codes share, each in its order; and the number of this state of
    the restatement.
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
    synonyms: tuple[Synonym, ...]
    groups: tuple[Label, ...]
    facts: tuple[Fact, ...]
    irregularities: tuple[Irregularity, ...]
    remedies: tuple[RemedyKind, ...]
    effects: tuple[EffectKind, ...]
    choosers: tuple[Chooser, ...]
    limits: tuple[Label, ...]


class Story(NamedTuple):
    """The story of a topic through the codes, with the provisions it rests on, in their order."""

    topic: str
    text: str
    laws: tuple[Address, ...]


class EveningSentence(NamedTuple):
    """What a player does, in a sentence, and the laws it rests on by the code of which it is
    true.
    """

    text: str
    laws: Mapping[str, tuple[Address, ...]]


class EveningStep(NamedTuple):
    """A step of an evening, from the cut to the settling of the score."""

    id: str
    heading: str
    sentences: tuple[EveningSentence, ...]


class Version(NamedTuple):
    """What a parallel is in some codes, in a line; `differs` and `like` say to which other version
    it comes in substance.
    """

    codes: tuple[str, ...]
    text: str
    differs: str | None
    like: str | None


class Parallel(NamedTuple):
    """One rule through several codes: its provisions in each, and its versions (none: all have the
    same words).

    `alike` groups the provisions that have the same words, to the letter; `general` has the laws of
    a code without such a provision that answer in general words.
    """

    id: str
    label: str
    members: Mapping[str, tuple[Address, ...]]
    versions: tuple[Version, ...]
    alike: tuple[tuple[Address, ...], ...]
    general: tuple[Address, ...]


class Change(NamedTuple):
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


class Counterpart(NamedTuple):
    """A provision that answers another: its address, how it stands to it (of `KINDS`), whether the
    other is `split` into several, it is `merged` of several, or neither (`""`), what changed.
    """

    address: Address
    kind: str
    shape: str
    differences: tuple[Change, ...]


class Parallels(NamedTuple):
    """Every parallel, the provisions that stand alone, and of each code the provisions in force
    without options.
    """

    all: tuple[Parallel, ...]
    alone: Mapping[str, tuple[Address, ...]]
    sides: Mapping[str, tuple[Address, ...]]
    names: Mapping[str, str]
    kinds: tuple[Label, ...]
