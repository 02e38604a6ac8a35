"""Comparisons: under what relation a value compares, and the question that compares two.

A fact's wording holds `compare`: `key`, `more` and `less` (openings: «Кто родился позже»), `said` (the subject with its class
noun: «компания «Полярис»») and `noun` (that noun, or nothing).
"""

import json
import re
from collections.abc import Mapping, Sequence

from dragon_pipeline.languages.ru.arguments import Argument
from dragon_pipeline.languages.ru.clause import Clause
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.measures import AGE, BIRTH, DEATH, ORIGIN, ROOM, TERM, Measure, events
from dragon_pipeline.languages.ru.morphology import analyses, inflect, known
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded
from dragon_pipeline.languages.ru.posts import is_public, is_rare
from dragon_pipeline.languages.ru.standing import is_read, is_unread
from dragon_pipeline.languages.ru.stated import PROPER
from dragon_pipeline.languages.ru.subjects import Head
from dragon_pipeline.languages.ru.wordlists import lines

OPENINGS = {
    BIRTH: ("Кто родился позже", "Кто родился раньше"),
    AGE: ("Кто старше", "Кто моложе"),
    TERM: ("Кто был приговорён к более долгому сроку", "Кто был приговорён к более короткому сроку"),
}
WAYS = {"more": "позже", "less": "раньше"}
SAME_WAY = {
    "младший": "молодой", "взрослый": "старший", "ранее": "ранний", "менее": "маленький", "более": "большой",
    "длительный": "долгий", "продолжительный": "долгий", "краткий": "короткий",
}  # fmt: skip
"""Lemmas of words that say the same way of comparing: «младше», «моложе»."""
AMOUNTS = {"more": "больше", "less": "меньше"}
MIXED = {
    DEATH: dict.fromkeys(("masc", "femn", "neut", "plur"), "ушёл из жизни"),
    ORIGIN: {"masc": "появился", "femn": "появилась", "neut": "появилось", "plur": "появились"},
}
"""What is said where two things happened in different ways: one was founded, the other built."""
_FULL_YEAR = re.compile(r"\d{4}")
_YEAR = re.compile(r"\bв \d{4} году\b")
APART = 60
"""Years between two things of which it is news that one came first."""
LONGEST = 9
"""Words of a verb phrase that two facts share."""
WEIGHT = 3
CENTURY = 20
"""The first of which births and deaths are still in the news."""
LEAD = ("основать", "возглавить", "учредить")
VAGUE = ("чемпион", "чемпионка", "спортсмен", "спортсменка", "петербуржец", "москвич", "студент", "студентка")
"""Roles that tell nobody apart."""
FIRMS = frozenset(
    ("компания", "фирма", "завод", "комбинат", "концерн", "корпорация", "банк", "холдинг", "авиакомпания", "фабрика")
)
"""Class nouns of what can be compared though it is not the same."""
CURRENCIES = ("рублей", "долларов", "евро", "гривен", "юаней")


def measured(measure: Measure) -> dict:
    """The triplet of a value that has a pattern of its own, as extraction.py makes them."""
    who = measure.head
    wording = {
        "form": "clause", "phrase": {form: f"{verb} {{T}}" for form, verb in measure.verbs.items()}, "tail": measure.said,
        "who": "Кто" if who.kind == "PER" else None, "who_form": "masc" if who.kind == "PER" else who.gender,
        "subject": who.said, "subject_form": who.gender, "many": [], "bare": True,
        "named": False, "weight": WEIGHT, "tense": "Past",
        **_askable(measure), "compare": _compare(measure), **({"title": measure.title} if measure.title else {}),
    }  # fmt: skip
    return {
        "head": who.text, "head_kind": who.kind, "relation": measure.relation, "tail": measure.tail,
        "tail_kind": measure.tail_kind, "wording": wording,
    }  # fmt: skip


