"""The settings of a home: its profile's defaults, `dragon.yaml` over them, DRAGON_* variables over that."""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import ValidationError

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.home import Home

PREFIX = "DRAGON_"
NOT_SETTINGS = {"DRAGON_HOME"}
WORDS = {"extra_forbidden": "there is no such setting", "tuple_type": "must be a list, such as [a, b]"}
PROFILES = get_args(Settings.model_fields["profile"].annotation)


def load_settings(home: Home, environment: Mapping[str, str]) -> Settings:
    """The settings of a home, overruled by variables like DRAGON_RELEASE__MIN_QUESTIONS.

    Raises:
        BadInput: the file is no YAML mapping, or a setting is unknown, out of range or does not fit the others.
    """
    values = _read(home.settings_file)
    told = {
        name: _value(name, environment[name]) for name in sorted(set(environment) - NOT_SETTINGS) if name.startswith(PREFIX)
    }
    secrets = {*_secret_variables(values), *(key for name, value in told.items() for key in _secret_variables({name: value}))}
    for name in sorted(told.keys() - secrets):
        _put(values, name.removeprefix(PREFIX).lower().split("__"), told[name])
    where = f"settings ({home.settings_file} and {PREFIX}* variables)"
    _in_home(values, home)
    profile = values.get("profile", Settings.model_fields["profile"].default)
    if profile not in PROFILES:
        raise BadInput(f"{where}: profile: {profile!r} is none of {', '.join(PROFILES)}")
    try:
        return Settings.model_validate(merged(_profile(profile), values))
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'together'}: {_told(fault)}" for fault in error.errors())
        raise BadInput(f"{where}: {faults}") from None


def _told(fault: Mapping[str, Any]) -> str:
    """In the words of who writes YAML, where pydantic speaks of Python."""
    return WORDS.get(fault["type"]) or fault["msg"].removeprefix("Value error, ")


def _in_home(values: dict, home: Home) -> None:
    """The authority's file, when it is named as one in the home."""
    newsroom = values.get("newsroom")
    if isinstance(newsroom, dict) and isinstance(newsroom.get("ca_file"), str):
        newsroom["ca_file"] = str(home.root / newsroom["ca_file"])


def _value(name: str, text: str) -> object:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise BadInput(f"the variable {name} is not YAML: {' '.join(str(error).split())}") from None


def _secret_variables(values: object, name: str = "") -> Iterator[str]:
    """Names of the variables that hold keys and tokens: they may begin like settings, and are none."""
    if isinstance(values, Mapping):
        for part, value in values.items():
            yield from _secret_variables(value, str(part))
    elif isinstance(values, list):
        for value in values:
            yield from _secret_variables(value, name)
    elif isinstance(values, str) and name.lower().endswith(("key_variable", "token_variable")):
        yield values


def merged(under: Mapping, over: Mapping) -> dict:
    """One mapping over another, section by section; a list or a null replaces what is under it whole."""
    both = {**under, **over}
    for name in under.keys() & over.keys():
        if isinstance(under[name], Mapping) and isinstance(over[name], Mapping):
            both[name] = merged(under[name], over[name])
    return both


def _profile(name: str) -> dict:
    return yaml.safe_load((files("dragon_pipeline.profiles") / f"{name}.yaml").read_text("utf-8")) or {}


def _read(path: Path) -> dict:
    if not path.exists():
        return {}
    try:
        values = yaml.safe_load(path.read_text("utf-8")) or {}
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not YAML: {error}") from None
    if not isinstance(values, dict):
        raise BadInput(f"{path}: must hold settings as `name: value`, found {type(values).__name__}")
    return values


def _put(values: dict, names: list[str], value: object) -> None:
    *sections, last = names
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise BadInput(f"settings: `{section}` is no section")
    values[last] = value
