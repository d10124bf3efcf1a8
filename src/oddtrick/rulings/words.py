"""Puts an answer into words: parts made of lines, lines made of pieces, each with its laws.

The command prints the lines, and the site turns their laws into links. Both use only this wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, takewhile

from oddtrick.law import reading_choices
from oddtrick.law.address import Address
from oddtrick.law.book import book, column_name
from oddtrick.law.cases import reached
from oddtrick.law.model import Remedy, written
from oddtrick.law.names import cited
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Considered, Ruling, When, chooser

Facts = Mapping[str, tuple[str, ...]]
"""Facts, each with one or more answers."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of an answer, and the laws on which they rest."""

    words: str
    laws: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the addresses at its head and its pieces; `number` numbers an alternative.

    `option` is the command-line option for what the line supposes.
    """

    pieces: tuple[Piece, ...]
    head: tuple[str, ...] = ()
    number: int | None = None
    option: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer; its id is a key of `HEADINGS`."""

    id: str
    lines: tuple[Line, ...]

    @property
    def heading(self) -> str:
        """The heading to print above the part; empty for the ruling itself."""
        return HEADINGS[self.id]


HEADINGS = {
    "given": "",
    "may": "Possible rulings:",
    "law": "The law",
    "considered": "Also considered",
    "exacting": "Exacting the penalty",
    "readings": "Readings relied on",
    "see": "See also",
    "cite": "To cite",
}

ABOUT = {
    "consultation": "Whether partners may consult",
    "time": "How long there is to decide",
    "waiver": "How the right to a penalty is lost",
    "wrong-demand": "The effect of a wrong demand",
    "final": "Whether the choice is final",
}
"""The headings of the general rules on exacting a penalty."""


def fact_words(fact: str, value: str) -> str:
    """An answer to a fact as a clause: `the player is dummy`."""
    return book().facts[fact].values[value]


REPEATED = frozenset("a an the after at before for in of on so that to has have not".split())
"""Words that are repeated in each alternative even if all begin with them."""


def clauses(when: When) -> tuple[str, ...]:
    """One clause for each fact: `the player is the declarer or dummy`, `it is a double`."""
    return tuple(_any_of(fact, values) for fact, values in when)


def _any_of(fact: str, values: Sequence[str]) -> str:
    """Answers to a fact as one clause: that of the catalogue if there is one for all of them."""
    together = book().facts[fact].together.items()
    stated = (words for words, of in together if {*of} == {*values})
    return next(stated, None) or _either([fact_words(fact, v) for v in values])


def _either(alternatives: Sequence[str]) -> str:
    """Clauses joined by `or`, with the words that they have in common written once."""
    first, *rest = alternatives
    if not rest:
        return first
    columns = zip(*(words.split() for words in alternatives), strict=False)
    shared = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]
    while shared and shared[-1] in REPEATED:
        shared.pop()
    return _and([first, *(" ".join(words.split()[len(shared) :]) for words in rest)], "or")


def when_words(when: When) -> str:
    """`if the player is dummy and nobody has called since`; `in general` without conditions.

    A decision, which the remedies state, is no condition.
    """
    conditions = tuple(pair for pair in when if not book().facts[pair[0]].decision)
    return f"if {_all_of(clauses(conditions), 'if ')}" if conditions else "in general"


PLAYER = re.compile(r"\bthe player\b(?! (?:on|who|whose)\b)")


def with_offender(condition: str, ruling: str) -> str:
    """A condition, which calls the player `the offender` if the ruling in words does so."""
    return PLAYER.sub("the offender", condition) if "the offender" in ruling else condition


def _all_of(found: Sequence[str], again: str = "") -> str:
    """Clauses that all hold, lists last: a clause after a list would read as its last item.

    If one of several is a list, or one has a clause of its own, `again` begins each further clause.
    """
    first, *others = sorted(found, key=lambda clause: ", " in clause)
    parted = (LISTS if len(others) > 1 else SUBORDINATE).search
    again *= any(map(parted, found))
    return _and([first, *(again + clause for clause in others)])


