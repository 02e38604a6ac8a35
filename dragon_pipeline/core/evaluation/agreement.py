"""How far a judge agrees with annotators, and annotators with each other (paper, Tables 1 and 4)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dragon_pipeline.core.evaluation.annotations import Annotation
from dragon_pipeline.core.evaluation.proportions import Share
from dragon_pipeline.core.evaluation.reliability import Alpha, alpha

Rule = Literal["half", "majority"]
"""When an item is good: `half` or more of its annotators said so (paper, Table 1), or more than half of them, the `majority`
(Table 4)."""

NOT_ANNOTATED, NOT_JUDGED, NONE_PASSED, NONE_GOOD = "not_annotated", "not_judged", "judge_passed_none", "annotators_passed_none"


@dataclass(frozen=True)
class Agreement:
    """Of one criterion."""

    criterion: str
    items: int
    """that somebody annotated"""
    annotators: int
    annotations: int
    good: Share
    """of the items, by the rule"""
    alpha: Alpha
    judged: int
    """of the items, those that the judge passed or failed; the numbers below are over these"""
    precision: Share
    """of what the judge passed, what annotators found good"""
    recall: Share
    """of what annotators found good, what the judge passed"""
    accuracy: Share
    """of all, where both say the same"""
    f1: float | None
    """harmonic mean of precision and recall; none when neither judge nor annotators passed anything"""

    @property
    def not_judged(self) -> int:
        return self.items - self.judged


def measure(
    said: Iterable[Annotation],
    judged: Mapping[tuple[str, str], bool],
    criteria: Sequence[str],
    rule: Rule = "half",
    seed: int = 0,
) -> list[Agreement]:
    """Agreement by criterion, in their order.

    Args:
        said: at most one annotation by (item, annotator, criterion).
        judged: (item, criterion) → whether the judge passed it; what it did not judge is absent.
        criteria: those to report; others are not looked at.
        rule: when annotators found an item good.
        seed: of the bootstrap behind alpha's interval.
    """
    found: dict[str, list[Annotation]] = {criterion: [] for criterion in criteria}
    for one in said:
        if one.criterion in found:
            found[one.criterion].append(one)
    return [_of_criterion(criterion, of, judged, rule, seed) for criterion, of in found.items()]


def is_good(values: Sequence[bool], rule: Rule) -> bool:
    """What several annotators found together."""
    said = 2 * sum(values)
    return said >= len(values) if rule == "half" else said > len(values)


def _of_criterion(
    criterion: str, said: Sequence[Annotation], judged: Mapping[tuple[str, str], bool], rule: Rule, seed: int
) -> Agreement:
    values: defaultdict[str, list[bool]] = defaultdict(list)
    for one in said:
        values[one.item].append(one.good)
    good = {item: is_good(of, rule) for item, of in values.items()}
    pairs = [(judged[item, criterion], by_people) for item, by_people in good.items() if (item, criterion) in judged]
    both = sum(by_judge and by_people for by_judge, by_people in pairs)
    passed, liked = sum(by_judge for by_judge, _ in pairs), sum(by_people for _, by_people in pairs)
    nothing = (NOT_JUDGED if good else NOT_ANNOTATED) if not pairs else None
    return Agreement(
        criterion=criterion,
        items=len(good),
        annotators=len({one.annotator for one in said}),
        annotations=len(said),
        good=_share(sum(good.values()), len(good), NOT_ANNOTATED),
        alpha=alpha(list(values.values()), seed),
        judged=len(pairs),
        precision=_share(both, passed, nothing or NONE_PASSED),
        recall=_share(both, liked, nothing or NONE_GOOD),
        accuracy=_share(sum(by_judge == by_people for by_judge, by_people in pairs), len(pairs), nothing),
        f1=2 * both / (passed + liked) if passed + liked else None,
    )


def _share(hits: int, n: int, reason: str | None) -> Share:
    return Share(hits, n, None if n else reason)
