"""What annotators said of items, and how they are asked. Which criteria there are is data: questions have eight (paper,
Appendix D), answers of RAG systems six (Appendix F)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Annotation:
    item: str
    """a question's qa_id, or whatever else is judged"""
    annotator: str
    criterion: str
    good: bool


@dataclass(frozen=True)
class Annotations:
    """What people said, each once, and the judge's scores where they came along."""

    said: Sequence[Annotation]
    judged: Mapping[tuple[str, str], bool] = field(default_factory=dict)
    """(item, criterion) → whether the judge found it good; from the files' own columns"""
    empty: int = 0
    """places to fill in that were left empty"""
    cancelled: int = 0
    """tasks that an annotator of Label Studio skipped"""
    ignored: tuple[str, ...] = ()
    """columns that nothing was read from"""


@dataclass(frozen=True)
class Article:
    title: str
    url: str
    text: str


@dataclass(frozen=True)
class Item:
    """What an annotator sees of one item; nothing in it tells what the judge or a screen said."""

    qa_id: str
    question: str
    answer: str
    articles: tuple[Article, ...]


@dataclass(frozen=True)
class Criterion:
    name: str
    title: str
    asks: str
    """one or two sentences for the annotator"""
    with_answer: bool
    """whether the answer must be seen to judge it; the others are judged before it is shown"""


@dataclass(frozen=True)
class Guide:
    """Words of the sheets that annotators fill in, in their language."""

    good: str
    not_good: str
    question: str
    answer: str
    articles: str
    required: str
    """said when a criterion was left out"""
    criteria: tuple[Criterion, ...]
    """in the order in which they are asked: those with an answer last"""


GOOD = frozenset({"1", "yes", "true", "good", "да", "хорошо"})
NOT_GOOD = frozenset({"0", "no", "false", "not good", "bad", "нет", "не хорошо", "нехорошо", "плохо"})
ACCEPTED = "1 or 0, yes or no, good or not good, да or нет, хорошо or плохо"


def read_value(text: str) -> bool:
    """Good or not.

    Raises:
        ValueError: it is none of the values in use; the message says which are.
    """
    said = " ".join(text.lower().split())
    if said in GOOD:
        return True
    if said in NOT_GOOD:
        return False
    raise ValueError(f"is neither good nor not good; write {ACCEPTED}")
