"""The work of scoring: a checked run against an answer key, question by question, with what several measures need done once."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rag_bench import evaluator
from rag_bench.answering import Pair
from rag_bench.gold import AnswerKey, Gold
from rag_bench.judgements import Judgements
from rag_bench.measures import ANSWERING, RANKING, Measure
from rag_bench.ranking import gold_ranks
from rag_bench.runs import Answer, Run
from rag_bench.scores import Scores
from rag_bench.words import read_words

Columns = list[tuple[int, Callable[..., float]]]
"""column of the matrix → how to fill it"""


class Plan(NamedTuple):
    """Measures, sorted by what they are computed from. Make one with `plan`."""

    names: tuple[str, ...]
    ranking: list[tuple[int, Callable[..., float], int]]
    """with the cutoff"""
    deepest: int
    """the largest cutoff"""
    answering: dict[str, Columns]
    """way of comparing words → measures of answers"""
    peer: Columns
    judge: list[int]


def plan(measures: Sequence[Measure]) -> Plan:
    """How to compute these measures; each once, in this order."""
    measures = list(dict.fromkeys(measures))
    answering: dict[str, Columns] = {}
    for column, one in enumerate(measures):
        if one.noun in ANSWERING:
            answering.setdefault(one.way, []).append((column, ANSWERING[one.noun]))
    ranking = [(column, RANKING[one.noun], one.cutoff or 0) for column, one in enumerate(measures) if one.noun in RANKING]
    known = {*ANSWERING, *RANKING, *evaluator.NUMBERS}
    return Plan(
        tuple(map(str, measures)),
        ranking,
        max((k for _, _, k in ranking), default=0),
        answering,
        [(column, evaluator.NUMBERS[one.noun]) for column, one in enumerate(measures) if one.noun in evaluator.NUMBERS],
        [column for column, one in enumerate(measures) if one.noun not in known],
    )


def score(run: Run, key: AnswerKey, how: Plan, judgements: Judgements | None = None) -> Scores:
    """The scores of a checked run."""
    wanted = {way: key.wanted(way) for way in how.answering}
    unanswered = [0.0] * len(how.names)
    for column in [column for column, _ in how.peer]:
        unanswered[column] = math.nan
    matrix = []
    for place, gold in enumerate(key.gold):
        answer, row = run.get(gold.public_id), unanswered[:]
        if answer is not None:
            if how.ranking:
                _rank(answer, gold, how, row)
            for way, columns in how.answering.items():
                pair = Pair(read_words(answer.model_answer, way), wanted[way][place])
                if not pair.wanted.shares_nothing_with(pair.given):
                    for column, measure in columns:
                        row[column] = measure(pair)
            for column, number in how.peer:
                row[column] = number(gold, answer)
            for column in how.judge:
                row[column] = (judgements or {}).get(gold.public_id, math.nan)
        matrix.append(row)
    found = {text for answer in run.values() for text in answer.found_ids}
    return Scores(
        how.names,
        tuple(gold.public_id for gold in key.gold),
        tuple(gold.type for gold in key.gold),
        tuple(gold.public_id in run for gold in key.gold),
        np.array(matrix, dtype=float).reshape(len(matrix), len(how.names)),
        unknown_questions=tuple(sorted(run.keys() - key.questions)),
        unknown_texts=tuple(sorted(found - key.texts)),
    )


def _rank(answer: Answer, gold: Gold, how: Plan, row: list[float]) -> None:
    ranks = gold_ranks(answer.found_ids, gold.text_ids, how.deepest)
    if ranks:
        for column, measure, k in how.ranking:
            within = ranks if len(answer.found_ids) <= k else gold_ranks(answer.found_ids, gold.text_ids, k)
            row[column] = measure(within, len(gold.text_ids), k)
