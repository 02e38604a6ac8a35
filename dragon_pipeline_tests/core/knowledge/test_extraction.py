"""Triplets by a model: what it is shown, and what becomes of its replies."""

import json
from typing import Any

import polars as pl
import pytest

from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.knowledge.extraction import tidy
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.normalising import RuleNormaliser
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.language_model import ModelReply, ModelRequest
from dragon_pipeline.core.questions.graph import Graph
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.wordings import ENDS, bits
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, MENTIONS, STORIES
from dragon_pipeline.core.table import DAY
from dragon_pipeline_tests.core.knowledge.extracting import PROMPT, TEXT, Told, data, make, outcomes, run, says, triplet


def test_a_model_is_shown_the_sentences_with_their_numbers(article):
    model = Told(says())
    run(model, article(TEXT, title="Сделка\nгода"))
    assert data(model.asked[0]) == {
        "title": "Сделка года",
        "date": "2024-03-15T10:00:00+03:00",
        "before": "",
        "sentences": "[1] Компания «Полярис» купила завод «Маяк».\n[2] Сделку закрыли в Казани.\n"
        "[3] Сумма сделки «Поляриса» — 007 рублей.",
    }
    assert model.asked[0].schema == PROMPT.schema


def test_the_evidence_is_the_sentence_with_that_number(article):
    frame = run(Told(says(triplet(3, "Полярис", "сумма сделки", "007", "ORG NUMBER"))), article(TEXT))
    (row,) = frame.to_dicts()
    assert TEXT[row["start"] : row["stop"]] == "Сумма сделки «Поляриса» — 007 рублей."
    assert (row["status"], row["tail"], row["wording"], row["raw"]) == ("kept", "007", None, None)


def test_an_article_with_one_triplet_is_an_article_like_any(article):
    """Fault 2 of the reference: a single triplet crashed the run."""
    frame = run(Told(says(triplet(1, "Полярис", "купить", "Маяк"))), article(TEXT), article("Снег шёл.", "a2"))
    assert {row["article_id"]: row["status"] for row in frame.to_dicts()} == {"a1": "kept", "a2": "dropped"}


def test_members_of_a_list_are_rows_and_digits_stay_together(article):
    """Fault 3 of the reference."""
    text = "«Полярис» открыл заводы в Казани и Самаре, нанял 2139 человек и выпустил автобус 007."
    told = [triplet(1, "Полярис", "открыть завод в", city, "ORG LOC") for city in ("Казань", "Самара")]
    told += [triplet(1, "Полярис", "нанять", value, "ORG NUMBER") for value in ("2139", "007", "7")]
    frame = run(Told(says(*told)), article(text))
    assert set(frame.filter(status="kept")["tail"]) == {"Казань", "Самара", "2139", "007"}
    assert frame.filter(status="dropped").select("tail", "reason").rows() == [("7", "tail_not_in_sentence")]


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (triplet(4, "Полярис", "купить", "Маяк"), "no_such_sentence"),
        (triplet(1, " ", "купить", "Маяк"), "empty_head"),
        (triplet(1, "Полярис", "\u200b", "Маяк"), "empty_relation"),
        (triplet(1, "Полярис", "купить", ""), "empty_tail"),
        (triplet(1, "Полярис", "купить", "Поляриса"), "same_ends"),
        (triplet(1, "Вектор", "купить", "Маяк"), "head_not_in_sentence"),
        (triplet(2, "Полярис", "купить", "Маяк"), "head_not_in_sentence"),
        (triplet(1, "Полярис", "купить", "Казань", "ORG LOC"), "tail_not_in_sentence"),
    ],
)
def test_what_a_model_gets_wrong_is_kept_with_the_reason(article, told: dict, reason: str):
    assert outcomes(run(Told(says(told)), article(TEXT))) == [("dropped", reason)]


def test_a_repeated_triplet_is_one_fact_and_every_repetition_a_row(article):
    """A weak model loops: the rows say so, and the first is still good."""
    told = [triplet(1, "Полярис", "купить", "Маяк")] * 4
    assert outcomes(run(Told(says(*told)), article(TEXT))) == [("dropped", "duplicate")] * 3 + [("kept", None)]


def test_a_triplet_of_no_sentence_never_replaces_a_good_one(article):
    told = [triplet(9, "Полярис", "купить", "Маяк"), triplet(1, "Полярис", "купить", "Маяк")]
    assert outcomes(run(Told(says(*told)), article(TEXT))) == [("dropped", "no_such_sentence"), ("kept", None)]


@pytest.mark.parametrize("reason", ["timeout", "cut_off", "against_schema: $.triplets"])
def test_a_failed_reply_is_a_row_with_reason_and_raw_text(article, reason: str):
    """Fault 8 of the reference: parse failures were empty lists in silence."""
    text = "{" * 30_000
    frame = run(Told(lambda request: ModelReply(text, reason=reason)), article(TEXT), article(TEXT, "a2"))
    assert outcomes(frame) == [("failed", reason)] * 2
    row = frame.row(0, named=True)
    assert (row["head"], row["relation"], row["tail"], row["raw"]) == ("", "", "", "{" * 20_000)
    assert TEXT[row["start"] : row["stop"]] == "Компания «Полярис» купила завод «Маяк»."


