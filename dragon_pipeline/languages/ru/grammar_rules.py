"""Hard faults of a Russian question: what is wrong whatever a classifier thinks."""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from dragon_pipeline.languages.ru.governance import governance
from dragon_pipeline.languages.ru.morphology import analyses, known

Parse = Any
"""A parse of pymorphy: `.tag` (POS, case, number, gender, …) and `.normal_form`."""

NAMELESS = r"(?<!\w)(?:None|NaN|nan|null|undefined|NULL)(?!\w)|\{|\}|\[|\]|<|>"
_SPACING = r"\s[,?!:;.»)]|[«(]\s|,,|\.\?|,\?|\s{2,}|[а-яё],[а-яё]|\w-\s(?!и\b|или\b)|\s-\w"
NAME = frozenset({"Geox", "Name", "Surn", "Patr", "Orgn"})
_NAME = NAME | {"Apro", "NPRO"}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+|[^\w\s]")


def readable(text: str) -> str:
    """Without halves of surrogate pairs, which pymorphy cannot look up."""
    return text.encode("utf-8", "replace").decode()


def words(question: str) -> list[str]:
    """Words, numbers and signs; what stands in quotes is a title and left out."""
    return _WORD.findall(_without_quotes(question))


def placeholder(question: str) -> str | None:
    found = re.search(NAMELESS, question)
    return f"placeholder: {found.group()}" if found else None


def question_mark(question: str) -> str | None:
    outside = _without_quotes(question)
    if not question.rstrip().endswith("?"):
        return "no_question_mark"
    return "question_marks: several" if outside.count("?") > 1 else None


def capital(question: str) -> str | None:
    first = re.search(r"\w", question)
    return "no_capital" if not first or first.group().islower() else None


def quotes(question: str) -> str | None:
    depth = {"«": 0, "(": 0, "“": 0, "„": 0}
    closing = {"»": "«", ")": "(", "”": "“"}
    for sign in question:
        if sign in "“”" and depth["„"]:  # „these close so“, “these open so”
            depth["„"] -= 1
        elif sign in depth:
            depth[sign] += 1
        elif sign in closing and question.count(closing[sign]):
            depth[closing[sign]] -= 1
        elif sign in "»)":
            return f"unbalanced: {sign}"
        if min(depth.values()) < 0:
            return f"unbalanced: {sign}"
    return "unbalanced: quotes" if any(depth.values()) or question.count('"') % 2 else None


def doubled_word(question: str) -> str | None:
    found = re.search(r"(?<![\w-])([^\W\d_]+)\s+\1(?![\w-])", question, re.IGNORECASE)
    return f"doubled_word: {found.group(1)}" if found else None


def mixed_alphabet(question: str) -> str | None:
    for word in re.findall(r"[^\W\d_]+", question):
        if re.search("[а-яё]", word, re.IGNORECASE) and re.search("[a-z]", word, re.IGNORECASE):
            return f"mixed_alphabet: {word}"
    return None


def spacing(question: str) -> str | None:
    found = re.search(_SPACING, question.strip(), re.IGNORECASE)
    return f"spacing: {found.group()!r}" if found else None


def open_dash(question: str) -> str | None:
    found = re.search(r"^\s*[—–-]|[—–-]\s*\?|[—–]\s*[—–]|--|[—–]\s*,", question)
    return f"open_dash: {found.group().strip()}" if found else None


def preposition_case(words: Sequence[str]) -> str | None:
    """«о Москву», «к какой город»: the words after a preposition have no form of a case that the preposition takes."""
    takes = governance()["prepositions"]
    for place, (word, after) in enumerate(pairwise(words)):
        wanted = takes.get(word.lower())
        idiom = (place and words[place - 1].lower() == "что" and word.lower() == "за") or after.lower() == "тысяча"
        if wanted is None or idiom or not declined(after):
            continue
        forms = [form for form in analyses(after) if case(form) in wanted]
        people = word.lower() in ("в", "во") and any({"anim", "nomn", "plur"} in form.tag for form in analyses(after))
        if not people and not (forms and _goes_on(forms, words[place + 2 : place + 3])):
            return f"preposition_case: {' '.join(words[place : place + 3])}"
    return None


