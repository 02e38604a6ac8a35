"""The embedded grammar check of Russian questions: hard rules, and a light acceptability model.

Trained and measured by benchmarks/grammar.py; what it reaches is stored in the model (`MEASURED`) and said by `dragon doctor`.
It stops the clumsiest questions, not every faulty one. A classifier that can be served replaces it (docs/adr/0028).
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from dragon_pipeline.core.ports import Grammar, GrammarCheck
from dragon_pipeline.languages.ru import faults, grammar_features

MODEL = Path(__file__).with_name("grammar_model.json")
HEADS = ("judged", "whole")
LONG, MOST_EXTRA = 8, 12
VOICE = 0.3
"""Log-odds that the judgements of RuCoLA may add or take: of the faults of questions they know little."""
SOUND, PENALTY = 1.5, 3.0
"""From log-odds of -SOUND down a sentence counts as broken; each unit below it costs PENALTY."""


@dataclass(frozen=True)
class Acceptability:
    """Two logistic regressions over `grammar_features`, and how they are taken together.

    `judged` has learned RuCoLA's judgements of linguists' sentences, `whole` to tell sentences from copies with one fault. The
    first knows next to nothing of such copies and the second as little of RuCoLA, so each has its say: the first within
    ± VOICE, the second only against a sentence.
    """

    judged: np.ndarray
    """float16, one per bucket"""
    whole: np.ndarray
    """float16, one per bucket"""
    judged_bias: float
    whole_bias: float
    cut: float
    """of the two together: above it RuCoLA's sentences are best taken for acceptable"""
    slope: float = 1.0
    shift: float = 0.0
    per_word: float = 0.0
    """log-odds given back for each word over LONG: the sum over more words finds more that is rare, in good sentences too"""

    @classmethod
    def load(cls, path: Path) -> "Acceptability":
        stored = json.loads(path.read_text(encoding="utf-8"))
        told: dict[str, Any] = {field.name: stored[field.name] for field in fields(cls)}
        told |= {name: np.frombuffer(base64.b64decode(stored[name]), dtype="<f2") for name in HEADS}
        return cls(**told)

    def save(self, path: Path, measured: dict[str, Any]) -> None:
        """`measured`: what the model reaches; it stands before the weights, for people."""
        numbers = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in HEADS}
        heads = {name: base64.b64encode(getattr(self, name).astype("<f2").tobytes()).decode() for name in HEADS}
        stored = {"measured": measured, **{name: round(value, 6) for name, value in numbers.items()}, **heads}
        path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")

    def decisions(self, sentences: Sequence[str]) -> np.ndarray:
        """The uncalibrated log-odds; above 0 acceptable as RuCoLA's judges see it."""
        heads = np.stack([self.judged, self.whole]).astype(np.float64)
        rows = [heads[:, vector.buckets] @ vector.values for vector in grammar_features.vectors(sentences)]
        judged, whole = np.array(rows).reshape(-1, 2).T
        return together(judged + self.judged_bias, whole + self.whole_bias) - self.cut

    def acceptable(self, sentences: Sequence[str]) -> np.ndarray:
        """0 to 1, scaled so that 0.7 parts human questions from most broken ones."""
        beyond = np.array([extra_words(sentence) for sentence in sentences], dtype=np.float64)
        return 1 / (1 + np.exp(-(self.slope * (self.decisions(sentences) + self.per_word * beyond) + self.shift)))


def together(judged: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """The log-odds of both heads taken together."""
    return VOICE * np.tanh(judged / VOICE) - PENALTY * np.log1p(np.exp(-2 * (whole + SOUND)))


def extra_words(sentence: str) -> int:
    """Words over LONG, at most MOST_EXTRA: beyond that no human question was there to learn from."""
    return min(max(len(grammar_features.frame(sentence).split()) - LONG, 0), MOST_EXTRA)


def measured() -> dict[str, Any]:
    """What the committed model reaches, as benchmarks/grammar.py measured it: see `measure` there."""
    return json.loads(MODEL.read_text(encoding="utf-8"))["measured"]


class RussianGrammar:
    """A `GrammarCheck`: the acceptability of a question, and its first hard fault."""

    def __init__(self) -> None:
        self.name = f"embedded-ru@{hashlib.sha256(MODEL.read_bytes()).hexdigest()[:8]}"

    @cached_property
    def model(self) -> Acceptability:
        return Acceptability.load(MODEL)

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        scores = self.model.acceptable(questions)
        return [
            Grammar(round(float(score), 6), faults.fault(question)) for question, score in zip(questions, scores, strict=True)
        ]

    def examine(self) -> str:
        """How good it is, for people."""
        mcc, pass_ = measured()["rucola_dev_mcc"], measured()["pass"]
        return (
            f"MCC {mcc['in_domain']:.2f} in domain, {mcc['out_of_domain']:.2f} out of domain (RuCoLA dev); of human questions"
            f" {pass_['human']:.0%} pass, of copies with one fault {pass_['broken']:.0%}"
        )


class Classifier(GrammarCheck, Protocol):
    def examine(self) -> str:
        """What it is, for people; raises when it cannot be had."""
        ...


class GuardedGrammar:
    """A `GrammarCheck` of Russian questions by any classifier, with the hard rules before it."""

    def __init__(self, classifier: Classifier):
        self.classifier = classifier
        self.name = f"{classifier.name}; hard rules ru"

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        judged = self.classifier.check(questions)
        return [replace(one, fault=faults.fault(question)) for question, one in zip(questions, judged, strict=True)]

    def examine(self) -> str:
        return self.classifier.examine()
