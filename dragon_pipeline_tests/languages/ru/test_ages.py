"""How old somebody is said to be."""

import pytest

from dragon_pipeline.languages.ru.ages import aged
from dragon_pipeline.languages.ru.entities import resolve
from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.quantities import quantity


def told(text):
    parsed = parse(text)
    forms = resolve(parsed)
    return [(age, who.text, title) for sentence in parsed.sentences for age, who, title in aged(sentence, forms)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Победу одержал 27-летний лыжник Олег Громов.", [("27-летний", "Олег Громов", "лыжник")]),
        ("На турнире выступит 18-летний Олег Громов из Тулы.", [("18-летний", "Олег Громов", "")]),
        ("Погибла 20-летняя дочь Анны Полина.", []),
        ("Завод отметил 20-летний юбилей.", []),
    ],
)
def test_an_age_is_somebody_s(text, found):
    assert told(text) == found


def test_ages_compare_only_when_they_are_years_apart():
    young, older, old = (quantity("NUMBER", text) for text in ("27-летний", "30-летняя", "47-летнего"))
    assert young.high >= older.low
    assert young.high < old.low
    assert quantity("NUMBER", "47-й") is None
