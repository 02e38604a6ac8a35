"""What a Russian question leaves out of what it tells: an act of which nobody says what it was, a statement that says little.

A question is tokens, titles and quotations taken out (see standalone.py).
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import yaml

from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru import grammar_rules
from dragon_pipeline.languages.ru.gazetteer import place_names
from dragon_pipeline.languages.ru.judging import is_question_word
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.standalone import QUOTED, SPEECH, TITLE, TOKEN
from dragon_pipeline.languages.ru.wordlists import words

ABOUT = ("о", "об", "обо", "про", "против", "для", "за", "из-за", "по", "с", "со", "на", "в", "во", "к", "от", "между")
SUBJECT = ("о", "об", "обо", "про", "по", "против", "с", "со", "за", "от", ":", ",")
"""Behind a letter one of these tells what it is about."""
MONTH_BEFORE = ("в", "к", "до", "с", "после")
CONTENT = ("NOUN", "ADJF", "ADJS", "VERB", "INFN", "PRTF", "PRTS", "NUMR", "GRND")
LEAST = 5
"""Words that say something, in a statement or an act that names nothing but what all the news names."""
WITHIN = 6
"""Words behind a comma within which «который» stands."""
LATIN = re.compile(r"[A-Za-z0-9]")


def hollow(case: Case) -> str | None:
    """`unsaid`: «решение Трампа», and nothing says which; `relative_date`, `no_referent`: «весной», «также» in a statement;
    `says_little`: nothing in it that not all the news tell."""
    question = case.qa["question"]
    for speech in map(TOKEN.findall, SPEECH.findall(question)):
        if hint := time_of_its_own(speech) or _little(case, (), [speech[0].lower(), *speech[1:]]):
            return hint
    tokens = TOKEN.findall(TITLE.sub("«Т»", question))
    main, said = _split(tokens)
    return (
        time_of_its_own(said) or untold(tokens) or unsaid(tokens) or compared(tokens) or team(case) or _little(case, main, said)
    )


def _little(case: Case, main: Sequence[str], said: Sequence[str]) -> str | None:
    """Of other types the second fact says more."""
    return says_little(main, said) if case.qa["type"] == "simple" else None


def compared(tokens: Sequence[str]) -> str | None:
    """«на 15% больше мяса»: than when?"""
    folded = [fold(token) for token in tokens]
    for place, word in enumerate(folded):
        if word in ("больше", "меньше") and "%" in folded[max(place - 2, 0) : place] and "чем" not in folded:
            return f"unsaid: {word}"
        if word.startswith("зеркальн") and folded[place + 1 : place + 2] and folded[place + 1].startswith("мер"):
            if not {"ответ", "связи", "из-за", "за"} & set(folded[place + 2 :]):
                return f"unsaid: {folded[place + 1]}"
    return None


def team(case: Case) -> str | None:
    """«молодёжную сборную России»: of what sport? A comparison need not say it."""
    said = [fold(word) for word in TOKEN.findall(case.qa["question"])]
    found = next((word for word in said if "сборная" in _lemmas(word)), None)
    told = any(word.startswith(tuple(_words("sports"))) for word in said)
    return f"unsaid: {found}" if found and not told and case.qa["type"] != "comparison" else None


def untold(tokens: Sequence[str]) -> str | None:
    """«результаты своего исследования»: of what?"""
    for place, token in enumerate(tokens[:-1]):
        if "свой" not in _lemmas(token) or not _lemmas(tokens[place + 1]) & _words("works"):
            continue
        rest = tokens[place + 2 :]
        if not rest or not (rest[0] == QUOTED or rest[0][0].isupper() or fold(rest[0]) in ("о", "об", "по", "про")):
            return f"unsaid: {fold(token)} {fold(tokens[place + 1])}"
    return None


def unsaid(tokens: Sequence[str]) -> str | None:
    """«Кто осудил решение Трампа?»: neither what was decided nor anything else follows but whose it was."""
    for place, token in enumerate(tokens):
        forms = [form for form in analyses(fold(token)) if form.tag.POS == "NOUN"] if token[0].isalpha() else []
        lemma = {fold(form.normal_form) for form in forms[:1]}
        if lemma & _words("contents") and not _tells(tokens[:place]) and not _content_follows(tokens[place + 1 :]):
            return f"unsaid: {fold(token)}"
        if lemma == {"пост"} and tokens[place + 1 :] in ([], ["?"]) and not _tells(tokens[:place]):
            return f"unsaid: {fold(token)}"
        if lemma & _words("letters") and not any(fold(word) in SUBJECT for word in tokens[place + 1 :]):
            return f"unsaid: {fold(token)}"
    return None


def says_little(main: Sequence[str], said: Sequence[str]) -> str | None:
    """«Кто полагает, что Москва разрабатывает новое оружие?»: many do."""
    told = said or main
    if any(_is_particular(token) for token in told[0 if said else 1 :]):
        return None
    content = [token for token in told if _says(token)]
    return f"says_little: {len(content)} words" if len(content) < LEAST else None


def time_of_its_own(said: Sequence[str]) -> str | None:
    """A word that joins the statement to another, or a time that only the day of the article tells."""
    found = next((fold(t) for t in said if fold(t) in _words("joining")), None)
    if found:
        return f"no_referent: {found}"
    if [fold(t) for t in said[:2]] == ["так", ","]:
        return "no_referent: так"
    for place, (token, after) in enumerate(pairwise([*said, ""])):
        dated = any(t[:1].isdigit() for t in said[place + 1 : place + 4])
        month = place and fold(said[place - 1]) in MONTH_BEFORE and _lemmas(token) & _words("months")
        if (fold(token) in _words("times") or month) and not dated:
            return f"relative_date: {fold(token)}"
        if _lemmas(token) & _words("near") and after and _lemmas(after) & _words("spans"):
            return f"relative_date: {fold(token)} {fold(after)}"
    return None


def _split(tokens: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is asked, and what was stated: behind «, что»."""
    for place in range(len(tokens) - 1):
        if tokens[place] == "," and fold(tokens[place + 1]) == "что":
            return list(tokens[:place]), list(tokens[place + 2 :])
    return list(tokens), []