def _askable(measure: Measure) -> dict:
    """A year or a day may be asked for by itself; other values only compare."""
    if not measure.verbs:
        return {"ask": None, "asks": [], "bridges": [], "shapes": ["comparison"]}
    ask = "В каком году" if measure.tail_kind == "YEAR" else "Когда"
    return {"ask": ask, "asks": ["tail"], "bridges": ["head"], "shapes": ["simple", "multi_hop", "comparison"]}


def _compare(measure: Measure) -> dict:
    said = {"key": _life(measure) or measure.compared, "said": measure.head.said, "noun": measure.head.noun}
    if measure.compared == ROOM:
        noun = "зрителей" if "зрител" in measure.tail else "человек"
        openings = [f"Что вмещает {amount} {noun}" for amount in AMOUNTS.values()]
    elif measure.compared in OPENINGS:
        openings = list(OPENINGS[measure.compared])
    else:
        form = "masc" if measure.compared == DEATH else "neut"
        verb = measure.verbs.get(form) or MIXED[measure.compared][form]
        openings = [f"{'Кто' if form == 'masc' else 'Что'} {verb} {way}" for way in WAYS.values()]
    return said | dict(zip(WAYS, openings, strict=True))


def _life(measure: Measure) -> str:
    """Of births and deaths only those of one century compare: which of two ages was the earlier needs no news."""
    year = _FULL_YEAR.search(measure.tail)
    return f"{measure.compared}: {(int(year[0]) - 1) // 100 + 1}" if year and measure.compared in (BIRTH, DEATH) else ""


def compared_clause(clause: Clause, head: Head, argument: Argument) -> dict | None:
    """`compare` of a clause's value: everything else that the clause says is part of the key, and there is something else."""
    if head.who is None or not head.sure or clause.undated or len(clause.blocks) < 2 or not _is_done(clause):
        return None
    dated, rest = argument.kind in ("YEAR", "DATE"), clause.phrase("masc", argument.root)
    if dated and (led := _led(clause, head)):
        return led
    numbers = any(c.isdigit() for c in (rest if dated else _YEAR.sub("", rest)))
    if numbers or len(rest.split()) > LONGEST or ", что " in rest or "впервые" in rest:
        return None
    said = clause.phrase(head.form, argument.root)
    about = {"said": head.said, "noun": head.who.removeprefix("Кто").rpartition(" ")[2]}
    if dated:
        plain = " ".join(said.replace("{T}", "").split())
        openings = {way: f"{head.who} {word} {plain}" for way, word in WAYS.items()}
        once = folded(clause.sentence.tokens[clause.verb]) in events()  # a pattern of its own reads these, see measures.py
        return None if once else {**about, "key": _key(argument, rest), **openings}
    noun = (argument.ask or "").removeprefix("Сколько ")
    straight = any(b.root == argument.root and b.rel == "obj" for b in clause.blocks)
    if argument.kind != "NUMBER" or not noun or noun == argument.ask or not straight:
        return None
    counted = "" if noun in CURRENCIES else f" {noun}"
    openings = {way: f"{head.who} {said.replace('{T}', word + counted)}" for way, word in AMOUNTS.items()}
    return {**about, "key": f"{_key(argument, rest)} {noun}", **openings}


def _led(clause: Clause, head: Head) -> dict | None:
    """«Кто раньше возглавил компанию»: whichever each of two people founded or came to head."""
    verb, tokens = folded(clause.sentence.tokens[clause.verb]), clause.sentence.tokens
    objects = [tokens[b.root] for b in clause.blocks if b.rel == "obj"]
    if head.kind != "PER" or verb not in LEAD or len(objects) != 1 or folded(objects[0]) not in CLASS_NOUNS:
        return None
    said = f"{clause.verbs['masc']} {objects[0].text.lower()}"
    key = f"{verb} {folded(objects[0])}"
    return {"key": key, "said": head.said, "noun": "", **{way: f"Кто {word} {said}" for way, word in WAYS.items()}}


