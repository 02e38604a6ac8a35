"""Measures, by names that print and parse alike: `hit@5`, `recall@5`, `ndcg@5`, `precision@5`, `mrr@5`, `rouge_l`, `exact`, …

Retrieval measures cut `found_ids` to the first k entries; then repeats count once. They equal trec_eval's `success_k`,
`recall_k`, `ndcg_cut_k`, `P_k` and `recip_rank` for rankings without repeats. `mrr` alone may stand without a cutoff.

Answer measures compare stems (see `answering`); with `:tokens` (`rouge_l:tokens`) they compare the words as written.
`substring_any_length` is `substring` without the limit on the answer's length.

`peer_…` are the numbers of the published client 0.2.17, faults included (see `evaluator`).
"""

import math
import re
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import partial

from rag_bench import answering, evaluator
from rag_bench.errors import UnknownMeasure
from rag_bench.gold import Gold
from rag_bench.runs import Answer

LARGEST_CUTOFF = 1000


def hit(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Whether any gold text was found."""
    return float(any(text in gold for text in found))


def recall(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """The share of the gold texts that was found."""
    return sum(text in gold for text in found) / len(gold)


def precision(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Gold texts among the k places; an empty place is a miss."""
    return sum(text in gold for text in found) / k


def mrr(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """One over the rank of the first gold text."""
    return next((1 / rank for rank, text in enumerate(found, 1) if text in gold), 0.0)


def ndcg(found: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Discounted gain (log2, binary) over that of the best ranking of k texts."""
    gain = math.fsum(1 / math.log2(rank + 1) for rank, text in enumerate(found, 1) if text in gold)
    best = math.fsum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(gold)) + 1))
    return min(1.0, gain / best)


RETRIEVAL = {"hit": hit, "recall": recall, "precision": precision, "mrr": mrr, "ndcg": ndcg}
ANSWERING: dict[str, Callable[..., float]] = {
    "rouge_1": partial(answering.rouge, "1"),
    "rouge_2": partial(answering.rouge, "2"),
    "rouge_l": partial(answering.rouge, "l"),
    "exact": answering.exact,
    "substring": answering.substring,
    "substring_any_length": partial(answering.substring, any_length=True),
    "set_f1": answering.set_f1,
}
_NAME = re.compile(r"(?P<noun>[a-zA-Z_0-9]+?)(?:@(?P<cutoff>[1-9]\d{0,3}))?(?P<tokens>:tokens)?")


@dataclass(frozen=True)
class Measure:
    """Make one with `parse`."""

    noun: str
    cutoff: int | None = None
    stemmed: bool = True

    def __str__(self) -> str:
        return self.noun + (f"@{self.cutoff}" if self.cutoff else "") + ("" if self.stemmed else ":tokens")

    @property
    def answered_only(self) -> bool:
        """Whether unanswered questions are left out, as the published client does; all others score them 0."""
        return self.noun in evaluator.NUMBERS

    def value(self, gold: Gold, answer: Answer) -> float:
        """What this answer to this question scores, 0 to 1."""
        if self.noun in evaluator.NUMBERS:
            return evaluator.NUMBERS[self.noun](gold, answer)
        if self.noun in RETRIEVAL:
            found = list(dict.fromkeys(answer.found_ids[: self.cutoff]))
            return RETRIEVAL[self.noun](found, gold.text_ids, self.cutoff or len(found))
        return ANSWERING[self.noun](answer.model_answer, gold.answers, stemmed=self.stemmed)


def parse(name: "str | Measure") -> Measure:
    """The measure of this name.

    Raises:
        UnknownMeasure: there is none, or a cutoff is missing or out of place.
    """
    if isinstance(name, Measure):
        return name
    match = _NAME.fullmatch(name)
    if not match or match["noun"] not in {*RETRIEVAL, *ANSWERING, *evaluator.NUMBERS}:
        known = ", ".join([*(f"{noun}@5" for noun in RETRIEVAL), *ANSWERING, *evaluator.NUMBERS])
        raise UnknownMeasure(f"no measure is called {name!r}; there are {known}")
    noun, cutoff, unstemmed = match["noun"], int(match["cutoff"] or 0), bool(match["tokens"])
    if noun in RETRIEVAL and not cutoff and noun != "mrr":
        raise UnknownMeasure(f"{name!r} needs a cutoff, such as {noun}@5")
    if cutoff > LARGEST_CUTOFF or (cutoff and noun not in RETRIEVAL) or (unstemmed and noun not in ANSWERING):
        raise UnknownMeasure(f"{name!r}: cutoffs (1 to {LARGEST_CUTOFF}) are for retrieval, `:tokens` is for answers")
    return Measure(noun, cutoff or None, not unstemmed)
