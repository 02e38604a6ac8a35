"""One who does not know which of several candidates is right names them all: in any case, with any separator, or disguised."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline_tests.rag_bench.invented import CITIES
from dragon_pipeline_tests.rag_bench.test_gaming import LATIN, NAMES, value
from rag_bench.measures import ANSWERING

CANDIDATES = {
    "people": NAMES[:360:7],
    "cities": [city for city, _ in CITIES],
    "numbers": [str(number) for number in range(3, 40, 3)],
    "money": [f"{number} 000 рублей" for number in range(11, 40, 3)],
    "dates": [f"{day} {month} 2024 года" for day in (5, 12) for month in ("марта", "апреля", "мая", "июня")],
    "things": ["пожар", "взрыв", "обвал", "ураган", "паводок", "засуха"],
    "posts": ["министр", "губернатор", "директор", "тренер", "президент"],
    "yes and no": ["да", "нет"],
}
CASES = {
    "first word only": str.capitalize,
    "as they are": str,
    "in small letters": str.lower,
    "in capitals": str.upper,
    "with swapped case": str.swapcase,
}


@settings(max_examples=40, deadline=None)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", CANDIDATES)
@given(data=st.data(), separator=st.sampled_from([", ", " ", " и ", "\n", "; ", " или ", " / ", "_", ". "]))
def test_naming_several_candidates_never_pays(kind, case, data, separator):
    """One who does not know which of n is right gets at best what naming one of them gets; by an F1, which weighs what is
    missing against what is wrong, at best twice that."""
    names = data.draw(st.lists(st.sampled_from(CANDIDATES[kind]), min_size=2, max_size=10, unique=True))
    said = CASES[case](separator.join(names))
    won = {noun: sum(value(noun, said, [truth]) for truth in names) for noun in ANSWERING}
    assert won["Exact"] == 0.0
    assert won["Substring"] <= 1 + 1e-9 and won["Set-P"] <= 1 + 1e-9
    assert all(won[noun] <= 2 + 1e-9 for noun in ("Set-F1", "Set-R", "ROUGE-2"))


COMPARED = [("Полярис", "Невский вагон"), ("Анна Белова", "Глеб Котов"), ("Казань", "Нижний Тагил"), ("«Риф»", "«Тихая вода»")]
BOTH = {
    "both": "{0} и {1}",
    "both, without a word": "{0} {1}",
    "the question": "Что было раньше: {0} или {1}?",
    "a hedge": "{0} или {1}, но скорее {0}",
    "a denial": "не {1}, а {0}",
    "a sentence": "{0} основан раньше, чем {1}",
    "twice": "{0}, {1}, {0}, {1}",
    "a list": "1. {0}\n2. {1}",
    "with bars": "{0}|{1}",
}


@pytest.mark.parametrize("case", [*CASES.values(), lambda said: said.translate(LATIN)])
@pytest.mark.parametrize("pair", COMPARED)
@pytest.mark.parametrize("trick", BOTH)
def test_naming_both_that_a_comparison_compares_is_worth_no_more_than_one_of_them_at_random(trick, pair, case):
    question = "Что было раньше: {} или {}?".format(*pair)
    for first, second in (pair, pair[::-1]):
        said = case(BOTH[trick].format(first, second))
        won = {noun: sum(value(noun, said, [truth], question) for truth in pair) for noun in ANSWERING}
        assert won["Exact"] == 0.0
        assert all(won[noun] <= 1 + 1e-9 for noun in ("Substring", "Set-P", "Set-R", "Set-F1"))
        assert all(won[noun] <= 4 / 3 + 0.1 for noun in ("ROUGE-1", "ROUGE-2", "ROUGE-L")), "the field's own formula"


@settings(max_examples=100, deadline=None)
@pytest.mark.parametrize("kind", CANDIDATES)
@given(data=st.data(), separator=st.sampled_from([", ", " ", " или ", "\n", "|"]))
def test_nor_does_writing_one_as_the_answer_and_the_others_as_prose(kind, data, separator):
    names = data.draw(st.lists(st.sampled_from(CANDIDATES[kind]), min_size=2, max_size=6, unique=True))
    cases = data.draw(st.lists(st.sampled_from(list(CASES.values())), min_size=len(names), max_size=len(names)))
    said = separator.join(case(name) for case, name in zip(cases, names, strict=True))
    for noun in ("Substring", "Set-P"):
        assert sum(value(noun, said, [truth]) for truth in names) <= 1 + 1e-9
