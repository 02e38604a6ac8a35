"""Subjects and arguments of a clause as named nodes, each with the question word that asks for it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragon_pipeline.languages.ru.clauses import Block, Clause
from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, block, folded, lower_first, name_of, nominative, quoted, render
from dragon_pipeline.languages.ru.wordlists import words

DATE = re.compile(r"\d{1,2} [а-я]+ \d{4} года")
WHERE = {("в", "Loc"): "Где", ("на", "Loc"): "Где", ("в", "Acc"): "Куда", ("на", "Acc"): "Куда", ("из", "Gen"): "Откуда"}
WHOM = {"Nom": "кто", "Gen": "кого", "Dat": "кому", "Acc": "кого", "Ins": "кем", "Loc": "ком"}
FORM_OF = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}


@dataclass(frozen=True)
class Head:
    """A subject: `said` as it stands before the verb, `who` the question word that asks for it."""

    text: str
    kind: str
    said: str
    said_form: str
    who: str | None
    """null: the subject cannot be asked for («выручка компании „Полярис“»)"""
    who_many: str | None
    """the question word for several: «Какие страны»"""
    form: str
    sure: bool


@dataclass(frozen=True)
class Argument:
    """A tail: `said` as it stands in the verb phrase, `ask` the question word that asks for it (null: cannot be asked)."""

    root: int
    text: str
    kind: str
    relation: str
    said: str
    ask: str | None
    ask_many: str | None
    number: int
    """how many tails the same argument has"""
    weight: int
    """content words of the whole verb phrase: how much the question says"""


def subjects(sentence: Sentence, root: int, verb: Token, forms: dict[int, Form]) -> list[Head]:
    """The subject, or all of them when they are coordinated; empty when one of them has no usable name."""
    roots = [root] + [c for c in sentence.children[root] if sentence.tokens[c].rel == "conj"]
    found = [_head(sentence, i, forms) for i in roots]
    if all(found):
        return [head for head in found if head is not None]
    several = _heads_of_places(sentence, root, forms)
    plain = _plain_head(sentence, root, verb)
    return several or ([plain] if plain is not None else [])


def _heads_of_places(sentence: Sentence, root: int, forms: dict[int, Form]) -> list[Head]:
    """«Президенты России и Турции» as Russia and Turkey, asked for by «Президенты каких стран»."""
    indices = block(sentence, root)
    if sentence.tokens[root].pos != "NOUN" or sentence.name_at(root) is not None or not indices:
        return []
    listed = _listed_places(sentence, indices, forms)
    if listed is None or len(listed.names) < 2:
        return []
    who = listed.question(sentence, indices)
    return [Head(name, "LOC", name, "plur", None, who, "plur", True) for name in listed.names]


@dataclass(frozen=True)
class _Listed:
    """Places that end a phrase in the genitive: «с лидерами Франции, Италии и Австрии»."""

    names: tuple[str, ...]
    first: int
    noun: str

    def question(self, sentence: Sentence, indices: Sequence[int]) -> str:
        """«С лидерами каких стран», «с лидером какой страны»."""
        before = lower_first(sentence, list(indices), render(sentence, [i for i in indices if i < self.first]))
        which = GENITIVE[self.noun][len(self.names) > 1]
        return _capital(f"{before} {which}")


GENITIVE = {"страна": ("какой страны", "каких стран"), "город": ("какого города", "каких городов")}


def _listed_places(sentence: Sentence, indices: Sequence[int], forms: dict[int, Form]) -> _Listed | None:
    last = sentence.name_at(indices[-1])
    if last is None or last.kind != "LOC":
        return None
    head = sentence.tokens[last.head]
    first = sentence.name_at(head.head) if head.rel == "conj" else last
    if first is None or first.kind != "LOC":
        return None
    start = sentence.tokens[first.head]
    names = [
        n
        for n in sentence.names
        if n is first or sentence.tokens[n.head].rel == "conj" and sentence.tokens[n.head].head == first.head
    ]
    inside = [i for i in indices if i >= first.first]
    covered = {i for n in names for i in range(n.first, n.last + 1)}
    if start.rel != "nmod" or start.feats.get("Case") != "Gen" or start.head not in indices or start.head >= first.first:
        return None
    if any(sentence.tokens[c].rel == "case" for c in sentence.children[first.head]) or first.first <= indices[0]:
        return None
    if any(i not in covered and sentence.tokens[i].text not in (",", "и") for i in inside):
        return None
    nouns = {place_noun(forms[n.start].text) for n in names}
    noun = nouns.pop() if len(nouns) == 1 else None
    return _Listed(tuple(forms[n.start].text for n in names), first.first, noun) if noun else None


def _plain_head(sentence: Sentence, root: int, verb: Token) -> Head | None:
    """A common noun with a name in its phrase: it stands in a question word for word, but is not asked for."""
    token = sentence.tokens[root]
    indices = block(sentence, root)
    if token.pos != "NOUN" or sentence.name_at(root) is not None or not indices or len(indices) > 12:
        return None
    tokens = [sentence.tokens[i] for i in indices]
    if any(
        t.pos in ("PRON", "DET", "VERB") or {folded(t), fold(t.text)} & words("anaphora") or t.text in (",", ":", "—", "–")
        for t in tokens
    ):
        return None
    if not any(sentence.name_at(i) is not None or sentence.tokens[i].text == "«" for i in indices):
        return None
    text = lower_first(sentence, indices, render(sentence, indices))
    number = (
        "plur"
        if verb.feats.get("Number") == "Plur"
        else FORM_OF.get(verb.feats.get("Gender", token.feats.get("Gender", "")), "masc")
    )
    return Head(text, "OTHER", text, number, None, None, number, True)


def _head(sentence: Sentence, root: int, forms: dict[int, Form]) -> Head | None:
    name = name_of(sentence, root)
    token = sentence.tokens[root]
    if token.feats.get("Case", "Nom") != "Nom":
        return None
    if name is not None and name.kind == "PER":
        form = forms[name.start]
        if not is_full(form.text) or sentence.tokens[name.head].feats.get("Case", "Nom") != "Nom":
            return None
        gender = sentence.tokens[name.head].feats.get("Gender", token.feats.get("Gender", "Masc"))
        return Head(form.text, "PER", form.text, FORM_OF.get(gender, "masc"), "Кто", "Кто", "masc", form.sure)
    if name is not None and name.kind == "LOC" and name.head == root:
        text = forms[name.start].text
        if place_noun(text) != "страна":
            return None
        number = "plur" if token.feats.get("Number") == "Plur" else FORM_OF.get(token.feats.get("Gender", ""), "femn")
        return Head(text, "LOC", text, number, "Какая страна", "Какие страны", "femn", True)
    noun = token if folded(token) in CLASS_NOUNS and token.feats.get("Number") == "Sing" else None
    if noun is None or sentence.name_at(root) is not None:
        return None
    span = quoted(sentence, root)
    title = render(sentence, range(span[0], span[1] + 1)) if span else (forms[name.start].text if name is not None else None)
    if title is None:
        return None
    form = FORM_OF.get(noun.feats.get("Gender", ""), "masc")
    lemma = noun.lemma
    said = f"{lemma} «{title}»" if span else f"{lemma} {title}"
    return Head(
        title,
        "WORK" if fold(lemma) in words("work_nouns") else "ORG",
        said,
        form,
        _which(noun, "Nom", "Sing", ""),
        _which(noun, "Nom", "Plur", ""),
        form,
        True,
    )


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
    year = _year(b)
    if year:
        yield _argument(clause, b, (year, "YEAR"), "В каком году")
        return
    if DATE.fullmatch(b.text):
        yield _argument(clause, b, (b.text, "DATE"), "Когда")
        return
    if root.pos == "NOUN" and any(sentence.tokens[i].text[:1].isdigit() for i in b.indices):
        ask = _how_many(sentence, b)
        if ask is not None:
            yield _argument(clause, b, (_value(sentence, b), "NUMBER"), ask)
        return
    roots = [b.root] + [c for c in sentence.children[b.root] if sentence.tokens[c].rel == "conj" and c in b.indices]
    nodes = [_node(sentence, i, forms, b) for i in roots]
    if not all(nodes):
        listed = _listed_places(sentence, b.indices, forms)
        if listed is not None:
            ask = listed.question(sentence, b.indices)
            for name in listed.names:
                yield _argument(clause, b, (name, "LOC"), ask, ask if len(listed.names) > 1 else None, len(listed.names))
        return
    if nodes:
        ask = _ask(sentence, b, nodes[0], len(nodes)) if len({node[1:] for node in nodes if node}) == 1 else None
        many = ask if len(nodes) > 1 else _ask(sentence, b, nodes[0], 2)
        for node in nodes:
            if node is not None:
                yield _argument(clause, b, node[:2], ask, many, len(nodes))


def _plain(clause: Clause, b: Block) -> Iterator[Argument]:
    if b.rel == "ccomp":
        yield _argument(clause, b, (b.text.removeprefix("что "), "OTHER"), None)
        return
    text = nominative(clause.sentence, b.root, [i for i in b.indices if clause.sentence.tokens[i].rel != "case" or i > b.root])
    yield _argument(clause, b, (text or b.text, "OTHER"), None)


def _argument(
    clause: Clause, b: Block, node: tuple[str, str], ask: str | None, many: str | None = None, number: int = 1
) -> Argument:
    sentence = clause.sentence
    relation = [sentence.tokens[clause.verb].lemma]
    if b.rel != "obj":
        relation += [other.text for other in clause.blocks if other.rel in ("obj", "xcomp") and other.root != b.root]
    preposition = _preposition(sentence, b)
    others = [i for other in clause.blocks for i in other.indices]
    weight = sum(sentence.tokens[i].pos in ("NOUN", "PROPN", "ADJ", "NUM") for i in others)
    if node[1] in ("YEAR", "DATE"):
        relation.append("год" if node[1] == "YEAR" else "день")
    elif preposition:
        relation.append(preposition)
    return Argument(b.root, node[0], node[1], " ".join(relation), b.text, ask, many, number, weight)


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
    _, kind, noun = node
    root = sentence.tokens[b.root]
    case = root.feats.get("Case", "")
    preposition = _preposition(sentence, b)
    if kind == "PER":
        return _capital(f"{preposition} {WHOM[case]}") if case in WHOM and (case != "Nom") else None
    if kind == "LOC" and not noun:
        return WHERE.get((preposition, case))
    if not noun or case not in CASES or case == "Nom":
        return None
    plural = "Plur" if number > 1 else "Sing"
    lemma_token = Token(0, noun, 0, 0, noun, "NOUN", "", -1, {"Gender": _gender(noun)})
    return _which(lemma_token, case, plural, preposition)


def _gender(noun: str) -> str:
    from dragon_pipeline.languages.ru.morphology import analyses

    tag = next((a.tag for a in analyses(noun) if a.tag.POS == "NOUN" and "nomn" in a.tag), None)
    return {"masc": "Masc", "femn": "Fem", "neut": "Neut"}.get(tag.gender if tag else "masc", "Masc")


def _which(noun: Token, case: str, number: str, preposition: str) -> str | None:
    """«Какая компания», «в каком городе», «с каким банком»."""
    grammeme, many = CASES[case], number == "Plur"
    gender = GENDERS.get(noun.feats.get("Gender", ""), "masc")
    said = inflect(noun.lemma, grammeme, "plur" if many else "sing", pos=("NOUN",), prefer=("nomn", "sing", gender))
    wanted = (grammeme, "plur") if many else (grammeme, gender, "sing")
    if grammeme == "accs" and (many or gender == "masc"):
        wanted = (*wanted, "inan")
    which = inflect("какой", *wanted, pos=("ADJF", "NPRO"))
    if said is None or which is None:
        return None
    if preposition in ("во", "со", "ко", "об"):
        preposition = {"во": "в", "со": "с", "ко": "к", "об": "о"}[preposition]
    return _capital(f"{preposition} {which} {said}")


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
    """«Сколько автомобилей», «На сколько процентов»; only for «<number> <noun> …» with nothing but the count before the noun."""
    tokens = [sentence.tokens[i] for i in b.indices]
    preposition = _preposition(sentence, b)
    rest = tokens[len(preposition.split()) :]
    if preposition not in ("", "на", "за") or not rest or not rest[0].text[:1].isdigit():
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
    return {"": "Сколько", "на": "На сколько", "за": "За сколько"}[preposition] + " " + plural.lower()


def _capital(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:]