def _is_done(clause: Clause) -> bool:
    """Something that one subject did once: not «Франция и Великобритания стали первыми государствами»."""
    feats = clause.sentence.tokens[clause.verb].feats
    return (feats.get("Aspect"), feats.get("Tense", "Past")) == ("Perf", "Past") and feats.get("Number") != "Plur"


def with_comparison(wording: dict, compare: dict | None) -> dict:
    """A clause's wording that can also be compared; one that could not be asked about can be compared alone."""
    if compare is None:
        return wording
    if "form" in wording:
        return wording | {"compare": compare}
    alone = {"asks": [], "many": [], "bridges": [], "shapes": ["comparison"]}
    return {"form": "clause", "weight": WEIGHT, **alone, "compare": compare}


def _key(argument: Argument, rest: str) -> str:
    return f"{argument.relation}: {fold(' '.join(rest.replace('{T}', '').split()))}"


def comparison(facts: Sequence[dict], direction: str | None) -> str:
    """«Кто родился раньше: Инна Соболь или Роман Веденский», without the question mark.

    Args:
        facts: two, as in a sketch.
        direction: `more` or `less`.

    Raises:
        ValueError: it cannot be said; the message is the reason.
    """
    if len(facts) != 2 or direction not in WAYS:
        raise ValueError("no_comparison")
    words = [json.loads(fact["wording"]) if fact["wording"] else {} for fact in facts]
    compares = [one.get("compare") or {} for one in words]
    if not all(compare.get(direction) for compare in compares):
        raise ValueError("no_wording")
    if compares[0]["key"] != compares[1]["key"]:
        raise ValueError("two_relations")
    if _is_history(compares[0]["key"]) or (_are_ages_apart(facts) and not all(one.get("noun") for one in compares)):
        raise ValueError("history")
    opening, noun = _opening(words, compares, direction)
    if _is_arbitrary(facts, words, compares[0]["key"]):
        raise ValueError("arbitrary_pair")
    titled = _both_titled(facts, words)
    if compares[0]["key"].partition(":")[0] in (AGE, BIRTH, DEATH) and not titled:
        if not all(is_rare(fact["head"]) or is_public(fact["head"]) for fact in facts):
            raise ValueError("one_role")  # «Александр Носов или Виктор Сушков»: who are they?
    names = sorted(
        (fact["head"], _titled(_name(fact, compare, noun), fact, one if titled else {}))
        for fact, compare, one in zip(facts, compares, words, strict=True)
    )
    if fold(names[0][1]) == fold(names[1][1]):
        raise ValueError("one_name_twice")
    return f"{opening}: {names[0][1]} или {names[1][1]}"


def _opening(words: Sequence[Mapping], compares: Sequence[Mapping], direction: str) -> tuple[str, str]:
    """The opening, and the class noun that it holds; empty when it holds none."""
    key, openings = compares[0]["key"].partition(":")[0], {compare[direction] for compare in compares}
    nouns = {compare.get("noun", "") for compare in compares}
    noun = nouns.pop() if len(nouns) == 1 else ""
    if key == ROOM and len(openings) == 1:
        return (openings.pop().replace("Что", _which(noun), 1) if noun else openings.pop()), noun
    if key == ORIGIN and noun:
        gender = _gender(noun)
        verbs = {one["phrase"].get(gender, "").replace(" {T}", "") for one in words}
        verb = verbs.pop() if len(verbs) == 1 else ""
        return f"{_which(noun)} {verb or MIXED[ORIGIN][gender]} {WAYS[direction]}", noun
    if len(openings) == 1:
        return openings.pop(), noun
    if key == DEATH:
        return f"Кто {WAYS[direction]} {MIXED[DEATH]['masc']}", ""
    if key == ORIGIN and not all(compare.get("noun") for compare in compares):
        raise ValueError("one_noun")  # «стадион „Спартак“ или ICU»
    if key == ORIGIN:
        return f"Что {MIXED[ORIGIN]['neut']} {WAYS[direction]}", ""
    raise ValueError("two_question_words")


