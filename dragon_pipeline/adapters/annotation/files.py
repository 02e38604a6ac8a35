"""Files that came back from annotators: CSV, JSONL, and what Label Studio exports (JSON, JSON-MIN, CSV)."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dragon_pipeline.adapters.annotation.cells import unguard
from dragon_pipeline.adapters.annotation.records import ANNOTATOR, CRITERION, FORM, ITEM, Records
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.annotations import Annotations

FORMATS = "CSV, JSONL (one object a line), or JSON exported from Label Studio"
LONGEST_CELL = 16 * 1024 * 1024

Record = tuple[str, Mapping[str, str]]
"""where it stands, and its values as texts"""


def read_annotations(paths: Sequence[Path], criteria: Sequence[str]) -> Annotations:
    """The annotations of all files together.

    Raises:
        BadInput: a file cannot be read, or something in one is wrong: file, line and column of the first faults. Then nothing
            is used.
    """
    records = Records(criteria)
    for path in paths:
        for where, record in _read(path, records):
            records.add(where, record)
    return records.annotations()


def _read(path: Path, records: Records) -> Iterator[Record]:
    if not path.exists():
        raise BadInput(f"{path} does not exist. Give {FORMATS}.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder. Give one file in it: {FORMATS}.")
    text = _decoded(path, path.read_bytes())
    start = text.lstrip()[:1]
    if not start:
        raise BadInput(f"{path} is empty. Give {FORMATS}.")
    if start == "[":
        return _json_array(path, text, records)
    return _jsonl(path, text, records) if start == "{" else _csv(path, text, records)


def _decoded(path: Path, data: bytes) -> str:
    if data.startswith(b"PK\x03\x04"):
        raise BadInput(f"{path} is a spreadsheet's own file or a zip. Save the sheet as CSV, in UTF-8.")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"{path} is in UTF-16. Save it as UTF-8: iconv -f utf-16 -t utf-8.")
    if b"\0" in data:
        raise BadInput(f"{path} is binary. Give {FORMATS}.")
    for encoding in ("utf-8-sig", "windows-1251"):  # the second is what Russian spreadsheets still write
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadInput(f"{path} is in neither UTF-8 nor windows-1251. Save it as UTF-8.")


def _csv(path: Path, text: str, records: Records) -> Iterator[Record]:
    csv.field_size_limit(LONGEST_CELL)
    header = text.split("\n", 1)[0].strip("\r")
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: list[str] = []
    while True:
        start = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            records.faults.append(f"{path}, line {start}: broken CSV ({error})")
            return
        if cells is None:
            return
        if not names:
            names = _header(path, cells)
        elif cells and len(cells) != len(names):
            records.faults.append(f"{path}, line {start}: {len(cells)} cells, but the header has {len(names)}")
        elif any(cells):
            yield f"{path}, line {start}", {name: unguard(cell) for name, cell in zip(names, cells, strict=True)}


def _header(path: Path, cells: Sequence[str]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInput(f"{path}, line 1: the column {twice[0]!r} stands there twice. Name each column once.")
    if ANNOTATOR not in names or not set(ITEM) & set(names):
        raise BadInput(f"{path}, line 1: this is no header of annotations. Give {FORM}.")
    return names


def _jsonl(path: Path, text: str, records: Records) -> Iterator[Record]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            record = _parsed(line)
        except json.JSONDecodeError as error:
            records.faults.append(f"{where}, character {error.colno}: no JSON ({error.msg}); give one object a line")
        except (ValueError, RecursionError):
            records.faults.append(f"{where}: no JSON; give one object a line")
        else:
            yield from _record(where, record, records)


def _json_array(path: Path, text: str, records: Records) -> Iterator[Record]:
    """What Label Studio exports: tasks with annotations, or (JSON-MIN) a flat object for each annotation."""
    try:
        tasks = _parsed(text)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}, line {error.lineno}, column {error.colno}: broken JSON ({error.msg})") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{path}: broken JSON") from None
    for number, task in enumerate(tasks, 1):
        where = f"{path}, task {number}"
        if isinstance(task, dict) and isinstance(task.get("data"), dict):
            yield from _task(where, task, records)
        else:
            yield from _record(where, task, records)


def _task(where: str, task: dict[str, Any], records: Records) -> Iterator[Record]:
    given = task.get("annotations") or []
    if not isinstance(given, list) or not all(isinstance(one, dict) and isinstance(one.get("result"), list) for one in given):
        records.faults.append(f"{where}: annotations with results are needed, as Label Studio exports them")
        return
    for number, annotation in enumerate(given, 1):
        if annotation.get("was_cancelled") not in (None, "0"):
            records.cancelled += 1
            continue
        record: dict[str, Any] = {name: task["data"].get(name) for name in ITEM if name in task["data"]}
        for result in annotation["result"]:
            if not isinstance(result, dict) or not isinstance(value := result.get("value"), dict):
                records.faults.append(f"{where}, annotation {number}: a result without a value")
            elif "choices" in value:
                record[str(result.get("from_name"))] = _chosen(value["choices"])
        record[ANNOTATOR] = _who(annotation.get("completed_by"))
        yield from _record(f"{where}, annotation {number}", record, records)


def _chosen(choices: Any) -> Any:
    """The one choice; several stay a list, which is refused."""
    return choices[0] if isinstance(choices, list) and len(choices) == 1 else choices


def _who(user: Any) -> Any:
    """Label Studio names an annotator by number, or as {id, email, …}."""
    return (user.get("email") or user.get("id")) if isinstance(user, dict) else user


def _record(where: str, record: Any, records: Records) -> Iterator[Record]:
    if not isinstance(record, dict):
        records.faults.append(f"{where}: an object is needed: {FORM}")
        return
    record = {name.strip().lower(): value for name, value in record.items()}
    needed = {*ITEM, ANNOTATOR, CRITERION, "value", "judge", *records.criteria, *(f"judge_{name}" for name in records.criteria)}
    if wrong := [name for name, value in record.items() if name in needed and isinstance(value, dict | list)]:
        records.faults.append(f"{where}, column {wrong[0]}: one value is needed, not a list or an object")
        return
    yield where, {name: "" if value is None else str(value) for name, value in record.items()}


def _parsed(text: str) -> Any:
    """JSON whose numbers and booleans are texts, as they are in CSV."""
    return _plain(json.loads(text, parse_int=str, parse_float=str, parse_constant=str))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(of) for name, of in value.items()}
    if isinstance(value, list):
        return [_plain(of) for of in value]
    return {True: "1", False: "0"}[value] if isinstance(value, bool) else value