def _goes_on(forms: Sequence[Parse], following: Sequence[str]) -> bool:
    """False only for a question's adjective («какой») before a noun with which it shares none of the forms."""
    if not following or not declined(following[0]) or any("Apro" not in form.tag or form.tag.POS != "ADJF" for form in forms):
        return True
    nouns = analyses(following[0])
    relative = forms[0].normal_form in ("который", "весь", "сам", "такой", "чей")
    if relative or following[0][0].isupper() or any(noun.tag.POS != "NOUN" for noun in nouns):
        return True
    return any(agree(form, noun) for form in forms for noun in nouns)


def agreement(words: Sequence[str]) -> str | None:
    """«какая город», «новым заводу»: an adjective and the noun after it share no case, number and gender."""
    governs, naming = set(governance()["governing_adjectives"]), set(governance()["naming_verbs"])
    for before, (word, after) in zip(["", *words], pairwise(words), strict=False):
        adjectives, nouns = analyses(word), analyses(after)
        if not (declined(word) and declined(after)) or any(form.tag.POS != "ADJF" for form in adjectives):
            continue
        if any(form.tag.POS != "NOUN" for form in nouns) or adjectives[0].normal_form in governs or after[0].isupper():
            continue
        if any(form.normal_form in naming for form in analyses(before)):  # «назвал нулевыми шансы»
            continue
        if before == "в" and any({"neut", "loct"} in form.tag for form in adjectives):  # «в дальнейшем голосование»
            continue
        if before.lower() in {"и", "два", "две", "три", "четыре", "оба", "обе"} or word.lower() == "каким":
            continue
        if not any(agree(left, right) for left in adjectives for right in nouns):
            return f"agreement: {word} {after}"
    return None


def subject_verb(words: Sequence[str]) -> str | None:
    """«Кто возглавила», «Какая компания построил»: the verb does not agree with the asked subject."""
    wanted = _asked_gender(words)
    place = _verb_place(words) if wanted else None
    if wanted is None or place is None:
        return None
    verbs = [form for form in analyses(words[place]) if form.tag.POS == "VERB"]
    if wanted == "masc" and words[0].lower() == "кто" and verbs[0].normal_form in governance()["copulas"]:
        return None
    fits = any(_verb_fits(form, wanted) for form in verbs)
    return None if fits else f"subject_verb: {words[0]} {words[place]}"


def object_case(words: Sequence[str]) -> str | None:
    """«Кто возглавил компания»: the subject is asked, so no other nominative may follow the verb."""
    place = _verb_place(words) if _asked_gender(words) else None
    if place is None or place + 1 >= len(words) or not declined(words[place + 1]):
        return None
    if {case(form) for form in analyses(words[place + 1])} <= {"nomn", "voct"}:
        return f"object_case: {words[place]} {words[place + 1]}"
    return None


def place_case(words: Sequence[str]) -> str | None:
    """«В какой город родился»: where to, of a verb that says where; and «в 2019 год»."""
    lower = [word.lower() for word in words]
    for place in range(len(lower) - 2):
        if lower[place] in ("в", "на") and re.fullmatch(r"\d{4}", lower[place + 1]) and lower[place + 2] in ("год", "года"):
            return f"place_case: {' '.join(words[place : place + 3])}"
    if len(lower) < 4 or lower[0] not in ("в", "на") or lower[1] not in ("какой", "какую", "какое"):
        return None
    nouns = [form for form in analyses(words[2]) if form.normal_form in governance()["places"]]
    moved = nouns and {case(form) for form in nouns} <= {"accs", "nomn", "voct"}
    rests = any(form.normal_form in governance()["resting_verbs"] for form in analyses(words[3]))
    return f"place_case: {' '.join(words[:4])}" if moved and rests else None


def infinitive(words: Sequence[str]) -> str | None:
    """«В каком году компания основать»: an infinitive after its subject, and no finite verb anywhere."""
    finite = {"VERB", "PRTS", "PRED", "ADJS"}
    if any(form.tag.POS in finite for word in words for form in analyses(word)):
        return None
    for word, after in pairwise(words):
        subject = any(form.tag.POS == "NOUN" and case(form) == "nomn" for form in analyses(word))
        if subject and word[0].islower() and all(form.tag.POS == "INFN" for form in analyses(after)):
            return f"infinitive: {word} {after}"
    return None


def company_case(words: Sequence[str]) -> str | None:
    """«С кого встретился»: with whom, of a verb that takes company. No feature of the model, which was trained before it."""
    if [word.lower() for word in words[:2]] not in (["с", "кого"], ["со", "кого"]):
        return None
    company = governance()["company_verbs"]
    met = (word for word in words[2:] if any(form.normal_form in company for form in analyses(word)))
    return next((f"company_case: {words[0]} {words[1]} {word}" for word in met), None)


