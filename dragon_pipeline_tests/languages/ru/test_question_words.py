import pytest

from dragon_pipeline.languages.ru.parsing import Token
from dragon_pipeline.languages.ru.question_words import GENITIVE, WHOM, capital, which


def noun(lemma: str, gender: str) -> Token:
    return Token(0, lemma, 0, len(lemma), lemma, "NOUN", "", -1, {"Gender": gender})


@pytest.mark.parametrize(
    ("lemma", "gender", "case", "number", "preposition", "said"),
    [
        ("компания", "Fem", "Nom", "Sing", "", "Какая компания"),
        ("компания", "Fem", "Acc", "Sing", "", "Какую компанию"),
        ("компания", "Fem", "Dat", "Sing", "", "Какой компании"),
        ("компания", "Fem", "Nom", "Plur", "", "Какие компании"),
        ("город", "Masc", "Loc", "Sing", "в", "В каком городе"),
        ("город", "Masc", "Loc", "Plur", "в", "В каких городах"),
        ("завод", "Masc", "Acc", "Sing", "", "Какой завод"),
        ("банк", "Masc", "Ins", "Sing", "с", "С каким банком"),
        ("издательство", "Neut", "Nom", "Sing", "", "Какое издательство"),
        ("страна", "Fem", "Loc", "Sing", "во", "В какой стране"),
        ("клуб", "Masc", "Ins", "Sing", "со", "С каким клубом"),
        ("фильм", "Masc", "Loc", "Sing", "об", "О каком фильме"),
    ],
)
def test_a_question_word_agrees_with_its_noun(lemma, gender, case, number, preposition, said):
    assert which(noun(lemma, gender), case, number, preposition) == said


def test_a_noun_without_forms_has_no_question_word():
    assert which(noun("Xbox", "Masc"), "Loc", "Sing", "в") is None


def test_every_case_has_a_word_for_people_and_places():
    assert len(WHOM) == 6
    assert all(one != many for one, many in GENITIVE.values())


@pytest.mark.parametrize(("text", "said"), [(" в каком", "В каком"), ("", ""), ("ёлка МЧС", "Ёлка МЧС")])
def test_only_the_first_letter_becomes_a_capital(text, said):
    assert capital(text) == said
