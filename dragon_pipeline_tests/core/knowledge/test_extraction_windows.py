"""Long articles: parts that fit the model's window, and instructions that are never cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.knowledge.extraction import pack
from dragon_pipeline.core.language_model import ModelRequest
from dragon_pipeline.languages.ru.parsing import sentences
from dragon_pipeline_tests.core.knowledge.extracting import PROMPT, TEXT, Told, data, make, outcomes, run, says, triplet


def long(count: int, words: int = 12) -> str:
    return " ".join(f"Компания «Полярис {n}» купила {'новый ' * words}завод." for n in range(1, count + 1))


def shown(model: Told) -> list[list[str]]:
    return [[line.partition("] ")[2] for line in data(request)["sentences"].split("\n")] for request in model.asked]


def test_a_long_article_is_asked_about_in_even_parts_with_the_sentence_before(article):
    model = Told(says())
    text = long(41)
    run(model, article(text))
    assert [len(part) for part in shown(model)] == [14, 14, 13]
    assert [sentence for part in shown(model) for sentence in part] == [text[a:b] for a, b in sentences(text)]
    assert [data(request)["before"] for request in model.asked] == ["", shown(model)[0][-1], shown(model)[1][-1]]
    assert model.counted == 0  # bytes were enough to know that it fits


def test_a_number_counts_within_its_part(article):
    text = long(30)
    frame = run(Told(says(triplet(2, "Полярис", "купить", "новый завод", "ORG OTHER"))), article(text))
    assert [text[row["start"] : row["stop"]].split("»")[0] for row in frame.filter(status="kept").to_dicts()] == [
        "Компания «Полярис 2", "Компания «Полярис 17",
    ]  # fmt: skip


def tokens(model: FakeLanguageModel, request: ModelRequest) -> int:
    return sum(model.count([message.content for message in request.messages])) + 16 * len(request.messages)


@pytest.mark.parametrize("window", [6_000, 8_192, 16_384, 32_768])
def test_prompt_and_reply_fit_the_window(article, window: int):
    model = Told(says(), window)
    text = long(60, words=60)
    run(model, article(text, title="Очень длинный заголовок " * 100))
    assert max(tokens(model, request) for request in model.asked) + model.reply_tokens <= window
    assert [sentence for part in shown(model) for sentence in part] == [text[a:b] for a, b in sentences(text)]


@pytest.mark.parametrize("title", ["Заголовок", "Очень длинный заголовок " * 100])
@pytest.mark.parametrize("window", range(11_400, 12_600, 100))
def test_every_token_of_a_tokenizer_that_knows_no_russian_is_counted(article, window: int, title: str):
    """A token a byte: nothing is left over that could hide what was not counted."""
    model = FakeLanguageModel("extractor", says(), window=window, reply_tokens=1024)
    list(make(model).extract([article(long(40, words=20), title=title)], {}))
    assert len(model.asked) > 3
    assert max(tokens(model, request) for request in model.asked) + 1024 <= window


@pytest.mark.parametrize("window", [6_000, 131_072])
def test_instructions_are_the_same_for_every_article(article, window: int):
    """Fault 9 of the reference: prompts outgrew the window and the instructions were cut."""
    model = Told(says(), window)
    run(model, article(TEXT), article(long(60, words=60), "a2"))
    assert len(model.asked) > 3
    assert {request.messages[:-1] for request in model.asked} == {PROMPT.opening}


def test_a_window_too_small_for_the_instructions_says_what_is_needed(article):
    with pytest.raises(BadInput, match=r"extractor told.*2048 tokens.*prompt extractor.*models\.extractor"):
        run(Told(says(), window=2048), article(TEXT))


def test_a_sentence_longer_than_the_window_fails_alone(article):
    model = Told(says(triplet(1, "Полярис", "купить", "Маяк")), window=5_200)
    endless = f"Компания «Вектор» купила {'новый ' * 490}завод."
    text = f"{TEXT} {endless} Компания «Полярис» купила завод «Маяк»."
    frame = run(model, article(text))
    assert outcomes(frame) == [("failed", "sentence_too_long"), ("kept", None), ("kept", None)]
    (row,) = frame.filter(status="failed").to_dicts()
    assert text[row["start"] : row["stop"]] == endless
    assert [len(part) for part in shown(model)] == [3, 1]


def test_a_sentence_of_100_000_characters_is_never_sent(article):
    model = Told(says())
    frame = run(model, article("Слово " * 17_000 + "конец. " + TEXT))
    assert outcomes(frame) == [("failed", "sentence_too_long")]
    assert sum(len(message.content) for message in model.asked[0].messages) < 20_000


@given(st.lists(st.integers(1, 60), max_size=30), st.integers(1, 9), st.integers(20, 200))
def test_parts_hold_every_sentence_that_fits_once_and_in_order(tokens: list[int], most: int, space: int):
    fits = [size < space for size in tokens]
    runs = pack(tokens, fits, space, most)
    assert [i for first, stop in runs for i in range(first, stop)] == [i for i, fit in enumerate(fits) if fit]
    assert all(stop - first <= most and sum(tokens[first:stop]) <= space for first, stop in runs)