def _cases(found: Answer) -> Iterator[tuple[str, Ruling]]:
    """Yield when each possible ruling applies, exceptions first, with the ruling.

    `Otherwise` opens a ruling that gives way to one before it; `Alternatively` opens a ruling for
    another decision in the same case. Rulings in the same words are merged.
    """
    table = {r.id: r for r in found.possible}
    alike: dict[tuple[int, str], list[Ruling]] = {}
    for ruling in found.possible:
        alike.setdefault((len(reached(ruling.id, table)), ruling_words(ruling)), []).append(ruling)
    before, every = "", " ".join(words for _, words in alike)
    for (exceptions, _), same in sorted(alike.items(), key=lambda item: item[0][0]):
        whens = map(when_words, filter(None, _united(found, [r.when for r in same])))
        for when in [with_offender(w, every) for w in whens] or [
            "" if exceptions else "in every case"
        ]:
            case = ", ".join(filter(None, ("otherwise" if exceptions else "", when)))
            yield upper("alternatively" if case == before else case), same[0]
            before = case


def _united(found: Answer, whens: Iterable[When]) -> list[When]:
    """Alternative conditions on unknown facts; those that differ in only one fact are merged."""
    open_to = {q.fact: tuple(v for v, _ in q.answers) for q in found.questions}
    facts = {**rulings.catalogue()[found.irregularity].facts, **open_to}
    known = {*dict(found.facts), *(f for f in facts if book().facts[f].decision)}
    out: list[Facts] = []
    for when in ({f: tuple(v for v in of if v in facts[f]) for f, of in when} for when in whens):
        for place, other in enumerate(out):
            differing = [f for f in facts if when.get(f) != other.get(f)]
            if len(differing) == 1:
                (fact,) = differing
                both = {*when.get(fact, facts[fact]), *other.get(fact, facts[fact])}
                out[place] = {**other, fact: tuple(v for v in facts[fact] if v in both)}
                break
        else:
            out.append(when)
    return [
        tuple((f, v) for f, v in when.items() if f not in known and {*v} != {*facts[f]})
        for when in out
    ]


def presumed_words(facts: When) -> str:
    """What is presumed: `assuming that nobody has called since and that it is a double`."""
    return f"assuming {_and(f'that {clause}' for clause in clauses(facts))}" if facts else ""


def _and(words: Iterable[str], joint: str = "and", *, comma: bool = False) -> str:
    """A list in words, with a comma before `and` if `comma` is true or a part is itself a list."""
    *first, last = listed = [*words]
    comma |= len(first) > 1 or any(LISTS.search(part) for part in listed)
    return f"{', '.join(first)}{',' if comma else ''} {joint} {last}" if first else last


SUBORDINATE = re.compile(" (?:because|although|when) ")
LISTS = re.compile(rf",| (?:and|or) |{SUBORDINATE.pattern}")
"""What shows that words are themselves a list, or have a clause of their own."""


def finding_words(found: Answer) -> str:
    """`A player leads when another has the lead (81). Here the player is dummy.`"""
    meaning = rulings.catalogue()[found.irregularity].meaning
    if presumed := book().relations.presumed_by(found.irregularity, found.code):
        meaning = f"{meaning.removesuffix('.')} ({_laws(presumed, found.code)})."
    facts = [fact_words(f, v) for f, v in found.facts]
    return f"{meaning} Here {_all_of(facts)}." if facts else meaning


CLAUSE = re.compile(" (that|to) ")
"""What introduces a clause within the words of a remedy."""


def _limit_first(remedy: Remedy) -> bool:
    limits = ("before", "at the end")
    return bool(CLAUSE.search(remedy.may)) and _limit(remedy.demand).startswith(limits)


def remedy_words(remedy: Remedy) -> str:
    """A remedy as a clause with its limits: `the partner is barred until an adversary bids`."""
    wish = chooser(remedy.chosen_by).wish if remedy.figure else ""
    until = remedy.demand if remedy.chosen_by != "nobody" else None
    return _limited(remedy, remedy.words, until) + (wish and f", {wish}")


def may_words(remedy: Remedy, until: str | None = None) -> str:
    """What a player who chooses the remedy may do, after `may`: `demand a new deal`.

    A limit such as `before the lead` comes first if it would seem to belong to a clause.
    """
    if until and _limit_first(remedy):
        return f"{_limit(until)}, {may_words(remedy)}"
    return _limited(remedy, remedy.may, until)


