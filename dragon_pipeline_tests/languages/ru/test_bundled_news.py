"""From the bundled newsroom's articles to questions: what must hold for every one of them."""

import json
import re

import polars as pl
import pytest

from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.evidence import VALUES
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.normalising import RuleNormaliser
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.subgraphs import sample
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.writing import write
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, STORIES
from dragon_pipeline.core.settings import QuestionSettings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.demo.articles import read_stories
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.quantities import quantity
from dragon_pipeline.languages.ru.wording import RuleWriter

REASON = re.compile(r"[a-z_]+")


def newsroom() -> pl.DataFrame:
    """Every article with a text, as of the last day."""
    rows = [
        {
            "article_id": content_id(story.outlet, story.slug), "url": f"https://{story.outlet}.example/{story.slug}",
            "outlet": story.outlet, "version": 1, "change": "new", "title": story.title, "text": "\n".join(story.paragraphs),
            "author": None, "section": None, "published_at": None if story.dateless else story.published.isoformat(),
            DAY: "2025-09-06",
        }
        for story in read_stories() if story.paragraphs and story.modified is None
    ]  # fmt: skip
    return pl.DataFrame(rows, schema={**ARTICLES.schema, DAY: pl.String()}).unique("article_id", keep="first")


def run(articles: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Every table up to the questions; each article is a story of its own."""
    plain = articles.drop(DAY)
    mentions = find_mentions(plain, NatashaEntities())
    triplets = extract(plain, mentions, RuleExtractor())
    facts = link(triplets, CANDIDATES.empty(), plain, FakeKnowledgeBase({}), RuleNormaliser())
    dated = facts.with_columns(pl.lit("2025-09-06").alias(DAY))
    stories = STORIES.frame([{"story_id": i, "article_id": i, "similarity": 1.0} for i in plain["article_id"]])
    subgraphs = sample(dated, stories, articles, "2025-09-06", QuestionSettings(), Draw(0, lemmas, quantity)).subgraphs
    return {"mentions": mentions, "triplets": triplets, "facts": facts, "subgraphs": subgraphs,
            "qa": write(subgraphs, facts, RuleWriter())}  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, pl.DataFrame]:
    return run(newsroom())


@pytest.fixture(scope="module")
def questions(tables) -> list[dict]:
    return tables["qa"].filter(pl.col("question").is_not_null()).to_dicts()


def test_the_order_of_the_articles_changes_no_table(tables):
    again = run(newsroom().sample(fraction=1, shuffle=True, seed=7))
    assert {name for name in tables if not again[name].equals(tables[name])} == set()


def test_every_type_is_written(questions):
    assert {row["type"] for row in questions} == set(TYPES)


def test_every_question_is_one_clean_sentence(questions):
    for row in questions:
        said = row["question"]
        assert said[0].isupper(), said
        assert said.endswith("?"), said
        assert said.count("?") == 1, said
        assert said.count("«") == said.count("»"), said
        assert not re.search(r"\s\s|[{}]|\s[,.?»]|«\s|[,.;:]\?", said), said


def test_no_simple_question_holds_its_answer_and_no_multi_hop_its_bridge(questions):
    for row in questions:
        if row["type"] == "simple":
            beside = row["question"].replace(row["given"][0], "")  # «Какой галереей владеет Софи Дюмон?»: «Дюмон»
            assert row["answers"][0] not in beside, row["question"]
        if row["type"] == "multi_hop":
            assert row["bridge"] not in row["question"], row["question"]


def test_every_answer_is_stated_by_the_evidence_of_a_gold_article(tables, questions):
    facts = {row["fact_id"]: row for row in tables["facts"].iter_rows(named=True)}
    texts = dict(newsroom().select("article_id", "text").iter_rows())
    for row in questions:
        for fact_id in row["fact_ids"]:
            fact = facts[fact_id]
            assert fact["article_id"] in row["article_ids"]
            assert texts[fact["article_id"]][fact["start"] : fact["stop"]] == fact["sentence"]
        for part in json.loads(row["subgraph"]):
            if part["asked"] not in ("bridge", "other"):
                assert part[part["asked"]] in [*row["answers"], *(answer.strip("«»") for answer in row["answers"])]


def test_values_stand_in_their_sentence_as_they_are(tables):
    values = tables["facts"].filter(pl.col("tail_kind").is_in(VALUES))
    assert values.height
    assert all(row["tail"] in row["sentence"] for row in values.iter_rows(named=True))


def test_every_reason_is_a_word(tables):
    reasons = {*tables["triplets"]["reason"].drop_nulls(), *tables["qa"]["reason"].drop_nulls()}
    assert reasons
    assert all(REASON.fullmatch(reason) for reason in reasons)


def test_relative_dates_of_articles_without_a_date_are_never_asked(tables, questions):
    undated = set(newsroom().filter(pl.col("published_at").is_null())["article_id"])
    assert undated
    asked = {fact_id for row in questions for fact_id in row["fact_ids"]}
    for row in tables["facts"].filter(pl.col("article_id").is_in(undated)).iter_rows(named=True):
        assert row["held_back"] != "undated" or row["fact_id"] not in asked
