"""Whether a model's reply gives the answers of a question, however it words them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.screening.lemmas import Lemmas, words_only
from dragon_pipeline.core.screening.nodes import NUMERIC_KINDS, nodes
from dragon_pipeline.core.screening.presence import fold, numbers

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)")
_TITLE = re.compile(r"[«\"]([^«»\"]+)[»\"]")
LOOKED_AT, SPAN = 100, 6
"""Words of a reply among which a value is searched, and most words of one."""
Values = Callable[[str, str], Quantity | None]
"""The language's reader of values: (kind of a node, its text) → its value; as `Draw.quantity`."""
SMALL = 2
"""Letters of words that are left out beside longer ones: «на», «и», initials."""


class AnswerMatch:
    """Compares by sets of lemmas: order, case, ё and words around the answer do not matter.

    Every answer of a set is needed. Of a person the surname is enough, of a firm the title in quotes; a number must be there
    digit by digit («2 139» is 2139, 7 is not 007). A value may also stand there in other words («12 000» for «12 тысяч»,
    «24.03.2018» for «24 марта 2018 года»), no less exact, or as the bare number («12» for «12 лет»). Of a comparison, whose
    answer is one of two names in the question, a reply that names both has given the one that it names first.
    """

    def __init__(self, lemmas: Lemmas, quantity: Values | None = None):
        """`quantity`: without it values are compared by their words alone."""
        self.lemmas = words_only(lemmas)
        self.quantity = quantity

    def gives(self, reply: str | None, case: Case) -> bool:
        """Whether the reply holds every answer of the case."""
        if not reply or not case.qa["answers"]:
            return False
        kinds = {node.name: node.kind for node in nodes(case)}
        said = [self._forms(word) for word in _WORD.findall(reply)]
        told = _Reply(said, frozenset().union(*said), frozenset(_digits(reply)), fold(reply), tuple(reply.split()[:LOOKED_AT]))
        if not all(self._told(told, answer, kinds.get(answer, "")) for answer in case.qa["answers"]):
            return False
        return case.qa["type"] != "comparison" or self._first(told, case.qa["answers"][0], case.qa["given"])

    def _told(self, reply: "_Reply", answer: str, kind: str) -> bool:
        wanted = [self._forms(word) for word in _words(answer, kind)]
        if not wanted and not _digits(answer):
            return fold(answer) != "" and fold(answer) in reply.folded
        if set(_digits(answer)) <= reply.numbers and all(forms & reply.forms for forms in wanted):
            return True
        return kind in NUMERIC_KINDS and self._valued(reply, answer, kind)

    def _valued(self, reply: "_Reply", answer: str, kind: str) -> bool:
        """Whether the reply says the value in other words."""
        gold = self.quantity(kind, answer) if self.quantity else None
        bare = not any(len(word) > SMALL for word in _WORD.findall(reply.folded))
        if kind != "DATE" and bare and reply.numbers and reply.numbers == set(_digits(answer)):
            return True
        if self.quantity is None or gold is None or not (gold.low.is_finite() and gold.high.is_finite()):
            return False
        if self._is_value(" ".join(reply.pieces), gold, kind, {gold.unit, ""}):
            return True
        spans = {" ".join(reply.pieces[at : at + size]) for at in range(len(reply.pieces)) for size in range(1, SPAN + 1)}
        return any(self._is_value(span, gold, kind, {gold.unit}) for span in spans)

    def _is_value(self, span: str, gold: Quantity, kind: str, units: set[str]) -> bool:
        """Whether it is the gold value: of a number the middle is within its rounding, of a date all of it."""
        said = self.quantity(kind, span.strip(' .,;:!?()«»"')) if self.quantity else None
        if said is None or said.unit not in units or not (said.low.is_finite() and said.high.is_finite()):
            return False
        low, high = ((said.low + said.high) / 2,) * 2 if kind == "NUMBER" else (said.low, said.high)
        return gold.low <= low and high <= gold.high

    def _first(self, reply: "_Reply", answer: str, given: Sequence[str]) -> bool:
        """Whether the answer is named before its rival; by the words that the two do not share."""
        own, rival = self._all_forms([answer]), self._all_forms([name for name in given if name != answer])
        places = [
            next((place for place, forms in enumerate(reply.words) if forms & mine - other), None)
            for mine, other in ((own, rival), (rival, own))
        ]
        return places[0] is not None and (places[1] is None or places[0] < places[1])

    def _all_forms(self, names: Sequence[str]) -> frozenset[str]:
        return frozenset().union(*(self._forms(word) for name in names for word in _WORD.findall(name)))

    def _forms(self, word: str) -> frozenset[str]:
        """The word as it stands and its lemma: lemmatisers err over names, and seldom in the same way for two cases."""
        return frozenset((fold(word), *self.lemmas(word)))


@dataclass(frozen=True)
class _Reply:
    words: Sequence[frozenset[str]]
    """forms of each word, in order"""
    forms: frozenset[str]
    numbers: frozenset[str]
    folded: str
    pieces: Sequence[str]
    """its words as they stand, the first of them"""


def _words(answer: str, kind: str) -> list[str]:
    """Those that a reply must hold."""
    titles = _TITLE.findall(answer)
    found = _WORD.findall(titles[0] if titles else answer)
    found = [word for word in found if len(word) > SMALL] or found
    return found[-1:] if kind == "PER" else found


def _digits(text: str) -> list[str]:
    """Its numbers, those written in groups of three as one."""
    return list(numbers(_GROUPED.sub(lambda match: re.sub(r"\D", "", match[0]), text)))