def _limited(remedy: Remedy, words: str, until: str | None) -> str:
    own = remedy.provision.code
    column = f" in the {column_name(remedy.column, own)}" if remedy.column and remedy.figure else ""
    # A demand on the result of a trick, or on a card of the suit led, already names its trick; a
    # suit forbidden for one trick is forbidden for the first.
    named = any(e.of in ("result", "rank", "other-suit") for e in remedy.effects)
    lasts = None if named and remedy.lasts == "to-that-trick" else remedy.lasts
    return " ".join([words + column, *filter(None, map(_limit, (lasts, until)))])


def _limit(limit: str | None) -> str:
    return next((i.label for i in book().vocabulary.limits if i.id == limit), "")


IN_THAT_CASE = "In that case, "
"""Introduces remedies that follow only if the preceding one is demanded."""


def _is_clause(remedy: Remedy) -> bool:
    """Whether the remedy follows by itself, or the words of the remedy name who may choose it."""
    if remedy.chosen_by == "nobody" or not remedy.may:
        return True
    if remedy.leave and remedy.whose:
        return remedy.whose != remedy.chosen_by
    return bool(remedy.figure and chooser(remedy.chosen_by).wish)


def _together(remedies: Sequence[Remedy], words: str) -> Piece:
    """Remedies in words as one piece, with their laws."""
    return Piece(words, tuple(dict.fromkeys(r.provision for r in remedies)))


def _clauses(remedies: Sequence[Remedy], before: str = "") -> Piece:
    """Remedies that need no choice: `there is a new deal, and the dealer remains the same`."""
    return _together(remedies, before + _and(_its(map(remedy_words, remedies)), comma=True))


REQUIRED = re.compile("require .+? (?=to )")
"""Words that two alternatives in succession may share: `require the player to ..., or to ...`."""

SUBJECT = re.compile("^the (offending side|player)('s)?(?= )")
"""A subject that clauses in succession may share."""


def _its(clauses: Iterable[str]) -> Iterator[str]:
    """Clauses in which a subject that the one before shares is a pronoun: `its score cannot`."""
    before = ""
    for words in clauses:
        found = SUBJECT.match(words)
        one, own = ("he", "his") if found and found[1] == "player" else ("it", "its")
        if found and found[1] == before:
            yield (own if found[2] else one) + words[found.end() :]
        else:
            yield words
        before = found[1] if found else ""


def _permission(remedies: Sequence[Remedy], before: str = "") -> Piece:
    """Remedies of one chooser: `either adversary may demand a new deal before the play begins`.

    The limit comes first if there are several remedies, or if one has a limit or a clause of its
    own, to which it would seem to belong. `may` is repeated after a clause.
    """
    *first, last = remedies
    before_them = bool(first or last.lasts or _limit_first(last))
    when = f", {_limit(last.demand)}," if before_them and last.demand else ""
    words = [*map(may_words, first), may_words(last, None if before_them else last.demand)]
    if any(map(CLAUSE.search, words[:-1])):
        words = [words[0], *(f"may {infinitive}" for infinitive in words[1:])]
    return _together(remedies, f"{before}{chooser(last.chosen_by).who} may{when} {_and(words)}")


def _by_itself(remedy: Remedy) -> str:
    """A remedy as a sentence of its own, without its full stop, in the words of the ruling."""
    return (_clauses if _is_clause(remedy) else _permission)([remedy]).words


def _parts(ruling: Ruling) -> tuple[list[list[Remedy]], Sequence[Sequence[Remedy]]]:
    """The remedies that always follow, in groups, and the alternatives.

    The groups are: remedies that need no choice; what one player may demand at one time; remedies
    that follow if that is demanded; and further demands. A single alternative counts as a demand.
    """
    always, choices = ruling.always, ruling.choices
    by_itself = [r for r in always if _is_clause(r) and not r.then]
    demanded = [r for r in always if not _is_clause(r)]
    if len(choices) == 1:
        demanded, choices = [*demanded, *choices[0]], ()
    grouped = groupby(demanded, lambda remedy: (remedy.chosen_by, remedy.demand))
    demands = [list(group) for _, group in grouped]
    then = [r for r in always if r.then]
    return [g for g in (by_itself, *demands[:1], then, *demands[1:]) if g], choices


