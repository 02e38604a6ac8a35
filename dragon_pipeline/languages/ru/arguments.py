"""Arguments of a clause as named nodes, each with the question word that asks for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dragon_pipeline.languages.ru.clause import Block, Clause
from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.morphology import CASES, analyses, inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded, lower_first, name_of, nominative, quoted, render
from dragon_pipeline.languages.ru.question_words import EUPHONIC, OBVIOUS, WHOM, capital, listed_places, which
from dragon_pipeline.languages.ru.wordlists import words

DATE = re.compile(r"\d{1,2} [а-я]+ \d{4} года")
VISITS = ("посетить", "покинуть", "посещать", "покидать")
SUMS = frozenset(("составить", "составлять", "достичь", "достигнуть", "достигать", "превысить", "превышать", "насчитывать"))
"""Verbs after which «Сколько» makes no sentence: «Сколько человек составляет численность»."""
GOVERNED = frozenset(("от", "из", "к", "ко", "против", "о", "об", "за", "под"))
"""Prepositions whose noun belongs to what was done to an object, unlike those of place and time."""
WHERE = {("в", "Loc"): "Где", ("на", "Loc"): "Где", ("в", "Acc"): "Куда", ("на", "Acc"): "Куда", ("из", "Gen"): "Откуда"}

PLAIN = 2
"""Words before «каких стран», at most: «С министрами обороны каких стран»; more make a question that nobody would ask."""


@dataclass(frozen=True)
class Argument:
    """A tail: `said` as it stands in the verb phrase, `ask` the question word that asks for it (null: cannot be asked)."""

    root: int
    text: str
    kind: str
    relation: str
    said: str
    ask: str | None
    number: int
    """how many tails the same argument has"""
    weight: int
    """content words of the whole verb phrase: how much the question says"""
    thin: bool
    """without the tail the verb phrase says too little to ask it of somebody who is only described"""


def arguments(clause: Clause, forms: dict[int, Form]) -> Iterator[Argument]:
    """Every argument that can be a tail: names, titles, years, numbers; the first plain object when there is no other."""
    made = [argument for b in clause.blocks for argument in _arguments(clause, b, forms)]
    if not made or any(b.rel == "ccomp" for b in clause.blocks):
        plain = next((b for rel in ("ccomp", "obj", "obl", "iobj", "xcomp") for b in clause.blocks if b.rel == rel), None)
        if plain is not None:
            made = list(_plain(clause, plain))
    yield from made


def _arguments(clause: Clause, b: Block, forms: dict[int, Form]) -> Iterator[Argument]:
    sentence, root = clause.sentence, clause.sentence.tokens[b.root]
    if b.rel not in ("obj", "obl", "iobj", "obl:agent", "nmod"):
        return
    if _is_value(sentence, root, b):
        value = _value_node(sentence, b)
        if value is not None:
            yield _argument(clause, b, value[:2], value[2])
        return
    roots = [b.root] + [c for c in sentence.children[b.root] if sentence.tokens[c].rel == "conj" and c in b.indices]
    nodes = [_node(sentence, i, forms, b) for i in roots]
    if not all(nodes):
        listed = listed_places(sentence, b.indices, forms)
        if listed is not None:
            before = [i for i in b.indices if i < listed.first and sentence.tokens[i].rel != "case"]
            plain = (
                len(before) <= PLAIN
                and listed.last == b.indices[-1]
                and not (len(listed.names) == 1 and listed.names[0] in OBVIOUS)
            )
            ask = listed.question(sentence, b.indices) if plain else None
            of = render(sentence, [i for i in b.indices if i < listed.first])  # «встретиться с лидерами»: not with Italy
            for name in listed.names:
                made = _argument(clause, b, (name, "LOC"), ask, len(listed.names))
                preposition = _preposition(sentence, b)
                yield replace(made, relation=f"{made.relation.removesuffix(preposition).rstrip()} {of}")
        return
    if nodes:
        ask = _ask(sentence, b, nodes[0], len(nodes)) if len({node[1:] for node in nodes if node}) == 1 else None
        for node in nodes:
            if node is not None:
                yield _argument(clause, b, node[:2], ask, len(nodes))


def _is_value(sentence: Sentence, root: Token, b: Block) -> bool:
    digits = any(sentence.tokens[i].text[:1].isdigit() for i in b.indices)
    return digits and (root.pos == "NOUN" or _year(b) is not None or DATE.fullmatch(b.text) is not None)


def _value_node(sentence: Sentence, b: Block) -> tuple[str, str, str] | None:
    """(value, kind, question word) of a year, a date or a number."""
    year = _year(b)
    if year:
        return year, "YEAR", "В каком году"
    if DATE.fullmatch(b.text):
        return b.text, "DATE", "Когда"
    ask = _how_many(sentence, b) if sentence.tokens[sentence.tokens[b.root].head].lemma not in SUMS else None
    return (_value(sentence, b), "NUMBER", ask) if ask else None


def _plain(clause: Clause, b: Block) -> Iterator[Argument]:
    if b.rel == "ccomp":
        yield _argument(clause, b, (b.text.removeprefix("что "), "OTHER"), None)
        return
    sentence, root = clause.sentence, clause.sentence.tokens[b.root]
    if _is_no_tail(sentence, b):
        return
    text = nominative(sentence, b.root, [i for i in b.indices if sentence.tokens[i].rel != "case" or i > b.root])
    others = [sentence.tokens[i] for other in clause.blocks if other.root != b.root for i in other.indices]
    text = lower_first(sentence, list(b.indices), text) if text else text
    thing = b.rel == "obj" and root.pos == "NOUN" and root.feats.get("Animacy") == "Inan" and len(b.indices) > 1
    thing = thing and all(sentence.tokens[o.root].pos not in ("ADJ", "VERB") for o in clause.blocks)
    thing = thing and not b.text.startswith("«")
    thing = thing and any(sentence.name_at(i) is not None for i in b.indices)
    told = sum(t.pos in ("NOUN", "PROPN", "ADJ", "NUM") for t in others) > 1
    plain = render(sentence, [i for i in b.indices if sentence.tokens[i].rel != "case" or i > b.root])
    yield _argument(clause, b, (text or plain, "OTHER"), "Что" if text and thing and told else None)


def _is_no_tail(sentence: Sentence, b: Block) -> bool:
    """«в очередной раз», «первыми из россиян», and what would be half inflected: «сын Ивана», «ремонт и строительством»."""
    root, children = sentence.tokens[b.root], [sentence.tokens[c] for c in sentence.children[b.root]]
    beside = [sentence.name_at(t.i) for t in children if t.rel in ("appos", "flat:name")]
    joined = any(t.rel == "conj" for t in children) and root.feats.get("Case") not in ("Nom", "Acc")
    person = any(name is not None and name.kind == "PER" for name in beside)
    between = set(range(b.indices[0], b.indices[-1] + 1)) - set(b.indices)
    holed = any(sentence.tokens[i].pos != "PUNCT" for i in between)
    return joined or person or holed or root.pos == "ADJ" or folded(root) in words("no_tails")


def _argument(clause: Clause, b: Block, node: tuple[str, str], ask: str | None, number: int = 1) -> Argument:
    sentence = clause.sentence
    relation = [_verb(clause)]
    others = [other for other in clause.blocks if other.root != b.root]
    relation += [other.text for other in others if _completes(sentence, other) or (other.rel == "obj" and b.rel != "obj")]
    preposition = _preposition(sentence, b)
    used = [i for other in clause.blocks for i in other.indices]
    weight = sum(sentence.tokens[i].pos in ("NOUN", "PROPN", "ADJ", "NUM") for i in used)
    if node[1] in ("YEAR", "DATE"):
        relation.append("год" if node[1] == "YEAR" else "день")
    elif preposition:
        relation.append(preposition)
    thin = not _tells(sentence, [i for other in others for i in other.indices])
    return Argument(b.root, node[0], node[1], " ".join(relation), b.text, ask, number, weight, thin)


def _tells(sentence: Sentence, rest: list[int]) -> bool:
    """Whether a verb with these words behind it tells what happened: «встретился в Берлине», not «уступает в рейтинге»."""
    content = sum(sentence.tokens[i].pos in ("NOUN", "PROPN", "ADJ", "NUM") for i in rest)
    return not rest or content > 1 or any(sentence.name_at(i) is not None for i in rest)


def _verb(clause: Clause) -> str:
    """The lemma; what was done to the subject as it is said («посвящён»), and what is still to come («откроет»)."""
    token, said = clause.sentence.tokens[clause.verb], clause.verbs["masc"]
    if token.feats.get("Variant") == "Short":
        return said if said.startswith("будет ") else said.split()[-1]
    return said if token.feats.get("Tense") == "Fut" else token.lemma


def _completes(sentence: Sentence, b: Block) -> bool:
    """Whether an object's verb is another one without this: «назвал ошибкой», «освободил от должности», «выполнил на 98%»."""
    preposition = _preposition(sentence, b)
    bare = not preposition and sentence.tokens[b.root].feats.get("Case") in ("Ins", "Dat")
    return b.rel == "xcomp" or (b.rel in ("obl", "iobj") and (bare or preposition in GOVERNED)) or "%" in b.text


