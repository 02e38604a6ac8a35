"""Values with a named subject, by patterns of their own: births, deaths, foundings, sentences of a court, capacities.

Where a clause states them too (see clauses.py), the triplet is the same one, and what is found here is its plainest wording.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from dragon_pipeline.languages.ru.ages import aged
from dragon_pipeline.languages.ru.dates import IN_MONTH, MONTHS
from dragon_pipeline.languages.ru.entities import Form
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import inflect
from dragon_pipeline.languages.ru.named import Named, named
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import folded, render
from dragon_pipeline.languages.ru.statements import is_hearsay
from dragon_pipeline.languages.ru.wordlists import lines, words

VIOLENCE = ("убить", "казнить", "расстрелять")
BIRTH, DEATH, ORIGIN = "рождение", "смерть", "появление"
TERM, ROOM, AGE = "срок наказания", "вместимость", "возраст"
BY_ITSELF = ("появиться", "выйти")
"""What appears or comes out does so itself; anything else is made by somebody."""
RELEASED = ("выйти", "опубликовать", "издать")
"""What happens to a work alone: a ship that came out in 1940 was older."""
LIFE = range(30, 106)
"""Years between birth and death; shorter spans in brackets are of wars and offices."""

_DATE = re.compile(
    rf"\b(?P<date>(?P<day>\d{{1,2}}) (?:{'|'.join(MONTHS)}) (?P<y1>\d{{4}})(?:-го)?(?: года|(?= г\.)|\b))"
    rf"|\bв (?:{'|'.join(IN_MONTH)}) (?P<y2>\d{{4}})(?:-го)? ?(?:года|г\.)"
    r"|\bв (?P<y3>\d{4})(?:-м)?(?: году| г\.|(?=[ ,.;)]))"
)  # fmt: skip
_BRACKETS = re.compile(r"\s?\((\d{4})\s?[–—-]\s?(\d{4})\)")
_TOLD = re.compile(r"\s?\((?P<verb>родил(?:ся|ась)|умер(?:ла)?|скончал(?:ся|ась)|погиб(?:ла)?) (?P<rest>[^()]{4,40})\)")
_OF_BIRTH = re.compile(r"(?:,? \(?(?P<year>\d{4}) (?:года рождения|г\. ?р\.)| \((?:род|р)\. (?P<born>\d{4})\))")
_NOT_SAID = frozenset(("не", "ни", "бы", "якобы", "будто", "если", "ли", "чуть", "едва"))
_UNSURE = frozenset(("около", "до", "после", "к", "с", "от", "по", "примерно", "между", "на", "за", "предположительно", "или"))
_BOUNDS = frozenset(("почти", "более", "свыше", "менее", "около", "до", "порядка", "примерно", "лишь"))
_SEATED = ("зритель", "человек", "болельщик", "пассажир", "тысяча", "тыс")
_SAID = r"(?:\d+|[а-яё]+)(?: с половиной)?"
_TERM = re.compile(
    rf"\b(?:к (?P<term>{_SAID} (?:годам|месяцам))|на (?P<on>{_SAID} (?:лет|года|месяцев)))\b(?P<after>[^.,;]{{0,60}})"
)


@dataclass(frozen=True)
class Measure:
    """A value of somebody or something."""

    head: Named
    tail: str
    """as it stands in the sentence"""
    tail_kind: str
    relation: str
    compared: str
    """the relation under which it compares, one of those above"""
    verbs: dict[str, str]
    """what happened, by gender of the subject: «был основан»; empty where the value is only compared"""
    said: str
    """the value behind that verb: «в 2004 году»"""
    title: str = ""
    """what the same words call a person"""


def measures(sentence: Sentence, forms: dict[int, Form], spoken: bool) -> Iterator[Measure]:
    """Every value that the sentence states of a subject that it names.

    Args:
        spoken: the sentence stands inside a quotation.
    """
    if spoken or "?" in sentence.text or sentence.tokens[0].text in ("—", "–", "-"):
        return
    yield from _lives(sentence, forms)
    for age, who, title in aged(sentence, forms):
        yield Measure(who, age, "NUMBER", "возраст", AGE, {}, "", title)
    for token in sentence.tokens:
        if event := events().get(folded(token)) if token.pos in ("VERB", "ADJ") else None:
            yield from _events(sentence, token, event, forms)
        elif folded(token) in ("приговорить", "осудить"):
            yield from _terms(sentence, token, forms)
        elif folded(token) == "вмещать" and token.feats.get("VerbForm") in ("Fin", "Part"):
            yield from _rooms(sentence, token, forms)


def _lives(sentence: Sentence, forms: dict[int, Form]) -> Iterator[Measure]:
    """«Василий Капнист (1758–1823)», «Александр Петухов 1967 года рождения»."""
    for name in sentence.names:
        if name.kind != "PER":
            continue
        behind = sentence.text[name.stop - sentence.start :]
        before = {folded(t) for t in sentence.tokens[max(0, name.first - 6) : name.first]}
        who = named(sentence, name.head, forms)
        if who is None:
            continue
        if told := _TOLD.match(behind):
            yield from _told(sentence, who, name.stop - sentence.start, told)
        if born := _OF_BIRTH.match(behind):
            yield _year(who, born["year"] or born["born"], "родиться", BIRTH)
        span = _BRACKETS.match(behind)
        if span and int(span[2]) - int(span[1]) in LIFE and not before & words("rulers"):
            yield _year(who, span[1], "родиться", BIRTH)
            yield _year(who, span[2], "умереть", DEATH)


def _told(sentence: Sentence, who: Named, at: int, told: re.Match[str]) -> Iterator[Measure]:
    """«Муаммар Каддафи (погиб 20 октября 2011 года)»."""
    lemma = next(verb for verb in ("родиться", "умереть", "скончаться", "погибнуть") if told["verb"].startswith(verb[:4]))
    match = _DATE.match(sentence.text, at + told.start("rest"))
    if match is not None and match.end() >= at + told.end("rest") - 3:
        yield _dated(who, match, lemma, events()[lemma], _past(lemma))


def _year(who: Named, year: str, verb: str, event: str) -> Measure:
    return Measure(who, year, "YEAR", f"{verb} год", event, _past(verb), f"в {year} году")


def _events(sentence: Sentence, verb: Token, event: str, forms: dict[int, Form]) -> Iterator[Measure]:
    """«Сергей Соколов родился в 1953 году», «созданная в 2006 году компания «Полярис»»."""
    found = [match for match in _DATE.finditer(sentence.text) if _depends(sentence, match, verb)]
    subject = _subject(sentence, verb, event)
    if len(found) != 1 or subject is None or not _is_stated(sentence, verb):
        return
    who = named(sentence, subject, forms)
    if who is None or (event == ORIGIN) == (who.kind == "PER"):
        return
    lemma = folded(verb)
    if (who.kind == "LOC" and not who.noun) or (lemma in RELEASED and who.kind != "WORK"):
        return
    passive = (event == ORIGIN and lemma not in BY_ITSELF) or lemma in VIOLENCE
    if verbs := (_passive(lemma) if passive else _past(lemma)):
        yield _dated(who, found[0], lemma, event, verbs)


def _dated(who: Named, match: re.Match[str], lemma: str, event: str, verbs: dict[str, str]) -> Measure:
    name = verbs["masc"].removeprefix("был ") if verbs["masc"].startswith("был ") else lemma
    if year := match["y3"]:
        return Measure(who, year, "YEAR", f"{name} год", event, verbs, f"в {year} году")
    if match["day"]:
        return Measure(who, match["date"], "DATE", f"{name} день", event, verbs, match["date"])
    return Measure(who, match[0], "DATE", f"{name} месяц", event, {}, match[0])


def _depends(sentence: Sentence, match: re.Match[str], verb: Token) -> bool:
    """Whether a date belongs to this verb and is certain: no «до», no «около» before it."""
    start, stop = sentence.start + match.start(), sentence.start + match.end()
    inside = [t for t in sentence.tokens if start <= t.start < stop]
    if not inside:
        return False
    before = fold(sentence.tokens[inside[0].i - 1].text) if inside[0].i else ""
    heads = {t.head for t in inside if not inside[0].i <= t.head <= inside[-1].i}
    return heads == {verb.i} and before not in _UNSURE and abs(inside[0].i - verb.i) <= 12


def _subject(sentence: Sentence, verb: Token, event: str) -> int | None:
    """Of a finite verb its nominative, of an active founder's verb its object, of a participle the noun that it stands with."""
    children = [sentence.tokens[c] for c in sentence.children[verb.i]]
    form, short = verb.feats.get("VerbForm"), verb.feats.get("Variant") == "Short"
    passive = verb.feats.get("Voice") == "Pass"
    if folded(verb) in VIOLENCE and not passive and not short:
        return None  # who killed, not who was killed
    if form == "Fin" or short:
        if form == "Fin" and verb.feats.get("Tense") != "Past":
            return None
        objects = event == ORIGIN and folded(verb) not in BY_ITSELF and not short
        wanted = ("obj",) if objects else ("nsubj", "nsubj:pass")
        found = [t for t in children if t.rel in wanted]
        right = all(t.feats.get("Case", "Nom") == "Nom" for t in found) or objects
        return found[0].i if len(found) == 1 and right else None
    if form != "Part" or verb.rel not in ("amod", "acl") or verb.head < 0:
        return None
    if event == ORIGIN and folded(verb) not in BY_ITSELF and not passive:
        return None  # «основавший компанию»
    noun = sentence.tokens[verb.head]
    if noun.feats.get("Case") != verb.feats.get("Case") or noun.feats.get("Gender") != verb.feats.get(
        "Gender", noun.feats.get("Gender")
    ):
        return None
    stated = [c for c in sentence.children[noun.i] if sentence.tokens[c].rel == "nsubj"]
    if noun.rel == "root" and len(stated) == 1 and any(t.text in ("—", "–") for t in sentence.tokens[stated[0] : noun.i]):
        return stated[0]  # «ICU — группа, созданная в 2006 году»
    person = noun.rel == "appos" and sentence.name_at(noun.i) is None and noun.head >= 0
    return noun.head if person and event != ORIGIN else noun.i


