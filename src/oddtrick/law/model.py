"""The types of the lawbook.

`law.fill` converts the compiled JSON to these types. A field is read from the key of the same name,
or from the key named in `Annotated`. They are named tuples because frozen dataclasses take far
longer to define and to fill.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from oddtrick.cards import Suit
from oddtrick.law.address import Address

Json = Any  # mappings, lists, strings, integers, `True`, `False`, `None`

Figure = int | str | list[Any] | dict[str, Any]
"""A number, a word, a list of them, or a table of cells; its shape is in the vocabulary."""

Words = tuple[str, ...]
Addresses = tuple[Address, ...]

EMPTY: Mapping[str, Any] = {}  # the default of a mapping


class UnknownCode(LookupError):
    """Raised for an unknown code, option or reading, or for choices that exclude each other.

    `what` is `code`, `option` or `reading`.
    """

    def __init__(self, name: str, message: str, what: str = "code") -> None:
        self.name, self.what = name, what
        super().__init__(message)


class Reference(NamedTuple):
    """A reference from a provision: its target, its kind (`penalty-in`), and how it is printed."""

    to: Address
    how: str
    printed: str | None = None
    note: str | None = None


class Variant(NamedTuple):
    """The text of a provision in another edition; `absent` if that edition lacks it."""

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

    `at` is its place within its law (`b`, `g.2`), empty if the law has no paragraphs. `numbering`
    is `ours` if the print has no letter for it. If `option` is set, the provision is in force only
    with that option.
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
    amended_by: Addresses
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
    """One way to read a doubtful passage; `absent` lists the rules or cells that it removes."""

    id: str
    text: str
    procedures: Mapping[str, str] = EMPTY
    figures: Mapping[str, Figure] = EMPTY
    absent: Words = ()


class Reading(NamedTuple):
    """A doubtful passage: the question, the choices, the one applied, and the reason.

    `touches` maps each rule that depends on it to the cells concerned, or to none if all are.
    `not_computed` states why the checker does not apply another choice.
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
        """The choice as spelled in a record: `auction-1912:declarer-at-no-trump=suits-only`."""
        return written(self.reading.address, self.choice.id)

    @property
    def differs(self) -> bool:
        """Whether the choice differs from the one applied by default."""
        return self.choice.id != self.reading.applied


def written(reading: Address, choice: str) -> str:
    """The canonical spelling of a choice: `CODE:ID=CHOICE`."""
    return f"{reading.code}:{reading.local.removeprefix('reading.')}={choice}"


class Effect(NamedTuple):
    """One effect of a remedy: its id in the catalogue, and its object."""

    id: Annotated[str, "effect"]
    of: str | None = None


class Remedy(NamedTuple):
    """One remedy of a ruling.

    Remedies with the same `choice` form one alternative; those without a `choice` always follow.
    One with `then` follows only if the first remedy that somebody may choose is demanded. `figure`
    identifies the figure of the provision that is the amount. The package `rulings` fills in
    `words`, `may`, `number` and `effects`, and copies `condones`, `closes` and `leave` of its kind.
    """

    id: Annotated[str, "remedy"]
    provision: Address
    chosen_by: str = "nobody"
    choice: int | None = None
    whose: str | None = None
    demand: str | None = None
    lasts: str | None = None
    figure: str | None = None
    column: str | None = None
    consult: str | None = None
    then: bool = False
    words: str = ""
    may: str = ""
    number: int | None = None
    effects: tuple[Effect, ...] = ()
    condones: bool = False
    closes: bool = False
    leave: bool = False

    @property
    def written(self) -> str:
        """The remedy as a record writes it: `150 points`."""
        amount = "" if self.number is None else f"{self.number} "
        return amount + self.id.replace("-", " ")


AMOUNTS = {
    "points": ("penalty-points", "retirement"),
    "tricks": ("penalty-tricks",),
    "limit": ("score-ceiling",),
}
"""The figures of a provision that can be the amount of a remedy."""


When = tuple[tuple[str, Words], ...]  # facts, each with the answers that satisfy the condition