def _node(sentence: Sentence, root: int, forms: dict[int, Form], b: Block) -> tuple[str, str, str] | None:
    """(name, kind, class noun) of a named argument, or None."""
    token = sentence.tokens[root]
    name = name_of(sentence, root)
    if folded(token) in CLASS_NOUNS and sentence.name_at(root) is None:
        span = quoted(sentence, root)
        if span:
            kind = "WORK" if folded(token) in words("work_nouns") else "ORG"
            return render(sentence, range(span[0], span[1] + 1)), kind, folded(token)
        if name is not None and name.kind != "PER":
            return forms[name.start].text, name.kind, folded(token)
        return None
    if name is None:
        return None
    text = forms[name.start].text
    if name.kind == "PER":
        return (text, "PER", "") if is_full(text) else None
    if name.head != root:
        return None
    return text, name.kind, (place_noun(text) or "") if name.kind == "LOC" else ""


def _ask(sentence: Sentence, b: Block, node: tuple[str, str, str] | None, number: int) -> str | None:
    if node is None:
        return None
    text, kind, noun = node
    root = sentence.tokens[b.root]
    case = root.feats.get("Case", "")
    preposition = _preposition(sentence, b)
    if kind == "PER":
        return capital(f"{EUPHONIC.get(preposition, preposition)} {WHOM[case]}") if case in WHOM and (case != "Nom") else None
    if any(char.isdigit() for char in text):
        return None  # «в Мюнхене-2007»
    if kind == "LOC" and ((not preposition and case == "Gen") or (number == 1 and text in OBVIOUS)):
        return None
    if kind == "LOC" and not noun:
        return None if _may_be_of_a_noun(sentence, b) else WHERE.get((preposition, case))
    if noun == "город" and preposition not in ("", "в", "во", "из"):
        return None  # «ждёт подтверждения от Вашингтона»
    if noun == "город" and not preposition and sentence.tokens[root.head].lemma not in VISITS:
        return None  # «выразил Вашингтону возмущение»: a capital that stands for its government is no city
    if not noun or case not in CASES or case == "Nom":
        return None
    plural = "Plur" if number > 1 else "Sing"
    lemma_token = Token(0, noun, 0, 0, noun, "NOUN", "", -1, {"Gender": gender_of(noun)})
    return which(lemma_token, case, plural, preposition)


