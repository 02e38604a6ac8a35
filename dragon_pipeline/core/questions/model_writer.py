"""Questions by a model: it is told the facts, what to ask for and what not to name, and what it writes is checked here."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from dragon_pipeline.core.language_model import LanguageModel, ModelReply, ModelRequest
from dragon_pipeline.core.ports import Sketch, Written
from dragon_pipeline.core.prompts import Prompt, line, plain
from dragon_pipeline.core.screening.lemmas import Lemmas, holds, words_only

LONGEST = 300
"""Characters of a question: about 35 words, what `question_clarity` allows."""

DAY = len("2024-03-15")
_FIGURE = re.compile(r"\d")
_QUOTED = re.compile(r"«[^«»]*»|\"[^\"]*\"|“[^“”]*”|„[^„“]*“")
_ENDED = re.compile(r"[!?…]\s|\w{4,}[»\")]*\.\s+[\W_]*[^\W\d_a-zа-яё]")
"""The end of a sentence inside a text: a mark that ends one, or a full stop between a word (no initial, no abbreviation) and
a capital."""


class ModelWriter:
    """Writes with one prompt per question type; a type without one is `unknown_type`.

    A prompt may use these placeholders: `facts` (numbered, each with its evidence sentence and the day of its news), `asked`,
    `given` (a name a line), `bridge`, `direction` (`more` or `less`). The reply is valid under the prompt's schema: `question`
    and `answers`.

    What is wrong with a reply is the reason: `other_answers` (not exactly the asked names), `empty_question`, `too_long`,
    `no_question_mark`, `several_sentences`, `answer_in_question`, `bridge_in_question`, of a comparison
    `subject_not_in_question` and `value_in_question`, or the failure of the model.
    """

    def __init__(self, model: LanguageModel, prompts: Mapping[str, Prompt], lemmas: Lemmas) -> None:
        """`prompts`: question type → prompt."""
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.prompts: Sequence[Prompt] = tuple(prompts[type] for type in sorted(prompts))
        self._by_type = dict(prompts)
        self._words = words_only(lambda text: lemmas(plain(text)))

    def write(self, sketches: Sequence[Sketch]) -> Sequence[Written]:
        """One per sketch, in order; the model is asked in one batch.

        Raises:
            BudgetSpent: the run's budget is used up.
        """
        known = [place for place, sketch in enumerate(sketches) if sketch.type in self._by_type]
        replies = self.models[0].complete([self._request(sketches[place]) for place in known])
        written = [Written(reason="unknown_type")] * len(sketches)
        for place, reply in zip(known, replies, strict=True):
            written[place] = self._written(sketches[place], reply)
        return written

    def _request(self, sketch: Sketch) -> ModelRequest:
        prompt = self._by_type[sketch.type]
        told = {
            "facts": told_facts(sketch.facts),
            "asked": "\n".join(map(line, sketch.asked)),
            "given": "\n".join(map(line, sketch.given)),
            "bridge": line(sketch.bridge or ""),
            "direction": sketch.direction or "",
        }
        return ModelRequest(prompt.messages(**{name: told[name] for name in prompt.placeholders}), prompt.schema)

    def _written(self, sketch: Sketch, reply: ModelReply) -> Written:
        if reply.reason is not None:
            return Written(reason=reply.reason, raw=reply.text)
        question = " ".join(plain(reply.value["question"]).split())
        fault = self._answer_fault(sketch, reply.value["answers"]) or self._question_fault(sketch, question)
        return Written(reason=fault, raw=reply.text) if fault else Written(question)

    def _answer_fault(self, sketch: Sketch, answers: Sequence[str]) -> str | None:
        same = Counter(map(self._key, answers)) == Counter(map(self._key, sketch.asked))
        return None if same else "other_answers"

    def _question_fault(self, sketch: Sketch, question: str) -> str | None:
        if fault := form_fault(question):
            return fault
        said = self._words(question)
        if sketch.type == "comparison":
            return self._comparison_fault(sketch, said)
        for name in sketch.asked:
            if holds(said, self._words(name)):
                return f"answer_in_question: {line(name)}"
        if sketch.type == "multi_hop" and sketch.bridge and holds(said, self._words(sketch.bridge)):
            return f"bridge_in_question: {line(sketch.bridge)}"
        return None

    def _comparison_fault(self, sketch: Sketch, said: Sequence[str]) -> str | None:
        """Both subjects are named, the answer among them, and neither value is told, nor any figure of one."""
        names = [self._words(name) for name in sketch.given]
        for name, words in zip(sketch.given, names, strict=True):
            if not holds(said, words):
                return f"subject_not_in_question: {line(name)}"
        told = Counter(said) - Counter(word for words in names for word in words)
        for fact in sketch.facts:
            value = self._words(fact["tail"])
            if holds(said, value) or any(word in told for word in value if _FIGURE.search(word)):
                return f"value_in_question: {line(fact['tail'])}"
        return None

    def _key(self, name: str) -> str:
        return " ".join(self._words(name)) or name.strip()


def told_facts(facts: Sequence[dict]) -> str:
    """Two lines a fact: `1. head | relation | tail`, then the day of its news (`?`: it has none) and its evidence sentence."""
    return "\n".join(
        f"{number}. {line(fact['head'])} | {line(fact['relation'])} | {line(fact['tail'])}\n"
        f"   {line((fact.get('published_at') or '?')[:DAY])}: {line(fact['sentence'])}"
        for number, fact in enumerate(facts, 1)
    )


def form_fault(question: str) -> str | None:
    """Why a text on one line is no single question of bounded length; what stands in quotes may end as it likes."""
    if not question:
        return "empty_question"
    if len(question) > LONGEST:
        return f"too_long: {len(question)}"
    bare = _QUOTED.sub("«»", question)
    if not bare.endswith("?"):
        return "no_question_mark"
    return "several_sentences" if "?" in bare[:-1] or _ENDED.search(bare[:-1]) else None