def ruling_pieces(ruling: Ruling) -> tuple[Piece, ...]:
    """A ruling as running text: automatic remedies first, then those that may be chosen."""
    if ruling.silent:
        return (Piece(f"the code is silent. {ruling.silent.removesuffix('.')}"),)
    groups, choices = _parts(ruling)
    out, joint = list[Piece](), ""
    for group in groups:
        if _is_clause(group[0]):
            out.append(_clauses(group, f". {IN_THAT_CASE}" if out else ""))
            condoned = all(r.condones for r in group)
            joint = ", and " if joint else ", but " if condoned else ". In addition, "
        else:
            out.append(_permission(group, joint))
            joint = ", and " if joint else ". In addition, "
    if choices:
        out += _one_of(choices, joint)
    return tuple(out)


def _one_of(choices: Sequence[Sequence[Remedy]], joint: str) -> Iterator[Piece]:
    """`the declarer may demand a new deal or let the bid stand`; a list if there are more than two
    alternatives.
    """
    who, alternatives = _alternatives(choices)
    one_of_two = len(choices) == 2 and who
    words = [piece.words for piece in alternatives]
    lists = any(map(LISTS.search, words))
    last = (", or" if lists else " or") if one_of_two else "; or"
    if one_of_two and (required := REQUIRED.match(words[0])):
        words[1] = words[1].removeprefix(required[0])
    for number, piece in enumerate(alternatives):
        before = (last if number == len(choices) - 1 else ";") if number else ""
        before = before or joint + (who if one_of_two else _of_these(who))
        comma = "," * (words[number].startswith("before ") and not before.endswith(":"))
        yield Piece(f"{before}{comma} {words[number]}", piece.laws)


def _alternatives(choices: Sequence[Sequence[Remedy]]) -> tuple[str, list[Piece]]:
    """Who may choose (`the declarer may`; empty if it varies), and each alternative as a piece.

    The chooser and the limit are stated once, if they are the same for all.
    """
    firsts = [choice[0] for choice in choices]
    limits, choosers = ({r.demand for r in firsts}, {r.chosen_by for r in firsts})
    if len(choosers) > 1:
        return "", [_permission(c) for c in choices]
    same = len(limits) == 1
    when = f", {_limit(firsts[0].demand)}," if same and firsts[0].demand else ""
    pieces = [
        _together(c, _and([*map(may_words, first), may_words(last, None if same else last.demand)]))
        for c in choices
        for *first, last in [c]
    ]
    return f"{chooser(firsts[0].chosen_by).who} may{when}", pieces


def _of_these(who: str) -> str:
    """The words before a list of alternatives."""
    return f"{who} do one of the following:" if who else "one of the following applies:"


def ruling_words(ruling: Ruling) -> str:
    """A ruling in one line, with its laws: `there is a new deal (auction-1912:40)`."""
    return _joined(ruling_pieces(ruling))


def _joined(pieces: Iterable[Piece], code: str | None = None) -> str:
    """Pieces as plain text; laws of `code` are cited by number only."""
    return "".join(p.words + (f" ({_laws(p.laws, code)})" if p.laws else "") for p in pieces)


def _laws(laws: Iterable[str], code: str | None) -> str:
    return ", ".join(Address(a).short(code) if code else a for a in laws)


def title(found: Answer) -> str:
    """The title of an answer: the irregularity and the code."""
    return f"{rulings.catalogue()[found.irregularity].label}, {book().code(found.code).short}"


def laws_of(found: Answer) -> tuple[Address, ...]:
    """The laws of an answer by importance: those that the irregularity presumes, those of its
    remedies, then the others.
    """
    ruling = found.ruling
    presumed = book().relations.presumed_by(found.irregularity, found.code) if ruling else ()
    remedies = (*ruling.always, *chain.from_iterable(ruling.choices)) if ruling else ()
    return tuple(dict.fromkeys([*presumed, *(r.provision for r in remedies), *found.laws]))


