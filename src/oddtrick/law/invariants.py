"""What must hold of the law data beyond their schemas: a function for each, all in `INVARIANTS`.

Each takes the compiled codes by id, in the order of their dates, and the vocabulary with the lists
beside it, and yields a `Problem` for every place where it does not hold. What holds of one table of
rulings, or of one parallel, stands with these (`irregularities`, `compile_parallels`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from oddtrick.law import typed
from oddtrick.law.address import Address
from oddtrick.law.clauses import clauses, displaced, stands
from oddtrick.law.figures import cells
from oddtrick.law.irregularities import ruling_problems
from oddtrick.law.model import AMOUNTS, Chosen
from oddtrick.law.problems import Problem, nearest
from oddtrick.law.schema import keys_of, lacking
from oddtrick.law.yaml import Json

Codes = Mapping[str, Json]
Invariant = Callable[[Codes, Json], Iterable[Problem]]


# --- addresses ------------------------------------------------------------------------------------


def addresses_are_unique(codes: Codes, _: Json) -> Iterator[Problem]:
    """No two laws have the same address, nor two provisions."""
    for part in ("laws", "provisions"):
        seen: dict[str, Json] = {}
        for item in (i for code in codes.values() for i in code[part]):
            first = seen.setdefault(item["address"], item)
            if first is not item:
                yield _at(item, f"`{item['address']}` stands twice; first at {_place(first)}.")


def addresses_exist(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """Whatever is named by its address exists: a law, a provision or a reading."""
    known = {i["address"]: None for part in _PARTS for c in codes.values() for i in c[part]}
    for code in codes.values():
        for what, address, file, line in _named(code):
            if address not in known:
                hint = nearest(address, list(known))
                yield Problem(file, line, f"{what} `{address}` does not exist.{hint}")
    for story, (file, line) in _listed("stories", vocabulary):
        for address in story["laws"]:
            if address not in known:
                hint = nearest(address, list(known))
                yield Problem(file, line, f"the law of the story `{address}` does not exist.{hint}")


_PARTS = ("provisions", "laws", "readings")
"""What of a code has an address, in the order in which the nearest is looked for."""


def _named(code: Json) -> Iterator[tuple[str, str, str, int]]:
    """Every address that a code names: what it is there, the address, file and line."""
    file, line = code["places"]["code"]
    for address in (a for p in code["peculiarities"] for a in p["laws"]):
        yield "the law of a peculiarity", address, file, line
    for item in code["provisions"]:
        place = item["file"], item["line"]
        yield from (("the reference", r["to"], *place) for r in item["refs"])
        yield from (("the displaced law", a, *place) for a in item["displaces"])
        yield from (("the amended law", a, *place) for a in item["amends"])
        yield from (("the reading", a, *place) for a in item["readings"])
    for reading in code["readings"]:
        yield from (("the place", a, reading["file"], reading["line"]) for a in reading["places"])
    for key, address in code["settled"].items():
        yield ("the place of the settled reading", address, *code["places"][f"settled {key}"])
    for key, laws in code["findings"].items():
        file, line = code["places"][f"finding {key}"]
        for address in laws if isinstance(laws, list) else ():
            yield "the law behind the finding", address, file, line
    yield from _named_in_rulings(code)


def _named_in_rulings(code: Json) -> Iterator[tuple[str, str, str, int]]:
    """The addresses that a code names in what it gives for irregularities."""
    what = "the law of the irregularity"
    for entry in code["irregularities"]:
        yield from ((what, a, entry["file"], entry["line"]) for a in entry["provisions"])
        for ruling in entry["rulings"]:
            remedies = [r["provision"] for r in ruling.get("remedies", ())]
            for address in (
                *ruling["provisions"],
                *ruling["decisions"],
                *ruling["readings"],
                *remedies,
            ):
                yield what, address, entry["file"], ruling["line"]
    for rule in code["penalties"]:
        for address in rule["provisions"]:
            yield "the law on penalties", address, rule["file"], rule["line"]


# --- codes ----------------------------------------------------------------------------------------


def bases_exist(codes: Codes, _: Json) -> Iterator[Problem]:
    """A code extends a code that there is."""
    for code in codes.values():
        if code["extends"] and code["extends"] not in codes:
            hint = nearest(code["extends"], list(codes))
            yield _of_code(code, f"extends `{code['extends']}`, which does not exist.{hint}")


def ancestors_exist(codes: Codes, _: Json) -> Iterator[Problem]:
    """A code grew from codes that there are."""
    for code in codes.values():
        for name in (d["from"] for d in code["descent"] if d["from"] not in codes):
            hint = nearest(name, list(codes))
            yield _of_code(code, f"grew from `{name}`, which does not exist.{hint}")


def parts_begin_with_a_law(codes: Codes, _: Json) -> Iterator[Problem]:
    """A heading over several laws names a law of the code as the first of them."""
    for code in codes.values():
        numbers = {law["number"] for law in code["laws"]}
        for part in (p for p in code["parts"] if p["from"] not in numbers):
            message = f"the part `{part['label']}` begins with `{part['from']}`, which is no law."
            yield _of_code(code, message)


def passages_are_of_their_kind(codes: Codes, _: Json) -> Iterator[Problem]:
    """A code has passages of each kind that it declares, and a word for a kind means no other.

    Not in any code: a citation may name the kind before the code is known.
    """
    meant: dict[tuple[bool, str], str] = {}
    for code in codes.values():
        numbers = [law["number"].partition(".") for law in code["laws"]]
        below = {p["at"].rpartition(".")[2] for p in code["provisions"]}
        for kind in code["passages"]:
            name, attached = kind["id"], kind.get("attached", False)
            if name not in (below if attached else {first for first, dot, _ in numbers if dot}):
                yield _of_code(code, f"has no passage of the kind `{name}`.")
            for word in kind["said"]:
                other = meant.setdefault((attached, word), name)
                if other != name:
                    message = f"`{word}` is said of `{name}`, and of `{other}` in another kind."
                    yield _of_code(code, message)


def variants_name_an_edition(codes: Codes, _: Json) -> Iterator[Problem]:
    """What another edition has is told of one of the code's editions."""
    for code in codes.values():
        editions = [e["id"] for e in code["editions"]]
        for item in code["provisions"]:
            for name in (v["edition"] for v in item["variants"] if v["edition"] not in editions):
                yield _at(item, f"the edition `{name}` is not among the code's `editions`.")


