"""A model in each role that answers without thinking, so that the pipeline's own engines make their real requests.

Extractor: the triplets that the rules find in a sentence and, as a strong model finds more, pairs of names of the same sentence
with a word that stands there, up to a number of triplets per sentence. Normaliser: keeps every name. Writer: names the relation
and what is given. Closed book: does not know. Judge: a short remark and the best score.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from dragon_pipeline.core.language_model import Message, ModelReply, ModelRequest, Usage
from dragon_pipeline.core.prompts import line, spelled
from dragon_pipeline.languages.ru.parsing import sentences

Answer = Callable[[ModelRequest], Any]
Count = Callable[[Sequence[str]], Sequence[int]]
Thoughts = Mapping[str, Sequence[dict]]
"""sentence as the extractor is shown it → its triplets"""
NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
FENCED = re.compile(r"<<<(\w+)\n(.*?)\n\1>>>", re.DOTALL)
FACT = re.compile(r"^\d+\. (.*) \| (.*) \| (.*)$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]{5,}")
KEYS = ("head", "head_kind", "relation", "tail", "tail_kind")


@dataclass(frozen=True)
class Call:
    label: str
    request: ModelRequest
    reply: str


@dataclass
class StandIn:
    """A LanguageModel that keeps what it was asked; equal requests once, as the reply cache sees to."""

    role: str
    window: int
    reply_tokens: int
    tokens: Count
    answer: Answer
    name: str = "stand-in"
    label: str = ""
    """what requests count for from now on"""
    calls: list[Call] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    _asked: set[tuple[Message, ...]] = field(default_factory=set)

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        return self.tokens(texts)

    def complete(self, requests: Sequence[ModelRequest]) -> list[ModelReply]:
        return [self._one(request) for request in requests]

    def _one(self, request: ModelRequest) -> ModelReply:
        value = self.answer(request)
        text = spelled(value)
        if request.messages not in self._asked:
            self._asked.add(request.messages)
            self.calls.append(Call(self.label, request, text))
        return ModelReply(text, value)


def values(request: ModelRequest) -> list[str]:
    """What is filled into the prompt, in order."""
    return [match[2] for match in FENCED.finditer(request.messages[-1].content)]


def extractor(thoughts: Thoughts) -> Answer:
    def answer(request: ModelRequest) -> dict:
        shown = NUMBERED.findall(values(request)[-1])
        return {"triplets": [{"sentence": int(n), **told} for n, text in shown for told in thoughts.get(text, ())][:40]}

    return answer


def normaliser(request: ModelRequest) -> dict:
    return dict.fromkeys((request.schema or {})["required"], 0)


def writer(request: ModelRequest) -> dict:
    told = values(request)
    asked, given = told[-2].splitlines(), told[-1].splitlines()
    relations = " и ".join(relation for _, relation, _ in FACT.findall(told[0])[:2])
    return {"question": f"Кто или что, как сообщали в новостях: {relations}, {' и '.join(given)}?", "answers": asked}


def closed_book(request: ModelRequest) -> dict:
    return {"answer": "Не знаю."}


def judge(request: ModelRequest) -> dict:
    return {"why": "Вопрос грамотный и понятный, статьи прямо дают на него ответ, замечаний нет.", "score": 2}


def think(articles: Sequence[dict], mentions: pl.DataFrame, rules: pl.DataFrame, per_sentence: float) -> Thoughts:
    """What the extractor will find. `rules`: rows of `triplets`."""
    thoughts: dict[str, list[dict]] = defaultdict(list)
    names, found = _by_article(mentions), _by_article(rules.filter(pl.col("status") == "kept"))
    number = told = 0
    for article in articles:
        for start, stop in sentences(article["text"]):
            sentence = article["text"][start:stop]
            said = [{key: row[key] for key in KEYS} for row in found[article["article_id"]] if start <= row["start"] < stop]
            number += 1
            room = max(0, round(number * per_sentence) - told - len(said))
            inside = [row for row in names[article["article_id"]] if start <= row["start"] < stop]
            said += _pairs(sentence, inside)[:room]
            told += len(said)
            if line(sentence) not in thoughts:
                thoughts[line(sentence)] = said
    return thoughts


def _by_article(rows: pl.DataFrame) -> Mapping[str, list[dict]]:
    of: dict[str, list[dict]] = defaultdict(list)
    for row in rows.iter_rows(named=True):
        of[row["article_id"]].append(row)
    return of


def _pairs(sentence: str, names: Sequence[dict]) -> list[dict]:
    """Each name with the next; the last with a word of the sentence."""
    words = sorted(set(WORD.findall(sentence)), key=lambda word: (-len(word), word))
    if not names or len(words) < 2:
        return []
    ends = [(row["normal"], row["kind"]) for row in names]
    tails = [*ends[1:], (words[1], "OTHER")]
    relation = words[0].lower()
    pairs = [(*head, relation, *tail) for head, tail in zip(ends, tails, strict=True) if head[0] != tail[0]]
    return [dict(zip(KEYS, pair, strict=True)) for pair in pairs]