def parts_of(found: Answer) -> list[Part]:
    """The parts of an answer that follow its title and finding, without empty ones."""
    may = (_line(f"{when}, ", *ruling_pieces(r), ".") for when, r in _cases(found))
    ordered = laws_of(found)
    own = [a for a in ordered if not book().restates(a)]
    laws = (Line(_as_amended(a, found.code), (a,)) for a in own or ordered)
    considered = (Line((Piece(f"{_why(c)}."),), c.ruling.provisions) for c in found.considered)
    cite = (_line("; ".join(map(cited, ordered))),) if ordered else ()
    known = rulings.catalogue()
    leads = known[found.irregularity].see if found.kind in ("ruling", "open") else ()
    lines: dict[str, Iterable[Line]] = {
        "given": _given(found),
        "may": may,
        "law": laws,
        "considered": considered,
        "exacting": _exacting(found),
        "readings": _readings(found),
        "see": (_line(f"{known[name].label} ({name})") for name in leads),
        "cite": cite,
    }
    return [p for p in (Part(name, tuple(of)) for name, of in lines.items()) if p.lines]


def _as_amended(address: Address, code: str) -> tuple[Piece, ...]:
    """A law as restated, and the provisions of a later code that amend it."""
    by = tuple(book().amended_by(address, code))
    return (Piece(_restated(address)), *((Piece(" Amended", by),) if by else ()))


def line_text(line: Line, code: str) -> str:
    """A line as plain text; laws of `code` are cited by number only."""
    head = f"{_laws(line.head, code)}: " if line.head else ""
    option = f" (--reading {line.option})" if line.option else ""
    return (f"{line.number}. " if line.number else "") + head + _joined(line.pieces, code) + option


def _line(*pieces: str | Piece, number: int | None = None) -> Line:
    return Line(tuple(Piece(p) if isinstance(p, str) else p for p in pieces), (), number)


def _why(considered: Considered) -> str:
    """The reason why a ruling that was considered does not apply."""
    if considered.lacks:
        return f"an exception, which applies only if {_all_of(clauses(considered.lacks))}"
    return "the general rule, to which this one is an exception"


def _readings(found: Answer) -> Iterator[Line]:
    """Yield each reading on which a ruling rests, with the choice if one was made, and the rulings
    that follow from other choices.
    """
    chosen = book().rules(found.code, found.options).chosen
    others = rulings.otherwise(found)
    for address in rulings.relied_on(found):
        how = f" Chosen: `{chosen[address].choice.id}`." if address in chosen else ""
        yield Line((Piece(book().reading(address).question + how),), (address,))
        for one, other in others:
            if one.reading.address == address:
                given = ruling_pieces(other.ruling) if other.ruling else ()
                pieces = given or (Piece("the code is silent"),)
                supposed = Piece(f"If the answer is “{one.choice.text.removesuffix('.')}”: ")
                yield Line((supposed, *pieces, Piece(".")), (address,), option=one.written)


def reading_words(address: str, choice: str) -> str:
    """A choice of a reading as a condition: `“...” were answered “...” (CODE:ID=CHOICE)`."""
    of = book().reading(address)
    text = next(c.text for c in of.choices if c.id == choice).removesuffix(".")
    return f"“{of.question}” were answered “{text}” ({written(of.address, choice)})"


def _restated(address: str) -> str:
    found = book().provision(address)
    return found.text if found else ""


def _given(found: Answer) -> Iterator[Line]:
    for fact, value in found.idle:
        yield _line(f"It makes no difference here that {fact_words(fact, value)}.")
    short = book().code(found.code).short
    if found.kind == "absent":
        yield _line(f"It cannot arise under {short}: {found.reason}")
    elif found.kind == "silent":
        yield _line(f"{short} is silent: {found.reason}")
    elif found.kind == "open":
        yield _line("The ruling depends on more facts:")
    elif found.ruling:
        yield from _ruling(found.ruling)


