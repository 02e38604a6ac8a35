"""The entity screen (paper §4.3.1): question and answer name entities of the gold articles."""

import re
from collections.abc import Iterable, Sequence

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import NAME_KINDS, VALUE_KINDS, nodes


class EntityScreen:
    """Passes when the question and each answer hold a named entity of the gold articles; score: share of these that do.

    Named entities are the mentions found in the gold articles, and the facts' nodes that are linked to an item or stand in
    «quotes» as a work (Natasha finds no titles; a linked name may differ from its mention). They are compared as sequences of
    lemmas, so that a name of several words matches in any case. An answer that can hold none (a year, a number, a post) is
    fine when it occurs in the evidence.
    """

    name = "entities"
    cheap = True

    def __init__(self, lemmas: Lemmas):
        self.lemmas = words_only(lemmas)

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        return [self._judge(case) for case in cases]

    def _judge(self, case: Case) -> Verdict:
        names = self._entities(case)
        question = self.lemmas(case.qa["question"])
        faults = [] if any(holds(question, name) for name in names) else ["no_entity_in_question"]
        values = {node.name for node in nodes(case) if node.kind in VALUE_KINDS}
        for answer in case.qa["answers"]:
            if answer in values or re.fullmatch(r"[\d\s.,%:–-]+", answer):
                faults += [] if self._in_evidence(answer, case) else [f"value_not_in_evidence: {answer}"]
            elif not any(holds(self.lemmas(answer), name) for name in names):
                faults.append(f"no_entity_in_answer: {answer}")
        if not case.qa["answers"]:
            faults.append("no_answer")
        parts = 1 + max(1, len(case.qa["answers"]))
        score = (parts - len(faults)) / parts
        return Verdict("failed", score, faults[0]) if faults else Verdict("passed", score)

    def _entities(self, case: Case) -> list[list[str]]:
        """Distinct lemma sequences. The finder lemmatises in context, a question is lemmatised alone: both count."""
        found: dict[tuple[str, ...], None] = {}
        for mention in case.mentions:
            found[tuple(mention["lemmas"].split())] = None
            found[tuple(self.lemmas(mention["text"]))] = None
            found[tuple(self.lemmas(mention["normal"]))] = None
        for node in nodes(case):
            if (node.linked and node.kind in NAME_KINDS) or node.kind == "WORK":
                found[tuple(self.lemmas(node.name))] = None
        return [list(name) for name in found]

    def _in_evidence(self, value: str, case: Case) -> bool:
        lemmas = self.lemmas(value)
        return any(value in fact["sentence"] or holds(self.lemmas(fact["sentence"]), lemmas) for fact in case.facts)
