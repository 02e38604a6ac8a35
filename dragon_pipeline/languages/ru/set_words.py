"""The question word for a list of names: «Кто», «С кем», «Какие страны», «В каких двух городах», «Какие сенаторы США»."""

from dragon_pipeline.languages.ru.arguments import gender_of
from dragon_pipeline.languages.ru.clause import Unfit
from dragon_pipeline.languages.ru.lists import DASHES, NameList
from dragon_pipeline.languages.ru.morphology import CASES, inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import lower_first, render
from dragon_pipeline.languages.ru.question_words import EUPHONIC, WHOM, capital, which
from dragon_pipeline.languages.ru.standing import is_told, points_outside

OF_PEOPLE = ("", "с", "у", "от", "для", "к", "против", "между", "о", "за", "перед", "вместе с")
OF_CITIES = ("в", "на", "из", "через", "до", "от", "под")
"""Before a city that is a place; elsewhere «Москва и Анкара» are two governments."""


def question_word(sentence: Sentence, listed: NameList) -> str:
    """The word in the list's case, with its preposition.

    Raises:
        Unfit: no word asks for all its members.
    """
    said = " ".join(sentence.tokens[i].text.lower() for i in listed.prepositions)
    preposition = EUPHONIC.get(said, said)
    noun = which_of_whom(sentence, listed)
    if noun:
        return _which_of(sentence, listed, preposition, noun)
    case = sentence.tokens[listed.top].feats.get("Case", "")
    if case not in WHOM:
        raise Unfit("no_case")
    if listed.kind == "PER":
        if preposition not in OF_PEOPLE:
            raise Unfit("no_question_word")
        return capital(f"{preposition} {WHOM[case]}")
    if not listed.noun or (listed.noun == "город" and preposition not in OF_CITIES):
        raise Unfit("no_class_noun")
    token = Token(0, listed.noun, 0, 0, listed.noun, "NOUN", "", -1, {"Gender": gender_of(listed.noun)})
    word = which(token, case, "Plur", preposition)
    if word is None:
        raise Unfit("no_question_word")
    return word


def which_of_whom(sentence: Sentence, listed: NameList) -> list[int]:
    """The tokens of the plural noun that says what all members are, with its own words; empty where there is none to ask by."""
    if not listed.headed:
        return []
    said = [i for i in range(listed.first, listed.members[0].first) if sentence.tokens[i].text not in DASHES]
    several = any(sentence.tokens[i].text.lower() in ("и", ",") for i in said)
    if several and listed.kind == "PER":  # «президенты Чехии и Сербии»: who is which, the names say
        return []
    others = [i for i in said if i != listed.top]
    if any(i > listed.top and sentence.tokens[i].pos == "ADJ" for i in said):  # «страны экологические»
        raise Unfit("noun_is_cut")
    if not said or several or points_outside(sentence, said) or not is_told(sentence, others):
        raise Unfit("noun_points_outside")
    return said


def _which_of(sentence: Sentence, listed: NameList, preposition: str, said: list[int]) -> str:
    top = sentence.tokens[listed.top]
    counted = any(sentence.tokens[c].rel == "nummod:gov" and c in said for c in sentence.children[listed.top])
    case = "nomn" if counted else CASES.get(top.feats.get("Case", ""), "")
    alive = "anim" if top.feats.get("Animacy") == "Anim" else "inan"
    word = inflect("какой", case, "plur", *((alive,) if case == "accs" else ()), pos=("ADJF", "NPRO")) if case else None
    if word is None:
        raise Unfit("no_question_word")
    return capital(f"{preposition} {word} {lower_first(sentence, said, render(sentence, said))}")
