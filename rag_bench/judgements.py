"""A judge's verdicts on the answers of a run: six criteria, each 0, 1 or 2 (paper, Appendix F).

The judge is a language model that runs elsewhere; here its verdicts are only read. A question's score is the mean of its six
verdicts over 2, so between 0 and 1. A question without verdicts has no score, and is counted as such: it is not a 0, and not
a reason to drop the others.
"""

import math
from collections.abc import Mapping
from typing import Any

from rag_bench.errors import BadRun
from rag_bench.runs import FAULTS_SHOWN, question_id

CRITERIA = (
    "absence_of_unnecessary_details",
    "consistency_with_real_world_facts",
    "correctness_of_results",
    "completeness",
    "factual_accuracy",
    "preserving_the_main_idea_and_details",
)
HIGHEST = 2

Judgements = Mapping[int, float]
"""public question id → the judge's score, 0 to 1"""


def read_judgements(verdicts: Any, source: str = "the judge's verdicts") -> Judgements:
    """Scores of `{public_id: {criterion: 0 | 1 | 2}}`.

    Raises:
        BadRun: a verdict is missing, unknown, or not 0, 1 or 2; every faulty question is named.
    """
    if not isinstance(verdicts, Mapping):
        raise BadRun(source, ["they must be an object of question ids"])
    scores: dict[int, float] = {}
    faults: list[str] = []
    for key, verdict in verdicts.items():
        try:
            public_id = question_id(key)
            if public_id in scores:
                raise ValueError("the question is judged twice")
            scores[public_id] = _score(verdict)
        except ValueError as fault:
            faults.append(f"question {ascii(key)[:40]}: {fault}")
    if faults:
        raise BadRun(source, faults[:FAULTS_SHOWN], more=len(faults) - len(faults[:FAULTS_SHOWN]))
    return scores


def _score(verdict: Any) -> float:
    if not isinstance(verdict, Mapping):
        raise ValueError("the verdict must be an object with the six criteria")
    missing, unknown = [name for name in CRITERIA if name not in verdict], [name for name in verdict if name not in CRITERIA]
    if missing or unknown:
        raise ValueError(f"{missing[0]} is missing" if missing else f"{ascii(unknown[0])[:40]} is no criterion")
    for name in CRITERIA:
        if type(verdict[name]) is not int or not 0 <= verdict[name] <= HIGHEST:
            raise ValueError(f"{name} must be 0, 1 or 2")
    return math.fsum(verdict[name] for name in CRITERIA) / (HIGHEST * len(CRITERIA))
