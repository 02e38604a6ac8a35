import pytest

from dragon_pipeline.languages.ru.gazetteer import place_noun


@pytest.mark.parametrize(
    ("name", "noun"),
    [("Франция", "страна"), ("КАЗАНЬ", "город"), ("Великий Новгород", "город"), ("ГЕТЕБОРГ", "город"),
     ("Гётеборг", "город"), ("Полярис", None), ("", None), ("Франции", None)],
)  # fmt: skip
def test_a_place_of_the_lists_has_its_noun(name, noun):
    assert place_noun(name) == noun
