"""The written cases of masking_cases.yaml, and how well something masks them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from dragon_pipeline.core.corpus.masking import Span, find

MARKED = re.compile(r"\{(\w+):([^{}]+)\}")
ALL = "all"


@dataclass(frozen=True)
class Case:
    text: str
    spans: tuple[Span, ...]


@dataclass
class Score:
    wanted: int = 0
    masked: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.masked if self.masked else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 1.0


@cache
def cases(part: str) -> tuple[Case, ...]:
    told = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return tuple(_case(marked) for marked in told[part])


def score(of: Sequence[Case]) -> dict[str, Score]:
    """By kind and for all; only exactly the same characters of the same kind are right."""
    scores: dict[str, Score] = {ALL: Score()}
    for case in of:
        found, wanted = set(find(case.text)), set(case.spans)
        for span in sorted(found | wanted, key=lambda span: span.start):
            for one in (scores[ALL], scores.setdefault(span.kind, Score())):
                one.wanted += span in wanted
                one.masked += span in found
                one.right += span in wanted and span in found
                if (span in wanted) != (span in found):
                    said = "missed" if span in wanted else "masked"
                    one.wrong.append(f"{said} {case.text[span.start : span.stop]!r} in {case.text!r}")
    return scores


def _case(marked: str) -> Case:
    text, spans, at = "", [], 0
    for match in MARKED.finditer(marked):
        text += marked[at : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1]))
        text, at = text + match[2], match.end()
    return Case(text + marked[at:], tuple(spans))