def _ruling(ruling: Ruling) -> Iterator[Line]:
    """Yield the remedies that always follow, then who may choose which, and until when."""
    groups, choices = _parts(ruling)
    for number, group in enumerate(groups):
        if _is_clause(group[0]):
            pieces = [_clauses([remedy], IN_THAT_CASE if number else "") for remedy in group]
        else:
            pieces = [_permission(group)]
        yield from (_line(Piece(upper(p.words), p.laws), ".") for p in pieces)
    if choices:
        who, alternatives = _alternatives(choices)
        yield _line(upper(_of_these(who)))
        yield from (_line(piece, number=n) for n, piece in enumerate(alternatives, 1))
    consult = next((r.consult for r in ruling.remedies if r.consult), None)
    if consult:
        yield _line(
            f"The partners may {'' if consult == 'may' else 'not '}consult about the choice."
        )
    if ruling.says:
        yield _line(ruling.says)


def upper(words: str) -> str:
    """Words with their first letter capitalised."""
    return words[:1].upper() + words[1:]


def _exacting(found: Answer) -> Iterator[Line]:
    """Yield the general rules on exacting penalties that the ruling does not itself replace.

    Each law appears once, under its subject.
    """
    lines: dict[str, list[Piece]] = {}
    special = any(r.consult for r in found.ruling.remedies) if found.ruling else False
    shown = set(laws_of(found))
    for rule in found.exacting:
        if rule.about == "where-none-named" or (rule.about == "consultation" and special):
            continue
        for address in rule.provisions:
            if address not in shown and book().provision(address):
                line = lines.setdefault(ABOUT[rule.about], [])
                line.append(Piece((" " if line else "") + _restated(address), (address,)))
        shown |= set(rule.provisions)
    for about, texts in lines.items():
        yield _line(f"{about}: ", *texts)


def comparison(answers: Iterable[Answer]) -> Iterator[tuple[str, list[str]]]:
    """Yield, for each answer, the name of its code and the ruling in lines."""
    for found in answers:
        if found.kind in ("absent", "silent"):
            word = "does not arise" if found.kind == "absent" else "silent"
            lines = [f"{word}: {found.reason}"]
        elif found.ruling:
            note = f" {found.ruling.says}" if found.ruling.says else ""
            lines = [f"{upper(ruling_words(found.ruling))}.{note}"]
        else:
            lines = [f"{when}, {ruling_words(r)}." for when, r in _cases(found)]
        yield book().code(found.code).short, lines


def as_json(found: Answer) -> dict[str, object]:
    """An answer as JSON."""
    ruling, chosen = found.ruling, reading_choices.choices_of(found.options)
    return {
        "irregularity": found.irregularity,
        "code": found.code,
        "options": list(reading_choices.options_of(found.options)),
        **({"chosen": list(chosen)} if chosen else {}),
        "kind": found.kind,
        "facts": dict(found.facts),
        "facts_that_do_not_matter": dict(found.idle),
        "finding": finding_words(found),
        "reason": found.reason,
        "ruling": _ruling_json(ruling),
        "laws": list(laws_of(found)),
        "considered": [
            {"ruling": _ruling_json(c.ruling), "why": _why(c)} for c in found.considered
        ],
        "exacting": [
            {"about": e.about, "answer": e.answer, "laws": list(e.provisions)}
            for e in found.exacting
        ],
        "questions": [
            {"fact": q.fact, "question": q.question, "answers": dict(q.answers)}
            for q in found.questions
        ],
        "possible": [_ruling_json(r) for r in found.possible],
        "what_if": [
            {"choice": one.written, "ruling": _ruling_json(other.ruling)}
            for one, other in rulings.otherwise(found)
        ],
    }


OF_REMEDY = ("choice", "chosen_by", "lasts", "whose", "number", "column", "consult")


def _ruling_json(ruling: Ruling | None) -> dict[str, object] | None:
    if ruling is None:
        return None
    return {
        "id": ruling.id,
        "when": {f: list(v) for f, v in ruling.when},
        "says": ruling.says,
        "silent": ruling.silent,
        "remedies": [
            {"remedy": r.id, "words": _by_itself(r), "until": r.demand, "law": r.provision}
            | {k: getattr(r, k) for k in OF_REMEDY}
            for r in ruling.remedies
        ],
        "laws": list(ruling.laws),
        "decisions": list(ruling.decisions),
        "readings": list(ruling.readings),
    }