def test_a_failure_of_one_article_leaves_the_rest_alone(article):
    def answer(request: ModelRequest) -> Any:
        bad = "Вектор" in request.messages[-1].content
        return ModelReply(reason="timeout") if bad else {"triplets": [triplet(1, "Полярис", "купить", "Маяк")]}

    frame = run(Told(answer), article(TEXT), article(f"Вектор. {TEXT}", "a2"))
    assert dict(frame.select("article_id", "status").iter_rows()) == {"a1": "kept", "a2": "failed"}


@pytest.mark.parametrize("text", ["", " \n\t\n "])
def test_an_article_without_sentences_is_not_asked_about(article, text: str):
    model = Told(says())
    assert run(model, article(text)).is_empty()
    assert model.asked == []


def test_names_lose_the_quotation_marks_around_them_and_hidden_characters(article):
    frame = run(Told(says(triplet(1, "«Полярис»", "купить", "«Ма\u200bяк»\n"))), article(TEXT))
    assert frame.select("status", "head", "tail").rows() == [("kept", "Полярис", "Маяк")]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('"Маяк"', "Маяк"),
        ("«Полярис» и «Маяк»", "«Полярис» и «Маяк»"),
        ("завод «Маяк»", "завод «Маяк»"),
        ("«»", "«»"),
        ("  А. С.  Громов ", "А. С. Громов"),
    ],
)
def test_only_quotation_marks_around_the_whole_name_go(said: str, name: str):
    assert tidy(said) == name


@pytest.mark.parametrize(
    ("published_at", "tail", "kind", "held_back"),
    [
        (None, "вчера", "DATE", "undated"),
        (None, "понедельник", "OTHER", "undated"),
        (None, "12 марта", "DATE", "undated"),
        (None, "2019", "YEAR", None),
        ("2024-03-15", "вчера", "DATE", "relative_date"),
        ("2024-03-15", "12 марта", "DATE", None),
        (None, "Пятница", "ORG", None),
    ],
)
def test_a_day_that_only_the_articles_date_tells_is_held_back(
    article, published_at, tail: str, kind: str, held_back: str | None
):
    text = "«Полярис» выступил вчера, в понедельник, 12 марта, в 2019 году, на канале «Пятница»."
    told = triplet(1, "Полярис", "выступить", tail, f"ORG {kind}")
    (row,) = run(Told(says(told)), article(text, published_at=published_at)).to_dicts()
    assert row["status"] == "kept"
    assert row["wording"] == (json.dumps({"held_back": held_back}) if held_back else None)


def test_a_model_may_not_work_out_a_date(article):
    told = triplet(1, "Полярис", "выступить", "14 марта 2024 года", "ORG DATE")
    assert outcomes(run(Told(says(told)), article("«Полярис» выступил вчера."))) == [("dropped", "tail_not_in_sentence")]


def test_every_example_holds_what_it_teaches(article):
    """Their triplets pass the check that those of articles must pass, each sentence by its number."""
    for example in PROMPT.examples:
        numbered = example.given["sentences"].split("\n")
        text = "\n".join(line.partition("] ")[2] for line in numbered)
        assert [line.partition(" ")[0] for line in numbered] == [f"[{n}]" for n in range(1, len(numbered) + 1)]
        frame = run(Told(says(*example.reply["triplets"])), article(text, published_at=example.given["date"] or None))
        assert frame.height == len(example.reply["triplets"])
        assert frame.filter((pl.col("status") != "kept") | pl.col("wording").is_not_null()).rows() == []


def test_the_order_of_articles_changes_no_row(article):
    articles = [article(TEXT, f"a{n}") for n in range(5)]
    told = says(triplet(1, "Полярис", "купить", "Маяк"), triplet(7, "а", "б", "в"))
    assert run(Told(told), *articles).equals(run(Told(told), *reversed(articles)))


def test_triplets_of_a_model_are_asked_about_unless_they_are_held_back(article):
    """Facts without the rule writer's words may stand at any place of any question type."""
    text = "«Полярис» вчера купил «Маяк». «Полярис» выступил вчера."
    told = [triplet(1, "Полярис", "купить", "Маяк"), triplet(2, "Полярис", "выступить", "вчера", "ORG DATE")]
    articles = ARTICLES.frame([article(text, published_at=None)])
    triplets = extract(articles, MENTIONS.empty(), make(Told(says(*told))))
    facts = link(triplets, CANDIDATES.empty(), articles, FakeKnowledgeBase({}), RuleNormaliser())
    assert dict(facts.select("relation", "held_back").iter_rows()) == {"купить": None, "выступить": "undated"}
    day = pl.lit("2024-03-15").alias(DAY)
    graph = Graph(facts.with_columns(day), articles.with_columns(day), STORIES.empty(), "2024-03-15")
    (edge,) = graph.edges.to_dicts()
    assert graph.edge(0).row["relation"] == "купить"
    assert edge["asks"] == edge["alone"] == edge["many"] == edge["bridges"] == bits(ENDS, ENDS)
    assert edge["shapes"] == bits(TYPES, TYPES)
    assert edge["named"] and not edge["apposition"]


def test_failed_articles_give_no_facts(article):
    articles = ARTICLES.frame([article(TEXT)])
    triplets = extract(articles, MENTIONS.empty(), make(Told(lambda request: ModelReply("{", reason="cut_off"))))
    assert link(triplets, CANDIDATES.empty(), articles, FakeKnowledgeBase({}), RuleNormaliser()).is_empty()