def soldier_or_military(words: Sequence[str]) -> str | None:
    """«осложнения военного сотрудничество»: an adjective that can be a noun, too, and a noun in the nominative after it."""
    lists = governance()
    for before, (word, after) in zip(["", *words], pairwise(words), strict=False):
        forms, nouns = analyses(word), analyses(after)
        if not (word.islower() and after.islower() and declined(word) and declined(after)) or before.lower() == "в":
            continue
        if {form.tag.POS for form in forms} != {"ADJF", "NOUN"} or any("Apro" in form.tag for form in forms):
            continue
        things = all({"NOUN", "inan"} in form.tag and case(form) in ("nomn", "accs", "voct") for form in nouns)
        subject = any(case(form) == "nomn" or form.normal_form in lists["governing_adjectives"] for form in forms)
        if things and not subject and not any(agree(one, other) for one in forms for other in nouns):
            return f"agreement: {word} {after}"
    return None


FORM_RULES: tuple[Callable[[str], str | None], ...] = (
    placeholder, question_mark, capital, quotes, doubled_word, mixed_alphabet, spacing, open_dash,
)  # fmt: skip
MORPHOLOGY_RULES: tuple[Callable[[Sequence[str]], str | None], ...] = (
    preposition_case, agreement, subject_verb, object_case, place_case, infinitive,
)  # fmt: skip


def declined(word: str) -> bool:
    """A word of the dictionary all of whose parses have a case: only of these a case fault is sure. A capital word counts only
    when all its parses are names: «Тесле» is no form of «тесло»."""
    forms = analyses(word)
    if word[0].isupper() and not all(_NAME & set(form.tag.grammemes) for form in forms):
        return False
    fixed = {"Fixd", "Abbr"}
    return word[0].isalpha() and known(word) and all(form.tag.case and not fixed & set(form.tag.grammemes) for form in forms)


def is_name(word: str) -> bool:
    """The dictionary has it as a name, among what else it can be."""
    return any(NAME & set(form.tag.grammemes) for form in analyses(word))


def case(form: Parse) -> str:
    """The case, with the second genitive, accusative and locative folded into the first."""
    name = str(form.tag.case)
    return {"gen1": "gent", "gen2": "gent", "acc2": "accs", "loc1": "loct", "loc2": "loct"}.get(name, name)


def agree(left: Parse, right: Parse) -> bool:
    if case(left) != case(right) or left.tag.number != right.tag.number:
        return False
    common = bool(not left.tag.gender or not right.tag.gender or {"ms-f", "Ms-f"} & set(right.tag.grammemes))
    return (left.tag.number == "plur" or common or left.tag.gender == right.tag.gender) and _animacy_fits(left, right)


def _animacy_fits(left: Parse, right: Parse) -> bool:
    return case(left) != "accs" or not left.tag.animacy or not right.tag.animacy or left.tag.animacy == right.tag.animacy


def _asked_gender(words: Sequence[str]) -> str | None:
    """Gender of the asked subject where it can only be the subject: «кто», «какая …», «какой» and an animate noun."""
    first = words[0].lower() if words else ""
    if first == "кто":
        return "masc"
    if first == "какая":
        return "femn"
    if first == "какой" and len(words) > 1:
        nouns = analyses(words[1])
        if all({"NOUN", "anim", "masc", "nomn", "sing"} in form.tag for form in nouns if "voct" not in form.tag):
            return "masc"
    return None


def _verb_place(words: Sequence[str]) -> int | None:
    """The first finite verb of the main clause; none when a comma or a dash comes first."""
    for place, word in enumerate(words[1:], 1):
        if word in ",:;—–(":
            return None
        forms = analyses(word)
        if all(form.tag.POS == "VERB" for form in forms):
            return place
        if any(form.tag.POS == "VERB" for form in forms):
            return None
    return None


def _verb_fits(form: Parse, gender: str) -> bool:
    if form.tag.number != "sing":
        return False
    return form.tag.gender in (None, gender) and form.tag.person in (None, "3per")


def _without_quotes(question: str) -> str:
    return re.sub(r"„[^„“”]*[“”]|«[^«»]*»|\"[^\"]*\"|“[^“”]*”", "«»", question)
