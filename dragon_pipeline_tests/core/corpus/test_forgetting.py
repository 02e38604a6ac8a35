import json

import polars as pl

from dragon_pipeline.core.corpus.forgetting import FLOW, NO_TEXT, Doomed
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.core.records import ARTICLES, CANDIDATES, FACTS, QA, REJECTED, STORIES, TABLES, TRIPLETS, VERDICTS
from dragon_pipeline.core.table import FLAG, FLOAT, INT, LIST, Table
from dragon_pipeline.defs.forgetting import OF_RELEASES, ORDER

DAY = "2025-09-01"
URL = "https://a.example/1"
KNOWN = Forgotten(b"k" * 32, lambda word: {word.lower()})


def rows(table: Table, *told: dict) -> pl.DataFrame:
    plain = {INT: 0, FLOAT: 0.0, FLAG: False, LIST: []}
    empty = {name: None if column.null else plain.get(column.dtype, "") for name, column in table.columns.items()}
    return table.frame([{**empty, **one} for one in told])


def doomed(**more: set) -> Doomed:
    return Doomed(Forgotten(KNOWN.key, KNOWN.forms, frozenset({KNOWN.hash(URL)})), {}, **more)


def silent(texts) -> list[bool]:
    return [False] * len(texts)


def test_every_table_has_a_place():
    assert {*ORDER, *NO_TEXT, *OF_RELEASES, "crawl"} == set(TABLES)
    assert set(FLOW) <= set(ORDER)


def test_ids_are_followed_from_the_article_to_the_questions():
    going = doomed(pages={URL})
    going.note("articles", rows(ARTICLES, {"article_id": "a", "url": URL}, {"article_id": "b", "url": URL + "2"}), DAY)
    going.note("triplets", rows(TRIPLETS, {"triplet_id": "t", "article_id": "a"}, {"triplet_id": "u", "article_id": "b"}), DAY)
    going.note("facts", rows(FACTS, {"fact_id": "f", "article_id": "a"}, {"fact_id": "g", "article_id": "b"}), DAY)
    told = rows(
        QA,
        {"qa_id": "1", "fact_ids": ["g", "f"], "article_ids": ["b"]},
        {"qa_id": "2", "fact_ids": ["g"], "article_ids": ["b", "a"]},
        {"qa_id": "3", "fact_ids": ["g"], "article_ids": ["b"]},
    )
    going.note("qa", told, DAY)
    assert (going.articles, going.triplets, going.facts, going.questions) == ({"a"}, {"t"}, {"f"}, {"1", "2"})
    assert going.left("qa", told, DAY, silent)["qa_id"].to_list() == ["3"]


def test_a_story_that_lost_its_first_article_is_named_after_another():
    told = rows(
        STORIES,
        {"story_id": "a", "article_id": "a"}, {"story_id": "a", "article_id": "c"}, {"story_id": "a", "article_id": "b"},
        {"story_id": "z", "article_id": "z"},
    )  # fmt: skip
    left = doomed(articles={"a"}).left("stories", told, DAY, silent)
    assert left.select("story_id", "article_id").rows() == [("b", "b"), ("b", "c"), ("z", "z")]


def test_a_relation_that_no_other_article_uses_is_looked_up_no_more():
    going = doomed(articles={"a"})
    told = [("t", "a", "основать"), ("u", "a", "открыть"), ("v", "b", "открыть")]
    going.note("triplets", rows(TRIPLETS, *({"triplet_id": t, "article_id": a, "relation": r} for t, a, r in told)), DAY)
    found = [{"kind": "property", "name": name} for name in ("основать", "открыть")]
    items = [{"kind": "item", "name": "Дом", "article_id": article} for article in ("a", "b")]
    left = going.left("candidates", rows(CANDIDATES, *found, *items), DAY, silent)
    assert left.select("kind", "name", "article_id").rows() == [("item", "Дом", "b"), ("property", "открыть", "")]


def test_verdicts_of_other_questions_say_no_more_of_it():
    told = rows(
        VERDICTS,
        {"qa_id": "1", "order": 0, "reason": "same_question: тайна", "evidence": "тайна"},
        {"qa_id": "2", "order": 0, "reason": "same_question: иное", "evidence": "иное"},
    )
    left = doomed().left("verdicts", told, DAY, lambda texts: ["тайна" in text for text in texts])
    assert left.select("reason", "evidence").rows() == [("same_question", None), ("same_question: иное", "иное")]


def test_verdicts_inside_of_rejected_questions_say_no_more_of_it():
    verdicts = [
        {"screen": "a", "reason": "near: тайна", "evidence": None},
        {"screen": "b", "reason": "x: y", "evidence": "тайна"},
    ]
    told = rows(REJECTED, {"qa_id": "1", "because": "near: тайна", "verdicts": json.dumps(verdicts, ensure_ascii=False)})
    left = doomed().left("rejected", told, DAY, lambda texts: ["тайна" in text for text in texts])
    assert left["because"].to_list() == ["near"]
    assert json.loads(left["verdicts"][0]) == [
        {"screen": "a", "reason": "near", "evidence": None}, {"screen": "b", "reason": "x: y", "evidence": None},
    ]  # fmt: skip


def test_empty_tables_stay_empty():
    for name, table in TABLES.items():
        assert doomed(pages={URL}).left(name, table.empty(), DAY, silent).equals(table.empty()), name


def test_tables_without_texts_stay():
    for name in NO_TEXT:
        frame = rows(TABLES[name], {})
        assert doomed(pages={URL}).left(name, frame, DAY, silent).equals(frame)
