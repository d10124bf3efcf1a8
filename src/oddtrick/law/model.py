"""The law as typed objects. Each field is defined here once.

`law.fill` makes them from the compiled JSON: a field is read from the key of its own name, or from
the one in `Annotated`. Named tuples, because frozen dataclasses take far longer to define and fill.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from oddtrick.cards import Suit
from oddtrick.law.address import Address

Figure = int | str | list[Any] | dict[str, Any]
"""A number, a word, a list of them, or a table of cells; its shape is in the vocabulary."""

Words = tuple[str, ...]
Addresses = tuple[Address, ...]

EMPTY: Mapping[str, Any] = {}  # the default of a mapping


class UnknownCode(LookupError):
    """No such code or option, or options that exclude each other; `what` is `code` or `option`."""

    def __init__(self, name: str, message: str, what: str = "code") -> None:
        self.name, self.what = name, what
        super().__init__(message)


class Reference(NamedTuple):
    """A reference from a provision: where to, how it bears (`penalty-in`), as it is printed."""

    to: Address
    how: str
    printed: str | None = None
    note: str | None = None


class Variant(NamedTuple):
    """The text of another edition in place of a provision; `absent` if it has none."""

    edition: str
    text: str | None = None
    note: str | None = None
    absent: bool = False


class Law(NamedTuple):
    """A law, or a passage without a number; `number` is a string: `84`, `decision.6`."""

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
    """One rule of a code, restated.

    `at` is the place within its law (`b`, `g.2`; empty: all of it), `numbering` is `ours` where the
    print has no letter, `option` the option with which alone it is in force.
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


class Choice(NamedTuple):
    """One way to read a doubtful passage; `absent` are rules or cells that it removes."""

    id: str
    text: str
    procedures: Mapping[str, str] = EMPTY
    figures: Mapping[str, Figure] = EMPTY
    absent: Words = ()


class Reading(NamedTuple):
    """A doubt about the print: the question, the choices, the one applied and why.

    `touches` names the figures that rest on it, with the cells of each (none: the whole figure);
    `not_computed` says why the checker does not follow another choice.
    """

    address: Address
    id: str
    question: str
    places: Addresses
    choices: tuple[Choice, ...]
    applied: str
    why: str
    file: str
    line: int
    not_computed: str | None = None
    touches: Mapping[str, Words] = EMPTY
    procedures: Mapping[str, str] = EMPTY
    figures: Mapping[str, Figure] = EMPTY


class ChosenReading(NamedTuple):
    """A reading and the choice made for it."""

    reading: Reading
    choice: Choice

    @property
    def written(self) -> str:
        """The spelling in a record: `auction-1912:declarer-at-no-trump=suits-only`."""
        return written(self.reading.address, self.choice.id)

    @property
    def differs(self) -> bool:
        """Whether the choice differs from the one that is applied."""
        return self.choice.id != self.reading.applied


def written(reading: Address, choice: str) -> str:
    """A choice in its canonical spelling."""
    return f"{reading.code}:{reading.local.removeprefix('reading.')}={choice}"


class Effect(NamedTuple):
    """One effect of a remedy: its id in the closed set, and its object."""

    id: Annotated[str, "effect"]
    of: str | None = None


class Remedy(NamedTuple):
    """One thing that a ruling gives.

    Remedies of one `choice` are taken together; those without follow in any case. `figure` says
    which figure of the provision is its amount. `rulings` adds `words`, `number`, `effects` and
    `leave`.
    """

    id: Annotated[str, "remedy"]
    provision: Address
    chosen_by: str = "nobody"
    choice: int | None = None
    whose: str | None = None
    demand: str | None = None
    lasts: str | None = None
    unless: str | None = None
    figure: str | None = None
    column: str | None = None
    consult: str | None = None
    words: str = ""
    number: int | None = None
    effects: tuple[Effect, ...] = ()
    leave: bool = False


AMOUNTS = {
    "points": ("penalty-points", "retirement"),
    "tricks": ("penalty-tricks",),
    "limit": ("score-ceiling",),
}
"""The figures of a provision that can be the amount of a remedy."""


When = tuple[tuple[str, Words], ...]  # facts, each with the answers of which one holds


class Ruling(NamedTuple):
    """What a code gives for an irregularity where some facts hold; `line` is 0 in an answer."""

    id: str
    when: When
    line: int
    provisions: Addresses = ()
    remedies: tuple[Remedy, ...] = ()
    silent: str | None = None
    says: str | None = None
    decisions: Addresses = ()
    readings: Addresses = ()
    gives_way: Annotated[Words, "except"] = ()

    @property
    def laws(self) -> Addresses:
        """Every address it rests on, decisions last, each once."""
        remedies = (r.provision for r in self.remedies)
        return tuple(dict.fromkeys([*self.provisions, *remedies, *self.decisions]))

    @property
    def always(self) -> tuple[Remedy, ...]:
        """What follows in any case."""
        return tuple(r for r in self.remedies if r.choice is None)

    @property
    def choices(self) -> tuple[tuple[Remedy, ...], ...]:
        """The alternatives among which somebody chooses."""
        numbers = sorted({r.choice for r in self.remedies if r.choice is not None})
        return tuple(tuple(r for r in self.remedies if r.choice == n) for n in numbers)