class Ruling(NamedTuple):
    """A code's ruling on an irregularity under some conditions; `line` is 0 in an answer."""

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
        """The addresses on which the ruling rests, without repetition, decisions last."""
        remedies = (r.provision for r in self.remedies)
        return tuple(dict.fromkeys([*self.provisions, *remedies, *self.decisions]))

    @property
    def always(self) -> tuple[Remedy, ...]:
        """The remedies that always follow."""
        return tuple(r for r in self.remedies if r.choice is None)

    @property
    def choices(self) -> tuple[tuple[Remedy, ...], ...]:
        """The alternatives to choose from, each a group of remedies."""
        groups: dict[int, list[Remedy]] = {}
        for remedy in self.remedies:
            if remedy.choice is not None:
                groups.setdefault(remedy.choice, []).append(remedy)
        return tuple(tuple(groups[n]) for n in sorted(groups))


class Entry(NamedTuple):
    """The rulings of a code on one irregularity, or the reason why it has none.

    `formerly` maps former ids of rulings to the current ones.
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
    """A rule on exacting penalties; without `groups` or `choosers` it applies to all of them."""

    about: str
    provisions: Addresses
    file: str
    line: int
    answer: str | None = None
    groups: Words = ()
    choosers: Words = ()


class Source(NamedTuple):
    """A printed source: the book, its pages and the passage."""

    book: str | None = None
    page: str | None = None
    pages: str | None = None
    passage: str | None = None


class Author(NamedTuple):
    """An author of a book: a person, or a body such as a club (`literal`)."""

    family: str = ""
    given: str = ""
    literal: str = ""

    @property
    def name(self) -> str:
        """The name as it is spoken."""
        return self.literal or f"{self.given} {self.family}"

    @property
    def inverted(self) -> str:
        """The name with the family name first."""
        return self.literal or f"{self.family}, {self.given}"


class OpenCopy(NamedTuple):
    """An open copy of a printed book, free to read online: a label and a permanent link."""

    label: str
    url: str


class Volume(NamedTuple):
    """The book in which a code is printed; `reprint` means that another body issued the code."""

    authors: tuple[Author, ...]
    title: str
    place: str
    publisher: str
    year: int
    copies: tuple[OpenCopy, ...]
    reprint: Annotated[bool, "code"] = False


class Option(NamedTuple):
    """An option of a code; `absent` maps the rules that do not apply under it to the reason."""

    id: str
    label: str
    source: Source
    absent: Mapping[str, str]
    about: str | None = None
    excludes: Words = ()


class Edition(NamedTuple):
    """An edition of a code whose text differs from the one encoded."""

    id: str
    label: str
    book: str
    copies: tuple[OpenCopy, ...]


class Descent(NamedTuple):
    """An earlier code whose game developed into this one's, perhaps `through` another game."""

    of: Annotated[str, "from"]
    text: str
    source: Source
    through: str | None = None


class PassageKind(NamedTuple):
    """A kind of passage other than a numbered law: its names, and its weight in a search.

    `role` is `rule`, `gloss` (a published decision) or `restatement`. An `attached` passage belongs
    to a law (`55.note`). `section` and `mark` help to find such passages in the printed text.
    """

    id: str
    said: Words
    one: str = ""
    many: str = ""
    role: str = "rule"
    weight: int = 100
    numbering: str = "printed"
    attached: bool = False
    section: Words = ()
    mark: str = ""


class Part(NamedTuple):
    """A heading over several laws: the number of the first law, and the heading."""

    first: Annotated[str, "from"]
    label: str


class Peculiarity(NamedTuple):
    """One sentence about a peculiarity of a code, with the laws on which it rests."""

    text: str
    laws: Addresses


STATES = {"silent": "silent", "does-not-arise": "does not arise"}
"""The states of a topic on which a code has no provision, in words."""

SILENT = STATES | {"absent": "not in the code"}
"""The states of a topic, an irregularity or a clause that a code lacks, in words."""


class Treatment(NamedTuple):
    """Why a code has no provision on a topic: `state` is `silent` or `does-not-arise`."""

    state: str
    reason: str


class Silence(NamedTuple):
    """A topic or clause that a code lacks: label, state (in `SILENT`), reason and topics."""

    code: str
    label: str
    state: str
    reason: str
    topics: Words