def _is_stated(sentence: Sentence, verb: Token) -> bool:
    finite = verb.feats.get("VerbForm") == "Fin" or verb.feats.get("Variant") == "Short"
    if finite and (verb.rel not in ("root", "conj", "parataxis", "acl:relcl") or _auxiliary(sentence, verb) == "будет"):
        return False  # «принято считать, что …»
    near = {fold(sentence.tokens[c].text) for c in sentence.children[verb.i]}
    conditional = any(fold(t.text) in ("якобы", "будто", "если", "бы", "согласно") for t in sentence.tokens)
    return not near & _NOT_SAID and not conditional and not (finite and is_hearsay(sentence, verb))


def _auxiliary(sentence: Sentence, verb: Token) -> str:
    return next((fold(sentence.tokens[c].text) for c in sentence.children[verb.i] if sentence.tokens[c].rel == "aux:pass"), "")


def _terms(sentence: Sentence, verb: Token, forms: dict[int, Form]) -> Iterator[Measure]:
    """«Юрий Луценко был приговорён к 4 годам», «суд приговорил Ильдара Дадина к трём годам», «осуждён на 12 лет»."""
    found = [m for m in _TERM.finditer(sentence.text) if 0 < sentence.start + m.start() - verb.start < 120]
    active = verb.feats.get("VerbForm") == "Fin"
    if len(found) != 1 or not _is_stated(sentence, verb) or "условн" in found[0]["after"]:
        return
    subject = _condemned(sentence, verb, active)
    who = named(sentence, subject, forms) if subject is not None else None
    if who is not None and who.kind == "PER":
        term, relation = (found[0]["term"], "приговорён к") if found[0]["term"] else (found[0]["on"], "осуждён на")
        yield Measure(who, term, "NUMBER", relation, TERM, {}, "")


