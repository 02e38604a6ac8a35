from importlib.resources import files

import pytest

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.wordlists import lines, refused, words

NAMES = sorted(
    entry.name.removesuffix(".txt") for entry in (files("dragon_pipeline.languages.ru") / "words").iterdir() if entry.is_file()
)


@pytest.mark.parametrize("name", NAMES)
def test_a_list_holds_words_and_no_comments(name):
    assert words(name) | refused(name)
    assert not any(word.startswith(("#", "- ")) for word in words(name) | refused(name))
    assert all(line == line.strip() for line in lines(name))


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in ("cities", "countries", "common_organisations", "abbreviations")]
)
def test_words_are_written_as_lemmas_are_compared(name):
    """Lower case, ё as е: any other entry would never match."""
    assert {word for word in words(name) | refused(name) if word != fold(word)} == set()


def test_no_word_is_both_taken_and_refused():
    assert {name: words(name) & refused(name) for name in NAMES if words(name) & refused(name)} == {}
