"""Who or what a value is said of."""

import pytest

from dragon_pipeline.languages.ru.entities import resolve
from dragon_pipeline.languages.ru.named import named
from dragon_pipeline.languages.ru.parsing import parse


def of(text: str, word: str):
    parsed = parse(text)
    (sentence,) = parsed.sentences
    (token,) = [token for token in sentence.tokens if token.text == word]
    return named(sentence, token.i, resolve(parsed))


@pytest.mark.parametrize(
    ("text", "word", "said", "kind", "noun", "gender"),
    [
        ("Скрипачка Анна Ковалёва родилась в Твери.", "Анна", "Анна Ковалёва", "PER", "", "femn"),
        ("Художник Михаил Горенович родился в Твери.", "Михаил", "Михаил Горенович", "PER", "", "masc"),
        ("На заводе «Маяк» прошёл праздник.", "заводе", "завод «Маяк»", "ORG", "завод", "masc"),
        ("Компанию «Полярис» основали в Твери.", "Компанию", "компания «Полярис»", "ORG", "компания", "femn"),
        ("В романе «Маяк» пять глав.", "романе", "роман «Маяк»", "WORK", "роман", "masc"),
        ("Франция вступила в союз.", "Франция", "Франция", "LOC", "страна", "femn"),
    ],
)
def test_a_name_stands_in_the_nominative_with_its_class_noun(text, word, said, kind, noun, gender):
    found = of(text, word)
    assert found is not None
    assert (found.said, found.kind, found.noun, found.gender) == (said, kind, noun, gender)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ковалёва родилась в Твери.", "Ковалёва"),
        ("Борис Львович родился в Твери.", "Борис"),
        ("Выступили Олег Дымов и Анна Ковалёва.", "Олег"),
        ("Компания открыла завод в Твери.", "Компания"),
        ("Заводы «Маяк» и «Вымпел» закрыли.", "Заводы"),
    ],
)
def test_what_has_no_name_of_its_own_or_is_several_is_nobody(text, word):
    assert of(text, word) is None
