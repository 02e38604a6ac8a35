"""Which of a classifier's two labels says that a sentence is acceptable."""

import re
from collections.abc import Mapping
from importlib.resources import files

import yaml

from dragon_pipeline.core.errors import BadInput

GOOD = frozenset({"acceptable", "correct", "grammatical", "wellformed", "fluent"})
BAD = frozenset({"unacceptable", "incorrect", "ungrammatical", "illformed", "disfluent", "nonfluent", "influent"})


def acceptable_label(model: str, labels: Mapping[int, str], chosen: str | None = None) -> int:
    """The index of the label: the chosen one, else as the labels are named, else as checkpoints.yaml knows the model.

    Args:
        labels: `id2label` of the model's config.
        chosen: the setting: a label's name or index.

    Raises:
        BadInput: there are not two labels, none is the chosen one, or nothing tells them apart: a guess could turn the screen
            round.
    """
    if sorted(labels) != [0, 1]:
        raise BadInput(f"screens.grammar.model: {model} tells {len(labels)} labels apart; acceptable or not are two")
    if chosen is not None:
        return _index(labels, chosen, f"screens.grammar.acceptable: {chosen} is no label of {model}")
    named = [index for index, label in labels.items() if _folded(label) in GOOD]
    if len(named) == 1 and _folded(labels[1 - named[0]]) in BAD | {f"not{word}" for word in GOOD}:
        return named[0]
    for known in _known():
        if re.search(known["model"], model, re.IGNORECASE) and known["acceptable"] in labels.values():
            return _index(labels, known["acceptable"], model)
    raise BadInput(
        f"screens.grammar.acceptable: say which label of {model} means acceptable, {labels[0]} or {labels[1]}: their names do"
        " not tell. Of models trained on RuCoLA as it is, it is the one with index 1"
    )


def _index(labels: Mapping[int, str], chosen: str, fault: str) -> int:
    for index, label in labels.items():
        if chosen == label:
            return index
    if chosen in ("0", "1"):
        return int(chosen)
    raise BadInput(f"{fault}; it has {labels[0]} and {labels[1]}")


def _folded(label: str) -> str:
    return re.sub(r"[^a-z]", "", label.casefold())


def _known() -> list[dict[str, str]]:
    return yaml.safe_load(files("dragon_pipeline.adapters.grammar").joinpath("checkpoints.yaml").read_text("utf-8"))
