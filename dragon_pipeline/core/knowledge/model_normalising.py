"""Normalising by a language model: it sees the sentence and the candidates of its names, and picks one of each or none.

The names of one sentence share a request (about three of them need one): the sentence and the frame are paid once. Names of
different sentences never do, so that a request, and with it the cache, does not depend on what else was in the news that day.
The reply is an object {"1": 2, "2": 0} and not a list: a weak model loses count in a list, and then every later name is wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragon_pipeline.core.knowledge.extraction import numbered
from dragon_pipeline.core.language_model import LanguageModel, ModelReply, ModelRequest
from dragon_pipeline.core.ports import Choice, Naming
from dragon_pipeline.core.prompts import Prompt, line
from dragon_pipeline.core.window import room, sizes

CONTEXT, NAME, LABEL, DESCRIPTION = 1000, 150, 100, 150
"""Characters shown of each."""
REPLY, REPLY_PER_NAME = 16, 8
"""Tokens that a reply needs, at most; of more only a model that has lost its way makes use."""
RELATION = "RELATION"
"""the kind that a property is shown with"""


@dataclass(frozen=True)
class Question:
    """One name of one sentence, as the model sees it, and the places in the list of namings that its answer is for."""

    shown: str
    candidates: Sequence[dict]
    places: list[int]


@dataclass(frozen=True)
class Batch:
    """Names of one sentence that go into one request."""

    sentence: str
    questions: Sequence[Question]
    fits: bool = True
    """false: one name that no request has room for"""


class ModelNormaliser:
    """Asks one model what names mean."""

    def __init__(self, model: LanguageModel, prompt: Prompt) -> None:
        """
        Args:
            model: in the role of normaliser.
            prompt: takes sentence, names; its schema has a property for each number of a name, from "1".
        """
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.prompts: Sequence[Prompt] = (prompt,)
        self._model, self._prompt = model, prompt
        self._most = len((prompt.schema or {})["properties"])

    def choose(self, namings: Sequence[Naming]) -> Sequence[Choice]:
        """One choice per name, in order; a name without candidates is never asked about, one that the model failed on is kept
        with the failure as its reason.

        Raises:
            BadInput: the model's window has no room for instructions and a sentence.
            BudgetSpent, Unreachable: see LanguageModel.
        """
        choices = [Choice(None, "no_candidates")] * len(namings)
        batches = [batch for sentence, of in _by_sentence(namings).items() for batch in self._batches(sentence, of)]
        asked = [self._request(batch) for batch in batches if batch.fits]
        replies = iter(self._model.complete(asked) if asked else ())
        for batch in batches:
            reply = next(replies) if batch.fits else ModelReply(reason="window_exceeded")
            for number, question in enumerate(batch.questions, start=1):
                for place in question.places:
                    choices[place] = _choice(reply, number, question.candidates)
        return choices

    def _batches(self, sentence: str, questions: Sequence[Question]) -> Iterator[Batch]:
        """As many of a sentence's names as fit one request, and alone those that fit none."""
        space = room(self._model, self._prompt, self._reply_tokens(self._most))
        texts = [sentence, *(numbered(self._most, question.shown) for question in questions)]
        context, *tokens = sizes(self._model, texts, len(texts), space)
        batch: list[Question] = []
        used = context
        for question, size in zip(questions, tokens, strict=True):
            if context + size >= space:
                yield Batch(sentence, [question], fits=False)
                continue
            if batch and (len(batch) == self._most or used + size >= space):
                yield Batch(sentence, batch)
                batch, used = [], context
            batch.append(question)
            used += size + 1
        if batch:
            yield Batch(sentence, batch)

    def _request(self, batch: Batch) -> ModelRequest:
        asked = len(batch.questions)
        names = "\n".join(numbered(number, question.shown) for number, question in enumerate(batch.questions, start=1))
        messages = self._prompt.messages(sentence=batch.sentence, names=names)
        return ModelRequest(messages, exactly(self._prompt.schema or {}, asked), self._reply_tokens(asked))

    def _reply_tokens(self, names: int) -> int:
        """What the numbers take, or what the settings allow a model that thinks first, up to a sixteenth of its window."""
        model = self.models[0]
        return max(REPLY + REPLY_PER_NAME * names, min(model.reply_tokens, model.window // 16))


def exactly(schema: Mapping[str, Any], names: int) -> dict[str, Any]:
    """The schema with the first `names` properties, all required."""
    wanted = [str(number) for number in range(1, names + 1)]
    rest = {key: value for key, value in schema.items() if key != "minProperties"}
    return {**rest, "required": wanted, "properties": {name: schema["properties"][name] for name in wanted}}


def _by_sentence(namings: Sequence[Naming]) -> dict[str, list[Question]]:
    found: dict[str, dict[str, Question]] = {}
    for place, naming in enumerate(namings):
        if not naming.candidates:
            continue
        shown = _shown(naming)
        of = found.setdefault(line(naming.context, CONTEXT), {})  # reprints ask the same about the same
        of.setdefault(shown, Question(shown, naming.candidates, [])).places.append(place)
    return {sentence: list(of.values()) for sentence, of in found.items()}


def _shown(naming: Naming) -> str:
    kind = RELATION if naming.kind == "property" else naming.name_kind
    lines = [f"{line(naming.name, NAME)} ({kind})"]
    for number, candidate in enumerate(naming.candidates, start=1):
        said = [line(candidate["label"], LABEL), line(candidate["description"], DESCRIPTION)]
        lines.append(f"{number}) {' — '.join(part for part in said if part)}")
    return "\n".join(lines)


def _choice(reply: ModelReply, number: int, candidates: Sequence[dict]) -> Choice:
    if reply.reason is not None:
        return Choice(None, reply.reason)
    picked = reply.value[str(number)]
    if picked == 0:
        return Choice(None, "kept")
    if picked > len(candidates):
        return Choice(None, "no_such_candidate")
    return Choice(candidates[picked - 1]["wikidata_id"], "picked")
