import re

import Levenshtein
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.screening.presence import KEPT_WORDS, Presence, Text, fold, numbers, presence
from dragon_pipeline.languages.ru.lemmas import lemmas

TEXTS = st.text(alphabet="абвЁе 1-", max_size=24)
SIGNS = st.sampled_from([*"абвгде", "ё", "Ё", "Ж", " ", " ", " ", "1", "0", "-", "«", ".", "🙂", "İ", "ß", "\n", "x"])
WILD = st.text(SIGNS, max_size=40)
LONG = st.lists(st.text("абвё", min_size=1, max_size=4), min_size=KEPT_WORDS - 2, max_size=KEPT_WORDS + 25).map(" ".join)


def pieces(text: str) -> list[str]:
    """Every substring that begins and ends at a word boundary."""
    words = [match.span() for match in re.finditer(r"\w+", text)]
    return [text[start:stop] for start, _ in words for _, stop in words if start < stop]


def one_by_one(name: str, text: str) -> float:
    """A call of the library for each piece."""
    name, text = fold(name), fold(text)
    scaled = (1 - Levenshtein.distance(name, piece) / max(len(name), len(piece)) for piece in pieces(text) if name)
    return max(scaled, default=0.0)


def plain(name: str, text: str) -> float:
    """No library: the textbook's table of distances."""
    name, text = fold(name), fold(text)
    return max((1 - table(name, piece) / max(len(name), len(piece)) for piece in pieces(text) if name), default=0.0)


def table(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for place, sign in enumerate(one, 1):
        above, row = row, [place]
        for column, with_ in enumerate(other, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (sign != with_)))
    return row[-1]


@given(WILD, WILD)
def test_presence_is_that_of_the_closest_piece_of_whole_words(name, text):
    assert presence(name, text) == one_by_one(name, text) == plain(name, text)


@given(WILD, LONG)
def test_a_long_text_is_searched_as_exactly_as_a_short_one(name, text):
    assert presence(name, text) == one_by_one(name, text)


@given(WILD, st.lists(st.one_of(WILD, LONG), min_size=1, max_size=6))
def test_a_text_kept_for_many_names_answers_as_a_fresh_one(text, names):
    kept = Text(text)
    assert [kept.closeness(fold(name)) for name in names] == [presence(name, text) for name in names]


@given(WILD, WILD, st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]))
def test_a_floor_only_hides_what_is_below_it(name, text, floor):
    assert Text(text).closeness(fold(name), floor) == max(floor, presence(name, text))


@given(TEXTS, TEXTS, TEXTS)
def test_a_name_that_stands_in_the_text_is_fully_present(before, name, after):
    expected = 1.0 if re.search(r"\w", name) else 0.0
    assert presence(name, f"{before} {name} {after}") == expected


@given(TEXTS, TEXTS, TEXTS)
def test_more_text_never_makes_a_name_less_present(name, text, more):
    assert presence(name, f"{text} {more}") >= presence(name, text)


@settings(deadline=None)  # the dictionary loads at the first call
@given(WILD, WILD)
def test_lemmas_can_only_make_a_name_more_present(name, text):
    joined = [" ".join(lemmas(part)) for part in (name, text)]
    expected = max(presence(name, text), presence(*joined)) if set(numbers(name)) <= set(numbers(text)) else 0
    assert Presence(lemmas).of(name, text) == expected


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


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("2019", "В 2018 году"),
        ("007", "Агент 7"),
        ("Формула 1", "Гонки Формулы 2"),
        ("1,4 млрд рублей", "потратил 1,5 млрд рублей"),
        ("4 миллиона рублей", "потратил 1,4 миллиона рублей"),
        ("12 марта 2024 года", "13 марта 2024 года"),
        ("10 000 человек", "10 500 человек"),
    ],
)
def test_another_number_is_not_nearly_the_same(name, text):
    assert Presence(lemmas).of(name, text) == 0


@pytest.mark.parametrize(
    ("name", "text"), [("2018", "16.03.2018"), ("1.4 млрд", "около 1,4 млрд"), ("5", "Цены выросли на 5%.")]
)
def test_the_same_number_is_present_however_it_is_written(name, text):
    assert Presence(lemmas).of(name, text) == 1


def test_a_short_name_inside_a_longer_word_is_not_present():
    assert Presence(lemmas).of("Ли", "Какой политик выступил в парламенте?") < 0.8
