"""The gold of a release: what the private tables say about each question.

Tables may be a pyarrow table, a Polars frame, a dataset of the `datasets` package (or its `{"train": …}`), or rows as dicts.
List columns may be lists, or JSON lists as the published client has them; `text_ids` may be nested.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rag_bench.errors import BadTable
from rag_bench.wanted import Wanted, want
from rag_bench.words import STEMS

SIMPLE = "simple"
"""the type of a question that has none"""


@dataclass(frozen=True)
class Gold:
    public_id: int
    type: str
    answer: str
    """the answers as one string"""
    answers: tuple[str, ...]
    """all of which are asked for; one for most types"""
    text_ids: frozenset[int]
    """public ids of the texts that state the answer"""
    question: str = ""


@dataclass(frozen=True)
class AnswerKey:
    """All that a run is scored against, made ready once for any number of runs."""

    gold: tuple[Gold, ...]
    """in id order"""
    texts: frozenset[int]
    """public ids of all texts of the release"""

    @cached_property
    def questions(self) -> frozenset[int]:
        """Public ids of all questions."""
        return frozenset(one.public_id for one in self.gold)

    @cached_property
    def _wanted(self) -> dict[str, tuple[Wanted, ...]]:
        return {}

    def wanted(self, way: str = STEMS) -> tuple[Wanted, ...]:
        """What the questions want, with words compared in this way."""
        if way not in self._wanted:
            self._wanted[way] = tuple(want(one.answers, one.question, way) for one in self.gold)
        return self._wanted[way]


def read_key(release: Any) -> AnswerKey:
    """The answer key of a release.

    Args:
        release: what `load` gives, its two private tables `(private_qa, private_texts)`, or an answer key.

    Raises:
        BadTable: the gold is not there to be read, or the tables contradict each other.
    """
    if isinstance(release, AnswerKey):
        return release
    tables = getattr(release, "gold", None) if hasattr(release, "gold") else release
    if tables is None:
        version = getattr(release, "version", "this release")
        raise BadTable(f"the gold of {version} may not be read: submit the run to the portal, or load a version that is opened")
    if not isinstance(tables, tuple) or len(tables) != 2:
        raise BadTable("the gold must be a release, or its two tables (private_qa, private_texts)")
    private_qa, private_texts = tables
    return AnswerKey(tuple(read_gold(private_qa, private_texts)), known_texts(private_texts))


def rows(table: Any) -> list[dict[str, Any]]:
    """Any kind of table as dicts."""
    table = _unsplit(table)
    for method in ("to_pylist", "to_dicts", "to_list"):  # pyarrow, Polars, datasets
        if hasattr(table, method):
            return getattr(table, method)()
    return [dict(row) for row in table]


def flat(value: Any) -> list:
    """A list, a JSON list, or nested ones, as one flat list.

    Raises:
        BadTable: a string that is not JSON.
    """
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            raise BadTable(f"not a JSON list: {value[:40]!r}") from None
    if not isinstance(value, Iterable) or isinstance(value, str):
        return [value]
    return [item for part in value for item in (flat(part) if isinstance(part, list | tuple) else [part])]


def read_gold(private_qa: Any, private_texts: Any) -> list[Gold]:
    """The gold of every question, in id order.

    Raises:
        BadTable: a column is missing, a question occurs twice, or a gold text is not in `private_texts`.
    """
    texts = _unsplit(private_texts)
    public_ids = dict(zip(_column(texts, "private_texts", "id"), _column(texts, "private_texts", "public_id"), strict=True))
    gold: dict[int, Gold] = {}
    for row in _with(private_qa, "private_qa", ("public_id", "answer", "text_ids")):
        question = row["public_id"]
        if question in gold:
            raise BadTable(f"private_qa: question {question} occurs twice")
        text_ids = flat(row["text_ids"])
        unknown = [text_id for text_id in text_ids if text_id not in public_ids]
        if unknown or not text_ids:
            what = f"gold text {unknown[0]} is not in private_texts; are both of one version?" if unknown else "no gold text"
            raise BadTable(f"private_qa, question {question}: {what}")
        answers = tuple(flat(row.get("answers") or [row["answer"]]))
        texts = frozenset(public_ids[text_id] for text_id in text_ids)
        gold[question] = Gold(question, row.get("type") or SIMPLE, row["answer"], answers, texts, row.get("question") or "")
    return [gold[question] for question in sorted(gold)]


def known_texts(private_texts: Any) -> frozenset[int]:
    """Public ids of all texts of the release."""
    return frozenset(_column(_unsplit(private_texts), "private_texts", "public_id"))


def _unsplit(table: Any) -> Any:
    return table["train"] if isinstance(table, Mapping) and "train" in table else table


def _column(table: Any, name: str, column: str) -> list[Any]:
    """One column, without making a dict of every row where the table can do so."""
    known = getattr(table, "column_names", None) or getattr(table, "columns", None)  # pyarrow, datasets; Polars
    if known is None:
        found = rows(table)
        if found and column not in found[0]:
            raise BadTable(f"{name} has no column {column}")
        return [row[column] for row in found]
    if column not in known:
        raise BadTable(f"{name} has no column {column}")
    values = table[column]
    for method in ("to_pylist", "to_list"):
        if hasattr(values, method):
            return getattr(values, method)()
    return list(values)


def _with(table: Any, name: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    found = rows(table)
    missing = [column for column in columns if found and column not in found[0]]
    if missing:
        raise BadTable(f"{name} has no column {', '.join(missing)}")
    return found