def _condemned(sentence: Sentence, verb: Token, active: bool) -> int | None:
    children = [sentence.tokens[c] for c in sentence.children[verb.i]]
    if active:
        found = [t.i for t in children if t.rel == "obj"]
    elif verb.feats.get("Variant") == "Short":
        found = [t.i for t in children if t.rel in ("nsubj", "nsubj:pass")]
    else:
        found = [verb.head] if verb.feats.get("VerbForm") == "Part" and verb.rel in ("amod", "acl") and verb.head >= 0 else []
    return found[0] if len(found) == 1 else None


def _rooms(sentence: Sentence, verb: Token, forms: dict[int, Form]) -> Iterator[Measure]:
    """«Стадион «Волга» вмещает 45 тысяч зрителей», «на стадионе «Волга», вмещающем 45 тысяч зрителей»."""
    children = [sentence.tokens[c] for c in sentence.children[verb.i]]
    subjects = [t.i for t in children if t.rel == "nsubj"] if verb.feats.get("VerbForm") == "Fin" else [verb.head]
    if verb.feats.get("VerbForm") == "Part" and (verb.rel not in ("acl", "amod") or verb.head < 0):
        return
    objects = [
        t for t in children if t.rel == "obj" and folded(t) in ("зритель", "человек", "болельщик", "пассажир", "тысяча", "тыс")
    ]
    who = named(sentence, subjects[0], forms) if len(subjects) == 1 and len(objects) == 1 else None
    if who is None or not _is_stated(sentence, verb):
        return
    inside = [i for i in sentence.subtree(objects[0].i) if sentence.tokens[i].pos != "PUNCT" or sentence.tokens[i].text == "."]
    text = render(sentence, inside).rstrip(" .")
    if re.match(r"\d", text) or fold(text.split()[0]) in _BOUNDS:
        yield Measure(who, text, "NUMBER", "вмещать", ROOM, {}, "")


def _past(lemma: str) -> dict[str, str]:
    made = {gender: inflect(lemma, "past", *_grammemes(gender), pos=("INFN",)) for gender in ("masc", "femn", "neut", "plur")}
    return {gender: form for gender, form in made.items() if form} if all(made.values()) else {}


def _passive(lemma: str) -> dict[str, str]:
    """«был основан», «была основана»."""
    was = {"masc": "был", "femn": "была", "neut": "было", "plur": "были"}
    made = {}
    for gender, auxiliary in was.items():
        form = inflect(lemma, "PRTS", "pssv", "past", *_grammemes(gender), pos=("INFN",))
        if form is None:
            return {}
        made[gender] = f"{auxiliary} {form}"
    return made


def _grammemes(gender: str) -> tuple[str, ...]:
    return ("plur",) if gender == "plur" else (gender, "sing")


@cache
def events() -> dict[str, str]:
    """Lemma of a verb → the relation under which what it says compares."""
    return {fold(this.strip()): that.strip() for this, _, that in (line.partition("=") for line in lines("events"))}
