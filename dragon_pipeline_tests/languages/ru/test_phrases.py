import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.parsing import Sentence, Token, parse
from dragon_pipeline.languages.ru.phrases import block, nominative, quoted, render, trim

WORD = st.text("абвгд", min_size=1, max_size=5)
PIECE = st.one_of(WORD, WORD, WORD.map("«{}»".format), WORD.map("{},".format), WORD.map("({})".format))
TEXTS = st.lists(PIECE, min_size=1, max_size=10).map(" ".join)


def flat(text: str) -> Sentence:
    """A sentence of these words without any syntax."""
    tokens = tuple(
        Token(i, m[0], m.start(), m.end(), m[0], "X" if m[0].isalpha() else "PUNCT", "", -1, {})
        for i, m in enumerate(re.finditer(r"\w+|[^\w\s]", text))
    )
    return Sentence(0, len(text), text, tokens, (), tuple(() for _ in tokens))


@given(TEXTS)
def test_all_words_are_said_as_they_are_written(text):
    sentence = flat(text)
    assert render(sentence, range(len(sentence.tokens))) == text


@given(TEXTS, st.data())
def test_any_run_of_words_is_said_as_it_is_written(text, data):
    sentence = flat(text)
    first = data.draw(st.integers(0, len(sentence.tokens) - 1))
    last = data.draw(st.integers(first, len(sentence.tokens) - 1))
    assert render(sentence, range(first, last + 1)) == text[sentence.tokens[first].start : sentence.tokens[last].stop]


@given(TEXTS, st.data())
def test_what_is_left_out_leaves_single_spaces(text, data):
    sentence = flat(text)
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(sentence.tokens))), min_size=1)))
    said = render(sentence, kept)
    assert "  " not in said
    assert said == said.strip()
    assert not re.search(r"\s[,»)]|[«(]\s", said)
    assert re.findall(r"\w|[^\w\s]", said) == [mark for i in kept for mark in sentence.tokens[i].text]


@given(TEXTS)
def test_trimming_leaves_no_loose_mark_at_an_end(text):
    sentence = flat(text)
    said = render(sentence, trim(sentence, list(range(len(sentence.tokens)))))
    assert not said.startswith((",", "»", ")"))
    assert not said.endswith((",", "«", "("))


@pytest.mark.parametrize(
    ("text", "said"),
    [('"Маяк" и завод', '"Маяк" и завод'), ('завод "Маяк"', 'завод "Маяк"'), ('завод "Маяк', 'завод "Маяк'),
     ('завод Маяк"', "завод Маяк"), ("завод „Маяк“,", "завод „Маяк“"), ("— завод «Маяк».", "завод «Маяк»")],
)  # fmt: skip
def test_a_quotation_mark_stays_when_its_partner_does(text, said):
    sentence = flat(text)
    assert render(sentence, trim(sentence, list(range(len(sentence.tokens))))) == said


@pytest.mark.parametrize(
    ("text", "span"),
    [("завод «Большой Маяк» в Казани", "Большой Маяк"), ("завод в «Маяке»", None), ("завод «»", None),
     ("завод «Маяк «Север»", None), ("завод", None)],
)  # fmt: skip
def test_a_title_stands_in_the_quotation_marks_right_behind_its_noun(text, span):
    sentence = flat(text)
    found = quoted(sentence, 0)
    assert (render(sentence, range(found[0], found[1] + 1)) if found else None) == span


@pytest.mark.parametrize(
    ("text", "root", "case", "said"),
    [
        ("Журналисты рассказали о новом автомобильном заводе «Маяк».", "заводе", "nomn", "новый автомобильный завод «Маяк»"),
        ("Журналисты поговорили с главным тренером сборной.", "тренером", "nomn", "главный тренер сборной"),
        ("Журналисты увидели главного тренера сборной.", "тренера", "ablt", "главным тренером сборной"),
        ("Компания выпустила 2139 автомобилей.", "автомобилей", "nomn", "2139 автомобилей"),
        ("Компания открыла новые заводы.", "заводы", "nomn", "новые заводы"),
    ],
)
def test_a_phrase_is_put_into_another_case_with_its_adjectives(text, root, case, said):
    (sentence,) = parse(text).sentences
    (token,) = [token for token in sentence.tokens if token.text == root]
    indices = [i for i in block(sentence, token.i) or () if sentence.tokens[i].rel != "case"]
    assert nominative(sentence, token.i, indices, case) == said


def test_a_phrase_is_said_without_relative_clauses_and_brackets():
    (sentence,) = parse("Компания купила завод «Маяк» (Казань), который строил трактора.").sentences
    (root,) = [token.i for token in sentence.tokens if token.text == "завод"]
    indices = block(sentence, root)
    assert indices
    assert render(sentence, indices) == "завод «Маяк»"
