"""Tiny classifiers with random weights and a tokenizer trained on the spot: what transformers loads, without a download."""

import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

NO_TORCH = any(importlib.util.find_spec(name) is None for name in ("torch", "transformers"))
"""`make models` has them"""
WORDS = ["Кто открыл завод в Туле?", "Где живёт Пётр Белов?", "Какой город посетил министр?", "Сколько стоит хлеб?"]
NAMES = ("unacceptable", "acceptable")
POSITIONS = 40


def build(folder: Path, labels: tuple[str, ...] = NAMES, head: bool = True) -> str:
    """A RoBERTa of 50,000 parameters in a folder, which is returned. Without `head` it is a language model's body alone."""
    torch, package, tokenizers = (importlib.import_module(name) for name in ("torch", "transformers", "tokenizers"))
    marks = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    pieces = tokenizers.ByteLevelBPETokenizer()
    pieces.train_from_iterator(WORDS, vocab_size=400, special_tokens=marks, show_progress=False)
    pieces._tokenizer.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    config = package.RobertaConfig(
        vocab_size=400, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=POSITIONS + 2, id2label=dict(enumerate(labels)),
        label2id={name: place for place, name in enumerate(labels)},
    )  # fmt: skip
    torch.manual_seed(1)
    model = (package.RobertaForSequenceClassification if head else package.RobertaModel)(config)
    if head:
        with torch.no_grad():  # random heads say .5 of everything: this one has opinions
            model.classifier.out_proj.weight.mul_(200)
    model.save_pretrained(folder)
    wrapped: Any = package.PreTrainedTokenizerFast(
        tokenizer_object=pieces._tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>",
        mask_token="<mask>", cls_token="<s>", sep_token="</s>",
    )  # fmt: skip
    wrapped.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Builds a tiny classifier in a folder of the given name."""
    if NO_TORCH:
        pytest.skip("needs torch and transformers: `make models`")
    made: dict[tuple, str] = {}

    def folder(name: str = "tiny", **how: Any) -> str:
        key = (name, *sorted(how.items()))
        if key not in made:
            made[key] = build(tmp_path_factory.mktemp("models") / name, **how)
        return made[key]

    return folder
