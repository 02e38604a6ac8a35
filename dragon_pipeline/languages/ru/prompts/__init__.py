"""Prompts in Russian, a file per task: what a model is told, the schema of its reply, and examples."""

from functools import cache
from importlib.resources import files

import yaml

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.prompts import Prompt


def names() -> list[str]:
    """Names of all prompts, sorted."""
    return sorted(path.name.removesuffix(".yaml") for path in files(__name__).iterdir() if path.name.endswith(".yaml"))


@cache
def load(name: str) -> Prompt:
    """The prompt of `<name>.yaml`.

    Raises:
        BadInput: there is no such file, or it holds no prompt.
    """
    if name not in names():
        raise BadInput(f"there is no prompt {name!r} in Russian; there are {', '.join(names())}")
    source = (files(__name__) / f"{name}.yaml").read_text("utf-8")
    try:
        values = yaml.safe_load(source)
    except yaml.YAMLError as error:
        raise BadInput(f"prompt {name}: no YAML: {error}") from error
    return Prompt.parse(name, source, values)
