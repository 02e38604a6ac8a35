"""The screens of Russian together: by rules alone, and with models that are strong, garbage or away."""

import json

import polars as pl
import pytest

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.language_model import ModelReply
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline.core.screening.model_judge import ModelJudge
from dragon_pipeline.core.screening.model_memory import ModelMemory
from dragon_pipeline.core.screening.model_proof import ModelReader
from dragon_pipeline.core.screening.screens import lost_verdicts, run_screens
from dragon_pipeline.core.screening.selection import select
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.languages.ru import prompts
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.screens import Models, screens

SENTENCE = "Завод «Полярис» построил в Туле режиссёр Иван Орлов."
QUESTION = "Кто построил в Туле завод «Полярис»?"
CHEAP = ("grammar", "entities", "correspondence", "standalone")
ORDER = (*CHEAP, "duplicates", "closed_book", "multi_hop", *(f"judge_{name}" for name in CRITERIA))


def test_the_screens_come_in_cost_order_and_the_required_are_among_them():
    names = [screen.name for screen in screens(FACTS.empty(), lemmas, ScreenSettings())]
    assert names == list(ORDER)
    assert set(ScreenSettings().required) <= set(names)


def test_a_model_judge_adds_no_screen_and_is_asked_last():
    made = screens(FACTS.empty(), lemmas, ScreenSettings(), models=models(DOES_NOT_KNOW, BEST))
    assert [screen.name for screen in made] == list(ORDER)
    assert [screen.cheap for screen in made] == [True] * len(CHEAP) + [False] * (len(ORDER) - len(CHEAP))


def models(remembered, judged):
    """A panel of one, and a judge that also reads."""
    memory = ModelMemory(FakeLanguageModel("closed_book", lambda _: remembered), prompts.load("closed_book"))
    judge = FakeLanguageModel("judge", lambda _: judged)
    by_criterion = {name: prompts.load(f"judge_{name}") for name in CRITERIA}
    return Models([memory], ModelJudge(judge, by_criterion), ModelReader(judge, prompts.load("multi_hop_proof")))


DOES_NOT_KNOW = {"answer": "не знаю"}
BEST = {"why": "Всё хорошо.", "score": 2}


@pytest.fixture(scope="module")
def tables():
    """One question on one article: qa, facts, articles, mentions."""
    ends = {
        "head": "Иван Орлов", "head_id": "local:1", "head_kind": "PER",
        "tail": "Полярис", "tail_id": "local:2", "tail_kind": "ORG",
    }  # fmt: skip
    fact = {
        "fact_id": "f1", "triplet_id": "t1", "article_id": "a1", "url": "https://vestnik.example/1", "outlet": "vestnik",
        **ends, "relation": "построить", "relation_id": None, "novelty": "novel", "why": "unlinked_head",
        "statement_id": None, "revision": "none", "head_link": "no_candidates", "relation_link": "no_candidates",
        "tail_link": "no_candidates", "held_back": None, "sentence": SENTENCE, "start": 0, "stop": len(SENTENCE),
        "wording": None,
    }  # fmt: skip
    article = {
        "article_id": "a1", "url": "https://vestnik.example/1", "outlet": "vestnik", "version": 1, "change": "new",
        "title": "Завод построен", "text": SENTENCE + " Его открыли в мае.", "author": None, "section": None,
        "published_at": None,
    }  # fmt: skip
    mentions = [
        {"article_id": "a1", "kind": kind, "text": name, "start": at, "stop": at + len(name), "normal": name, "lemmas": lemma}
        for kind, name, at, lemma in (
            ("ORG", "Полярис", 7, "полярис"), ("LOC", "Тула", 18, "тула"), ("PER", "Иван Орлов", 33, "иван орлов"),
        )
    ]  # fmt: skip
    qa = {
        "qa_id": "q1", "type": "simple", "question": QUESTION, "answer": "Иван Орлов", "answers": ["Иван Орлов"],
        "given": ["Полярис"], "bridge": None, "fact_ids": ["f1"], "article_ids": ["a1"], "direction": None,
        "cross_story": False, "one_article": True,
        "subgraph": json.dumps([{name: fact[name] for name in ("head_id", "relation_id", "relation", "tail_id")}]),
        "writer": "m", "reason": None, "raw": None,
    }  # fmt: skip
    return QA.frame([qa]), FACTS.frame([fact]), ARTICLES.frame([article]), MENTIONS.frame(mentions)


