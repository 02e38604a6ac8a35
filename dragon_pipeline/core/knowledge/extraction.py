"""Triplets by a language model: the article's sentences are numbered, the model answers with numbers, so that the evidence is a
sentence of the article whatever the model says. Whether head and tail stand in it is checked by triplets.extract()."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.names import QUOTES
from dragon_pipeline.core.language_model import LanguageModel, ModelReply, ModelRequest
from dragon_pipeline.core.prompts import Prompt, line, visible
from dragon_pipeline.core.window import byte_size, room, sizes

Span = tuple[int, int]
"""First character of a sentence in the article's text, and one past its last."""
RAW = 20_000
"""Characters of a reply that are kept."""
LONGEST = 3_000
"""Characters; no sentence of news is longer, and one that is may cost as much as a hundred articles."""
REPLY_PER_SENTENCE = 100
"""Tokens: one or two triplets of 60."""
TITLE, BEFORE = 300, 600
"""Characters shown of the headline and of the sentence before a part."""
DATED_KINDS = ("DATE", "YEAR", "OTHER")


@dataclass(frozen=True)
class Part:
    """Sentences of one article that go into one request, in order."""

    article: dict
    spans: Sequence[Span]
    shown: Sequence[str]
    """each sentence on one line"""
    before: str
    """the sentence before the first, for context; may be empty"""

    def values(self) -> dict[str, str]:
        return {
            "title": line(self.article["title"], TITLE),
            "date": line(self.article["published_at"] or ""),
            "before": self.before,
            "sentences": "\n".join(map(numbered, range(1, len(self.shown) + 1), self.shown)),
        }


