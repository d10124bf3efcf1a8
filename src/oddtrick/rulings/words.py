"""Puts an answer into words: parts made of lines, lines made of pieces, each with its laws.

The command prints the lines, and the site turns their laws into links. Both use only this wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from oddtrick.law import reading_choices
from oddtrick.law.address import Address
from oddtrick.law.book import book, column_name
from oddtrick.law.model import Remedy
from oddtrick.law.names import and_words, cited
from oddtrick.rulings import engine as rulings
from oddtrick.rulings.engine import Answer, Considered, Ruling, When, chooser


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of an answer, and the laws on which they rest."""

    words: str
    laws: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the addresses at its head and its pieces; `number` numbers an alternative."""

    pieces: tuple[Piece, ...]
    head: tuple[str, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer; its id is a key of `HEADINGS`."""

    id: str
    lines: tuple[Line, ...]

    @property
    def heading(self) -> str:
        """The heading to print above it; empty for the ruling itself."""
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
    "consultation": "Partners",
    "time": "Time",
    "waiver": "The right is lost",
    "wrong-demand": "A wrong demand",
    "final": "The choice",
}
"""The headings of the general rules on exacting a penalty."""

THERE_IS = "there is "
"""The beginning of some remedies (`there is a new deal`), omitted after `demands`."""


def fact_words(fact: str, value: str) -> str:
    """An answer to a fact as a clause: `an adversary of the declarer does it`."""
    return book().facts[fact].values[value]


DOES_IT = " does it"
"""The end of a clause that says who the offender is."""

REPEATED = frozenset("a an the after at before in of on to has have not".split())
"""Words that are repeated in each alternative even if all begin with them."""


def clauses(when: When) -> tuple[str, ...]:
    """One clause for each fact: `the declarer or dummy does it`, `nobody has played to it`."""
    return tuple(_either([fact_words(fact, v) for v in values]) for fact, values in when)


def _either(alternatives: Sequence[str]) -> str:
    """Clauses joined by `or`, with the words that they have in common written once."""
    first, *rest = alternatives
    if not rest:
        return first
    if all(words.endswith(DOES_IT) for words in alternatives):
        *others, last = (words.removesuffix(DOES_IT) for words in alternatives)
        return f"{', '.join(others)} or {last}{DOES_IT}"
    columns = zip(*(words.split() for words in alternatives), strict=False)
    shared = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]
    while shared and shared[-1] in REPEATED:
        shared.pop()
    if len(shared) > 1:
        rest = [" ".join(words.split()[len(shared) :]) for words in rest]
    if any("," in words for words in alternatives):
        return "; or ".join([first, *rest])
    *others, last = [first, *rest]
    return f"{', '.join(others)}{',' if len(others) > 1 else ''} or {last}"


def when_words(when: When) -> str:
    """`if the declarer does it, and nobody has played to it`; `as a rule` without conditions."""
    found = clauses(when)
    joint = "; and " if any("; " in clause for clause in found) else ", and "
    return f"if {joint.join(found)}" if found else "as a rule"


def finding_words(found: Answer) -> str:
    """`A player leads when another has the lead: an adversary of the declarer does it.`"""
    meaning = rulings.catalogue()[found.irregularity].meaning.removesuffix(".")
    facts = ", and ".join(fact_words(f, v) for f, v in found.facts)
    return f"{meaning}: {facts}." if facts else f"{meaning}."


def remedy_words(remedy: Remedy) -> str:
    """A remedy with its limits: `the partner is barred, until an adversary bids`."""
    own = remedy.provision.code
    column = f" in the {column_name(remedy.column, own)}" if remedy.column and remedy.figure else ""
    unless = f", unless {_limit(remedy.unless)}" if remedy.unless else ""
    return f"{remedy.words}{column}{_until(remedy.lasts)}{unless}"


def _limit(limit: str | None) -> str:
    return next((i.label for i in book().vocabulary.limits if i.id == limit), "")


def _until(limit: str | None) -> str:
    words = _limit(limit)
    return f"{',' if words.startswith('but ') else ''} {words}" if words else ""


def _asked(remedies: Sequence[Remedy]) -> str:
    """Who must ask for a remedy and until when: `, if the declarer demands it before he plays`."""
    first = remedies[0]
    if first.chosen_by == "nobody":
        return ""
    own = len(remedies) == 1 and first.leave
    return ("" if own else f", {chooser(first.chosen_by).label}") + _until(first.demand)


def _together(remedies: Sequence[Remedy], before: str = "", after: str = "") -> Piece:
    """The remedies of one alternative as a piece, with their laws."""
    words = and_words(map(remedy_words, remedies))
    return Piece(before + words + after, tuple(dict.fromkeys(r.provision for r in remedies)))


