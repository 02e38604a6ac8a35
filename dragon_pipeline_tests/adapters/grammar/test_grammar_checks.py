"""One contract for the fake, the embedded check of Russian, a transformers classifier, and hard rules before any of them."""

import importlib.util

import pytest

from dragon_pipeline.adapters.grammar.fake import FakeGrammar
from dragon_pipeline.core.settings import GrammarSettings
from dragon_pipeline.languages.ru.grammar import GuardedGrammar, RussianGrammar

QUESTIONS = [
    "Кто открыл завод в Туле?",
    "Какой город посетил министр?",
    "Кто открыл завод в Туле?",
    "",
    "?",
    "Ёлка\0 и \ud800 половина?",
    "Сколько стоит хлеб?" * 400,
    "Кто Кто открыл завод?",
]
EMBEDDED = RussianGrammar()
TORCH, NATASHA = (importlib.util.find_spec(name) is not None for name in ("transformers", "natasha"))
"""`make models` has the one, every other environment the other"""
PARTS = [*(["fake", "embedded", "guarded fake"] if NATASHA else []), *(["transformers"] if TORCH else [])]
LOADED: dict[str, object] = {}


@pytest.fixture(params=PARTS)
def check(request):
    kind = request.param.split()[-1]
    if kind == "embedded":
        return EMBEDDED
    if kind == "transformers":
        from dragon_pipeline.adapters.grammar.transformers import TransformersGrammar

        folder = request.getfixturevalue("tiny")()
        plain = LOADED.setdefault(folder, TransformersGrammar(GrammarSettings(engine="transformers", model=folder, batch=2)))
    else:
        plain = FakeGrammar(["завод"])
    return GuardedGrammar(plain) if "guarded" in request.param else plain


def test_one_judgement_a_question_between_0_and_1(check):
    found = check.check(QUESTIONS)
    assert len(found) == len(QUESTIONS)
    assert all(0 <= one.acceptable <= 1 for one in found)


def test_no_questions_no_judgements(check):
    assert list(check.check([])) == []


def test_a_question_is_judged_alike_in_any_company_and_order(check):
    together = list(check.check(QUESTIONS))
    assert together == [check.check([question])[0] for question in QUESTIONS]
    assert together == list(check.check(QUESTIONS[::-1]))[::-1]
    assert together[0] == together[2]


def test_scores_differ(check):
    assert len({one.acceptable for one in check.check(QUESTIONS[:2])}) == 2


def test_scores_are_rounded(check):
    assert all(one.acceptable == round(one.acceptable, 6) for one in check.check(QUESTIONS))


def test_it_has_a_name_without_a_path(check):
    assert check.name and "/" not in check.name


def test_hard_rules_stand_before_whoever_guards_or_is_embedded(check):
    (found,) = check.check(["Кто Кто открыл завод?"])
    guarded = isinstance(check, GuardedGrammar | RussianGrammar)
    assert found.fault == ("doubled_word: Кто" if guarded else None)


def test_a_guard_leaves_the_scores_as_they_are(check):
    if not isinstance(check, GuardedGrammar):
        pytest.skip("no guard")
    scores = [one.acceptable for one in check.check(QUESTIONS)]
    assert scores == [one.acceptable for one in check.classifier.check(QUESTIONS)]
