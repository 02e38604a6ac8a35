"""The scores of a run: every measure of every question, and their means by question type."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rag_bench.measures import Measure, parse

ALL = "all"
"""the type that stands for every question"""


@dataclass(frozen=True)
class QuestionScores:
    public_id: int
    type: str
    answered: bool
    values: Mapping[str, float]
    """measure → value; what does not count for this question is left out"""


@dataclass(frozen=True, eq=False)
class Scores:
    """Questions in id order, and what in the run could not be scored."""

    measures: tuple[str, ...]
    public_ids: tuple[int, ...]
    question_types: tuple[str, ...]
    """one for each question"""
    answered: tuple[bool, ...]
    matrix: np.ndarray
    """questions × measures, 0 to 1; NaN where a measure does not count for a question (see `missing`)"""
    unknown_questions: tuple[int, ...] = ()
    """answered, and not in the release: they count for nothing"""
    unknown_texts: tuple[int, ...] = ()
    """found, and not in the release: they count as misses"""

    @property
    def types(self) -> tuple[str, ...]:
        """The question types, sorted, and `all`."""
        return (*sorted(set(self.question_types)), ALL)

    @property
    def unanswered(self) -> int:
        return len(self.answered) - sum(self.answered)

    @property
    def questions(self) -> tuple[QuestionScores, ...]:
        """The scores question by question."""
        rows = zip(self.public_ids, self.question_types, self.answered, self.matrix.tolist(), strict=True)
        return tuple(
            QuestionScores(
                public_id, type, answered, {m: v for m, v in zip(self.measures, row, strict=True) if not math.isnan(v)}
            )
            for public_id, type, answered, row in rows
        )

    def count(self, type: str = ALL) -> int:
        """How many questions there are of this type."""
        return int(np.count_nonzero(self._of(type)))

    def missing(self, measure: str | Measure, type: str = ALL) -> int:
        """How many questions have no value: unanswered ones for `peer_…`, answered ones without a verdict for `Judge`."""
        return self.count(type) - len(self.values(measure, type))

    def values(self, measure: str | Measure, type: str = ALL) -> list[float]:
        """One value per question that counts, in id order.

        Raises:
            KeyError: the measure was not computed.
        """
        column = self.column(measure)[self._of(type)]
        return column[~np.isnan(column)].tolist()

    def column(self, measure: str | Measure) -> np.ndarray:
        """The values of all questions, NaN where the measure does not count.

        Raises:
            KeyError: the measure was not computed.
        """
        name = str(parse(measure))
        if name not in self.measures:
            raise KeyError(f"{name} was not computed; there are {', '.join(self.measures)}")
        return self.matrix[:, self.measures.index(name)]

    def mean(self, measure: str | Measure, type: str = ALL) -> float:
        """The mean over the questions that count, 0 when there is none."""
        values = self.values(measure, type)
        return math.fsum(values) / len(values) if values else 0.0

    def table(self) -> dict[str, dict[str, float]]:
        """type → measure → mean, with the type `all` last."""
        return {type: {measure: self.mean(measure, type) for measure in self.measures} for type in self.types}

    def __repr__(self) -> str:
        means = ", ".join(f"{measure} {self.mean(measure):.4f}" for measure in self.measures)
        return f"Scores({len(self.public_ids):,} questions, {self.unanswered:,} unanswered: {means})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        ours, theirs = ({**vars(one), "matrix": None, "_types": None} for one in (self, other))
        return ours == theirs and np.array_equal(self.matrix, other.matrix, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _types(self) -> np.ndarray:
        return np.array(self.question_types, dtype=object)

    def _of(self, type: str) -> np.ndarray:
        return np.ones(len(self.public_ids), dtype=bool) if type == ALL else self._types == type