def ruling_pieces(ruling: Ruling) -> tuple[Piece, ...]:
    """A ruling as running text: automatic remedies first, then those that may be chosen."""
    if ruling.silent:
        return (Piece(ruling.silent.removesuffix(".")),)
    by_itself = [r for r in ruling.always if r.chosen_by == "nobody"]
    demands: list[Sequence[Sequence[Remedy]]] = [
        ((r,),) for r in ruling.always if r.chosen_by != "nobody"
    ]
    demands += [ruling.choices] if ruling.choices else []
    out = [_together(by_itself)] if by_itself else []
    stands = by_itself and all(any(e.id == "stand" for e in r.effects) for r in by_itself)
    if stands and [len(choices) for choices in demands] == [1] and not demands[0][0][0].leave:
        return (*out, *_unless(demands[0][0]))
    for choices in demands:
        if len(choices) > 1:
            out += _one_of(choices, ". In addition " if out else "")
        elif not out:
            out += [_together(choices[0]), Piece(_asked(choices[0]))]
        elif asked := _asked(choices[0]).removeprefix(","):
            out += [_together(choices[0], f". In addition,{asked}, ")]
        else:
            out += [_together(choices[0], ". In addition ")]
    return tuple(out)


def _unless(remedies: Sequence[Remedy]) -> Iterator[Piece]:
    """`, unless the opponent on the offender's left demands a new deal`."""
    first, piece = remedies[0], _together(remedies)
    when = f", {_limit(first.demand)}," if first.demand else ""
    words = piece.words.removeprefix(THERE_IS)
    how = "demands " if words != piece.words else "demands otherwise: "
    yield Piece(f", unless {chooser(first.chosen_by).who}{when} {how}")
    yield Piece(words, piece.laws)


def _one_of(choices: Sequence[Sequence[Remedy]], joint: str) -> Iterator[Piece]:
    """`the declarer may choose one of: a new deal; ...`, each with its own limit if they differ."""
    first = choices[0][0]
    same_chooser = len({c[0].chosen_by for c in choices}) == 1
    same_limit = len({c[0].demand for c in choices}) == 1
    when = f", {_limit(first.demand)}," if same_limit and first.demand else ""
    who = f"{chooser(first.chosen_by).who} may{when} choose one of: "
    yield Piece(joint + (who if same_chooser else "one of these may be chosen: "))
    for number, choice in enumerate(choices):
        piece = _together(choice)
        yield Piece(("; " if number else "") + piece.words.removeprefix(THERE_IS), piece.laws)
        if not same_chooser:
            yield Piece(_asked(choice))
        elif not same_limit:
            yield Piece(_until(choice[0].demand))


def ruling_words(ruling: Ruling) -> str:
    """A ruling in one line, with its laws: `a new deal (auction-1912:49), anybody may ask`."""
    return _joined(ruling_pieces(ruling))


def _joined(pieces: Iterable[Piece], code: str | None = None) -> str:
    """Pieces as plain text; laws of `code` are cited by number only."""
    return "".join(p.words + (f" ({_laws(p.laws, code)})" if p.laws else "") for p in pieces)


def _laws(laws: Iterable[str], code: str | None) -> str:
    return ", ".join(Address(a).short(code) if code else a for a in laws)


def title(found: Answer) -> str:
    """The title of an answer: the irregularity and the code."""
    return f"{rulings.catalogue()[found.irregularity].label}, {book().code(found.code).short}"


def parts_of(found: Answer) -> list[Part]:
    """The parts of an answer that follow its title and finding, without empty ones."""
    may = (_line(f"{_upper(when_words(r.when))}: ", *ruling_pieces(r), ".") for r in found.possible)
    kinds = {a: book().passage(a) for a in found.laws}
    own = [a for a, kind in kinds.items() if not kind or kind.role != "restatement"]
    laws = (Line((Piece(_restated(a)),), (a,)) for a in own or found.laws)
    considered = (Line((Piece(f"{_why(c)}."),), c.ruling.provisions) for c in found.considered)
    cite = (_line("; ".join(cited(a) for a in found.laws)),) if found.laws else ()
    known = rulings.catalogue()
    leads = known[found.irregularity].see if found.kind in ("ruling", "open") else ()
    lines: dict[str, Iterable[Line]] = {
        "given": _given(found),
        "may": may,
        "law": laws,
        "considered": considered,
        "exacting": _exacting(found),
        "readings": (*_relied(found), *_otherwise(found)),
        "see": (_line(f"{known[name].label} ({name})") for name in leads),
        "cite": cite,
    }
    return [p for p in (Part(name, tuple(of)) for name, of in lines.items()) if p.lines]