class Entry(NamedTuple):
    """The rulings of a code on one irregularity, or why it has none.

    `formerly` maps former ids of rulings to the present ones.
    """

    irregularity: str
    option: str | None
    rulings: tuple[Ruling, ...]
    provisions: Addresses
    file: str
    line: int
    reading: Mapping[str, str] = EMPTY
    formerly: Mapping[str, str] = EMPTY
    silent: str | None = None
    absent: str | None = None


class Exaction(NamedTuple):
    """A rule on exacting penalties, for groups of irregularities and choosers (none: all)."""

    about: str
    provisions: Addresses
    file: str
    line: int
    answer: str | None = None
    groups: Words = ()
    choosers: Words = ()


class Source(NamedTuple):
    """The printed source: the book, its pages, the passage."""

    book: str | None = None
    page: str | None = None
    pages: str | None = None
    passage: str | None = None


class Author(NamedTuple):
    """An author of a book."""

    family: str
    given: str


class OpenCopy(NamedTuple):
    """A place to see a printed book: its name and a permanent link."""

    label: str
    url: str


class Volume(NamedTuple):
    """The book in which a code is printed; `reprint` if the code is another body's."""

    authors: tuple[Author, ...]
    title: str
    place: str
    publisher: str
    year: int
    copies: tuple[OpenCopy, ...]
    reprint: Annotated[bool, "code"] = False


class Option(NamedTuple):
    """A variant of a code; `absent` are the rules that the code lacks under it, with the reason."""

    id: str
    label: str
    source: Source
    absent: Mapping[str, str]
    about: str | None = None
    excludes: Words = ()


class Edition(NamedTuple):
    """An edition of a code's print that differs from another."""

    id: str
    label: str
    book: str
    copies: tuple[OpenCopy, ...]


class Descent(NamedTuple):
    """A code that this one's game grew from, `through` a game between them where there was one."""

    of: Annotated[str, "from"]
    text: str
    source: Source
    through: str | None = None


class PassageKind(NamedTuple):
    """A kind of passage beside the numbered laws: its names, and its weight in a search.

    `role` is `rule`, `gloss` (somebody's decision) or `restatement`; an `attached` one stands under
    a law (`55.note`). `section` and `mark` find it in print.
    """

    id: str
    said: Words
    one: str = ""
    many: str = ""
    role: str = "rule"
    weight: int = 100
    attached: bool = False
    section: Words = ()
    mark: str = ""


class Part(NamedTuple):
    """A heading over several laws: the number of the first, the heading."""

    first: Annotated[str, "from"]
    label: str


class Peculiarity(NamedTuple):
    """A peculiarity of a code in a sentence, with the laws on which it rests."""

    text: str
    laws: Addresses


STATES = {"silent": "silent", "does-not-arise": "does not arise"}
"""The state of a topic in a code without a provision on it, in words."""

SILENT = STATES | {"absent": "not in the code"}
"""The state of a topic, an irregularity or a clause that a code lacks, in words."""


class Treatment(NamedTuple):
    """Why a code has no provision on a topic: `state` is `silent` or `does-not-arise`."""

    state: str
    reason: str


class Silence(NamedTuple):
    """A silence of a code: a topic or a clause, its state in `SILENT`, the reason, its topics."""

    code: str
    label: str
    state: str
    reason: str
    topics: Words


class Code(NamedTuple):
    """One of the law codes, complete.

    `settled` has for each former reading the provision whose note explains it, `absent` the rules
    that the code lacks, with the reason, `places` the file and line of what has no object of its
    own.
    """

    id: str
    short: str
    title: str
    body: str
    date: str
    numbered_laws: int
    extends: str | None
    judged: bool
    ancestor: bool
    about: str
    source: Source
    book: Volume
    aliases: Words
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
    of_findings: Annotated[Mapping[str, Any], "findings"]
    entries: Annotated[tuple[Entry, ...], "irregularities"]
    exactions: Annotated[tuple[Exaction, ...], "penalties"]
    places: Mapping[str, tuple[str, int]]
    keeps_numbers: bool = False
    called: Mapping[str, str] = EMPTY

    @property
    def findings(self) -> dict[str, Addresses]:
        """The laws behind each finding of the checker that has any."""
        found = self.of_findings.items()
        return {k: tuple(map(Address, v)) for k, v in found if isinstance(v, list)}

    @property
    def silences(self) -> dict[str, str]:
        """The reason why no law is behind a finding, for those without any."""
        return {k: v["silent"] for k, v in self.of_findings.items() if isinstance(v, dict)}