class Code(NamedTuple):
    """One of the law codes, complete.

    `settled` maps each former reading to the provision whose note explains it. `absent` maps the
    rules that the code lacks to the reason. `of_findings` maps each of the checker's findings to
    its laws or to the reason why it has none. `places` has the file and line of items that are not
    objects.
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
    cited: Mapping[str, str] = EMPTY
    effective: str | None = None

    def __repr__(self) -> str:
        return f"<Code {self.id}: {self.title}>"

    @property
    def findings(self) -> dict[str, Addresses]:
        """The laws for each of the checker's findings that has any."""
        found = self.of_findings.items()
        return {k: tuple(map(Address, v)) for k, v in found if isinstance(v, list)}


class Label(NamedTuple):
    """An item of the vocabulary with its label and, in some lists, its meaning."""

    id: str
    label: str
    meaning: str = ""


class IrregularityGroup(NamedTuple):
    """A group of the catalogue.

    `forfeits` are the groups of offences for which one of its irregularities may cost the
    offender's own side a remedy (`any`: all). If it is empty, a right that is lost is the other
    side's, and only for that irregularity.
    """

    id: str
    label: str
    forfeits: Words = ()


class Topic(NamedTuple):
    """A topic of the vocabulary and the question it answers."""

    id: str
    family: str
    label: str
    question: str


class Denomination(NamedTuple):
    """A denomination: its names, its trump suit if any, and for a royal bid the plain suit."""

    id: str
    label: str
    one: str
    short: str
    suit: Suit | None
    royal_of: str | None = None


class Procedure(NamedTuple):
    """A procedure; `values` maps its choices to words; `absent` says why most codes lack it."""

    id: str
    label: str
    values: Mapping[str, str]
    absent: str | None = None


class FigureKind(NamedTuple):
    """A figure of the vocabulary; `many` means that each provision may state its own.

    What it gives is scored at most `once` in a deal.
    """

    id: str
    label: str
    shape: str
    unit: str | None
    many: bool = False
    once: bool = False


class Fact(NamedTuple):
    """A fact on which rulings depend; `implies` maps an answer to answers that follow from it.

    `shown_by` determines which other cases of a record may show it; `own_side` is the answer if
    such a case is an offence of the same side. A `decision` is what the player with the choice of
    remedies decided. `formerly` maps former answers to the current ones, and `together` a clause
    to the answers for which it stands.
    """

    id: str
    question: str
    values: Mapping[str, str]
    presumed: str | None = None
    implies: Mapping[str, Mapping[str, str]] = EMPTY
    shown_by: str | None = None
    own_side: str | None = None
    decision: bool = False
    formerly: Mapping[str, str] = EMPTY
    together: Mapping[str, Words] = EMPTY


class Irregularity(NamedTuple):
    """An irregularity of the catalogue, with the facts on which its ruling may depend.

    In the words of its remedies, `it` is the irregular act (`the bid`), and `right` the right that
    they remove or preserve (`to a new deal`). `finding` is the rule of the checker that
    detects it: only in the `calls` listed, if there are any, and only in the cards of `side`, if it
    is set. `see` names others that a reader may need, and `claim_of` the one of which it is a late
    claim. With `of_trick` it belongs to the trick to which the named card was played; with `apart`
    a card is exposed in addition to the one played to the trick; with `own_card` the named card is
    one that the offender held. What is `noticed_later` may be reported at a later trick; what is
    `of_one` concerns a single offence. `column` is the column of the score that is wrong. `closes`
    is when the recorded calls or cards decide the case: at the next `call`, or at the end of the
    `play`.

    `arises_from` is the event, found by the judge, that gives rise to it. `shows` maps facts of
    other irregularities to the answers that follow from it. It `becomes` another if not corrected
    in time. It forfeits a right only if the code has a general rule on the subject `exacting`.
    `never` lists answers that cannot occur together.
    """

    id: str
    group: str
    label: str
    meaning: str
    facts: Mapping[str, Words]
    it: str = ""
    right: str = "to a remedy"
    said: Words = ()
    finding: str | None = None
    calls: Words = ()
    see: Words = ()
    claim_of: str | None = None
    before_lead: bool = False
    first_of: str | None = None
    of_trick: bool = False
    apart: bool = False
    own_card: bool = False
    column: str | None = None
    many_cards: bool = False
    noticed_later: bool = False
    of_one: bool = False
    closes: str | None = None
    side: str | None = None
    arises_from: str | None = None
    shows: Mapping[str, str] = EMPTY
    becomes: str | None = None
    exacting: str | None = None
    never: tuple[Mapping[str, str], ...] = ()


