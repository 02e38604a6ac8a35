"""The correspondence screen (paper §4.3.2): question and answer name the nodes of the subgraph where they should."""

import re
from collections.abc import Callable, Iterable, Sequence

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import Node, asked, bridges, given, nodes
from dragon_pipeline.core.screening.presence import Presence

MENTIONED = 0.8
"""From this presence on a node counts as mentioned. Measured by benchmarks/correspondence.py on 20,000 pairs of a name and an
unrelated question: none reaches it (at 0.5 two in a hundred do), while names inflected in real sentences keep it."""

TRIMMED_SHARE = 0.05
"""Of simple and multi-hop questions, cut at each end of the day's batch (paper §4.3.2)."""

PERFECT = 1.0


class CorrespondenceScreen:
    """Judges a whole day's batch, because the peaks of simple and multi-hop questions are cut relative to it.

    *set*, *conditional*: every given node is in the question and every asked one in the answer (the lowest presence decides:
    the paper's average lets one missing node of ten through). *simple*, *multi_hop*: every end node is in one of the two; the
    means of these are trimmed by 5 % at each end. *comparison*: both subjects are in the question, no value in question or
    answer. Everywhere an asked node in the question is a leak, and a multi-hop bridge in question or answer a violation.
    The score is the mean presence of the nodes that should be there.
    """

    name = "correspondence"
    cheap = True

    def __init__(self, lemmas: Lemmas, mentioned: float = MENTIONED, trimmed: float = TRIMMED_SHARE):
        self.lemmas = words_only(lemmas)
        self.presence = Presence(lemmas)
        self.mentioned = mentioned
        self.trimmed = trimmed

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        scores = [self._score(case) for case in cases]
        cuts = {
            kind: trim([score for case, score in zip(cases, scores, strict=True) if case.qa["type"] == kind], self.trimmed)
            for kind in ("simple", "multi_hop")
        }
        return [self._verdict(case, score, cuts.get(case.qa["type"])) for case, score in zip(cases, scores, strict=True)]

    def _verdict(self, case: Case, score: float, cut: tuple[float, float] | None) -> Verdict:
        fault = self._fault(case)
        if fault is None and cut is not None and score < cut[0]:
            fault = f"trimmed_low: below {cut[0]:.3f}"
        if fault is None and cut is not None and cut[1] < score < PERFECT:
            fault = f"trimmed_high: above {cut[1]:.3f}"
        return Verdict("failed", score, fault) if fault else Verdict("passed", score)

    def _fault(self, case: Case) -> str | None:
        rule: Callable[[Case], str | None] = {
            "set": self._fixed,
            "conditional": self._fixed,
            "simple": self._ends,
            "multi_hop": self._multi_hop,
            "comparison": self._comparison,
        }[case.qa["type"]]
        return rule(case)

    def _fixed(self, case: Case) -> str | None:
        for node in given(case):
            if self.presence.of(node.name, case.qa["question"]) < self.mentioned:
                return f"given_not_in_question: {node.name}"
        for node in asked(case):
            if self.presence.of(node.name, case.qa["answer"]) < self.mentioned:
                return f"asked_not_in_answer: {node.name}"
        return self._leak(case)

    def _ends(self, case: Case) -> str | None:
        for node in _ends(case):
            if self._either(node, case) < self.mentioned:
                return f"node_not_mentioned: {node.name}"
        return self._leak(case)

    def _multi_hop(self, case: Case) -> str | None:
        for node in bridges(case):
            if self._either(node, case) >= self.mentioned or self._by_short_name(node, case):
                return f"bridge_mentioned: {node.name}"
        return self._ends(case)

    def _comparison(self, case: Case) -> str | None:
        for fact in case.facts:
            if self.presence.of(fact["head"], case.qa["question"]) < self.mentioned:
                return f"subject_not_in_question: {fact['head']}"
        for fact in case.facts:
            if max(self.presence.of(fact["tail"], case.qa[part]) for part in ("question", "answer")) >= self.mentioned:
                return f"value_mentioned: {fact['tail']}"
        return None

    def _leak(self, case: Case) -> str | None:
        for node in asked(case):
            if self.presence.of(node.name, case.qa["question"]) >= self.mentioned:
                return f"answer_in_question: {node.name}"
        return None

    def _by_short_name(self, node: Node, case: Case) -> bool:
        """A person is mentioned by the surname too, a firm by its title in quotes, unless it is another node's (a relative)."""
        name = self.lemmas(node.name)
        short = [self.lemmas(title) for title in re.findall(r"[«\"]([^«»\"]+)[»\"]", node.name)]
        if node.kind == "PER" and len(name) > 1:
            short.append(name[-1:])
        others = [self.lemmas(end.name) for end in _ends(case)]
        own = [part for part in short if not any(holds(other, part) for other in others)]
        return any(holds(self.lemmas(case.qa[text]), part) for part in own for text in ("question", "answer"))

    def _either(self, node: Node, case: Case) -> float:
        return max(self.presence.of(node.name, case.qa["question"]), self.presence.of(node.name, case.qa["answer"]))

    def _score(self, case: Case) -> float:
        """Mean presence of the nodes that should be mentioned, each where it should be."""
        if case.qa["type"] in ("set", "conditional"):
            parts = [self.presence.of(node.name, case.qa["question"]) for node in given(case)]
            parts += [self.presence.of(node.name, case.qa["answer"]) for node in asked(case)]
        elif case.qa["type"] == "comparison":
            parts = [self.presence.of(fact["head"], case.qa["question"]) for fact in case.facts]
        else:
            parts = [self._either(node, case) for node in _ends(case)]
        return sum(parts) / len(parts) if parts else 0.0


def trim(scores: Sequence[float], share: float) -> tuple[float, float]:
    """The lowest and highest score that stays when `share` is cut at each end. Scores equal to a cut stay, and so do perfect
    ones: a caller removes what is below the first, or above the second and not perfect."""
    ranked = sorted(scores)
    cut = int(len(ranked) * share)
    return (ranked[cut], ranked[-1 - cut]) if ranked else (0.0, PERFECT)


def _ends(case: Case) -> list[Node]:
    """The nodes that are to be mentioned; of multi-hop those with one connection."""
    hidden = {node.node_id for node in bridges(case)} if case.qa["type"] == "multi_hop" else set()
    return [node for node in nodes(case) if node.node_id not in hidden]