def screened(tables, remembered, judged, facts=None):
    """Verdicts, and the selection, with a memory and a judge that say this."""
    qa, own, articles, mentions = tables
    made = screens(own if facts is None else facts, lemmas, ScreenSettings(), None, models(remembered, judged))
    verdicts = run_screens(qa, own, articles, mentions, made)
    return verdicts, select(qa, verdicts, 10, ORDER)


def test_what_strong_models_find_good_is_accepted(tables):
    verdicts, chosen = screened(tables, DOES_NOT_KNOW, BEST)
    assert verdicts["outcome"].to_list() == ["passed"] * len(ORDER)
    assert chosen.accepted["qa_id"].to_list() == ["q1"]


def test_what_a_model_knows_by_heart_is_not_judged(tables):
    verdicts, chosen = screened(tables, {"answer": "Построил Иван Орлов"}, BEST)
    assert set(verdicts.filter(outcome="not_run")["reason"]) == {"failed_earlier"}
    assert chosen.rejected.select("screen", "because").rows() == [("closed_book", "answered_without_context: fake")]


def test_a_gullible_judge_does_not_get_past_the_rules(tables):
    """It finds everything good; that the window holds another answer is seen by a rule, and no prompt shows the window."""
    other = {**tables[1].row(0, named=True), "fact_id": "f2", "article_id": "a2", "head": "Пётр Сомов", "head_id": "local:9"}
    window = FACTS.frame([*tables[1].iter_rows(named=True), other])
    _, chosen = screened(tables, DOES_NOT_KNOW, BEST, window)
    assert chosen.rejected.select("screen", "because").rows() == [("judge_answer_uniqueness", "another_answer: Пётр Сомов")]


@pytest.mark.parametrize("remembered", [DOES_NOT_KNOW, "Ы", ""])
def test_garbage_models_accept_nothing_and_are_no_outage(tables, remembered):
    verdicts, chosen = screened(tables, remembered, "Ы ы ы 2 ы ы ы ы ы ы")
    assert chosen.accepted.is_empty()
    assert {screen: lost.share for screen, lost in lost_verdicts(verdicts).items() if lost.share} == {}


def test_models_that_are_away_accept_nothing_and_are_an_outage(tables):
    away = ModelReply(reason="no_connection")
    verdicts, chosen = screened(tables, away, away)
    assert chosen.accepted.is_empty()
    lost = {screen: dict(lost.reasons) for screen, lost in lost_verdicts(verdicts).items() if lost.share}
    assert lost == {screen: {"no_connection": 1} for screen in ORDER[5:] if screen != "multi_hop"}


def test_what_an_earlier_day_asked_is_not_asked_again(tables):
    qa, facts, articles, mentions = tables
    earlier = qa.with_columns(pl.lit("2024-03-01").alias(DAY), pl.lit("q0").alias("qa_id"))
    verdicts = run_screens(qa, facts, articles, mentions, screens(facts, lemmas, ScreenSettings(), earlier=earlier))
    chosen = select(qa, verdicts, 10, ScreenSettings().required)
    assert chosen.rejected.select("screen", "because").rows() == [("duplicates", "asked_before: 2024-03-01 q0")]


def test_the_replies_of_models_are_in_the_verdicts(tables):
    verdicts, _ = screened(tables, DOES_NOT_KNOW, BEST)
    evidence = dict(verdicts.select("screen", "evidence").iter_rows())
    assert json.loads(evidence["closed_book"]) == [{"model": "fake", "reply": "не знаю", "knew": False}]
    assert "Всё хорошо." in json.loads(evidence["judge_answer_uniqueness"])[0]["reply"]