def readings_are_unique(codes: Codes, _: Json) -> Iterator[Problem]:
    """No two readings in force have the same id: a choice may leave the code out.

    A code may put one in the place of its base's whose every place it displaces.
    """
    for code in codes.values():
        seen: dict[str, Json] = {}
        for owner in _chain(code, codes):
            for reading in owner["readings"]:
                first = seen.setdefault(reading["id"], reading)
                if first is reading or (owner is not code and _replaced(reading, code, codes)):
                    continue
                later, earlier = (reading, first) if owner is code else (first, reading)
                said = f"`{reading['id']}` is a reading already, at {_place(earlier)}."
                yield _at(later, said)


def _replaced(reading: Json, code: Json, codes: Codes) -> bool:
    """Whether a code displaces every place that a reading of its base bears on."""
    gone = displaced([typed.code(c) for c in _chain(code, codes)])
    places = (Address(place) for place in reading["places"])
    return not any(stands(place, place, gone) for place in places)


def readings_apply_a_choice(codes: Codes, _: Json) -> Iterator[Problem]:
    """A reading applies one of its own choices."""
    for reading in (r for code in codes.values() for r in code["readings"]):
        if reading["applied"] not in [c["id"] for c in reading["choices"]]:
            yield _at(reading, f"applies `{reading['applied']}`, which is none of its choices.")


