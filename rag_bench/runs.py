"""Runs: a RAG system's answers to a release, `{public_id: {found_ids, model_answer}}`.

A results file comes from strangers: everything about it is checked, and every fault is named with the entry it is in.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_bench.errors import BadRun

MOST_BYTES = 64 * 1024 * 1024
MOST_QUESTIONS = 100_000
MOST_FOUND = 1_000
MOST_CHARACTERS = 20_000
LARGEST_ID = 2**63 - 1
FAULTS_SHOWN = 20


@dataclass(frozen=True)
class Answer:
    found_ids: tuple[int, ...] = ()
    """public text ids, best first"""
    model_answer: str = ""


Run = Mapping[int, Answer]
"""public question id → answer"""

UNANSWERED = Answer()


def read_run(path: str | Path) -> dict[int, Answer]:
    """The run in a results file.

    Raises:
        BadRun: the file cannot be read, or an entry is not what it must be.
    """
    return check_run(read_entries(path), str(path))


def read_entries(path: str | Path) -> Any:
    """The JSON of a results file, before anything in it is checked.

    Raises:
        BadRun: the file cannot be read, or is no JSON.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise BadRun(str(path), [f"the file has {size:,} bytes, at most {MOST_BYTES:,} are taken"])
        data = path.read_bytes()
    except OSError as error:
        raise BadRun(str(path), [f"the file cannot be read: {error.strerror}"]) from error
    return _json(data, str(path))


def parse_run(data: bytes, source: str = "the run") -> dict[int, Answer]:
    """The run in the bytes of a results file; `source` is what error messages call it.

    Raises:
        BadRun: it is no JSON, or an entry is not what it must be.
    """
    if len(data) > MOST_BYTES:
        raise BadRun(source, [f"it has {len(data):,} bytes, at most {MOST_BYTES:,} are taken"])
    return check_run(_json(data, source), source)


def _json(data: bytes, source: str) -> Any:
    if not data.strip():
        raise BadRun(source, ["it is empty"])
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique, parse_constant=_refuse)
    except UnicodeDecodeError as error:
        raise BadRun(source, [f"byte {error.start} is not UTF-8"]) from error
    except RecursionError as error:
        raise BadRun(source, ["it is nested too deeply"]) from error
    except ValueError as error:
        raise BadRun(source, [f"it is not valid JSON: {error}"]) from error


def check_run(entries: Any, source: str = "the run") -> dict[int, Answer]:
    """The run in a mapping of ids (or their digits) to `{found_ids, model_answer}` or `Answer`, in id order.

    Raises:
        BadRun: with every faulty entry, the first twenty in words.
    """
    if not isinstance(entries, Mapping):
        raise BadRun(source, [f"it must be an object of question ids, and is {_kind(entries)}"])
    if len(entries) > MOST_QUESTIONS:
        raise BadRun(source, [f"it answers {len(entries):,} questions, at most {MOST_QUESTIONS:,} are taken"])
    run, faulty = sort_out(entries)
    if faulty:
        faults = [f"question {key}: {fault}" for key, fault in faulty]
        raise BadRun(source, faults[:FAULTS_SHOWN], more=len(faults) - len(faults[:FAULTS_SHOWN]))
    return run


def sort_out(entries: Mapping[Any, Any]) -> tuple[dict[int, Answer], list[tuple[str, str]]]:
    """The entries that are as they must be, in id order, and of every other one its key as it can be shown and its fault."""
    run: dict[int, Answer] = {}
    faulty: list[tuple[str, str]] = []
    for key, entry in entries.items():
        try:
            public_id = question_id(key)
            if public_id in run:
                raise ValueError("the question is answered twice")
            run[public_id] = _answer(entry)
        except ValueError as fault:
            faulty.append((_shown(key), str(fault)))
    return dict(sorted(run.items())), faulty


def write_run(run: Run, path: str | Path) -> None:
    """A results file in the form that the portal and the published client take."""
    entries = {
        str(public_id): {"found_ids": list(answer.found_ids), "model_answer": answer.model_answer}
        for public_id, answer in sorted(run.items())
    }
    fresh = Path(f"{path}.{os.getpid()}.new")  # a reader never sees half of it
    fresh.write_text(json.dumps(entries, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)


def question_id(key: Any) -> int:
    if isinstance(key, int) and not isinstance(key, bool):
        number = key
    elif isinstance(key, str) and key.isascii() and key.isdigit() and len(key) < 20 and str(int(key)) == key:
        number = int(key)
    else:
        raise ValueError("the id must be a whole number such as 0 or 17")
    if not 0 <= number <= LARGEST_ID:
        raise ValueError("the id is out of range")
    return number


def _answer(entry: Any) -> Answer:
    if isinstance(entry, Answer):
        entry = {"found_ids": list(entry.found_ids), "model_answer": entry.model_answer}
    if not isinstance(entry, Mapping):
        raise ValueError(f"the entry must be an object with found_ids and model_answer, and is {_kind(entry)}")
    for name in ("found_ids", "model_answer"):
        if name not in entry:
            raise ValueError(f"{name} is missing")
    return Answer(_found_ids(entry["found_ids"]), _model_answer(entry["model_answer"]))


def _found_ids(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"found_ids must be a list, and is {_kind(value)}")
    if len(value) > MOST_FOUND:
        raise ValueError(f"found_ids has {len(value):,} entries, at most {MOST_FOUND:,} are taken")
    if set(map(type, value)) == {int} and min(value) >= 0 and max(value) <= LARGEST_ID:
        return tuple(value)
    for place, text_id in enumerate(value):
        if not isinstance(text_id, int) or isinstance(text_id, bool):
            raise ValueError(f"found_ids[{place}] must be a whole number, and is {_kind(text_id)}")
        if not 0 <= text_id <= LARGEST_ID:
            raise ValueError(f"found_ids[{place}] is out of range")
    return tuple(value)


def _model_answer(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f'model_answer must be a string, and is {_kind(value)} (leave out what has no answer, or give "")')
    if len(value) > MOST_CHARACTERS:
        raise ValueError(f"model_answer has {len(value):,} characters, at most {MOST_CHARACTERS:,} are taken")
    if "\0" in value:
        raise ValueError("model_answer holds a NUL character")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("model_answer holds half of a surrogate pair, which is no character") from None
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise ValueError(f"the key {_shown(key)} occurs twice")
        entries[key] = value
    return entries


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON value")


def _kind(value: Any) -> str:
    names = {bool: "a truth value", str: "a string", int: "a number", float: "a number with a point", list: "a list"}
    return (
        "null"
        if value is None
        else "an object"
        if isinstance(value, Mapping)
        else names.get(type(value), f"of type {type(value).__name__}")
    )


def _shown(key: Any) -> str:
    text = ascii(key)
    return text if len(text) <= 40 else text[:37] + "…"
