"""What rules can judge in any language: whether the articles and the other facts bear a question and its answer out."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import polars as pl

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.screening.judge import BEST, POSITIVE, WORST, Rating
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import NUMERIC_KINDS, Node, asked, nodes
from dragon_pipeline.core.screening.screens import RULES_CANNOT_JUDGE

SUPERSEDED = "superseded"

Values = Callable[[str, str], Quantity | None]
"""The language's reader of values: (kind of a node, its text) → its value; as `Draw.quantity`."""


class ContextSufficiency:
    """2 when every fact's evidence sentence stands in its gold article and both ends occur there by lemma; 1 when an end is
    known there only by its link to an item («РФ» for «Россия»); else 0."""

    def __init__(self, lemmas: Lemmas):
        self.lemmas = words_only(lemmas)

    def __call__(self, case: Case) -> Rating:
        texts = {article["article_id"]: article["text"] for article in case.articles}
        for fact in case.facts:
            text = texts.get(fact["article_id"])
            if text is None:
                return Rating(WORST, f"article_not_gold: {fact['article_id']}")
            if text[fact["start"] : fact["stop"]] != fact["sentence"] and fact["sentence"] not in text:
                return Rating(WORST, f"no_evidence_sentence: {fact['fact_id']}")
        missing = [node for node in nodes(case) if not self._occurs(node, case)]
        for node in missing:
            if not node.linked:
                return Rating(WORST, f"not_in_articles: {node.name}")
        return Rating(POSITIVE, f"only_by_link: {missing[0].name}") if missing else Rating(BEST)

    def _occurs(self, node: Node, case: Case) -> bool:
        """In the evidence first: an article is lemmatised only when the name is not there."""
        name = self.lemmas(node.name)
        if any(holds(self.lemmas(fact["sentence"]), name) for fact in case.facts):
            return True
        if any(name in (mention["lemmas"].split(), self.lemmas(mention["normal"])) for mention in case.mentions):
            return True
        return any(holds(self.lemmas(article["text"]), name) for article in case.articles)


class AnswerCorrectness:
    """2 when the answers are exactly the asked nodes and the written answer names each of them; else 0. Of a comparison the
    answer's value must also surely be the larger (later) or smaller (earlier) one, as its direction says."""

    def __init__(self, lemmas: Lemmas, quantity: Values | None = None):
        """`quantity`: without it no comparison can be judged."""
        self.lemmas = words_only(lemmas)
        self.quantity = quantity

    def __call__(self, case: Case) -> Rating:
        answers = [self._key(answer) for answer in case.qa["answers"]]
        wanted = {self._key(node.name): node.name for node in asked(case)}
        if not answers:
            return Rating(WORST, "no_answer")
        if len(set(answers)) < len(answers):
            return Rating(WORST, "answer_repeated")
        for answer, name in zip(answers, case.qa["answers"], strict=True):
            if answer not in wanted:
                return Rating(WORST, f"not_asked: {name}")
        for key, name in wanted.items():
            if key not in answers:
                return Rating(WORST, f"answer_missing: {name}")
        written = self.lemmas(case.qa["answer"] or "")
        for name in case.qa["answers"]:
            if name not in (case.qa["answer"] or "") and not holds(written, self.lemmas(name)):
                return Rating(WORST, f"answer_not_written: {name}")
        return self._compared(case) if case.qa["type"] == "comparison" else Rating(BEST)

    def _compared(self, case: Case) -> Rating:
        """In the order of the facts the first is the answer's."""
        if self.quantity is None:
            return Rating(None, RULES_CANNOT_JUDGE)
        tails = [fact["tail"] for fact in case.facts]
        answers, rival = (self.quantity(fact["tail_kind"], fact["tail"]) for fact in case.facts)
        if answers is None or rival is None or answers.unit != rival.unit:
            return Rating(WORST, f"not_comparable: {' / '.join(tails)}")
        right = answers.exceeds(rival) if case.qa["direction"] == "more" else rival.exceeds(answers)
        return Rating(BEST) if right else Rating(WORST, f"not_{case.qa['direction']}: {' / '.join(tails)}")

    def _key(self, name: str) -> str:
        return " ".join(self.lemmas(name)) or name


