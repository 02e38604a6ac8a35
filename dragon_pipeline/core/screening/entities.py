"""The entity screen (paper §4.3.1): question and answer name entities of the gold articles."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rapidfuzz.distance.Levenshtein import normalized_similarity

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.correspondence import MENTIONED
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only
from dragon_pipeline.core.screening.nodes import NAME_KINDS, VALUE_KINDS, nodes
from dragon_pipeline.core.screening.presence import fold, numbers

LONGEST = 8
"""Words of a title; a longer quotation is what somebody said."""
STEM, ENDING = 4, 3
"""Letters by which a word is known again, and those that its case may change."""
_QUOTED = re.compile(rf"[«\"]((?:[^\s«»\"]+\s+){{0,{LONGEST - 1}}}[^\s«»\"]+)[»\"]")
_CAPITAL = re.compile(r"[A-ZА-ЯЁ0-9]")
_RUSSIAN_CAPITAL = re.compile(r"[А-ЯЁ]")
_OTHER_SCRIPT = re.compile(r"\b[A-Z][\w&.-]*\w(?: [A-Z0-9][\w&.-]*\w)*")
_CYRILLIC = re.compile(r"[а-яё]{3}")
_WORD = re.compile(r"\w+(?:-\w+)*")


class EntityScreen:
    """Passes when the question and each answer hold a named entity of the gold articles; score: share of these that do.

    Named entities are the mentions found in the gold articles, the facts' nodes that are linked to an item or are a work (a
    linked name may differ from its mention), the titles in «quotes» of the articles' texts, which a finder of persons, places
    and firms does not find, in Cyrillic text what the article calls by a name in Latin letters (Deep Space Gateway), and in a
    question a name of two words from a capital on that the article has too («Всемирную торговую организацию»).
    They are compared as sequences of lemmas, so that a name of several words matches in any case; a title counts only where
    it is written like one, in quotes or with a capital, for «Чайка» is a bird too. An answer that
    can hold none (a year, a number, a post) is fine when it occurs in the evidence.
    """

    name = "entities"
    cheap = True

    def __init__(self, lemmas: Lemmas):
        self.lemmas = words_only(lemmas)

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        return [self._judge(case) for case in cases]

    def _judge(self, case: Case) -> Verdict:
        names = self._entities(case)
        titles = self._titles(case)
        question = case.qa["question"]
        named = self._named(question, names, titles) or self._in_latin(question, case) or _spelled_out(question, case)
        faults = [] if named else ["no_entity_in_question"]
        values = {node.name for node in nodes(case) if node.kind in VALUE_KINDS}
        for answer in case.qa["answers"]:
            if answer in values or re.fullmatch(r"[\d\s.,%:–-]+", answer):
                faults += [] if self._in_evidence(answer, case) else [f"value_not_in_evidence: {answer}"]
            elif not self._named(answer, names, titles):
                faults.append(f"no_entity_in_answer: {answer}")
        if not case.qa["answers"]:
            faults.append("no_answer")
        parts = 1 + max(1, len(case.qa["answers"]))
        score = (parts - len(faults)) / parts
        return Verdict("failed", score, faults[0]) if faults else Verdict("passed", score)

    def _named(self, text: str, names: Sequence[list[str]], titles: Sequence[str]) -> bool:
        said = self.lemmas(text)
        if any(holds(said, name) for name in names):
            return True
        return any(self._same(one, title) for one in _written_as_titles(text) for title in titles)

    def _in_latin(self, text: str, case: Case) -> bool:
        """Whether a Cyrillic question has a name in Latin letters that a gold article has too."""
        names = _OTHER_SCRIPT.findall(text) if _CYRILLIC.search(text) else []
        return any(re.search(rf"\b{re.escape(name)}\b", article["text"]) for name in names for article in case.articles)

    def _titles(self, case: Case) -> list[str]:
        """Of the gold articles alone, headlines included."""
        found = [title for article in case.articles for part in ("title", "text") for title in _QUOTED.findall(article[part])]
        return sorted({title for title in found if _CAPITAL.match(title) and self.lemmas(title)})

    def _same(self, one: str, title: str) -> bool:
        """By lemmas or nearly by letters, for a lemmatiser takes «Чайку» for a cup of tea; numbers are the same."""
        if self.lemmas(one) == self.lemmas(title):
            return True
        return numbers(one) == numbers(title) and normalized_similarity(fold(one), fold(title)) >= MENTIONED

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


def _spelled_out(question: str, case: Case) -> bool:
    """Whether the article has two words that begin with a capital inside the question, in whatever case."""
    texts = [fold(article["text"]) for article in case.articles]
    pairs = pairwise(_WORD.findall(question)[1:])
    stems = [[re.escape(fold(word)[: max(STEM, len(word) - ENDING)]) for word in pair] for pair in pairs if _is_name(*pair)]
    return any(re.search(rf"\b{one}\w* {other}\w*", text) for one, other in stems for text in texts)


def _is_name(first: str, second: str) -> bool:
    return _RUSSIAN_CAPITAL.match(first) is not None and min(len(first), len(second)) >= STEM


def _written_as_titles(text: str) -> Iterable[str]:
    """What stands in quotes, and outside them runs of words from a capital on."""
    yield from _QUOTED.findall(text)
    for part in re.split(r"[«\"][^«»\"]*[»\"]", text):
        words = list(_WORD.finditer(part))
        for first, word in enumerate(words):
            if _CAPITAL.match(word[0]):
                yield from (part[word.start() : last.end()] for last in words[first : first + LONGEST])
