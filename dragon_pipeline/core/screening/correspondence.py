"""The correspondence screen (paper §4.3.2): question and answer name the nodes of the subgraph where they should."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from types import MappingProxyType

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import Node, asked, bridges, given, nodes
from dragon_pipeline.core.screening.presence import Presence, numbers

MENTIONED = 0.8
"""From this presence on a node counts as mentioned. Measured by benchmarks/correspondence.py on 20,000 pairs of a name and an
unrelated question: none reaches it (at 0.5 two in a hundred do), while names inflected in real sentences keep it."""

TRIMMED_SHARE = 0.05
"""Of simple and multi-hop questions, cut at each end of the day's batch (paper §4.3.2)."""

PERFECT = 1.0

_SAYING = ("head", "relation", "tail", "sentence", "wording")
"""columns of a fact in which the numbers of its question stand; a wording has the day that its sentence may only imply"""


class CorrespondenceScreen:
    """Judges a whole day's batch, because the peaks of simple and multi-hop questions are cut relative to it.

    *set*, *conditional*: every given node is in the question and every asked one in the answer (the lowest presence decides:
    the paper's average lets one missing node of ten through). *simple*, *multi_hop*: every end node is in one of the two; the
    means of these are trimmed by 5 % at each end. *comparison*: both subjects are in the question, the first fact's alone in
    the answer, no value in either, and the question asks in the direction of the subgraph, as far as the wordings tell.
    Everywhere else an asked node in the question is a leak, of a person the surname too; a multi-hop bridge in question or
    answer is a violation; and the numbers of every question are those of its facts. The score is the mean presence of the
    nodes that should be there.
    """

    name = "correspondence"
    cheap = True

    def __init__(
        self,
        lemmas: Lemmas,
        mentioned: float = MENTIONED,
        trimmed: float = TRIMMED_SHARE,
        synonyms: Mapping[str, str] = MappingProxyType({}),
    ):
        """Of `synonyms`, lemmas: the word that a comparison's wording has for one that a question may say instead."""
        self.synonyms = synonyms
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
        return rule(case) or _strange_number(case)

    def _fixed(self, case: Case) -> str | None:
        for node in given(case):
            if self.presence.of(node.name, case.qa["question"]) < self.mentioned:
                return f"given_not_in_question: {node.name}"
        for node in asked(case):
            if self.presence.of(node.name, case.qa["answer"]) < self.mentioned:
                return f"asked_not_in_answer: {node.name}"
        for node in given(case):
            if self._in_answer(node.name, case, [end.name for end in asked(case)]):
                return f"given_in_answer: {node.name}"
        return self._leak(case)

    def _ends(self, case: Case) -> str | None:
        for node in _ends(case):
            if self._either(node, case) < self.mentioned:
                return f"node_not_mentioned: {node.name}"
        return self._leak(case)

    def _multi_hop(self, case: Case) -> str | None:
        for node in bridges(case):
            texts = (case.qa["question"], case.qa["answer"])
            if self._either(node, case) >= self.mentioned or self._by_short_name(node, _ends(case), texts):
                return f"bridge_mentioned: {node.name}"
        return self._ends(case)

    def _comparison(self, case: Case) -> str | None:
        for fact in case.facts:
            if self.presence.of(fact["head"], case.qa["question"]) < self.mentioned:
                return f"subject_not_in_question: {fact['head']}"
        for fact in case.facts:
            if max(self.presence.of(fact["tail"], case.qa[part]) for part in ("question", "answer")) >= self.mentioned:
                return f"value_mentioned: {fact['tail']}"
        subject, *others = (fact["head"] for fact in case.facts)
        if self.presence.of(subject, case.qa["answer"]) < self.mentioned:
            return f"subject_not_in_answer: {subject}"
        for other in others:
            if self._in_answer(other, case, [subject]):
                return f"other_subject_in_answer: {other}"
        return self._turned(case)

    def _turned(self, case: Case) -> str | None:
        """The question has the word («раньше») by which the wording of the other direction differs, and not its own."""
        openings = json.loads(case.facts[0]["wording"] or "{}").get("compare") or {}
        ways = {way: set(self.lemmas(openings[way])) for way in ("more", "less") if openings.get(way)}
        own = ways.pop(case.qa["direction"], set())
        for other in ways.values():
            said = {self.synonyms.get(word, word) for word in self.lemmas(case.qa["question"])}
            if own - other and said & (other - own) and not said & (own - other):
                return f"direction_turned: {min(said & (other - own))}"
        return None

    def _in_answer(self, name: str, case: Case, wanted: Sequence[str]) -> bool:
        """The answer names it, and not only as a part of what it should name («сборная России» names Russia)."""
        inside = any(self.presence.of(name, other) >= self.mentioned for other in wanted)
        return not inside and self.presence.of(name, case.qa["answer"]) >= self.mentioned

    def _leak(self, case: Case) -> str | None:
        for node in asked(case):
            kept = [other for other in nodes(case) if other != node]
            named = self.presence.of(node.name, case.qa["question"]) >= self.mentioned
            if named or (node.kind == "PER" and self._by_short_name(node, kept, (case.qa["question"],))):
                return f"answer_in_question: {node.name}"
        return None

    def _by_short_name(self, node: Node, others: Sequence[Node], texts: Sequence[str]) -> bool:
        """A person is mentioned by the surname too, a firm by its title in quotes, unless it is another node's (a relative)."""
        name = self.lemmas(node.name)
        short = [self.lemmas(title) for title in re.findall(r"[«\"]([^«»\"]+)[»\"]", node.name)]
        if node.kind == "PER" and len(name) > 1:
            short.append(name[-1:])
        own = [part for part in short if not any(holds(self.lemmas(other.name), part) for other in others)]
        return any(holds(self.lemmas(text), part) for part in own for text in texts)

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


def _strange_number(case: Case) -> str | None:
    """A number of the question that none of its facts says."""
    told = {number for fact in case.facts for part in _SAYING for number in numbers(fact[part] or "")}
    days = [fact["published_at"][:10] for fact in case.facts if fact.get("published_at")]
    told |= {number for day in days for number in (day[:4], str(int(day[8:])))}  # «Кто, как сообщалось 5 марта 2024 года, …»
    if any(fact["wording"] is None for fact in case.facts):
        told |= _days_near(case)
    for number in numbers(case.qa["question"]):
        if number not in told:
            return f"number_not_in_facts: {number}"
    return None


def _days_near(case: Case) -> set[str]:
    """A model may have said «вчера» as a date: the years and days of the month around the articles' dates."""
    dates = [date.fromisoformat(article["published_at"][:10]) for article in case.articles if article["published_at"]]
    around = [day + timedelta(days=shift) for day in dates for shift in range(-7, 8)]
    return {str(number) for day in around for number in (day.year, day.day)}