def _content_follows(rest: Sequence[str]) -> bool:
    """Whether more than an owner stands behind the noun."""
    for place, token in enumerate(rest):
        if not token[0].isalpha():
            return (token in (",", ":", QUOTED) and not (place and _relative(rest[place:]))) or token[0].isdigit()
        if _to_whom(rest[place:]):
            continue
        if fold(token) == "вместе":
            return False
        forms = analyses(fold(token))
        if (place == 0 and fold(token) in ABOUT[:7]) or any(form.tag.POS == "INFN" for form in forms):
            return True
        if [fold(word) for word in rest[place : place + 2]] == ["на", "имя"] or _is_predicate(forms):
            return False
        if forms[0].tag.POS in ("VERB", "PREP", "CONJ", "PRTS", "ADJS"):
            return forms[0].tag.POS == "PREP" and fold(token) in ABOUT
        if token[0].isupper() or _lemmas(token) & _words("owners") or _is_somebodys(forms):
            continue
        if forms[0].tag.POS == "NOUN":
            return any(grammar_rules.case(form) == "gent" for form in forms)
    return False


def _relative(rest: Sequence[str]) -> bool:
    """«…, министром которой был Громов»: a clause that tells of the owner, not of the thing."""
    return rest[0] == "," and any(fold(word).startswith("котор") for word in rest[1:WITHIN])


def _to_whom(rest: Sequence[str]) -> bool:
    """«призыв к властям», but not to do what."""
    return fold(rest[0]) in ("к", "ко") and bool(rest[1:]) and bool(_lemmas(rest[1]) & _words("owners"))


def _is_somebodys(forms: Sequence) -> bool:
    """«предложение академика Громова»."""
    return forms[0].tag.POS == "NOUN" and "anim" in forms[0].tag and grammar_rules.case(forms[0]) == "gent"


def _is_predicate(forms: Sequence) -> bool:
    """«назвал предложение Варшавы оторванным от реальности»."""
    return forms[0].tag.POS in ("ADJF", "PRTF") and any(grammar_rules.case(form) == "ablt" for form in forms)


def _tells(said: Sequence[str]) -> bool:
    """«какое решение», «миротворческая инициатива»; «новый», «очередной», «американский» tell nothing."""
    if not said or said[-2:-1] == [","]:
        return False
    before = said[-1]
    if is_question_word(before):
        return True
    forms = analyses(fold(before)) if before[0].isalpha() else ()
    plain = {fold(form.normal_form) for form in forms} & _words("light")
    return bool(forms) and forms[0].tag.POS in ("ADJF", "PRTF") and not plain and not before[0].isupper()


def _is_particular(token: str) -> bool:
    """A figure, a title, a Latin name, or a name that is not in all the news."""
    if fold(token) in _words("common_names"):
        return False
    if token == QUOTED or LATIN.search(token) or any(form.tag.POS == "NUMR" for form in analyses(fold(token))[:1]):
        return True
    if not token[0].isupper():
        return False
    lemmas = _lemmas(token) | {fold(token)}
    return not lemmas & (_words("common_names") | place_words() | words("famous"))


def _says(token: str) -> bool:
    forms = analyses(fold(token)) if token[0].isalpha() else ()
    lemmas = {fold(form.normal_form) for form in forms} | {fold(token)}
    place = token[0].isupper() and lemmas & (place_words() | _words("common_names") | words("famous"))
    if place or not forms or lemmas & (_words("light") | _words("nations")):
        return False
    return forms[0].tag.POS in CONTENT


@cache
def place_words() -> frozenset[str]:
    return frozenset(word for name in place_names() for word in re.split(r"[ -]", name))


def _lemmas(token: str) -> set[str]:
    return {fold(form.normal_form) for form in analyses(fold(token))} if token else set()


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_lists()[name])


@cache
def _lists() -> Mapping[str, list[str]]:
    return yaml.safe_load(Path(__file__).with_name("hollow.yaml").read_text(encoding="utf-8"))
