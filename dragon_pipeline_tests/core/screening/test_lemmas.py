from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.screening.lemmas import holds, words_only

WORDS = st.lists(st.sampled_from("абв"), max_size=8)


@given(WORDS, WORDS, WORDS)
def test_what_was_put_in_is_held(before, name, after):
    assert holds(before + name + after, name) == bool(name)


@given(WORDS, WORDS)
def test_what_is_held_stands_in_the_joined_text(text, name):
    assert holds(text, name) == (bool(name) and "".join(name) in "".join(text))


def test_punctuation_is_no_lemma():
    assert words_only(str.split)("Пётр , Королёв ?") == ["петр", "королев"]