class ModelExtractor:
    """Asks one model for the triplets of each article, long ones in parts."""

    def __init__(
        self,
        model: LanguageModel,
        prompt: Prompt,
        sentences: Callable[[str], Sequence[Span]],
        lemmas: Callable[[str], list[str]],
        date_fault: Callable[[str, bool], str | None],
    ) -> None:
        """
        Args:
            model: in the role of extractor.
            prompt: takes title, date, before, sentences; its reply is a list of `triplets`.
            sentences: spans of the sentences of a text.
            lemmas: of the words and numbers of a text, for comparing.
            date_fault: why a phrase says no certain day, given whether its article is dated; None when it does, or says none.
        """
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.prompts: Sequence[Prompt] = (prompt,)
        self._model, self._prompt, self._sentences, self._date_fault = model, prompt, sentences, date_fault
        self.lemmas = lemmas

    def extract(self, articles: Sequence[dict], mentions: Mapping[str, Sequence[dict]]) -> Iterator[dict]:
        """Rows of `triplets`.

        Raises:
            BadInput: the model's window has no room for instructions, reply and a text.
            BudgetSpent, Unreachable: see LanguageModel.
        """
        found = [(article, spans) for article in articles if (spans := self._sentences(article["text"]))]
        if not found:
            return
        space = room(self._model, self._prompt, self._model.reply_tokens)
        parts: list[Part] = []
        for article, spans in found:
            fitting, too_long = self._split(article, spans, space)
            parts += fitting
            yield from (failed_row(article, span, "sentence_too_long", None) for span in too_long)
        replies = self._model.complete([ModelRequest(self._prompt.messages(**p.values()), self._prompt.schema) for p in parts])
        for part, reply in zip(parts, replies, strict=True):
            yield from self._rows(part, reply)

    def _split(self, article: dict, spans: Sequence[Span], space: int) -> tuple[list[Part], list[Span]]:
        """The article in parts that fit, and the sentences that fit none."""
        shown = [line(article["text"][start:stop]) for start, stop in spans]
        space -= byte_size(line(article["title"], TITLE)) + byte_size(line(article["published_at"] or ""))
        lines = [numbered(99, text) for text in shown]
        most = max(1, self._model.reply_tokens // REPLY_PER_SENTENCE)
        short = [stop - start <= LONGEST for start, stop in spans]
        tokens = sizes(self._model, [text if fit else "" for text, fit in zip(lines, short, strict=True)], most, space)
        fits = [fit and size < space for fit, size in zip(short, tokens, strict=True)]
        parts = []
        for first, last in pack(tokens, fits, space, most):
            before = line(shown[first - 1], BEFORE) if first else ""
            if sum(tokens[first:last]) + byte_size(before) > space:
                before = ""
            parts.append(Part(article, spans[first:last], shown[first:last], before))
        return parts, [span for span, fit in zip(spans, fits, strict=True) if not fit]

    def _rows(self, part: Part, reply: ModelReply) -> Iterator[dict]:
        if reply.reason is not None:
            yield failed_row(part.article, part.spans[0], reply.reason, reply.text)
            return
        seen: set[tuple] = set()
        for place, told in enumerate(reply.value["triplets"]):
            there = told["sentence"] <= len(part.spans)
            told = {**told, **{name: tidy(told[name]) for name in ("head", "relation", "tail")}}
            key = (told["sentence"], told["head"], told["relation"], told["tail"])
            reason = "no_such_sentence" if not there else self._fault(told) or ("duplicate" if key in seen else None)
            seen.add(key)
            span = part.spans[told["sentence"] - 1] if there else part.spans[0]
            yield self._row(part.article, span, told, None if reason is None else (reason, place))

    def _fault(self, told: Mapping[str, str]) -> str | None:
        for name in ("head", "relation", "tail"):
            if not told[name]:
                return f"empty_{name}"
        return "same_ends" if self.lemmas(told["head"]) == self.lemmas(told["tail"]) else None

    def _row(self, article: dict, span: Span, told: Mapping[str, str], fault: tuple[str, int] | None) -> dict:
        dated = article["published_at"] is not None
        said = [told["relation"], *([told["tail"]] if told["tail_kind"] in DATED_KINDS else [])]
        held_back = next((why for phrase in said if (why := self._date_fault(phrase, dated))), None)
        ends = (told["head"], told["relation"], told["tail"])
        return {
            # of a dropped one also why and where: no two rows of the table are the same, and a kept one is never replaced
            "triplet_id": content_id(article["article_id"], *span, *ends, *(fault or ())),
            "article_id": article["article_id"],
            "head": told["head"], "head_kind": told["head_kind"], "relation": told["relation"],
            "tail": told["tail"], "tail_kind": told["tail_kind"], "start": span[0], "stop": span[1],
            "wording": json.dumps({"held_back": held_back}) if held_back else None,
            "status": "dropped" if fault else "kept", "reason": fault[0] if fault else None, "raw": None,
        }  # fmt: skip


def failed_row(article: dict, span: Span, reason: str, raw: str | None) -> dict:
    """What is kept of sentences that gave nothing usable; `span` is the first of them."""
    return {
        "triplet_id": content_id(article["article_id"], *span, "", "", "", reason), "article_id": article["article_id"],
        "head": "", "head_kind": "OTHER", "relation": "", "tail": "", "tail_kind": "OTHER",
        "start": span[0], "stop": span[1], "wording": None,
        "status": "failed", "reason": reason, "raw": None if raw is None else raw[:RAW],
    }  # fmt: skip


def numbered(number: int, text: str) -> str:
    return f"[{number}] {text}"


def tidy(name: str) -> str:
    """A name as the model said it, on one line, without quotation marks around the whole of it."""
    name = " ".join(visible(name).split())
    inner = name[1:-1]
    whole = len(name) > 2 and name[0] in QUOTES and name[-1] in QUOTES and not set(inner) & set(QUOTES)
    return inner.strip() if whole else name


def pack(tokens: Sequence[int], fits: Sequence[bool], space: int, most: int) -> list[Span]:
    """Runs of neighbours (first, one past the last) that hold at most `most` and together fit `space`, of even lengths.

    What does not fit by itself is in none.
    """
    runs: list[Span] = []
    first = 0
    for stop in (*(i for i, fit in enumerate(fits) if not fit), len(fits)):
        if stop > first:
            runs += _pack(tokens, (first, stop), space, most)
        first = stop + 1
    return runs


def _pack(tokens: Sequence[int], run: Span, space: int, most: int) -> list[Span]:
    first, stop = run
    length = stop - first
    pieces = max(-(-length // most), -(-sum(tokens[first:stop]) // space))
    most = -(-length // pieces)
    found, used = [], 0
    for i in range(first, stop):
        if i > first and (used + tokens[i] > space or i - first == most):
            found.append((first, i))
            first, used = i, 0
        used += tokens[i] + 1
    return [*found, (first, stop)]