def choices_change_what_there_is(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """A choice takes away rules that the vocabulary has; what is applied says it at the reading."""
    rules = [r["id"] for r in (*vocabulary["procedures"], *vocabulary["figures"])]
    for reading in (r for code in codes.values() for r in code["readings"]):
        for choice in reading["choices"]:
            own = choice.keys() & {"procedures", "figures", "absent"}
            if own and choice["id"] == reading["applied"]:
                yield _at(
                    reading, f"`{choice['id']}` is applied: give what follows at the reading."
                )
            names = (name.partition(".")[0] for name in choice.get("absent", ()))
            for name in (n for n in names if n not in rules):
                hint = nearest(name, rules)
                message = f"`{choice['id']}` takes away `{name}`, which is no rule.{hint}"
                yield _at(reading, message)


def rulings_hold_under_choices(codes: Codes, _: Json) -> Iterator[Problem]:
    """Rulings that hold under a chosen reading name one of the code, and a choice not applied.

    One of its base is named with the base before it, `CODE:ID`.
    """
    for code in codes.values():
        known = {
            r["id"] if owner is code else f"{owner['id']}:{r['id']}": [
                c["id"] for c in r["choices"] if c["id"] != r["applied"]
            ]
            for owner in _chain(code, codes)
            for r in owner["readings"]
        }
        for entry in code["irregularities"]:
            for name, choice in entry["reading"].items():
                if name not in known:
                    message = f"{code['id']} has no reading `{name}`.{nearest(name, list(known))}"
                    yield Problem(entry["file"], entry["line"], message)
                elif choice not in known[name]:
                    message = f"`{choice}` is no other choice of `{name}` than the one applied."
                    yield Problem(entry["file"], entry["line"], message)


def settled_readings_are_no_readings(codes: Codes, _: Json) -> Iterator[Problem]:
    """A reading that is settled does not stand among those that are applied."""
    for code in codes.values():
        for name in (r["id"] for r in code["readings"] if r["id"] in code["settled"]):
            file, line = code["places"][f"settled {name}"]
            yield Problem(file, line, f"`{name}` is settled, but stands among the readings.")


# --- figures, procedures, topics, findings --------------------------------------------------------


def cells_stand_once(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """A cell of a figure stands once in a code, and once in each of its options."""
    many = {f["id"] for f in vocabulary["figures"] if f.get("many")}
    for code in codes.values():
        seen: dict[tuple[str | None, str], Json] = {}
        for item in code["provisions"]:
            for name, value in item["figures"].items():
                for cell in (f"{name}.{c}" if c else name for c in cells(value)):
                    first = seen.setdefault((item["option"], cell), item)
                    if first is not item and cell not in many:
                        where = f"in {code['id']}; first at {_place(first)}"
                        yield _at(item, f"`{cell}` stands twice {where}.")


def procedures_are_one(codes: Codes, _: Json) -> Iterator[Problem]:
    """Provisions of a code, or of one of its options, that say the same procedure say it alike."""
    for code in codes.values():
        seen: dict[tuple[str | None, str], Json] = {}
        for item in code["provisions"]:
            for name, value in item["procedures"].items():
                first = seen.setdefault((item["option"], name), item)
                if first["procedures"][name] != value:
                    where = f"in {code['id']}; first at {_place(first)}"
                    yield _at(item, f"`{name}` stands twice {where}.")


def figures_are_whole(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """The law in force has every cell of a figure: under each code, option and other choice."""
    known = {c: typed.code(raw) for c, raw in codes.items()}
    shape_of = {f["id"]: vocabulary["shapes"][f["shape"]] for f in vocabulary["figures"]}
    order = {name: keys_of(shape) for name, shape in shape_of.items()}
    for code in codes.values():
        chain = [known[c["id"]] for c in _chain(code, codes)]
        told: set[tuple[str, str]] = set()
        others = [
            Chosen(r, c) for r in chain[0].readings for c in r.choices if c.procedures or c.figures
        ]
        for option, chosen in (
            *((o, None) for o in (None, *(o.id for o in chain[0].options))),
            *((None, c) for c in others),
        ):
            found, _ = clauses(chain, [option] if option else [], order, [chosen] if chosen else [])
            for name in (n for n in found if n in shape_of):
                for cell in lacking(found[name].value, shape_of[name]):
                    if (name, cell) not in told:
                        told.add((name, cell))
                        file, line = code["places"][f"option {option}" if option else "code"]
                        message = f"`{name}` has no cell `{cell}`: give it in a provision."
                        yield Problem(file, line, message)


def rules_are_given_or_absent(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """A judged code, with its base, gives every figure and procedure or says that it has none.

    Of a rare procedure, for whose absence the vocabulary has the reason, it need not speak.
    """
    every = (*vocabulary["procedures"], *vocabulary["figures"])
    wanted = [r["id"] for r in every if not (r.get("many") or r.get("absent"))]
    for code in (c for c in codes.values() if c["judged"]):
        had: set[str] = set()
        for layer in _chain(code, codes):
            had |= layer["absent"].keys()
            items = (i for i in (*layer["provisions"], *layer["readings"]) if not i.get("option"))
            had.update(key for item in items for key in _rules(item))
        for name in (n for n in wanted if n not in had):
            told = "give it in a provision, or under `absent` with the reason"
            yield _of_code(code, f"says nothing of `{name}`: {told}.")


def topics_are_treated_or_stated(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """A code, with its base, treats each topic, or says that it is silent or does not arise."""
    for code in codes.values():
        chain = _chain(code, codes)
        answered = {t for c in chain for p in c["provisions"] for t in p["topics"]}
        answered |= {t for c in chain for t in c["topics"]}
        for topic in (t["id"] for t in vocabulary["topics"] if t["id"] not in answered):
            told = "say under `topics` whether the code is silent or it does not arise"
            yield _of_code(code, f"no provision treats the topic `{topic}`: {told}.")


def stated_topics_are_not_treated(codes: Codes, _: Json) -> Iterator[Problem]:
    """No provision treats a topic that its code calls silent, or says does not arise."""
    for code in codes.values():
        own = {t for p in code["provisions"] for t in p["topics"]}
        for topic in (t for t in code["topics"] if t in own):
            yield _of_code(code, f"`{topic}` is under `topics`, but a provision treats it.")


def findings_have_a_law(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """A judged code, with its base, names the law behind each finding, or why there is none."""
    wanted = [f["id"] for f in vocabulary["findings"] if not f["id"].endswith("-code")]
    for code in (c for c in codes.values() if c["judged"]):
        had = {k for c in _chain(code, codes) for k in c["findings"]}
        for name in (n for n in wanted if n not in had):
            message = f"names no law behind the finding `{name}` (findings.yaml)."
            yield _of_code(code, message)


def what_is_kept_stands(codes: Codes, _: Json) -> Iterator[Problem]:
    """What an amending code keeps of its base's rulings and findings rests on laws in force."""
    for code in codes.values():
        chain = _chain(code, codes)
        if len(chain) == 1:
            continue
        gone = displaced([typed.code(raw) for raw in chain])
        for what, address in _kept(chain):
            if not stands(Address(address), Address(address), gone):
                yield _of_code(code, f"keeps {what}, which names `{address}`, a displaced law.")


def _kept(chain: list[Json]) -> Iterator[tuple[str, str]]:
    """What a code gives, its own or its base's, without options and chosen readings: what it is,
    and each law that it names.
    """
    told: set[str] = set()
    for owner in chain:
        plain = [e for e in owner["irregularities"] if not (e["option"] or e["reading"])]
        for entry in (e for e in plain if e["irregularity"] not in told):
            what = f"the ruling on `{entry['irregularity']}`"
            told.add(entry["irregularity"])
            yield from ((what, a) for a in entry["provisions"])
            for ruling in entry["rulings"]:
                named = [r["provision"] for r in ruling.get("remedies", ())]
                yield from ((what, a) for a in (*ruling["provisions"], *named))
        for name in (n for n in owner["findings"] if n not in told):
            told.add(name)
            laws = owner["findings"][name]
            yield from ((f"the finding `{name}`", a) for a in laws if isinstance(laws, list))
    exacted: list[Json] = next((owner["penalties"] for owner in chain if owner["penalties"]), [])
    yield from (("a rule on penalties", a) for rule in exacted for a in rule["provisions"])


def amounts_exist(codes: Codes, _: Json) -> Iterator[Problem]:
    """A ruling takes an amount only from a provision that has a figure for it."""
    figures = {p["address"]: p["figures"] for c in codes.values() for p in c["provisions"]}
    for entry in (e for code in codes.values() for e in code["irregularities"]):
        for ruling in entry["rulings"]:
            for remedy in (r for r in ruling.get("remedies", ()) if r.get("figure")):
                kind, address = remedy["figure"], remedy["provision"]
                if address in figures and not figures[address].keys() & set(AMOUNTS[kind]):
                    message = f"`{address}` has no figure for the {kind} of the ruling"
                    yield Problem(entry["file"], ruling["line"], f"{message} `{ruling['id']}`.")


# --- stories and words ----------------------------------------------------------------------------


def topics_have_a_story(_: Codes, vocabulary: Json) -> Iterator[Problem]:
    """Where stories are told, every topic has one and no more, in the order of the topics."""
    topics = [t["id"] for t in vocabulary["topics"]]
    told = list(_listed("stories", vocabulary))
    seen: list[str] = []
    for story, (file, line) in told:
        topic = story["topic"]
        if topic in seen:
            yield Problem(file, line, f"the topic `{topic}` has a story already.")
        elif seen and topics.index(topic) < topics.index(seen[-1]):
            yield Problem(file, line, f"the story of `{topic}` stands after that of `{seen[-1]}`.")
        seen.append(topic)
    for topic in (t for t in topics if told and t not in seen):
        yield Problem(told[0][1][0], 1, f"the topic `{topic}` has no story.")


def stories_rest_on_their_laws(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """The laws of a story are in the order of the codes, one is on its topic, and have its numbers.

    A year is a number that no law need have, if a code or an edition is of that year.
    """
    provisions = {p["address"]: p for code in codes.values() for p in code["provisions"]}
    years = {code["date"][:4] for code in codes.values()}
    years |= {e["id"] for code in codes.values() for e in code["editions"]}
    order = list(codes)
    for story, (file, line) in _listed("stories", vocabulary):
        laws = [provisions[a] for a in story["laws"] if a in provisions]
        of = f"the story of `{story['topic']}`"
        places = [order.index(p["address"].partition(":")[0]) for p in laws]
        if places != sorted(places):
            yield Problem(file, line, f"the laws of {of} are not in the order of the codes.")
        if laws and not any(story["topic"] in p["topics"] for p in laws):
            yield Problem(file, line, f"no law that {of} names is on that topic.")
        stands = {n for p in laws for n in (*_numbers(p["text"]), *_numbers(p["figures"]))}
        for number in _numbers(story["text"]):
            if number not in stands | years:
                yield Problem(file, line, f"no law that {of} names has the number {number}.")


def evenings_rest_on_their_laws(codes: Codes, vocabulary: Json) -> Iterator[Problem]:
    """The laws of a sentence of an evening are in force under its code, and have its numbers."""
    provisions = {p["address"]: p for code in codes.values() for p in code["provisions"]}
    chains = {name: [typed.code(c) for c in _chain(code, codes)] for name, code in codes.items()}
    gone = {name: displaced(chain) for name, chain in chains.items()}
    for step, (file, line) in _listed("evenings", vocabulary):
        for sentence in step["sentences"]:
            said = f"`{' '.join(sentence['text'].split()[:6])} …`"
            for name, addresses in sentence["laws"].items():
                if name not in codes:
                    yield Problem(file, line, f"{said} is of no code `{name}`.")
                    continue
                bases = {code.id for code in chains[name]}
                for address in addresses:
                    if address not in provisions:
                        hint = nearest(address, list(provisions))
                        yield Problem(file, line, f"the law `{address}` of {said} is none.{hint}")
                    elif address.partition(":")[0] not in bases or not stands(
                        Address(address), Address(address), gone[name]
                    ):
                        message = f"the law `{address}` of {said} is not in force under {name}."
                        yield Problem(file, line, message)
                of = [provisions[a] for a in addresses if a in provisions]
                there = {n for p in of for n in (*_numbers(p["text"]), *_numbers(p["figures"]))}
                for number in _numbers(sentence["text"]):
                    if number not in there:
                        message = f"no law of {name} behind {said} has the number {number}."
                        yield Problem(file, line, message)


def words_are_looked_up_once(_: Codes, vocabulary: Json) -> Iterator[Problem]:
    """What players say stands in one entry of words.yaml: the search would know only the last."""
    seen: dict[str, int] = {}
    for entry, (file, line) in _listed("words", vocabulary):
        for word in entry["for"]:
            if word in seen:
                yield Problem(file, line, f"`{word}` stands twice; first at line {seen[word]}.")
            seen.setdefault(word, line)


def cues_answer_their_fact(_: Codes, vocabulary: Json) -> Iterator[Problem]:
    """What follows from players' words is an answer that the fact can have."""
    values = {fact["id"]: list(fact["values"]) for fact in vocabulary["facts"]}
    cues = zip(vocabulary["tellings"]["cues"], vocabulary["places"]["cues"], strict=True)
    for cue, (file, line) in cues:
        if cue["value"] not in values[cue["fact"]]:
            message = f"the fact `{cue['fact']}` has no answer `{cue['value']}`."
            near = nearest(cue["value"], values[cue["fact"]])
            yield Problem(file, line, message + near)


# --- all of them ----------------------------------------------------------------------------------

INVARIANTS: tuple[Invariant, ...] = (
    addresses_are_unique,
    bases_exist,
    ancestors_exist,
    parts_begin_with_a_law,
    passages_are_of_their_kind,
    addresses_exist,
    variants_name_an_edition,
    readings_are_unique,
    readings_apply_a_choice,
    choices_change_what_there_is,
    rulings_hold_under_choices,
    settled_readings_are_no_readings,
    amounts_exist,
    what_is_kept_stands,
    cells_stand_once,
    procedures_are_one,
    rules_are_given_or_absent,
    figures_are_whole,
    topics_are_treated_or_stated,
    stated_topics_are_not_treated,
    findings_have_a_law,
    ruling_problems,
    topics_have_a_story,
    stories_rest_on_their_laws,
    evenings_rest_on_their_laws,
    words_are_looked_up_once,
    cues_answer_their_fact,
)
"""Everything that must hold, in the order in which it is told."""


# --- beside them ----------------------------------------------------------------------------------


def _at(item: Json, message: str) -> Problem:
    return Problem(item["file"], item["line"], message)


def _of_code(code: Json, message: str) -> Problem:
    file, line = code["places"]["code"]
    return Problem(file, line, message)


def _place(item: Json) -> str:
    return f"{item['file']}:{item['line']}"


def _rules(item: Json) -> tuple[str, ...]:
    """The figures and procedures of a provision or a reading."""
    return (*item.get("procedures", ()), *item.get("figures", ()))


def _chain(code: Json, codes: Codes) -> list[Json]:
    """A code, the code that it extends, and so on; a base that comes round again ends it."""
    found = {code["id"]: code}
    base = codes.get(code["extends"])
    while base and base["id"] not in found:
        found[base["id"]] = base
        base = codes.get(base["extends"])
    return list(found.values())


def _listed(stem: str, vocabulary: Json) -> Iterator[tuple[Json, tuple[str, int]]]:
    """The items of a list beside the vocabulary, each with its file and line."""
    return zip(vocabulary[stem], vocabulary["places"][stem], strict=True)


def _numbers(value: Json) -> list[str]:
    """The numbers in a text, or in a figure with all its cells and their names."""
    if isinstance(value, dict):
        return [n for pair in value.items() for part in pair for n in _numbers(part)]
    if isinstance(value, list):
        return [n for part in value for n in _numbers(part)]
    return re.findall(r"\d+", str(value))
