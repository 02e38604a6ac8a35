import dagster as dg
import polars as pl
import pytest

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline.core.screening.model_memory import ModelMemory
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.engines import Screens
from dragon_pipeline.defs.screening import verdicts
from dragon_pipeline.languages.ru import prompts
from dragon_pipeline_tests.core.screening.conftest import make_case, make_fact

TODAY, YESTERDAY = "2025-09-02", "2025-09-01"


def of_day(frame: pl.DataFrame, day: str) -> pl.DataFrame:
    return frame.with_columns(pl.lit(day).alias(DAY))


@pytest.fixture
def asked():
    opened = make_fact(("«Вектор»", "открыть завод в", "Тула"), "«Вектор» открыл завод в Туле.")
    return make_case("simple", "В каком городе «Вектор» открыл завод?", ["Тула"], [opened])


def output(asked, qa: pl.DataFrame, memories=()) -> dg.Output[pl.DataFrame]:
    made = verdicts(
        dg.build_asset_context(partition_key=TODAY),
        qa=qa,
        facts=of_day(FACTS.frame(list(asked.facts)), YESTERDAY),
        articles=of_day(ARTICLES.frame(list(asked.articles)), YESTERDAY),
        mentions=of_day(MENTIONS.frame(list(asked.mentions)), YESTERDAY),
        screens=Screens(memories, None, None),
        settings=Settings(),
    )
    return next(one for one in made if isinstance(one, dg.Output))


def screened(asked, qa: pl.DataFrame) -> pl.DataFrame:
    return output(asked, qa).value


def test_the_questions_of_the_day_are_judged_and_those_before_are_remembered(asked):
    """Of the window's `qa` only the day's own rows get verdicts; what an earlier day wrote is not asked again (ADR 0026)."""
    before = QA.frame([{**asked.qa, "qa_id": "before"}])
    window = pl.concat([of_day(before, YESTERDAY), of_day(QA.frame([asked.qa]), TODAY)])
    found = screened(asked, window)
    assert set(found["qa_id"]) == {asked.qa["qa_id"]}
    assert found.filter(screen="duplicates")["reason"].to_list() == [f"asked_before: {YESTERDAY} before"]
    alone = screened(asked, of_day(QA.frame([asked.qa]), TODAY))
    assert alone.filter(screen="duplicates")["outcome"].to_list() == ["passed"]


@pytest.mark.parametrize(("version", "outcome"), [(1, "passed"), (3, "failed")])
def test_only_facts_of_the_newest_version_of_an_article_are_other_answers(asked, version, outcome):
    """A version before the gold article's is replaced by it; one of another article stands."""
    other = make_fact(("«Вектор»", "открыть завод в", "Омск"), article_id="a0")
    asked.articles[0]["version"] = 2
    url = asked.articles[0]["url"] if version == 1 else "https://gazeta.example/other"
    asked.facts.append(other)
    asked.articles.append({**asked.articles[0], "article_id": "a0", "url": url, "version": version})
    found = screened(asked, of_day(QA.frame([asked.qa]), TODAY))
    assert found.filter(screen="judge_answer_uniqueness")["outcome"].to_list() == [outcome]


def test_a_day_that_asked_nothing_has_no_verdicts(asked):
    assert screened(asked, of_day(QA.frame([asked.qa]), YESTERDAY)).is_empty()


def test_replies_that_cannot_be_read_fail_the_question_and_are_counted(asked):
    memory = ModelMemory(FakeLanguageModel("closed_book", lambda _: "Ы"), prompts.load("closed_book"))
    made = output(asked, of_day(QA.frame([asked.qa]), TODAY), [memory])
    (verdict,) = made.value.filter(screen="closed_book").iter_rows(named=True)
    assert (verdict["outcome"], verdict["reason"]) == ("failed", "unreadable_reply: fake")
    assert '"reply": "Ы"' in verdict["evidence"]
    assert made.metadata["unreadable replies"].value == 1