class RemedyKind(NamedTuple):
    """A remedy of the catalogue: its label, the words for it in a record (`said`), and its effects.

    `may` is what a player who chooses it may do (`demand a new deal`). An irregularity with
    `many_cards` uses `plural` and `plural_may` instead, if the remedy has them. A remedy that
    `condones` excuses the irregularity; after one that `closes`, nothing remains to be corrected. A
    `leave` is a permission, not a penalty.
    """

    id: str
    label: str
    effects: tuple[Effect, ...]
    may: str = ""
    plural: str = ""
    plural_may: str = ""
    said: Words = ()
    condones: bool = False
    closes: bool = False
    leave: bool = False


class EffectKind(NamedTuple):
    """An effect of the catalogue; `of` lists its possible objects."""

    id: str
    label: str
    of: Words = ()


class Chooser(NamedTuple):
    """Who may choose a remedy (`who`); for points, a clause may express it instead (`wish`)."""

    id: str
    who: str
    wish: str = ""
    exacts_nothing: bool = False


class Limit(NamedTuple):
    """How long a remedy lasts; a bar forbids the calls that it `bars`, or all, until it is lifted.

    `lifted_by` is whose bid or double lifts it: `adversary`, or anybody after a bid (`overbid`).
    `ends_with` is the first event after which a demand is too late: a `call`, or a `lead` by a
    player on whom the remedy falls.
    """

    id: str
    label: str
    bars: Words = ()
    lifted_by: str | None = None
    ends_with: str | None = None


class Synonym(NamedTuple):
    """Players' words, and the words of the laws for the same thing."""

    words: Annotated[Words, "for"]
    say: Words


class Vocabulary(NamedTuple):
    """The closed lists that all codes share; `cells` maps each shape to its keys in order."""

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
    groups: tuple[IrregularityGroup, ...]
    facts: tuple[Fact, ...]
    irregularities: tuple[Irregularity, ...]
    remedies: tuple[RemedyKind, ...]
    effects: tuple[EffectKind, ...]
    choosers: tuple[Chooser, ...]
    limits: tuple[Limit, ...]
    cells: Mapping[str, Words]


class Story(NamedTuple):
    """The story of a topic through the codes, with the provisions on which it rests, in order."""

    topic: str
    text: str
    laws: Addresses


class EveningSentence(NamedTuple):
    """A sentence about the play; `laws` lists the laws it rests on, by code in which it is true."""

    text: str
    laws: Mapping[str, Addresses]


class EveningStep(NamedTuple):
    """A step of an evening, from the cut to the settling of the score."""

    id: str
    heading: str
    sentences: tuple[EveningSentence, ...]


class Version(NamedTuple):
    """The rule of a parallel in some codes; `differs` and `like` relate it to another version.

    A version `excludes` the thing if it says that it does not exist or does not count.
    """

    codes: Words
    text: str
    differs: str | None = None
    like: str | None = None
    excludes: bool = False


class Parallel(NamedTuple):
    """One rule in several codes: its provisions in each, and its versions if they differ.

    `alike` groups provisions with identical wording. `general` lists the general laws that cover
    the point in other codes. The irregularities in `presumed_by` arise only under its conditions.
    """

    id: str
    label: str
    members: Mapping[str, Addresses]
    versions: Annotated[tuple[Version, ...], "says"] = ()
    alike: tuple[Addresses, ...] = ()
    general: Addresses = ()
    presumed_by: Words = ()

    @property
    def addresses(self) -> list[Address]:
        """The parallel's provisions in all codes."""
        return [address for members in self.members.values() for address in members]


class Change(NamedTuple):
    """A change between two provisions: the parallel, the kind of difference, and both versions."""

    rule: str
    label: str
    difference: str
    ours: str
    theirs: str


KINDS = ("same", "reworded", "different", "general")
"""The relations of a provision to its counterpart."""


class Counterpart(NamedTuple):
    """A provision that corresponds to one of another code.

    `kind` is one of `KINDS`; `shape` is `split`, `merged` or empty; `differences` lists changes.
    """

    address: Address
    kind: str
    shape: str
    differences: tuple[Change, ...]