def line_text(line: Line, code: str) -> str:
    """A line as plain text; laws of `code` are cited by number only."""
    head = f"{_laws(line.head, code)}: " if line.head else ""
    return (f"{line.number}. " if line.number else "") + head + _joined(line.pieces, code)


def _line(*pieces: str | Piece, number: int | None = None) -> Line:
    return Line(tuple(Piece(p) if isinstance(p, str) else p for p in pieces), (), number)


def _why(considered: Considered) -> str:
    """The reason why a ruling that was considered does not apply."""
    if considered.lacks:
        return f"an exception, which applies only {when_words(considered.lacks)}"
    return "the general rule, to which this one is an exception"


def _relied(found: Answer) -> Iterator[Line]:
    """Yield the readings on which a ruling rests, each with the choice if one was made."""
    chosen = book().rules(found.code, found.options).chosen
    for address in found.ruling.readings if found.ruling else ():
        how = f" Chosen: `{chosen[address].choice.id}`." if address in chosen else ""
        yield Line((Piece(book().reading(address).question + how),), (address,))


def _otherwise(found: Answer) -> Iterator[Line]:
    """Yield the rulings that follow from other choices of these readings."""
    for one, other in rulings.otherwise(found):
        given = ruling_pieces(other.ruling) if other.ruling else ()
        pieces = given or ("the code is silent",)
        answered = f"“{one.reading.question}” is answered “{one.choice.text}”"
        yield _line(f"If {answered} ({one.written}): ", *pieces, ".")


def _restated(address: str) -> str:
    found = book().provision(address)
    return found.text if found else ""


def _given(found: Answer) -> Iterator[Line]:
    for fact, value in found.idle:
        yield _line(f"(Not relevant here: {fact_words(fact, value)}.)")
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
    if ruling.says:
        yield _line(ruling.says)
    alone = ruling.choices if len(ruling.choices) == 1 else ()
    for remedies in (*((r,) for r in ruling.always), *alone):
        piece = _together(remedies, after=f"{_asked(remedies)}.")
        yield _line(Piece(_upper(piece.words), piece.laws))
    if not alone:
        yield from _choices(ruling.choices)
    consult = next((r.consult for r in ruling.remedies if r.consult), None)
    if consult:
        yield _line(f"They may {'' if consult == 'may' else 'not '}consult about it.")


def _choices(choices: tuple[tuple[Remedy, ...], ...]) -> Iterator[Line]:
    """Yield the alternatives, with who may choose and until when, once if the same for all."""
    firsts = [c[0] for c in choices]
    if not firsts:
        return
    first, one = firsts[0], len({f.chosen_by for f in firsts}) == 1
    same = one and len({f.demand for f in firsts}) == 1
    until = f"{_until(first.demand)}," if same and first.demand else ""
    who = f"{_upper(chooser(first.chosen_by).who)}{until} may choose:"
    yield _line(who if one else "There is a choice:")
    for number, choice in enumerate(choices, 1):
        limit = "" if same else _until(choice[0].demand)
        for_whom = "" if one else f"{chooser(choice[0].chosen_by).who}: "
        yield _line(_together(choice, for_whom, limit), number=number)


def _upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _exacting(found: Answer) -> Iterator[Line]:
    """Yield the general rules on exacting penalties that the ruling does not itself replace.

    Each law appears once.
    """
    special = any(r.consult for r in found.ruling.remedies) if found.ruling else False
    shown = set(found.laws)
    for rule in found.exacting:
        if rule.about == "where-none-named" or (rule.about == "consultation" and special):
            continue
        fresh = [a for a in rule.provisions if a not in shown and book().provision(a)]
        shown |= set(rule.provisions)
        if fresh:
            texts = (Piece((" " if n else "") + _restated(a), (a,)) for n, a in enumerate(fresh))
            yield _line(f"{ABOUT[rule.about]}: ", *texts)


def comparison(answers: Iterable[Answer]) -> Iterator[tuple[str, list[str]]]:
    """Yield, for each answer, the name of its code and the ruling in lines."""
    for found in answers:
        if found.kind in ("absent", "silent"):
            word = "does not arise" if found.kind == "absent" else "silent"
            lines = [f"{word}: {found.reason}"]
        elif found.ruling:
            note = f"{found.ruling.says} " if found.ruling.says else ""
            lines = [f"{note}{_upper(ruling_words(found.ruling))}."]
        else:
            lines = [f"{_upper(when_words(r.when))}: {ruling_words(r)}." for r in found.possible]
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
        "laws": list(found.laws),
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
            {"remedy": r.id, "words": remedy_words(r), "until": r.demand, "law": r.provision}
            | {k: getattr(r, k) for k in OF_REMEDY}
            for r in ruling.remedies
        ],
        "laws": list(ruling.laws),
        "decisions": list(ruling.decisions),
        "readings": list(ruling.readings),
    }
