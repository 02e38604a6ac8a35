"""The screens of the embedded profile for Russian, in cost order."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.ports import GrammarCheck, Screen
from dragon_pipeline.core.records import QA
from dragon_pipeline.core.screening.closed_book import ClosedBook, ClosedBookScreen, Guesser
from dragon_pipeline.core.screening.correspondence import CorrespondenceScreen
from dragon_pipeline.core.screening.duplicates import DuplicateScreen
from dragon_pipeline.core.screening.entities import EntityScreen
from dragon_pipeline.core.screening.evidence import AnswerCorrectness, AnswerUniqueness, ContextSufficiency
from dragon_pipeline.core.screening.grammar import GrammarScreen
from dragon_pipeline.core.screening.judge import GuardedJudge, Judge, RuleJudge, judge_screens
from dragon_pipeline.core.screening.lemmas import Lemmas
from dragon_pipeline.core.screening.multi_hop import MultiHopScreen, Reader
from dragon_pipeline.core.screening.standalone import StandaloneScreen
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.languages.ru.comparisons import SAME_WAY
from dragon_pipeline.languages.ru.grammar import RussianGrammar
from dragon_pipeline.languages.ru.hollow import hollow
from dragon_pipeline.languages.ru.judging import answer_literacy, question_clarity
from dragon_pipeline.languages.ru.long_ago import long_ago
from dragon_pipeline.languages.ru.parsing import sentences
from dragon_pipeline.languages.ru.quantities import quantity
from dragon_pipeline.languages.ru.standalone import pointing
from dragon_pipeline.languages.ru.strangers import Strangers


@dataclass(frozen=True)
class Models:
    """The models that screens ask."""

    memories: Sequence[ClosedBook] = ()
    """without them, and without a guesser, closed_book says that it is not configured"""
    judge: Judge | None = None
    """guarded by the rules, criterion by criterion; without it the rules alone"""
    reader: Reader | None = None
    """proves two hops; guarded by the rules, too"""
    guesser: Guesser | None = None
    """stands beside the memories: what a reader guesses from what is often told"""


def screens(
    facts: pl.DataFrame,
    lemmas: Lemmas,
    settings: ScreenSettings,
    grammar: GrammarCheck | None = None,
    models: Models = Models(),
    earlier: pl.DataFrame | None = None,
) -> list[Screen]:
    """grammar, entities, correspondence, standalone, duplicates, closed_book, multi_hop and the eight judges.

    `facts` is the window's frame: uniqueness is tested against all of it. `earlier` is `qa` of the window's days before, with
    `day`: what it asked is not asked again. What is not given is the embedded default: the light grammar check, the rules.
    """
    rules = rule_judge(facts, lemmas)
    return [
        GrammarScreen(grammar or RussianGrammar(), settings.grammar_threshold),
        EntityScreen(lemmas),
        CorrespondenceScreen(lemmas, synonyms=SAME_WAY),
        StandaloneScreen(pointing, Strangers(facts), long_ago, hollow),
        DuplicateScreen(QA.empty() if earlier is None else earlier, lemmas),
        ClosedBookScreen(models.memories, lemmas, quantity, models.guesser),
        MultiHopScreen(lemmas, sentences, models.reader, quantity),
        *judge_screens(GuardedJudge(models.judge, rules) if models.judge else rules),
    ]


def rule_judge(facts: pl.DataFrame, lemmas: Lemmas) -> RuleJudge:
    """Judges five of the eight criteria; of literacy, naturalness and necessity rules cannot tell."""
    return RuleJudge(
        {
            "question_clarity": question_clarity,
            "context_sufficiency": ContextSufficiency(lemmas),
            "answer_literacy": answer_literacy,
            "answer_correctness": AnswerCorrectness(lemmas, quantity),
            "answer_uniqueness": AnswerUniqueness(lemmas, facts, quantity),
        }
    )
