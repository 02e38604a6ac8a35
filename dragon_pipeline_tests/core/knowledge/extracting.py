"""A model of tests that extracts, and what the tests of extraction share."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.knowledge.extraction import ModelExtractor
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.language_model import ModelReply, ModelRequest
from dragon_pipeline.core.records import ARTICLES, MENTIONS
from dragon_pipeline.languages.ru import dates, prompts
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.parsing import sentences

PROMPT = prompts.load("extractor")
TEXT = "Компания «Полярис» купила завод «Маяк». Сделку закрыли в Казани.\nСумма сделки «Поляриса» — 007 рублей."


class Told(FakeLanguageModel):
    """A fake with the window of a large model and a tokenizer of its own: three characters of Russian are about a token."""

    def __init__(self, answer: Callable[[ModelRequest], Any], window: int = 131_072) -> None:
        super().__init__("extractor", answer, "told", window, 2048)
        self.counted = 0

    def count(self, texts: Sequence[str]) -> list[int]:
        self.counted += 1
        return [len(text) // 3 + 1 for text in texts]

    def complete(self, requests: Sequence[ModelRequest]) -> list[ModelReply]:
        counted = self.counted
        replies = super().complete(requests)
        self.counted = counted  # the fake counts for its usage
        return replies


def says(*told: dict) -> Callable[[ModelRequest], Any]:
    return lambda request: {"triplets": list(told)}


def triplet(sentence: int, head: str, relation: str, tail: str, kinds: str = "ORG ORG") -> dict:
    head_kind, tail_kind = kinds.split()
    return {
        "sentence": sentence,
        "head": head,
        "head_kind": head_kind,
        "relation": relation,
        "tail": tail,
        "tail_kind": tail_kind,
    }


def make(model: FakeLanguageModel) -> ModelExtractor:
    return ModelExtractor(model, PROMPT, sentences, lemmas, dates.fault)


def run(model: Told, *articles: dict) -> pl.DataFrame:
    return extract(ARTICLES.frame(list(articles)), MENTIONS.empty(), make(model))


def outcomes(frame: pl.DataFrame) -> list[tuple[str, str | None]]:
    return sorted(frame.select("status", "reason").iter_rows(), key=str)


def data(request: ModelRequest) -> dict[str, str]:
    """What stands between the fences of a request, in the order of the prompt."""
    found = re.findall(r"<<<([0-9a-f]{8})\n(.*?)\n\1>>>", request.messages[-1].content, re.DOTALL)
    return dict(zip(("title", "date", "before", "sentences"), (text for _, text in found), strict=True))
