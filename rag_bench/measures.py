"""Measures as named objects that print and parse alike: `nDCG @ 5` is `parse("nDCG@5")`, and its `str` is `nDCG@5`.

Measures of a ranking (see `ranking`) have a cutoff: `Hit@5 Recall@5 Precision@5 nDCG@5 MRR@5`. Measures of an answer (see
`answering`) are `ROUGE-1 ROUGE-2 ROUGE-L Exact Substring Set-P Set-R Set-F1`; they compare words by stems, with `:tokens`
(`ROUGE-L:tokens`) as they are written, with `:lemmas` by lemmas. `Judge` is the mean of given verdicts (see `judgements`).
`peer_…` are the numbers of the published client 0.2.17, faults included (see `evaluator`).

Names are parsed whatever their case, and with `_` for `-`: `ndcg@5`, `rouge_l`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from rag_bench import answering, evaluator, ranking
from rag_bench.errors import UnknownMeasure
from rag_bench.gold import Gold
from rag_bench.runs import Answer
from rag_bench.wanted import want
from rag_bench.words import STEMS, WAYS, read_words

RANKING: dict[str, Callable[..., float]] = {
    "Hit": ranking.hit,
    "Recall": ranking.recall,
    "Precision": ranking.precision,
    "nDCG": ranking.ndcg,
    "MRR": ranking.mrr,
}
ANSWERING: dict[str, Callable[..., float]] = {
    "ROUGE-1": partial(answering.rouge, "1"),
    "ROUGE-2": partial(answering.rouge, "2"),
    "ROUGE-L": partial(answering.rouge, "L"),
    "Exact": answering.exact,
    "Substring": answering.substring,
    "Set-P": answering.set_precision,
    "Set-R": answering.set_recall,
    "Set-F1": answering.set_f1,
}
JUDGE = "Judge"
_NOUNS = {name.lower().replace("_", "-"): name for name in (*RANKING, *ANSWERING, *evaluator.NUMBERS, JUDGE)}
_NAME = re.compile(r"(?P<noun>[a-zA-Z0-9_-]+?)(?:@(?P<cutoff>[1-9]\d{0,3}))?(?::(?P<way>[a-z]+))?")


@dataclass(frozen=True)
class Measure:
    """Make one with `parse`, or of the objects of this module."""

    noun: str
    cutoff: int | None = None
    way: str = STEMS
    """how words are compared: one of `words.WAYS`"""

    def __post_init__(self) -> None:
        if self.noun not in _NOUNS.values():
            raise UnknownMeasure(f"no measure is called {self.noun!r}")
        ranks, cutoff = self.noun in RANKING, self.cutoff
        if ranks and not (isinstance(cutoff, int) and 1 <= cutoff <= ranking.LARGEST_CUTOFF):
            raise UnknownMeasure(f"{self.noun} needs a cutoff from 1 to {ranking.LARGEST_CUTOFF}, such as {self.noun}@5")
        if (cutoff is not None and not ranks) or (self.way != STEMS and self.noun not in ANSWERING) or self.way not in WAYS:
            raise UnknownMeasure(f"{self}: cutoffs are for rankings, and {', '.join(f':{way}' for way in WAYS)} for answers")

    def __str__(self) -> str:
        return self.noun + (f"@{self.cutoff}" if self.cutoff else "") + ("" if self.way == STEMS else f":{self.way}")

    def over(self, way: str) -> "Measure":
        """The same measure of an answer with words compared in another way: `ROUGEL.over("tokens")`."""
        return replace(self, way=way)

    @property
    def answered_only(self) -> bool:
        """Whether unanswered questions are left out, as the published client does; all others score them 0."""
        return self.noun in evaluator.NUMBERS

    def value(self, gold: Gold, answer: Answer) -> float:
        """What this answer to this question scores, 0 to 1; many are scored by `evaluation.evaluate`.

        Raises:
            UnknownMeasure: it is the judge's, whose verdicts are given, not computed.
        """
        if self.noun in RANKING:
            k = self.cutoff or 0
            return RANKING[self.noun](ranking.gold_ranks(answer.found_ids, gold.text_ids, k), len(gold.text_ids), k)
        if self.noun in ANSWERING:
            given, wanted = read_words(answer.model_answer, self.way), want(gold.answers, gold.question, self.way)
            return ANSWERING[self.noun](answering.Pair(given, wanted))
        if self.noun in evaluator.NUMBERS:
            return evaluator.NUMBERS[self.noun](gold, answer)
        raise UnknownMeasure("a judge's score is not computed here: give its verdicts to evaluate(…, judgements=…)")


@dataclass(frozen=True)
class Uncut:
    """A measure of rankings that waits for its cutoff: `nDCG @ 5`."""

    noun: str

    def __matmul__(self, cutoff: int) -> Measure:
        return Measure(self.noun, cutoff)

    def __str__(self) -> str:
        return self.noun


Hit, Recall, Precision, nDCG, MRR = (Uncut(noun) for noun in RANKING)
ROUGE1, ROUGE2, ROUGEL, Exact, Substring, SetP, SetR, SetF1 = (Measure(noun) for noun in ANSWERING)
Judge = Measure(JUDGE)


def parse(name: "str | Measure") -> Measure:
    """The measure of this name.

    Raises:
        UnknownMeasure: there is none, or a cutoff or a way of comparison is missing, out of place or out of range.
    """
    if isinstance(name, Measure):
        return name
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    noun = _NOUNS.get(match["noun"].lower().replace("_", "-")) if match else None
    if not match or not noun:
        known = ", ".join([*(f"{noun}@5" for noun in RANKING), *ANSWERING, JUDGE, *evaluator.NUMBERS])
        raise UnknownMeasure(f"no measure is called {name!r}; there are {known}")
    return Measure(noun, int(match["cutoff"]) if match["cutoff"] else None, match["way"] or STEMS)
