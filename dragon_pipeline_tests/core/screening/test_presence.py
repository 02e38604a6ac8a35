import re

import Levenshtein
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.screening.presence import Presence, presence
from dragon_pipeline.languages.ru.lemmas import lemmas

TEXTS = st.text(alphabet="абвЁе 1-", max_size=24)


def brute_force(name: str, text: str) -> float:
    """Every substring that begins and ends at a word boundary."""
    name, text = (" ".join(re.findall(r"\w+", part.lower().replace("ё", "е"))) for part in (name, text))
    words = [match.span() for match in re.finditer(r"\w+", text)]
    pieces = [text[start:stop] for start, _ in words for _, stop in words if start < stop]
    return max((1 - Levenshtein.distance(name, piece) / max(len(name), len(piece)) for piece in pieces if name), default=0.0)


@given(TEXTS, TEXTS)
def test_presence_is_that_of_the_closest_piece_of_whole_words(name, text):
    assert presence(name, text) == pytest.approx(brute_force(name, text))


@given(TEXTS, TEXTS, TEXTS)
def test_a_name_that_stands_in_the_text_is_fully_present(before, name, after):
    expected = 1.0 if re.search(r"\w", name) else 0.0
    assert presence(name, f"{before} {name} {after}") == expected


@given(TEXTS, TEXTS, TEXTS)
def test_more_text_never_makes_a_name_less_present(name, text, more):
    assert presence(name, f"{text} {more}") >= presence(name, text) - 1e-12


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Нижний Новгород", "Кто открыл завод в Нижнем Новгороде?"),
        ("Анна Белова", "Кого Анной Беловой назвали?"),
        ("Пётр Королёв", "Где выступал Петр Королев?"),
        ("Санкт-Петербург", "Что построили в Санкт-Петербурге?"),
    ],
)
def test_an_inflected_name_is_present(name, text):
    assert Presence(lemmas).of(name, text) >= 0.9


@pytest.mark.parametrize(("name", "text"), [("2019", "В 2018 году"), ("007", "Агент 7"), ("Формула 1", "Гонки Формулы 2")])
def test_another_number_is_not_nearly_the_same(name, text):
    assert Presence(lemmas).of(name, text) == 0


def test_a_short_name_inside_a_longer_word_is_not_present():
    assert Presence(lemmas).of("Ли", "Какой политик выступил в парламенте?") < 0.8
