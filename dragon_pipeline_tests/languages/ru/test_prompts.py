"""What holds for every prompt file: a weak model cannot loop for ever, and no example teaches what is wrong."""

from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.languages.ru import prompts


@pytest.fixture(params=prompts.names())
def prompt(request: pytest.FixtureRequest) -> Prompt:
    return prompts.load(request.param)


def parts(schema: Any) -> Iterator[dict]:
    """Every schema inside a schema."""
    if isinstance(schema, dict):
        yield schema
        for key in ("properties", "$defs"):
            for inner in schema.get(key, {}).values():
                yield from parts(inner)
        for key in ("items", "anyOf", "oneOf", "allOf", "prefixItems"):
            yield from parts(schema.get(key))
    elif isinstance(schema, list):
        for inner in schema:
            yield from parts(inner)


def unbounded(schema: Any) -> list[str]:
    """Where a model that fills this schema could go on for ever."""
    wanted = {"string": "maxLength", "array": "maxItems", "integer": "maximum", "number": "maximum"}
    found = []
    for part in parts(schema):
        kind = part.get("type")
        if kind == "object" and part.get("additionalProperties") is not False:
            found.append(f"an object takes any property: {sorted(part.get('properties', {}))}")
        if kind in wanted and wanted[kind] not in part and "enum" not in part and "const" not in part:
            found.append(f"{kind} without {wanted[kind]}: {part}")
    return found


def test_there_are_prompts():
    assert {"extractor", "normaliser"} <= set(prompts.names())


def test_every_reply_of_an_example_is_valid_under_the_schema(prompt: Prompt):
    """Fault 8 of the reference: few-shot examples were invalid JSON."""
    for example in prompt.examples:
        if prompt.schema is None:
            assert isinstance(example.reply, str)
        else:
            Draft202012Validator(prompt.schema).validate(example.reply)


def test_every_example_gives_every_placeholder(prompt: Prompt):
    assert prompt.placeholders
    assert all(example.given.keys() == prompt.placeholders for example in prompt.examples)


def test_what_a_schema_allows_has_an_end(prompt: Prompt):
    assert unbounded(prompt.schema) == []


def test_every_property_is_required(prompt: Prompt):
    """A model leaves out what it may leave out; a file that lists alternatives says so by `minProperties`."""
    for part in parts(prompt.schema):
        if part.get("type") == "object" and "minProperties" not in part:
            assert set(part["properties"]) == set(part.get("required", ()))


def in_order(schema: dict, value: Any) -> bool:
    if isinstance(value, list):
        return all(in_order(schema["items"], one) for one in value)
    if not isinstance(value, dict):
        return True
    known = [name for name in schema["properties"] if name in value]
    return list(value) == known and all(in_order(schema["properties"][name], value[name]) for name in known)


def test_examples_hold_properties_in_the_order_of_the_schema(prompt: Prompt):
    """A server that constrains replies lets a model write them in no other."""
    assert all(prompt.schema is None or in_order(dict(prompt.schema), example.reply) for example in prompt.examples)


def test_a_number_that_is_a_value_is_asked_for_as_text(prompt: Prompt):
    """Fault 3 of the reference: 007 became 7.0. Numbers in a reply are places in a list or scores, never of the world."""
    assert not [part for part in parts(prompt.schema) if part.get("type") == "number"]


def test_rendering_twice_gives_the_same_bytes(prompt: Prompt):
    values = {name: f"значение {name}" for name in prompt.placeholders}
    again = replace(prompt)  # without what the first has kept
    assert prompt.messages(**values) == again.messages(**dict(reversed(values.items())))


def test_the_digest_changes_with_the_file(prompt: Prompt):
    source = (files(prompts) / f"{prompt.name}.yaml").read_text("utf-8")
    assert Prompt.parse(prompt.name, source, yaml.safe_load(source)).digest == prompt.digest
    assert Prompt.parse(prompt.name, source + " ", yaml.safe_load(source)).digest != prompt.digest


def test_examples_are_turns_between_the_system_and_the_request(prompt: Prompt):
    roles = [message.role for message in prompt.messages(**dict.fromkeys(prompt.placeholders, "текст"))]
    assert roles == ["system", *["user", "assistant"] * len(prompt.examples), "user"]


def test_a_prompt_that_is_not_there_is_bad_input():
    with pytest.raises(BadInput, match="extractor"):
        prompts.load("../extractor")


@pytest.mark.parametrize(
    ("schema", "faults"),
    [
        ({"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}, 1),
        ({"type": "object", "additionalProperties": False, "properties": {"a": {"type": "string"}}}, 1),
        ({"type": "array", "items": {"type": "integer"}}, 2),
        ({"type": "array", "maxItems": 2, "items": {"enum": ["a"], "type": "string"}}, 0),
    ],
)
def test_a_schema_without_an_end_would_be_found(schema: dict, faults: int):
    assert len(unbounded(schema)) == faults
