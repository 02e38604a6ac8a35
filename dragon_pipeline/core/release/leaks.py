"""The leak check: nothing private in any public byte, Parquet pages and metadata included."""

import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from dragon_pipeline.core.release import gate
from dragon_pipeline.core.release.guises import Ids
from dragon_pipeline.core.release.manifest import shape_faults
from dragon_pipeline.core.release.notices import NOTICES_PATH
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, SCHEMAS, is_table

WORDS_THAT_BETRAY = 2
"""A phrase of fewer words (a year, a city) may stand in a card or manifest by chance and betrays nothing there."""
ITEM = re.compile(r"\b[QP]\d+\b")
MAGIC, FOOTER = 4, 8
"""bytes before the first column of a Parquet file, and after its metadata"""
ROWS = 5_000


@dataclass(frozen=True)
class Secrets:
    """What no public byte may hold."""

    ids: Collection[str]
    """article, question, fact and private ids, and the key"""
    answers: Collection[str]
    subgraphs: Collection[str] = ()
    """strings in the facts behind the questions: names, relations, Wikidata ids"""

    @cached_property
    def known(self) -> Ids:
        return Ids(self.ids)

    @cached_property
    def phrases(self) -> Mapping[str, str]:
        """What does not stand anywhere by chance, folded → as it is told."""
        told = {gate.folded(text): f"{what} {text!r}" for what, texts in self._said for text in texts}
        return {words: text for words, text in sorted(told.items()) if len(words.split()) >= WORDS_THAT_BETRAY}

    @cached_property
    def items(self) -> frozenset[str]:
        return frozenset(item for text in self.subgraphs for item in ITEM.findall(text))

    @property
    def _said(self) -> Iterator[tuple[str, Collection[str]]]:
        yield "a piece of a subgraph", [text for text in self.subgraphs if not ITEM.fullmatch(text)]
        yield "the answer", self.answers


def find_leaks(dataset: str, path: str, content: bytes, secrets: Secrets) -> list[str]:
    """Faults of one file of a public dataset, as sentences; none: clean. Of a table, one piece."""
    where = f"{dataset}/{path}"
    faults = [f"{where} holds the internal id {id}" for id in sorted(secrets.known.in_text(content.decode("latin-1")))]
    if is_table(path):
        return faults + _table_leaks(dataset, where, content, secrets)
    if path == MANIFEST_PATH:
        return faults + _manifest_leaks(where, content, secrets)
    if path in (CARD_PATH, NOTICES_PATH):
        return faults + said_in(where, content.decode(errors="replace"), secrets)
    return [*faults, f"{where} does not belong to a public dataset"]


def said_in(where: str, text: str, secrets: Secrets) -> list[str]:
    """Answers and pieces of subgraphs that a text for everybody says."""
    words = f" {gate.folded(text)} "
    faults = [f"{where} holds {told}" for phrase, told in secrets.phrases.items() if f" {phrase} " in words]
    return faults + [f"{where} holds the Wikidata id {item}" for item in sorted({*ITEM.findall(text)} & secrets.items)]


def questions_that_answer(qa: pl.DataFrame) -> list[str]:
    """Faults of a `private_qa`: questions that tell their own answer."""
    told = ((row["public_id"], gate.told_answer(row)) for row in qa.iter_rows(named=True))
    return [f"question {id} contains its own answer {answer!r}" for id, answer in told if answer]


def _table_leaks(dataset: str, where: str, content: bytes, secrets: Secrets) -> list[str]:
    try:
        file = pq.ParquetFile(io.BytesIO(content))
    except (pa.ArrowException, OSError) as error:
        return [f"{where} is no Parquet file: {error}"]
    faults = [f"{where} has the metadata key {key!r}" for key in sorted(file.metadata.metadata or {})]
    if not file.metadata.created_by.startswith("parquet-cpp-arrow version "):
        faults.append(f"{where} was written by {file.metadata.created_by!r}")
    if not file.schema_arrow.equals(SCHEMAS[dataset], check_metadata=True):
        found = ", ".join(f"{column.name}: {column.type}" for column in file.schema_arrow)
        return [*faults, f"{where} has the columns {found}"]
    return faults + _hidden_bytes(where, file, len(content)) + _value_leaks(where, file, secrets)


def _hidden_bytes(where: str, file: pq.ParquetFile, size: int) -> list[str]:
    """Bytes of the file that belong to no column and not to its metadata: no reader shows them."""
    end = MAGIC
    for group in range(file.metadata.num_row_groups):
        for number in range(file.metadata.num_columns):
            column = file.metadata.row_group(group).column(number)
            start = column.dictionary_page_offset if column.has_dictionary_page else column.data_page_offset
            if start != end or column.metadata:
                return [f"{where} holds bytes that are in no column"]
            end = start + column.total_compressed_size
    hidden = size - end - file.metadata.serialized_size - FOOTER
    return [f"{where} holds bytes that are in no column"] if hidden else []


def _value_leaks(where: str, file: pq.ParquetFile, secrets: Secrets) -> list[str]:
    faults: list[str] = []
    for group in range(file.metadata.num_row_groups):
        try:
            table = file.read_row_group(group)
        except (pa.ArrowException, OSError) as error:
            return [*faults, f"{where} is broken: {error}"]
        for number, name in enumerate(table.column_names):
            values = cast("pl.Series", pl.from_arrow(table.column(name)))
            if not _statistics_fit(file.metadata.row_group(group).column(number).statistics, values):
                faults.append(f"{where}, column {name}, has statistics of other values than it holds")
            if values.dtype == pl.String():
                found = secrets.known.in_column(values)
                faults += [f"{where}, column {name}, holds the internal id {id}" for id in sorted(found)]
    return list(dict.fromkeys(faults))


def _statistics_fit(told: Any, values: pl.Series) -> bool:
    if told is None:
        return True
    fits = not told.has_min_max or (told.min, told.max) == (values.min(), values.max())
    return fits and (not told.has_null_count or told.null_count == values.null_count())


def _manifest_leaks(where: str, content: bytes, secrets: Secrets) -> list[str]:
    try:
        manifest = json.loads(content)
    except (ValueError, RecursionError) as error:
        return [f"{where} is not JSON: {error}"]
    faults = [f"{where}: {fault}" for fault in shape_faults(manifest)]
    if not isinstance(manifest, dict):
        return faults
    without_outlets = {**manifest, "texts": {}}  # their names come from outside, and an answer may share one
    faults += said_in(where, json.dumps(without_outlets, ensure_ascii=False), secrets)
    answers = {gate.folded(answer) for answer in secrets.answers} - {""}
    return faults + [f"{where} holds the answer {text!r}" for text in _strings(without_outlets) if gate.folded(text) in answers]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from (str(name), *_strings(part))
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
