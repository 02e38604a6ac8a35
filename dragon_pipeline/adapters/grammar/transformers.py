"""Acceptability classifiers that transformers loads, in this process: RuRoBERTa-large trained on RuCoLA, first of all. Needs
the extra `models`."""

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dragon_pipeline.adapters.grammar.labels import acceptable_label
from dragon_pipeline.core.errors import BadInput, Unreachable
from dragon_pipeline.core.ports import Grammar
from dragon_pipeline.core.settings import GrammarSettings

MISSING = (
    "screens.grammar.engine: transformers is not installed. Install torch for this machine first (`pip install torch`), then"
    " `pip install 'dragon-pipeline[models]'`; or set `embedded`, which needs neither"
)
BLANK = "."
"""what is read for white space alone"""
DIGITS = 4
"""of a score: what stands beside a sentence in a batch shows in the digits behind them"""


@dataclass(frozen=True)
class Classifier:
    """A model that is loaded, on its device."""

    torch: Any
    tokenizer: Any
    model: Any
    label: int
    """index of the label that says acceptable"""
    longest: int
    """tokens that it reads, its own marks included; the rest of a sentence is cut off"""

    def probabilities(self, sentences: Sequence[str]) -> list[float]:
        told = self.tokenizer(list(sentences), padding=True, truncation=True, max_length=self.longest, return_tensors="pt")
        with self.torch.inference_mode():
            logits = self.model(**told.to(self.model.device)).logits
        return self.torch.softmax(logits.float(), dim=-1)[:, self.label].tolist()

    @property
    def revision(self) -> str | None:
        """The commit it was loaded from; None for a folder."""
        return getattr(self.model.config, "_commit_hash", None)

    @property
    def label_name(self) -> str:
        return self.model.config.id2label[self.label]


class TransformersGrammar:
    """A sequence classifier with two labels, by its name on the Hugging Face Hub or in a folder: a `GrammarCheck` without hard
    faults, which are the language's to find. It is loaded with the first sentence. HF_HUB_OFFLINE keeps it from the network."""

    def __init__(self, settings: GrammarSettings):
        chosen = f"; {settings.acceptable} is acceptable" if settings.acceptable else ""
        self.name = f"transformers {_named(settings.model or '', settings.revision)}{chosen}"
        self._settings = settings
        self._model = settings.model or ""
        self._lock = threading.Lock()

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        """One per sentence, in order, the longest first to the model.

        Raises:
            BadInput: the package is missing, there is no such model, or it is no classifier that tells acceptable sentences
                from others.
            Unreachable: a score is not a number.
        """
        order = sorted(range(len(questions)), key=lambda place: (-len(questions[place]), place))
        found = [0.0] * len(questions)
        for start in range(0, len(order), self._settings.batch):
            places = order[start : start + self._settings.batch]
            with self._lock:
                scores = self._loaded.probabilities([_readable(questions[place]) for place in places])
            for place, score in zip(places, scores, strict=True):
                found[place] = score
        if not all(0 <= score <= 1 for score in found):
            raise Unreachable(f"screens.grammar: {self._model} gave a score that is not a number")
        return [Grammar(round(score, DIGITS)) for score in found]

    def examine(self) -> str:
        """What was loaded and where it runs, for people. Raises as `check`."""
        with self._lock:
            loaded = self._loaded
        revision = loaded.revision or self._settings.revision or "of a folder"
        return f"revision {revision}, on {loaded.model.device}, {loaded.label_name} is acceptable"

    @cached_property
    def _loaded(self) -> Classifier:
        if importlib.util.find_spec("transformers") is None or importlib.util.find_spec("torch") is None:
            raise BadInput(MISSING)
        torch, package = importlib.import_module("torch"), importlib.import_module("transformers")
        model, tokenizer = _load(package, self._model, self._settings.revision)
        label = acceptable_label(self._model, model.config.id2label, self._settings.acceptable)
        device = self._settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
        try:
            model = model.to(device).eval()
        except (RuntimeError, AssertionError, NotImplementedError) as error:  # what torch raises where there is no such card
            raise BadInput(f"screens.grammar.device: {device} cannot be used: {_told(error)}") from error
        return Classifier(torch, tokenizer, model, label, _longest(tokenizer, model.config))


def _load(package: Any, name: str, revision: str | None) -> tuple[Any, Any]:
    known = {"revision": revision} if revision else {}
    try:
        tokenizer = package.AutoTokenizer.from_pretrained(name, **known)
        model, told = package.AutoModelForSequenceClassification.from_pretrained(name, output_loading_info=True, **known)
    except (OSError, ValueError, KeyError, RuntimeError) as error:  # RuntimeError: weights of other shapes than its config says
        raise BadInput(
            f"screens.grammar.model: {_spelt(name, revision)} could not be loaded as a sequence classifier ({_told(error)})."
            " It is no folder with one, and could not be had from the Hugging Face Hub: name another one, or download it and"
            " name its folder"
        ) from error
    if missing := sorted(told["missing_keys"]):
        raise BadInput(
            f"screens.grammar.model: {name} has no trained classifier: its weights lack {', '.join(missing[:3])}. Name one that"
            " was trained to tell acceptable sentences, such as RussianNLP/ruRoBERTa-large-rucola"
        )
    return model, tokenizer


def _longest(tokenizer: Any, config: Any) -> int:
    """Positions that the model has, without those that RoBERTa keeps for padding; many tokenizers do not know."""
    positions = getattr(config, "max_position_embeddings", None) or 512
    return min(tokenizer.model_max_length, positions - (config.pad_token_id or 0) - 1)


def _readable(text: str) -> str:
    """Tokenizers take no halves of surrogate pairs, models no sentence without a token."""
    return text.encode("utf-8", "replace").decode() if text.strip() else BLANK


def _named(model: str, revision: str | None) -> str:
    """Of a folder its own name and a digest of what is in it: paths differ from machine to machine."""
    folder = Path(model)
    if not folder.is_dir():
        return _spelt(model, revision)
    told = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            with path.open("rb") as file:
                told.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\0".encode())
    return f"{folder.resolve().name}@{told.hexdigest()[:8]}"


def _spelt(model: str, revision: str | None) -> str:
    return f"{model}@{revision}" if revision else model


def _told(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
