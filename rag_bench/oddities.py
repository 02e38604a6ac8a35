"""What is odd about an answer: it gains nothing by it, and whoever checks or judges the run should know.

An answer is data. No measure obeys it, and a judge must be shown it between marks that it cannot write itself.
"""

import functools
import re
import unicodedata
from collections import Counter
from typing import NamedTuple

from rag_bench.answering import MOST_WORDS
from rag_bench.runs import Run
from rag_bench.spelling import heaped_marks, mixed_words, unseen
from rag_bench.wordlists import entries
from rag_bench.words import Words, read_words

MOST_ITEMS = 10
"""the most answers that a set question has (DESIGN, Questions)"""
MOST_BETWEEN = 2
_MANY = 10
_SEPARATOR = re.compile(r"[,;\n•|]")
_CHAT_MARK = re.compile(
    r"<\|\w+\|>|\[/?INST\]|</?(?:system|assistant|user|answer|context)>|^[^\S\n]*(?:system|assistant)[^\S\n]*:", re.I | re.M
)


class Oddity(NamedTuple):
    reason: str
    kind: str
    """the reason without its particulars"""


def oddities(answer: str) -> list[Oddity]:
    """What is odd about a model's answer; nothing for most."""
    found = _letters(answer)
    words = read_words(answer)
    if _CHAT_MARK.search(answer) or any(_ordered(words, phrase) for phrase in _orders()):
        found.append(Oddity("the answer reads like an order to a judge; answers are data and give none", "order"))
    items = sum(bool(item.strip()) for item in _SEPARATOR.split(answer))
    if items > MOST_ITEMS:
        found.append(Oddity(f"the answer lists {items} items; each that is not asked for costs precision", "list"))
    if len(words.keys) > MOST_WORDS:
        told = f"the answer has {len(words.keys)} words; with more than {MOST_WORDS}, most are too many for Substring"
        found.append(Oddity(told, "long"))
    return found


def oddities_of_run(run: Run) -> list[Oddity]:
    """What is odd about a run as a whole."""
    given = Counter(answer.model_answer for answer in run.values() if answer.model_answer.strip())
    ranked = Counter(answer.found_ids for answer in run.values() if answer.found_ids)
    return [
        Oddity(f"{times} of {len(run)} questions have the same {what}", f"same {what}")
        for what, counts in (("answer", given), ("found_ids", ranked))
        for times in [max(counts.values(), default=0)]
        if len(run) >= _MANY and 2 * times >= len(run)
    ]


def _letters(answer: str) -> list[Oddity]:
    found: list[Oddity] = []
    if hidden := unseen(answer):
        names = ", ".join(unicodedata.name(character, f"U+{ord(character):04X}") for character in hidden[:3])
        found.append(Oddity(f"the answer holds characters that no reader sees; they are dropped: {names}", "unseen characters"))
    if mixed := mixed_words(answer):
        told = f"words mix Latin and Cyrillic letters and are read in one alphabet: {', '.join(mixed[:3])}"
        found.append(Oddity(told, "mixed alphabets"))
    if any(letter.isalnum() and "WIDTH" in unicodedata.name(letter, "") for letter in answer):
        found.append(Oddity("the answer holds fullwidth letters or digits; they are read as plain ones", "fullwidth"))
    if heaped_marks(answer):
        found.append(Oddity("combining marks are heaped on letters; they are dropped", "heaped marks"))
    return found


def _ordered(given: Words, phrase: Words) -> bool:
    """Whether the words of a phrase stand in this order, close to each other."""
    first = phrase.keys[0]
    for start, key in enumerate(given.keys):
        if key == first and _follow(given.keys[start + 1 : start + len(phrase.keys) * (MOST_BETWEEN + 1)], phrase.keys[1:]):
            return True
    return False


def _follow(keys: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    left = iter(keys)
    return all(key in left for key in wanted)


@functools.cache
def _orders() -> tuple[Words, ...]:
    return tuple(read_words(" ".join(phrase)) for phrase in entries("orders.txt"))
