"""The screens of Russian together: by rules alone, and with models that are strong, garbage or away."""

import pytest

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.language_model import ModelReply
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline.core.screening.model_judge import ModelJudge
from dragon_pipeline.core.screening.model_memory import ModelMemory
from dragon_pipeline.core.screening.screens import lost_verdicts, run_screens
from dragon_pipeline.core.screening.selection import select
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.languages.ru import prompts
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.screens import screens

SENTENCE = "Завод «Полярис» построил в Туле режиссёр Иван Орлов."
QUESTION = "Кто построил в Туле завод «Полярис»?"
REQUIRED = ("grammar", "entities", "correspondence", "standalone", "closed_book", *(f"judge_{name}" for name in CRITERIA))


def test_the_screens_come_in_cost_order_and_the_required_are_among_them():
    names = [screen.name for screen in screens(FACTS.empty(), lemmas, ScreenSettings())]
    assert names[:5] == ["grammar", "entities", "correspondence", "standalone", "closed_book"]
    assert len(names) == 13
    assert set(ScreenSettings().required) <= set(names)


def test_a_model_judge_adds_no_screen_and_is_asked_last():
    judge = ModelJudge(FakeLanguageModel("judge", lambda _: ""), {name: prompts.load(f"judge_{name}") for name in CRITERIA})
    made = screens(FACTS.empty(), lemmas, ScreenSettings(), judge=judge)
    assert [screen.name for screen in made] == [screen.name for screen in screens(FACTS.empty(), lemmas, ScreenSettings())]
    assert [screen.cheap for screen in made] == [True] * 4 + [False] * 9


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
        "subgraph": "[]", "writer": "m", "reason": None, "raw": None,
    }  # fmt: skip
    return QA.frame([qa]), FACTS.frame([fact]), ARTICLES.frame([article]), MENTIONS.frame(mentions)


def screened(tables, remembered, judged, facts=None):
    """Verdicts, and the selection, with a memory and a judge that say this."""
    qa, own, articles, mentions = tables
    memory = ModelMemory(FakeLanguageModel("closed_book", lambda _: remembered), prompts.load("closed_book"))
    judge = ModelJudge(FakeLanguageModel("judge", lambda _: judged), {name: prompts.load(f"judge_{name}") for name in CRITERIA})
    made = screens(own if facts is None else facts, lemmas, ScreenSettings(), None, [memory], judge)
    verdicts = run_screens(qa, own, articles, mentions, made)
    return verdicts, select(qa, verdicts, 10, REQUIRED)


DOES_NOT_KNOW = {"answer": "не знаю"}
BEST = {"why": "Всё хорошо.", "score": 2}


def test_what_strong_models_find_good_is_accepted(tables):
    verdicts, chosen = screened(tables, DOES_NOT_KNOW, BEST)
    assert verdicts["outcome"].to_list() == ["passed"] * 13
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
    assert lost == {screen: {"no_connection": 1} for screen in REQUIRED[4:]}