def _name(fact: Mapping, compare: Mapping, noun: str) -> str:
    """«компания «Полярис»», or «Полярис» in quotation marks when the opening has the noun."""
    said = compare.get("said") or fact["head"]
    return said.split(" ", 1)[1] if noun and fold(said).startswith(noun + " ") else said


def _is_history(key: str) -> bool:
    """Who of two people of an earlier century came first, an encyclopaedia tells."""
    relation, _, century = key.partition(": ")
    return relation in (BIRTH, DEATH) and century.isdigit() and int(century) < CENTURY


def _are_ages_apart(facts: Sequence[Mapping]) -> bool:
    """Whether two years lie so far from each other that nobody need read which was first."""
    years = [int(year[0]) for fact in facts if (year := _FULL_YEAR.search(fact.get("tail") or ""))]
    return len(years) == 2 and abs(years[0] - years[1]) > APART


def _tells_little(name: str) -> bool:
    """An abbreviation that few read, or a name of plain words («Воинская комиссия»), without its class noun or a title."""
    words_ = name.split()
    plain = all(known(word) and not any(mark in a.tag for a in analyses(word)[:1] for mark in PROPER) for word in words_)
    return is_unread(name) or (name.isascii() and name.isupper() and not is_read(name)) or (plain and "«" not in name)


def _both_titled(facts: Sequence[Mapping], words: Sequence[Mapping]) -> bool:
    """Whether both people come with their roles; else neither does, and both must be told by their names.

    Raises:
        ValueError: one has a role, and one of the names may be anybody's.
    """
    titles = [bool(one.get("title")) and fold(one["title"]) not in VAGUE for one in words]
    if all(titles) or any(fact.get("head_kind") != "PER" for fact in facts):
        return True
    if any(titles) and not all(is_rare(fact["head"]) or is_public(fact["head"]) for fact in facts):
        raise ValueError("one_role")
    return False


def _titled(name: str, fact: Mapping, words: Mapping) -> str:
    """A person with the role that the article gives: «шахматист Олег Дымов»."""
    title = words.get("title")
    return f"{title} {name}" if title and fact.get("head_kind") == "PER" else name


def _is_arbitrary(facts: Sequence[Mapping], words: Sequence[Mapping], key: str) -> bool:
    """Two people who have nothing in common but that both were born: no article has both, and their roles are not of one
    field; or two things of different kinds («сайт „Маяк“ или стадион „Волга“»)."""
    kind = key.partition(":")[0]
    if kind not in (AGE, BIRTH, DEATH, ORIGIN) or len({fact.get("article_id") for fact in facts}) == 1:
        return False
    if kind == ORIGIN:
        nouns = {one["compare"].get("noun") or "" for one in words}
        if nouns == {""} and any(_tells_little(fact["head"]) for fact in facts):
            return True
        return len(nouns) > 1 and not nouns <= FIRMS
    one, other = (_fields(said.get("title") or "") for said in words)
    return not one & other


def _fields(title: str) -> set[int]:
    """Numbers of the fields (words/fields.txt) that a role is of."""
    said = {fold(a.normal_form) for word in re.findall(r"[\w-]+", title) for a in analyses(word)}
    return {number for number, line in enumerate(lines("fields")) if said & set(line.split())}


def _gender(noun: str) -> str:
    tag = next((a.tag for a in analyses(noun) if a.tag.POS == "NOUN" and "nomn" in a.tag), None)
    return (tag.gender if tag else None) or "masc"


def _which(noun: str) -> str:
    which = inflect("какой", "nomn", _gender(noun), "sing", pos=("ADJF", "NPRO")) or "какой"
    return f"{which.capitalize()} {noun}"
