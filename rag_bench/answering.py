"""How a written answer is compared with the gold answers, word by word (see `words`).

A question with several answers wants all of them, in any order, so its gold is a set. Rules that keep scores from being bought:

- `exact` takes the gold and nothing else.
- `set_precision`, `set_recall` and `set_f1` take every word that is not a gold answer's for a part of a wrong item as long
  as the shortest gold answer: lists score alike with and without commas. Words that say nothing, words of the question
  (if the answer is not among them) and nouns such as `город` cost nothing. Naming an answer twice is a wrong item.
- `set_recall` of an answer that names more than twice as many items as are asked for is cut in proportion. Where the question
  offers the answers (a comparison), recall and F1 are the precision: naming both is no find, as both are given.
- `substring` is 1 when all gold answers stand in the answer with nothing that might have been given instead of them, and less
  in proportion to what else is named: other names for a name, other numbers for a number, any other word for plain words.
  Words around a name are prose only while the name stands capitalised; otherwise they are other answers, and it scores 0 when
  one of these is capitalised: a guess written as a name cannot have others beside it in small letters. More than 30 words, or
  5 times the gold's where that is more, are a heap and score 0.
"""

from collections.abc import Callable, Sequence

from rag_bench.lexemes import is_number
from rag_bench.rouge import rouge_1, rouge_2, rouge_l
from rag_bench.wanted import Wanted
from rag_bench.words import Words

MOST_WORDS, MOST_TIMES = 30, 5
MOST_ITEMS = 2
ROUGE: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {"1": rouge_1, "2": rouge_2, "L": rouge_l}
_AND = frozenset(("и", "а", "также"))


class Pair:
    """An answer and what was wanted, with what several measures need found once."""

    __slots__ = ("_reference", "_right", "_spare", "_taken", "given", "same", "wanted")

    def __init__(self, given: Words, wanted: Wanted):
        self.given, self.wanted = given, wanted
        self.same = len(wanted.answers) == 1 and bool(given.keys) and given.keys == wanted.answers[0].keys
        """whether the answer is the one gold answer, word for word"""
        self._reference: Sequence[str] | None = None
        self._right = 0
        self._taken: list[bool] | None = None
        self._spare: list[int] | None = None

    @property
    def reference(self) -> Sequence[str]:
        """The keys of the gold answers as one text, in the order in which the answer gives them."""
        if self._reference is None:
            answers = self.wanted.answers
            places = [self.given.find(one) for one in answers] if len(answers) > 1 else [0]
            order = sorted(range(len(answers)), key=lambda place: (places[place] < 0, places[place]))
            self._reference = answers[0].keys if len(answers) == 1 else [key for place in order for key in answers[place].keys]
        return self._reference

    @property
    def taken(self) -> list[bool]:
        """Which words of the answer are those of gold answers, each taken once, long ones first."""
        return self._taken if self._taken is not None else self._take_all()

    def _take_all(self) -> list[bool]:
        self._taken = taken = [False] * len(self.given.keys)
        self._right = sum(_take(one, self.given, taken) for one in self.wanted.longest_first)
        return taken

    @property
    def right(self) -> int:
        """How many gold answers the answer gives."""
        if self.same:
            return 1
        if self._taken is None:
            self._take_all()
        return self._right

    @property
    def spare(self) -> list[int]:
        """Places of the words that are no gold answer's and may name something else (see `Wanted.free`)."""
        if self._spare is None:
            words, nouns, question = self.wanted.free
            tokens, keys = self.given.tokens, self.given.keys
            self._spare = [
                place
                for place, gone in enumerate(self.taken)
                if not (gone or tokens[place] in words or keys[place] in nouns or keys[place] in question)
            ]
        return self._spare


def rouge(kind: str, pair: Pair) -> float:
    """ROUGE F1 (`1`, `2` or `L`) against the gold answers as one text, in the order in which the answer gives them."""
    if pair.same:
        return float(kind != "2" or len(pair.given.keys) > 1)
    return ROUGE[kind](pair.given.keys, pair.reference)


def exact(pair: Pair) -> float:
    """1 when the answer is the gold answer, or the gold answers in any order with nothing else."""
    if pair.same:
        return 1.0
    given, answers = pair.given, pair.wanted.answers
    if len(answers) == 1:
        return float(0 < len(answers[0].keys) == len(given.keys) and given.same_at(0, answers[0]))
    right = pair.right == len(answers)
    return float(right and all(gone or token in _AND for token, gone in zip(given.tokens, pair.taken, strict=True)))


def substring(pair: Pair) -> float:
    """Whether every gold answer stands in the answer, over how much else it names."""
    given, wanted = pair.given, pair.wanted
    if pair.same:
        return 1.0
    if len(given.keys) > max(MOST_WORDS, MOST_TIMES * wanted.length) or pair.right < len(wanted.answers):
        return 0.0
    spare, keys, names = pair.spare, given.keys, given.names
    if any(keys[place] in wanted.keys for place in spare):  # the answer may say it twice
        taken = [False] * len(keys)
        for one in wanted.longest_first:
            _take(one, given, taken, every=True)
        spare = [place for place in spare if not taken[place]]
    if not (wanted.named and _capitalised(pair)):
        if wanted.named and any(names[place] for place in spare):
            return 0.0  # another name is what the answer gives
        return wanted.length / (wanted.length + len(spare))
    others = [place for place in spare if (wanted.number if is_number(keys[place]) else wanted.name and names[place])]
    return wanted.named / (wanted.named + len(others))


def set_precision(pair: Pair) -> float:
    """The share of the items of the answer that are gold answers."""
    return pair.right / (pair.right + _wrong(pair)) if pair.right else 0.0


def set_recall(pair: Pair) -> float:
    """The share of the gold answers that the answer gives; its precision where the question offers the answer to choose."""
    if _is_choice(pair):
        return set_precision(pair)
    right, n = pair.right, len(pair.wanted.answers)
    return right / n * min(1.0, MOST_ITEMS * n / (right + _wrong(pair))) if right else 0.0


def set_f1(pair: Pair) -> float:
    """F1 of the items of the answer and the gold answers; the precision where the question offers the answer to choose."""
    if _is_choice(pair):
        return set_precision(pair)
    right = pair.right
    return 2 * right / (right + _wrong(pair) + len(pair.wanted.answers)) if right else 0.0


def _is_choice(pair: Pair) -> bool:
    """One of several that the question names is wanted: naming two of them finds nothing."""
    return len(pair.wanted.answers) == 1 and not pair.same and pair.wanted.offered


def _wrong(pair: Pair) -> float:
    """How many items of the answer are no gold answers."""
    if pair.same:
        return 0.0
    return len(pair.spare) / pair.wanted.shortest


def _capitalised(pair: Pair) -> bool:
    """Whether the gold's names are written as names where they stand."""
    given = pair.given
    words = zip(given.keys, given.tokens, given.names, pair.taken, strict=True)
    small = [word for key, token, name, gone in words if gone and not name for word in (key, token)]  # «котов» has another key
    return pair.wanted.name_words.isdisjoint(small)


def _take(wanted: Words, given: Words, taken: list[bool], every: bool = False) -> bool:
    """Marks the first free place where `wanted` stands as taken, or every one."""
    found = False
    for start in given.places(wanted):
        stop = start + len(wanted.keys)
        if not any(taken[start:stop]):
            taken[start:stop] = [True] * len(wanted.keys)
            found = True
            if not every:
                break
    return found
