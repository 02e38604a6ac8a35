"""What rules can judge in any language: whether the articles and the other facts bear a question and its answer out."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

import polars as pl

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.questions.graph import latest
from dragon_pipeline.core.questions.namesakes import alike, folded, spelled
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.questions.wordings import ENDS
from dragon_pipeline.core.screening.answers import Values
from dragon_pipeline.core.screening.judge import BEST, POSITIVE, WORST, Rating
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import NUMERIC_KINDS, Node, asked, nodes
from dragon_pipeline.core.screening.screens import RULES_CANNOT_JUDGE

ROLE, PERSON = "ROLE", "PER"


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

    Facts of every novelty count, for a reader of the texts finds them all. A question shows names: what is said of a node is
    said of every node that shares its id or name, and posts are one relation (as the sampler sees it, see `Graph`). Two
    answers are the same when their ids or names are; of people also when one's name is part of the other's (a surname and the
    full name). A conditional question has another answer only if one node fits both of its facts. A comparison has one while
    each of its heads has one value of what is compared: another that does not overlap with it might turn the answer round.
    """

    def __init__(self, lemmas: Lemmas, facts: pl.DataFrame, quantity: Values | None = None):
        """`facts`: of the window, without those of replaced versions, see `standing`; `quantity`: without it no comparison can
        be judged."""
        self.lemmas = words_only(lemmas)
        self.quantity = quantity
        self.nodes = alike(*(pl.concat([facts[f"{end}{part}"] for end in ENDS]) for part in ("_id", "")))
        relation = facts.select(pl.when(pl.col("relation_id").fill_null("") == "").then("relation").otherwise("relation_id"))
        self.relations = alike(relation.to_series(), facts["relation"])
        self.posts = {self._relation(fact) for fact in facts.filter(tail_kind=ROLE).iter_rows(named=True)}
        self.values: dict[str, list[dict]] = defaultdict(list)
        self.ends: dict[tuple[str, str, str], Found] = defaultdict(lambda: defaultdict(dict))
        for fact in facts.sort("article_id", "start", "fact_id").iter_rows(named=True):
            for near, far in (ENDS, ENDS[::-1]):
                self._found(fact, near)[fact[f"{far}_id"]][fact[far], fact[f"{far}_kind"]] = None
            if fact["tail_kind"] in NUMERIC_KINDS:
                self.values[self._compared_by(fact)].append(
                    {name: fact[name] for name in ("head", "head_id", "tail", "tail_id", "tail_kind")}
                )

    def __call__(self, case: Case) -> Rating:
        if case.qa["type"] == "comparison":
            return self._comparison(case)
        if case.qa["type"] == "conditional":
            return self._conditional(case)
        wanted = {node.node_id: node for node in asked(case)}
        hidden = {node.node_id: node for node in nodes(case) if node.name == case.qa["bridge"]}
        for fact in case.facts:
            for near, far in (ENDS, ENDS[::-1]):
                to_answer = fact[f"{far}_id"] in wanted
                to_bridge = fact[f"{far}_id"] in hidden and fact[near] in case.qa["given"]
                for other in self._foreign(self._found(fact, near), wanted if to_answer else hidden if to_bridge else {}):
                    return Rating(WORST, f"another_answer: {other}")
        return Rating(BEST)

    def _conditional(self, case: Case) -> Rating:
        goals = {node.node_id: node for node in asked(case)}
        fits = [self._found(fact, "tail" if fact["head_id"] in goals else "head") for fact in case.facts]
        common = set.intersection(*(set(fit) for fit in fits)) if fits else set()
        readers = set.intersection(*({self._node(id) for id in fit} for fit in fits)) if fits else set()
        readers -= {self._node(id) for id in goals}
        both = {id: names for fit in fits for id, names in fit.items() if id in common or self._node(id) in readers}
        for other in self._foreign(dict(sorted(both.items())), goals):
            return Rating(WORST, f"another_answer: {other}")
        return Rating(BEST)

    def _comparison(self, case: Case) -> Rating:
        if self.quantity is None:
            return Rating(None, RULES_CANNOT_JUDGE)
        for fact in case.facts:
            own = self.quantity(fact["tail_kind"], fact["tail"])
            for key in sorted({self._compared_by(fact), self._relation(fact)}):
                for other in self.values.get(key, ()):
                    if other["tail_id"] == fact["tail_id"] or not self._of_one(fact, other):
                        continue
                    if not _touch(own, self.quantity(other["tail_kind"], other["tail"])):
                        return Rating(WORST, f"another_value: {other['head']} {other['tail']}")
        return Rating(BEST)

    def _of_one(self, fact: dict, other: dict) -> bool:
        """Whether a reader may take the heads for one, be it that one name is part of the other."""
        return self._node(fact["head_id"]) == self._node(other["head_id"]) or self._within(fact["head"], other["head"])

    def _found(self, fact: dict, near: str) -> "Found":
        """What stands at the far end of facts that say the same of the near one."""
        said = self._relation(fact)
        return self.ends[near, self._node(fact[f"{near}_id"]), ROLE if said in self.posts else said]

    def _foreign(self, found: "Found", goals: Mapping[str, Node]) -> Iterable[str]:
        if goals:
            for node_id, names in found.items():
                for name, kind in names if node_id not in goals else ():
                    if not any(self._same(name, kind, goal) for goal in goals.values()):
                        yield name

    def _same(self, name: str, kind: str, goal: Node) -> bool:
        if kind == goal.kind == PERSON and (spelled(name) == spelled(goal.name) or self._within(name, goal.name)):
            return True
        return folded(name) == folded(goal.name) or self.lemmas(name) == self.lemmas(goal.name) != []

    def _within(self, one: str, other: str) -> bool:
        names = self.lemmas(one), self.lemmas(other)
        return holds(*names) or holds(*names[::-1])

    def _node(self, node_id: str) -> str:
        return self.nodes.get(node_id, node_id)

    def _relation(self, fact: dict) -> str:
        said = fact["relation_id"] or fact["relation"]
        return self.relations.get(said, said)

    def _compared_by(self, fact: dict) -> str:
        """What its value is a value of: the key under which the wording says that it compares, else its relation."""
        said = json.loads(fact["wording"]) if fact["wording"] else {}
        return (said.get("compare") or {}).get("key") or self._relation(fact)


Found = dict[str, dict[tuple[str, str], None]]
"""Ids with their names and kinds, in order of appearance."""


def standing(facts: pl.DataFrame, articles: pl.DataFrame) -> pl.DataFrame:
    """The facts of the newest version of each article; both with `day`."""
    return facts.join(latest(articles), on="article_id", how="semi", maintain_order="left")


def _touch(one: Quantity | None, other: Quantity | None) -> bool:
    """Whether the two may be one value, said with other words or rounding."""
    if one is None or other is None or one.unit != other.unit:
        return False
    return not one.exceeds(other) and not other.exceeds(one)