class Label(NamedTuple):
    """An item of the vocabulary with its label and, in some lists, its meaning."""

    id: str
    label: str
    meaning: str = ""


class Topic(NamedTuple):
    """A topic of the vocabulary and the question it answers."""

    id: str
    family: str
    label: str
    question: str


class Denomination(NamedTuple):
    """A denomination: its words, its trump suit if it has one, and for a royal its plain suit."""

    id: str
    label: str
    one: str
    short: str
    suit: Suit | None
    royal_of: str | None = None


class Procedure(NamedTuple):
    """A procedure; `values` has its choices in words, `absent` why most codes have none."""

    id: str
    label: str
    values: Mapping[str, str]
    absent: str | None = None


class FigureKind(NamedTuple):
    """A figure of the vocabulary; `many` where each provision may have one of its own."""

    id: str
    label: str
    shape: str
    unit: str | None
    many: bool = False


class Fact(NamedTuple):
    """A fact that rulings depend on; `implies`: what an answer says of other facts."""

    id: str
    question: str
    values: Mapping[str, str]
    presumed: str | None = None
    implies: Mapping[str, Mapping[str, str]] = EMPTY


class Irregularity(NamedTuple):
    """An irregularity of the catalogue, with the facts on which it may depend.

    `finding` is the checker's rule, for these `calls` only if any are named; `see` names
    irregularities to whose rulings it leads; `of_trick`: the card was played to the trick it names.
    `closes` says when the case closes that the calls (at the next `call`) or the cards (at the end
    of the `play`) decide where they are recorded.
    """

    id: str
    group: str
    label: str
    meaning: str
    facts: Mapping[str, Words]
    said: Words = ()
    finding: str | None = None
    calls: Words = ()
    see: Words = ()
    before_lead: bool = False
    first_of: str | None = None
    of_trick: bool = False
    closes: str | None = None


class RemedyKind(NamedTuple):
    """A remedy of the catalogue: its words (`said`: in a record) and its effects on the table.

    One that `condones` lets the irregularity pass, one that `closes` settles it, a `leave` is no
    penalty.
    """

    id: str
    label: str
    effects: tuple[Effect, ...]
    said: Words = ()
    condones: bool = False
    closes: bool = False
    leave: bool = False


class EffectKind(NamedTuple):
    """An effect of the closed set; `of` lists its possible objects."""

    id: str
    label: str
    of: Words = ()


class Chooser(NamedTuple):
    """Who may choose a remedy: `label` after a comma (`either opponent may ask`), `who` alone."""

    id: str
    label: str
    who: str
    exacts_nothing: bool = False


class Synonym(NamedTuple):
    """Words of players, and the words of the laws for them."""

    words: Annotated[Words, "for"]
    say: Words


class Vocabulary(NamedTuple):
    """The closed lists that all codes share; `cells` has the keys of each shape in order."""

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
    synonyms: Annotated[tuple[Synonym, ...], "words"]
    groups: tuple[Label, ...]
    facts: tuple[Fact, ...]
    irregularities: tuple[Irregularity, ...]
    remedies: tuple[RemedyKind, ...]
    effects: tuple[EffectKind, ...]
    choosers: tuple[Chooser, ...]
    limits: tuple[Label, ...]
    cells: Mapping[str, Words]


class Story(NamedTuple):
    """The story of a topic through the codes, with the provisions it rests on, in their order."""

    topic: str
    text: str
    laws: Addresses


class EveningSentence(NamedTuple):
    """An action of a player, and the laws on which it rests, by the code for which it is true."""

    text: str
    laws: Mapping[str, Addresses]


class EveningStep(NamedTuple):
    """A step of an evening, from the cut to the settling of the score."""

    id: str
    heading: str
    sentences: tuple[EveningSentence, ...]


class Version(NamedTuple):
    """A parallel as it is in some codes; `differs` and `like` relate it to another version."""

    codes: Words
    text: str
    differs: str | None = None
    like: str | None = None


class Parallel(NamedTuple):
    """One rule through several codes: its provisions in each, and its versions where they differ.

    `alike` groups provisions with identical words; `general` has the general laws that answer
    elsewhere.
    """

    id: str
    label: str
    members: Mapping[str, Addresses]
    versions: Annotated[tuple[Version, ...], "says"] = ()
    alike: tuple[Addresses, ...] = ()
    general: Addresses = ()

    @property
    def addresses(self) -> list[Address]:
        """Its provisions in all codes."""
        return [address for members in self.members.values() for address in members]


class Change(NamedTuple):
    """What changed between two provisions of a parallel: its id and label, kind, both versions."""

    rule: str
    label: str
    difference: str
    ours: str
    theirs: str


KINDS = ("same", "reworded", "different", "general")
"""The relations of a provision to its counterpart."""


class Counterpart(NamedTuple):
    """A provision that answers another: how (of `KINDS`, and `split` or `merged`), what changed."""

    address: Address
    kind: str
    shape: str
    differences: tuple[Change, ...]
