"""The embedded grammar check of Russian questions: hard rules, and a light acceptability model.

Trained and measured by benchmarks/grammar.py: MCC .23 on RuCoLA's in-domain dev set, .20 out of domain, where RuRoBERTa-large
reaches about .5. Of held-out human questions (RuBQ) 96 % pass at 0.7; of copies with one wrong form, a dropped or a swapped
word 66 % still do: it stops the clumsiest questions, not every faulty one. A classifier that can be served replaces it.
"""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from dragon_pipeline.core.ports import Grammar
from dragon_pipeline.languages.ru import grammar_features, grammar_rules

MODEL = Path(__file__).with_name("grammar_model.json")
_BATCH = 256
LONG, MOST_EXTRA = 8, 12


@dataclass(frozen=True)
class Acceptability:
    """Logistic regression over `grammar_features`, with a calibration of its own."""

    weights: np.ndarray
    """float16, one per bucket"""
    bias: float
    slope: float
    shift: float
    per_word: float
    """log-odds given back for each word over LONG: the sum over more words finds more that is rare, in good sentences too"""

    @classmethod
    def load(cls, path: Path) -> "Acceptability":
        stored = json.loads(path.read_text(encoding="utf-8"))
        weights = np.frombuffer(base64.b64decode(stored["weights"]), dtype="<f2")
        return cls(weights, stored["bias"], stored["slope"], stored["shift"], stored["per_word"])

    def save(self, path: Path) -> None:
        stored = {
            "weights": base64.b64encode(self.weights.astype("<f2").tobytes()).decode(),
            **{name: round(getattr(self, name), 6) for name in ("bias", "slope", "shift", "per_word")},
        }
        path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")

    def decisions(self, sentences: Sequence[str]) -> np.ndarray:
        """The uncalibrated log-odds; above 0 acceptable when both kinds are equally likely."""
        weights = self.weights.astype(np.float64)
        parts = [
            grammar_features.vectors(sentences[at : at + _BATCH]).astype(np.float64) @ weights
            for at in range(0, len(sentences), _BATCH)
        ]
        return np.concatenate(parts) + self.bias if parts else np.zeros(0)

    def acceptable(self, sentences: Sequence[str]) -> np.ndarray:
        """0 to 1, scaled so that 0.7 parts human questions from most broken ones."""
        beyond = np.array([extra_words(sentence) for sentence in sentences], dtype=np.float64)
        return 1 / (1 + np.exp(-(self.slope * (self.decisions(sentences) + self.per_word * beyond) + self.shift)))


def extra_words(sentence: str) -> int:
    """Words over LONG, at most MOST_EXTRA: beyond that no human question was there to learn from."""
    return min(max(len(sentence.split()) - LONG, 0), MOST_EXTRA)


class RussianGrammar:
    """A `GrammarCheck`: the acceptability of a question, and its first hard fault."""

    name = "embedded-ru"

    @cached_property
    def model(self) -> Acceptability:
        return Acceptability.load(MODEL)

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        scores = self.model.acceptable(questions)
        return [
            Grammar(round(float(score), 6), grammar_rules.fault(question))
            for question, score in zip(questions, scores, strict=True)
        ]
