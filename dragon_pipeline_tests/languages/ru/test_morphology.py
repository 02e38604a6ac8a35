import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.morphology import inflect, known, like

LETTERS = st.text("абвгдежзиклмнопрстёъыь", min_size=1, max_size=8)
WORDS = st.lists(LETTERS, min_size=1, max_size=3).map("-".join)
MODELS = st.lists(
    st.one_of(LETTERS, LETTERS.map(str.title), LETTERS.map(str.upper)), min_size=1, max_size=3
).map("-".join)  # fmt: skip


@given(MODELS, WORDS)
def test_capitals_are_all_that_like_changes(model, word):
    assert like(model, word).lower() == word
    assert like(model, like(model, word)) == like(model, word)


@given(WORDS)
def test_a_word_is_like_itself_with_any_capitals(word):
    assert like(word, word) == word
    assert like(word.title(), word) == word.title()
    if len(word) > 1:
        assert like(word.upper(), word) == word.upper()


@pytest.mark.parametrize(
    ("model", "word", "said"),
    [("Москва", "москве", "Москве"), ("ООН", "оон", "ООН"), ("Салтыков-Щедрин", "салтыкова-щедрина", "Салтыкова-Щедрина"),
     ("Ростов-на-Дону", "ростова-на-дону", "Ростова-на-Дону"), ("Я", "меня", "Меня")],
)  # fmt: skip
def test_capitals_stay_where_they_were(model, word, said):
    assert like(model, word) == said


@pytest.mark.parametrize(
    ("word", "grammemes", "said"),
    [("компания", ("ablt", "sing"), "компанией"), ("Казани", ("nomn", "sing"), "Казань"),
     ("город", ("gent", "plur"), "городов"), ("купила", ("masc", "sing"), "купил"),
     ("какой", ("loct", "femn", "sing"), "какой")],
)  # fmt: skip
def test_a_word_is_put_into_the_wanted_form(word, grammemes, said):
    assert inflect(word, *grammemes) == said


@pytest.mark.parametrize("word", ["2139", "", "—", "covid"])
def test_what_has_no_forms_gives_none_instead_of_a_guess(word):
    assert inflect(word, "gent", "plur") is None


def test_only_the_wanted_part_of_speech_is_inflected():
    assert inflect("стекло", "gent", "sing", pos=("NOUN",)) == "стекла"
    assert inflect("стекло", "femn", "sing", pos=("VERB",)) == "стекла"
    assert inflect("стекло", "gent", "sing", pos=("NUMR",)) is None


def test_homonyms_are_told_apart_by_the_form_that_stands_there():
    assert inflect("Александра", "nomn", "sing", prefer=("gent", "masc", "sing", "Name")) == "Александр"
    assert inflect("Александра", "nomn", "sing", prefer=("nomn", "femn", "sing", "Name")) == "Александра"


def test_words_of_the_dictionary_are_known():
    assert known("Завод")
    assert not known("Бзырдыщ")
