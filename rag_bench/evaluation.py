"""Scoring a run against the gold of a release."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_bench.gold import Gold, known_texts, read_gold
from rag_bench.installation import require_single_client
from rag_bench.measures import Measure, parse
from rag_bench.profiles import PROFILES
from rag_bench.runs import UNANSWERED, Answer, Run, check_run

ALL = "all"
"""the type that stands for every question"""


@dataclass(frozen=True)
class QuestionScores:
    public_id: int
    type: str
    answered: bool
    values: Mapping[str, float] = field(default_factory=dict)
    """measure → value; a measure over answered questions only has none for an unanswered one"""


@dataclass(frozen=True)
class Scores:
    """Every question's values, and what in the run could not be scored."""

    measures: tuple[str, ...]
    questions: tuple[QuestionScores, ...]
    unknown_questions: tuple[int, ...] = ()
    """answered, and not in the release: they count for nothing"""
    unknown_texts: tuple[int, ...] = ()
    """found, and not in the release: they count as misses"""

    @property
    def types(self) -> tuple[str, ...]:
        """The question types, sorted, and `all`."""
        return (*sorted({question.type for question in self.questions}), ALL)

    @property
    def unanswered(self) -> int:
        return sum(not question.answered for question in self.questions)

    def values(self, measure: str, type: str = ALL) -> list[float]:
        """One value per question that counts, in id order."""
        return [q.values[measure] for q in self.questions if type in (ALL, q.type) and measure in q.values]

    def mean(self, measure: str, type: str = ALL) -> float:
        """The mean over the questions, 0 when there is none."""
        values = self.values(measure, type)
        return math.fsum(values) / len(values) if values else 0.0

    def table(self) -> dict[str, dict[str, float]]:
        """type → measure → mean, with the type `all` last."""
        return {type: {measure: self.mean(measure, type) for measure in self.measures} for type in self.types}


def evaluate(
    run: Run | Mapping[str, Any],
    private_qa: Any,
    private_texts: Any,
    measures: Sequence[str | Measure] = PROFILES["standard"].measures,
) -> Scores:
    """Scores a run; every question of the release counts, an unanswered one scores 0.

    Args:
        run: as `read_run` gives it, or `{public_id: {found_ids, model_answer}}`.
        private_qa: the gold, any kind of table (see `gold`).
        private_texts: private → public text ids, of the same version.
        measures: names or measures.

    Raises:
        BadRun: an entry of the run is not what it must be.
        BadTable: the private tables contradict each other.
        UnknownMeasure: a name is not known.
    """
    require_single_client()
    answers, parsed = check_run(run), [parse(measure) for measure in measures]
    gold, texts = read_gold(private_qa, private_texts), known_texts(private_texts)
    asked = {one.public_id for one in gold}
    found = {text for answer in answers.values() for text in answer.found_ids}
    return Scores(
        tuple(map(str, parsed)),
        tuple(_score(one, answers.get(one.public_id), parsed) for one in gold),
        unknown_questions=tuple(sorted(set(answers) - asked)),
        unknown_texts=tuple(sorted(found - texts)),
    )


def _score(gold: Gold, answer: Answer | None, measures: Sequence[Measure]) -> QuestionScores:
    counted = [measure for measure in measures if answer is not None or not measure.answered_only]
    values = {str(measure): measure.value(gold, answer or UNANSWERED) for measure in counted}
    return QuestionScores(gold.public_id, gold.type, answer is not None, values)
