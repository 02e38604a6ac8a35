"""The leak check: nothing private in any public byte, Parquet metadata included."""

import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from dragon_pipeline.core.release.gate import says
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, PUBLIC, SCHEMAS, TABLE_PATH

HEX = re.compile(r"[0-9a-f]{16,}")
MANIFEST_KEYS = frozenset(
    "format day ranking questions texts withheld screens writers engines prompts knowledge_base source_commit commitments"
    " canary files version content commits".split()
)
WORDS_THAT_BETRAY = 2
"""An answer of fewer words (a year, a city) may stand in a card or manifest by chance and betrays nothing there."""


@dataclass(frozen=True)
class Secrets:
    """What no public byte may hold."""

    ids: Collection[str]
    """article, question, fact and private ids, and the key: their runs of 16 or more hex digits are looked for"""
    answers: Mapping[int, Sequence[str]]
    """public question id → its answers"""


def find_leaks(public: Mapping[str, Mapping[str, bytes]], secrets: Secrets) -> list[str]:
    """Faults of the public datasets' files (dataset → path → content), as sentences; none: clean."""
    faults, known = [], _hexadecimal(secrets.ids)
    for dataset in PUBLIC:
        for path, content in sorted(public.get(dataset, {}).items()):
            where = f"{dataset}/{path}"
            faults += [f"{where} holds the internal id {id}" for id in sorted(_ids_in([content.decode("latin-1")], known))]
            if path == TABLE_PATH:
                faults += _table_leaks(dataset, where, content, known)
            elif path == MANIFEST_PATH:
                faults += _manifest_leaks(where, content, secrets)
            elif path == CARD_PATH:
                faults += _answers_in(where, content.decode(), secrets)
            else:
                faults.append(f"{where} does not belong to a public dataset")
    return faults + _questions_that_answer(public, secrets)


def _table_leaks(dataset: str, where: str, content: bytes, known: set[str]) -> list[str]:
    try:
        file = pq.ParquetFile(io.BytesIO(content))
    except pa.ArrowInvalid as error:
        return [f"{where} is no Parquet file: {error}"]
    faults = [f"{where} has the metadata key {key!r}" for key in sorted(file.metadata.metadata or {})]
    if not file.metadata.created_by.startswith("parquet-cpp-arrow version "):
        faults.append(f"{where} was written by {file.metadata.created_by!r}")
    if not file.schema_arrow.equals(SCHEMAS[dataset], check_metadata=True):
        found = ", ".join(f"{column.name}: {column.type}" for column in file.schema_arrow)
        return [*faults, f"{where} has the columns {found}"]
    for column in file.schema_arrow.names:
        values = file.read([column]).column(column).to_pylist()
        found = _ids_in((value for value in values if isinstance(value, str)), known)
        faults += [f"{where}, column {column}, holds the internal id {id}" for id in sorted(found)]
    return faults


def _manifest_leaks(where: str, content: bytes, secrets: Secrets) -> list[str]:
    manifest = json.loads(content)
    faults = [f"{where} has the key {key!r}" for key in sorted(set(manifest) - MANIFEST_KEYS)]
    manifest.get("texts", {}).pop("by_outlet", None)  # names from outside, which an answer may share
    return faults + _answers_in(where, json.dumps(manifest, ensure_ascii=False), secrets)


def _answers_in(where: str, text: str, secrets: Secrets) -> list[str]:
    answers = {answer for listed in secrets.answers.values() for answer in listed if len(answer.split()) >= WORDS_THAT_BETRAY}
    return [f"{where} holds the answer {answer!r}" for answer in sorted(answers) if says(text, answer)]


def _questions_that_answer(public: Mapping[str, Mapping[str, bytes]], secrets: Secrets) -> list[str]:
    content = public.get("public_questions", {}).get(TABLE_PATH)
    if content is None:
        return []
    try:
        rows = pq.read_table(io.BytesIO(content), columns=["id", "question"]).to_pylist()
    except pa.ArrowException:
        return []  # told by the table's own check
    return [
        f"question {row['id']} contains its own answer {answer!r}"
        for row in rows
        for answer in secrets.answers.get(row["id"], ())
        if says(row["question"], answer)
    ]


def _hexadecimal(ids: Iterable[str]) -> set[str]:
    return {run for id in ids for run in HEX.findall(id.lower())}


def _ids_in(texts: Iterable[str], known: set[str]) -> set[str]:
    lengths = sorted({len(id) for id in known})
    found = set()
    for text in texts:
        for run in HEX.findall(text.lower()):
            for length in lengths:
                found |= {run[at : at + length] for at in range(len(run) - length + 1)} & known
    return found
