"""The proof that a multi-hop question takes two hops: both articles answer it, neither does alone."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.answers import AnswerMatch, Values
from dragon_pipeline.core.screening.closed_book import Recall
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.replies import as_evidence
from dragon_pipeline.core.screening.screens import does_not_apply

Sentences = Callable[[str], Sequence[tuple[int, int]]]
"""Where the sentences of a text begin and end."""

UNANSWERABLE = "unanswerable"
"""What a reader says when the articles do not answer."""
ENOUGH = "one_article_is_enough"
ONE_ARTICLE = "one_article"
PROVEN, MARKED = 1.0, 0.5
"""Scores of a pair across articles, and of one inside an article, which is kept but marked."""


class Reader(Protocol):
    """A model that answers from the articles of a case alone."""

    name: str

    def read(self, cases: Sequence[Case]) -> Sequence[Recall]:
        """One per case, in order; the text is `unanswerable` where the articles do not answer."""
        ...


class MultiHopScreen:
    """Questions of other types pass without a score: `not_applicable`.

    By rules: a pair across articles fails when one gold article states both facts, `one_article_is_enough`; it states a fact
    that was read there, or both of whose ends one of its sentences names (a person by the surname). A pair that is known to lie
    inside one article passes with the reason `one_article` and a lower score. With a `reader` the rules guard, and what they
    let through is read: with both facts' articles, with the first alone, with the second alone. It passes when the first
    reading gives the answer and neither of the others does. Replies are compared as `AnswerMatch` does, and are the evidence:
    [{shown, model, reply, answered}]. A reply that could not be read fails the question, a lost one judges nothing.
    """

    name = "multi_hop"

    def __init__(self, lemmas: Lemmas, sentences: Sentences, reader: Reader | None = None, quantity: Values | None = None):
        self.lemmas = words_only(lemmas)
        self.match = AnswerMatch(lemmas, quantity)
        self.sentences = sentences
        self.reader = reader
        self.cheap = reader is None

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        found = {place: self._by_rules(case) for place, case in enumerate(cases) if case.qa["type"] == "multi_hop"}
        open_ones = [place for place, verdict in found.items() if verdict.outcome == "passed"]
        if self.reader is not None and open_ones:
            found |= self._read(self.reader, {place: (cases[place], found[place]) for place in open_ones})
        return [found.get(place) or does_not_apply() for place in range(len(cases))]

    def _by_rules(self, case: Case) -> Verdict:
        if case.qa["one_article"]:
            return Verdict("passed", MARKED, ONE_ARTICLE)
        for article in case.articles:
            stated = [self._stated(fact, article) for fact in case.facts]
            if all(stated):
                evidence = json.dumps({"article_id": article["article_id"], "sentences": stated}, ensure_ascii=False)
                return Verdict("failed", 0.0, f"{ENOUGH}: {article['article_id']}", evidence)
        return Verdict("passed", PROVEN)

    def _stated(self, fact: dict, article: dict) -> str | None:
        """The sentence of the article that states the fact."""
        if fact["article_id"] == article["article_id"]:
            return fact["sentence"]
        ends = [self._name(fact[end], fact[f"{end}_kind"]) for end in ("head", "tail")]
        for text in (article["title"], *(article["text"][start:stop] for start, stop in self.sentences(article["text"]))):
            said = self.lemmas(text)
            if all(holds(said, end) for end in ends):
                return text
        return None

    def _name(self, name: str, kind: str) -> list[str]:
        return self.lemmas(name)[-1 if kind == "PER" else 0 :]

    def _read(self, reader: Reader, judged: Mapping[int, tuple[Case, Verdict]]) -> dict[int, Verdict]:
        sittings = [(place, shown, part) for place, (case, _) in judged.items() for shown, part in _sittings(case).items()]
        replies: dict[int, dict[str, Recall]] = {place: {} for place in judged}
        for (place, shown, _), reply in zip(sittings, reader.read([part for _, _, part in sittings]), strict=True):
            replies[place][shown] = reply
        return {place: self._proof(case, verdict, replies[place]) for place, (case, verdict) in judged.items()}

    def _proof(self, case: Case, by_rules: Verdict, replies: Mapping[str, Recall]) -> Verdict:
        model = self.reader.name if self.reader else ""
        answered = {shown: self.match.gives(reply.text, case) for shown, reply in replies.items()}
        evidence = _evidence(model, replies, answered)
        alone = next((shown for shown in ("first", "second") if answered.get(shown)), None)
        if alone is not None:
            article = case.facts[0 if alone == "first" else -1]["article_id"]
            return Verdict("failed", 0.0, f"{ENOUGH}: {article}", evidence)
        if replies["both"].reason is None and not answered["both"]:
            return Verdict("failed", 0.0, "not_answered_with_both", evidence)
        for reply in replies.values():
            if reply.reason is not None and is_lost(reply.reason):
                return Verdict("not_run", reason=f"{reply.reason.split(':')[0]}: {model}", evidence=evidence)
        unread = [shown for shown, reply in replies.items() if reply.reason is not None]
        if unread:
            return Verdict("failed", reason=f"unreadable_reply: {', '.join(unread)}", evidence=evidence)
        return replace(by_rules, evidence=evidence)


def _evidence(model: str, replies: Mapping[str, Recall], answered: Mapping[str, bool]) -> str:
    texts = {shown: reply.reason if reply.text is None else reply.text for shown, reply in replies.items()}
    return as_evidence(
        [{"shown": shown, "model": model, "reply": texts[shown], "answered": answered[shown]} for shown in replies]
    )


def _sittings(case: Case) -> dict[str, Case]:
    """What a reader is shown: the facts' own articles together and, when there are two, each alone."""
    by_id = {article["article_id"]: article for article in case.articles}
    own = list(dict.fromkeys(fact["article_id"] for fact in case.facts if fact["article_id"] in by_id))
    shown = {"both": own}
    if not case.qa["one_article"] and len(own) > 1:
        shown |= {"first": own[:1], "second": own[-1:]}
    return {name: replace(case, articles=[by_id[id] for id in ids]) for name, ids in shown.items()}