def _may_be_of_a_noun(sentence: Sentence, b: Block) -> bool:
    """«после газовой атаки в Восточной Гуте»: a place right behind a noun may tell where that was, not what the verb says."""
    before = sentence.tokens[b.indices[0] - 1] if b.indices[0] else None
    return before is not None and before.pos in ("NOUN", "PROPN", "NUM")


def gender_of(noun: str) -> str:
    tag = next((a.tag for a in analyses(noun) if a.tag.POS == "NOUN" and "nomn" in a.tag), None)
    return {"masc": "Masc", "femn": "Fem", "neut": "Neut"}.get(tag.gender if tag else "masc", "Masc")


def _preposition(sentence: Sentence, b: Block) -> str:
    found = [c for c in sentence.children[b.root] if sentence.tokens[c].rel == "case" and c < b.root and c in b.indices]
    return " ".join(sentence.tokens[i].text.lower() for i in found)


def _year(b: Block) -> str | None:
    parts = b.text.split()
    if len(parts) == 3 and parts[0].lower() in ("в", "во") and parts[1].isdigit() and len(parts[1]) == 4 and parts[2] == "году":
        return parts[1]
    return None


def _value(sentence: Sentence, b: Block) -> str:
    indices = [i for i in b.indices if sentence.tokens[i].rel != "case"]
    return render(sentence, indices)


def _how_many(sentence: Sentence, b: Block) -> str | None:
    """«Сколько автомобилей», «На сколько процентов», when nothing but the count stands before the noun."""
    tokens = [sentence.tokens[i] for i in b.indices]
    preposition = _preposition(sentence, b)
    rest = tokens[len(preposition.split()) :]
    if preposition not in ("", "на") or not rest or not rest[0].text[:1].isdigit():
        return None
    noun = sentence.tokens[b.root]
    units = ("тысяча", "миллион", "миллиард", "млн", "млрд", "тыс", "трлн", ".")
    between = [t for t in rest[1:] if t.i < noun.i and folded(t) not in units and not t.text[:1].isdigit()]
    if (
        between
        or noun.text in ("%",)
        or folded(noun) in ("год", "раз", "место", "век", "июнь", *units)
        or noun.i != tokens[-1].i
    ):
        return None
    plural = inflect(noun.text, "gent", "plur", pos=("NOUN",))
    if plural is None:
        return None
    return {"": "Сколько", "на": "На сколько"}[preposition] + " " + plural.lower()
