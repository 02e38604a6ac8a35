"""How a written answer is compared with the gold answers, word by word (see `words`).

A question with several answers wants all of them, in any order, so its gold is a set. Rules that keep scores from being bought:

- `exact` takes the gold and nothing else.
- `set_precision`, `set_recall` and `set_f1` take every word that is not a gold answer's for a part of a wrong item as long
  as the shortest gold answer: lists score alike with and without commas. Words that say nothing, words of the question
  (if the answer is not among them) and nouns such as `город` cost nothing. Naming an answer twice is a wrong item.
- `set_recall` of an answer that names more than twice as many items as are asked for is cut in proportion.
- `substring` is 1 when all gold answers stand in the answer with nothing that might have been given instead of them, and less
  in proportion to what else is named: other names for a name, other numbers for a number, any other word for plain words.
  Words around a name are prose only while the name stands capitalised; otherwise they are other answers. More than 30 words,
  or 5 times the gold's where that is more, are a heap and score 0.
"""

from collections.abc import Sequence

from rag_bench.lexemes import is_number
from rag_bench.rouge import rouge_1, rouge_2, rouge_l
from rag_bench.wanted import Wanted
from rag_bench.words import Words

MOST_WORDS, MOST_TIMES = 30, 5
MOST_ITEMS = 2
ROUGE = {"1": rouge_1, "2": rouge_2, "L": rouge_l}
_AND = frozenset(("и", "а", "также"))


def rouge(kind: str, given: Words, wanted: Wanted) -> float:
    """ROUGE F1 (`1`, `2` or `L`) against the gold answers as one text, in the order in which the answer gives them."""
    if wanted.shares_nothing_with(given):
        return 0.0
    answers = wanted.answers
    if len(answers) > 1:
        places = [given.find(one) for one in answers]
        order = sorted(range(len(answers)), key=lambda place: (places[place] < 0, places[place]))
        answers = [answers[place] for place in order]
    return ROUGE[kind](given.keys, answers[0].keys if len(answers) == 1 else [key for one in answers for key in one.keys])


def exact(given: Words, wanted: Wanted) -> float:
    """1 when the answer is the gold answer, or the gold answers in any order with nothing else."""
    if wanted.shares_nothing_with(given):
        return 0.0
    if len(wanted.answers) == 1:
        one = wanted.answers[0]
        return float(len(given.keys) == len(one.keys) and given.same_at(0, one))
    taken = [False] * len(given.keys)
    right = sum(_take(one, given, taken) for one in wanted.answers)
    rest = {token for token, gone in zip(given.tokens, taken, strict=True) if not gone}
    return float(right == len(wanted.answers) and rest <= _AND)


def substring(given: Words, wanted: Wanted) -> float:
    """Whether every gold answer stands in the answer, over how much else it names."""
    length = sum(len(one.keys) for one in wanted.answers)
    if len(given.keys) > max(MOST_WORDS, MOST_TIMES * length) or wanted.shares_nothing_with(given):
        return 0.0
    taken = [False] * len(given.keys)
    for one in _longest_first(wanted.answers):
        if not _take(one, given, taken, every=True):
            return 0.0
    ours = _named(given, wanted, taken, of_gold=True)
    return ours / (ours + _named(given, wanted, taken, of_gold=False))


def set_precision(given: Words, wanted: Wanted) -> float:
    """The share of the items of the answer that are gold answers."""
    right, wrong = _items(given, wanted)
    return right / (right + wrong) if right else 0.0


def set_recall(given: Words, wanted: Wanted) -> float:
    """The share of the gold answers that the answer gives."""
    right, wrong = _items(given, wanted)
    n = len(wanted.answers)
    return right / n * min(1.0, MOST_ITEMS * n / (right + wrong)) if right else 0.0


def set_f1(given: Words, wanted: Wanted) -> float:
    """F1 of the items of the answer and the gold answers."""
    right, wrong = _items(given, wanted)
    return 2 * right / (right + wrong + len(wanted.answers)) if right else 0.0


def _items(given: Words, wanted: Wanted) -> tuple[int, float]:
    """How many gold answers the answer gives, and how many other items."""
    if wanted.shares_nothing_with(given):
        return 0, 0.0
    taken = [False] * len(given.keys)
    right = sum(_take(one, given, taken) for one in _longest_first(wanted.answers))
    spare = sum(
        not gone and not wanted.is_free(token, key) for token, key, gone in zip(given.tokens, given.keys, taken, strict=True)
    )
    return right, spare / min(len(one.keys) for one in wanted.answers if one.keys)


def _named(given: Words, wanted: Wanted, taken: Sequence[bool], of_gold: bool) -> int:
    """How many words name something that might be the answer: those of the gold answers, or the others."""
    prose = wanted.named and _capitalised(given, wanted, taken)
    named = 0
    for token, key, name, gone in zip(given.tokens, given.keys, given.names, taken, strict=True):
        if gone is not of_gold or (not gone and wanted.is_free(token, key)):
            continue
        named += (wanted.number and is_number(key)) or (wanted.name and name and not is_number(key)) or not prose
    return max(named, int(of_gold))


def _capitalised(given: Words, wanted: Wanted, taken: Sequence[bool]) -> bool:
    """Whether the gold's names are written as names where they stand."""
    names = {key for one in wanted.answers for key, name in zip(one.keys, one.names, strict=True) if name}
    return all(name or key not in names for key, name, gone in zip(given.keys, given.names, taken, strict=True) if gone)


def _longest_first(answers: Sequence[Words]) -> list[Words]:
    return sorted(answers, key=lambda one: -len(one.keys))


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
