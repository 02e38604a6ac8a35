"""The words in which annotators are asked about questions, in Russian."""

from importlib.resources import files

import yaml

from dragon_pipeline.core.evaluation.annotations import Criterion, Guide
from dragon_pipeline.core.screening.judge import ANSWER_CRITERIA, CRITERIA


def guide() -> Guide:
    """`annotation.yaml`, its criteria in the order of the judge: those with an answer last."""
    told = yaml.safe_load((files("dragon_pipeline.languages.ru") / "annotation.yaml").read_text(encoding="utf-8"))
    asked = told.pop("criteria")
    return Guide(
        **told, criteria=tuple(Criterion(name, **asked[name], with_answer=name in ANSWER_CRITERIA) for name in CRITERIA)
    )