class AnswerUniqueness:
    """2 when no fact of the window gives the same question another answer; else 0.

    Facts of every novelty count, for a reader of the texts finds them all; those of an article version that was replaced do
    not. Two nodes are the same when their ids are, or when one's name is part of the other's (a surname and the full name).
    A conditional question has another answer only if one node fits both of its facts. A comparison has one while each of its
    heads has one value of what is compared: another that does not overlap with it might turn the answer round.
    """

    def __init__(self, lemmas: Lemmas, facts: pl.DataFrame, quantity: Values | None = None):
        """`facts`: of the window; `quantity`: without it no comparison can be judged."""
        self.lemmas = words_only(lemmas)
        self.quantity = quantity
        self.values: dict[str, list[dict]] = defaultdict(list)
        self.ends: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
        for fact in facts.sort("article_id", "start", "fact_id").iter_rows(named=True):
            if fact["held_back"] != SUPERSEDED:
                for near, far in (("head", "tail"), ("tail", "head")):
                    self.ends[near, fact[f"{near}_id"], _relation(fact)].setdefault(fact[f"{far}_id"], fact[far])
                if fact["tail_kind"] in NUMERIC_KINDS:
                    self.values[_compared_by(fact)].append(
                        {name: fact[name] for name in ("head", "head_id", "tail", "tail_id", "tail_kind")}
                    )

    def __call__(self, case: Case) -> Rating:
        if case.qa["type"] == "comparison":
            return self._comparison(case)
        if case.qa["type"] == "conditional":
            return self._conditional(case)
        wanted = {node.node_id: node.name for node in asked(case)}
        hidden = {node.node_id: node.name for node in nodes(case) if node.name == case.qa["bridge"]}
        for fact in case.facts:
            for near, far in (("head", "tail"), ("tail", "head")):
                to_answer = fact[f"{far}_id"] in wanted
                to_bridge = fact[f"{far}_id"] in hidden and fact[near] in case.qa["given"]
                for other in self._others(fact, near, wanted if to_answer else hidden if to_bridge else {}):
                    return Rating(WORST, f"another_answer: {other}")
        return Rating(BEST)

    def _conditional(self, case: Case) -> Rating:
        goals = {node.node_id: node.name for node in asked(case)}
        fits: list[dict[str, str]] = []
        for fact in case.facts:
            near = "tail" if fact["head_id"] in goals else "head"
            fits.append(self.ends[near, fact[f"{near}_id"], _relation(fact)])
        common = set.intersection(*(set(fit) for fit in fits)) if fits else set()
        for other in self._foreign(((key, fits[0][key]) for key in sorted(common)), goals):
            return Rating(WORST, f"another_answer: {other}")
        return Rating(BEST)

    def _comparison(self, case: Case) -> Rating:
        if self.quantity is None:
            return Rating(None, RULES_CANNOT_JUDGE)
        for fact in case.facts:
            own = self.quantity(fact["tail_kind"], fact["tail"])
            name = self.lemmas(fact["head"])
            for key in sorted({_compared_by(fact), _relation(fact)}):
                for other in self.values.get(key, ()):
                    if other["tail_id"] == fact["tail_id"]:
                        continue
                    if other["head_id"] != fact["head_id"] and not self._same(self.lemmas(other["head"]), [name]):
                        continue
                    if not _touch(own, self.quantity(other["tail_kind"], other["tail"])):
                        return Rating(WORST, f"another_value: {other['head']} {other['tail']}")
        return Rating(BEST)

    def _others(self, fact: dict, near: str, goals: dict[str, str]) -> Iterable[str]:
        if not goals:
            return []
        return self._foreign(self.ends[near, fact[f"{near}_id"], _relation(fact)].items(), goals)

    def _foreign(self, found: Iterable[tuple[str, str]], goals: dict[str, str]) -> Iterable[str]:
        names = [self.lemmas(name) for name in goals.values()]
        for node_id, name in found:
            if node_id not in goals and not self._same(self.lemmas(name), names):
                yield name

    def _same(self, name: list[str], names: Sequence[list[str]]) -> bool:
        return any(holds(name, other) or holds(other, name) for other in names)


def _relation(fact: dict) -> str:
    return fact["relation_id"] or fact["relation"].lower()


def _compared_by(fact: dict) -> str:
    """What its value is a value of: the key under which the wording says that it compares, else its relation."""
    said = json.loads(fact["wording"]) if fact["wording"] else {}
    return (said.get("compare") or {}).get("key") or _relation(fact)


def _touch(one: Quantity | None, other: Quantity | None) -> bool:
    """Whether the two may be one value, said with other words or rounding."""
    if one is None or other is None or one.unit != other.unit:
        return False
    return not one.exceeds(other) and not other.exceeds(one)
