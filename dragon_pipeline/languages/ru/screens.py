"""The screens of the embedded profile for Russian, in cost order."""

from collections.abc import Sequence

import polars as pl

from dragon_pipeline.core.ports import GrammarCheck, Screen
from dragon_pipeline.core.screening.closed_book import ClosedBook, ClosedBookScreen
from dragon_pipeline.core.screening.correspondence import CorrespondenceScreen
from dragon_pipeline.core.screening.entities import EntityScreen
from dragon_pipeline.core.screening.evidence import AnswerCorrectness, AnswerUniqueness, ContextSufficiency
from dragon_pipeline.core.screening.grammar import GrammarScreen
from dragon_pipeline.core.screening.judge import GuardedJudge, Judge, RuleJudge, judge_screens
from dragon_pipeline.core.screening.lemmas import Lemmas
from dragon_pipeline.core.screening.standalone import StandaloneScreen
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.languages.ru.grammar import RussianGrammar
from dragon_pipeline.languages.ru.judging import answer_literacy, question_clarity
from dragon_pipeline.languages.ru.standalone import pointing


def screens(
    facts: pl.DataFrame,
    lemmas: Lemmas,
    settings: ScreenSettings,
    grammar: GrammarCheck | None = None,
    models: Sequence[ClosedBook] = (),
    judge: Judge | None = None,
) -> list[Screen]:
    """grammar, entities, correspondence, standalone, closed_book and the eight judges.

    `facts` is the window's frame: uniqueness is tested against all of it. What is not given is the embedded default: the
    light grammar check and the rule judge; without `models` closed_book says that it is not configured. A `judge` given is
    guarded by the rules, criterion by criterion: still one screen each.
    """
    rules = rule_judge(facts, lemmas)
    return [
        GrammarScreen(grammar or RussianGrammar(), settings.grammar_threshold),
        EntityScreen(lemmas),
        CorrespondenceScreen(lemmas),
        StandaloneScreen(pointing),
        ClosedBookScreen(models, lemmas),
        *judge_screens(GuardedJudge(judge, rules) if judge else rules),
    ]


def rule_judge(facts: pl.DataFrame, lemmas: Lemmas) -> RuleJudge:
    """Judges five of the eight criteria; of literacy, naturalness and necessity rules cannot tell."""
    return RuleJudge(
        {
            "question_clarity": question_clarity,
            "context_sufficiency": ContextSufficiency(lemmas),
            "answer_literacy": answer_literacy,
            "answer_correctness": AnswerCorrectness(lemmas),
            "answer_uniqueness": AnswerUniqueness(lemmas, facts),
        }
    )
