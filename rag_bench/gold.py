"""The gold of a release: what the private tables say about each question.

Tables may be a pyarrow table, a Polars frame, a dataset of the `datasets` package (or its `{"train": …}`), or rows as dicts.
List columns may be lists, or JSON lists as the published client has them; `text_ids` may be nested.
"""

import json
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from rag_bench.errors import BadTable
from rag_bench.wanted import Wanted, want
from rag_bench.words import STEMS

SIMPLE = "simple"
"""the type of a question that has none"""


class Gold(NamedTuple):
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
    if not hasattr(release, "gold"):
        return _key(release, release)
    held = _last.get("release")
    if held is None or held[0]() is not release:
        held = _reference(release), _key(release.gold, release)
        _last["release"] = held  # one release is scored against many times
    return held[1]


def _reference(release: Any) -> Callable[[], Any]:
    try:
        return weakref.ref(release)
    except TypeError:  # of a kind that cannot be watched: it is read each time
        return lambda: None


def _key(tables: Any, release: Any) -> AnswerKey:
    if tables is None:
        version = getattr(release, "version", "this release")
        raise BadTable(f"the gold of {version} may not be read: submit the run to the portal, or load a version that is opened")
    if not isinstance(tables, tuple) or len(tables) != 2:
        raise BadTable("the gold must be a release, or its two tables (private_qa, private_texts)")
    private_qa, private_texts = tables
    public_ids = read_ids(private_texts)
    return AnswerKey(tuple(read_gold(private_qa, public_ids)), frozenset(public_ids.values()))


_last: dict[str, tuple[Callable[[], Any], AnswerKey]] = {}


def rows(table: Any) -> Sequence[Mapping[str, Any]]:
    """Any kind of table as dicts."""
    table = _unsplit(table)
    for method in ("to_pylist", "to_dicts", "to_list"):  # pyarrow, Polars, datasets
        if hasattr(table, method):
            return getattr(table, method)()
    return table if isinstance(table, list) else [dict(row) for row in table]


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
    if not any(isinstance(part, list | tuple) for part in value):
        return list(value)
    return [item for part in value for item in (flat(part) if isinstance(part, list | tuple) else [part])]


def read_ids(private_texts: Any) -> dict[Any, int]:
    """Private → public id of every text of the release.

    Raises:
        BadTable: a column is missing.
    """
    return dict(zip(*_columns(private_texts, "private_texts", ("id", "public_id")), strict=True))


def read_gold(private_qa: Any, public_ids: Mapping[Any, int]) -> list[Gold]:
    """The gold of every question, in id order; `public_ids` as `read_ids` gives them.

    Raises:
        BadTable: a column is missing, a question occurs twice, an answer is no text, or a gold text is not in `private_texts`.
    """
    columns = _columns(private_qa, "private_qa", ("public_id", "answer", "text_ids"), ("answers", "type", "question"))
    gold: dict[int, Gold] = {}
    for public_id, answer, text_ids, answers, type, question in zip(*columns, strict=True):
        if public_id in gold:
            raise BadTable(f"private_qa: question {public_id} occurs twice")
        answers = tuple(flat(answers or [answer]))
        if not all(isinstance(one, str) for one in (answer, *answers)):
            raise BadTable(f"private_qa, question {public_id}: an answer is no text")
        texts = _public(flat(text_ids), public_ids, public_id)
        gold[public_id] = Gold(public_id, type or SIMPLE, answer, answers, texts, question or "")
    return [gold[public_id] for public_id in sorted(gold)]


def _public(text_ids: Sequence[Any], public_ids: Mapping[Any, int], question: int) -> frozenset[int]:
    unknown = [text_id for text_id in text_ids if text_id not in public_ids]
    if unknown or not text_ids:
        what = f"gold text {unknown[0]} is not in private_texts; are both of one version?" if unknown else "no gold text"
        raise BadTable(f"private_qa, question {question}: {what}")
    return frozenset(public_ids[text_id] for text_id in text_ids)


def _unsplit(table: Any) -> Any:
    return table["train"] if isinstance(table, Mapping) and "train" in table else table


def _columns(table: Any, name: str, wanted: Sequence[str], optional: Sequence[str] = ()) -> list[list[Any]]:
    """Columns, without making a dict of every row where the table can do so; an optional one that is not there has nulls."""
    table = _unsplit(table)
    known = getattr(table, "column_names", None) or getattr(table, "columns", None)  # pyarrow, datasets; Polars
    if known is None:
        table = rows(table)
        known = table[0] if table else wanted
    missing = [column for column in wanted if column not in known]
    if missing:
        raise BadTable(f"{name} has no column {', '.join(missing)}")
    return [_values(table, column) if column in known else [None] * len(table) for column in (*wanted, *optional)]


def _values(table: Any, column: str) -> list[Any]:
    if isinstance(table, list):
        return [row.get(column) for row in table]
    values = table[column]
    for method in ("to_pylist", "to_list"):
        if hasattr(values, method):
            return getattr(values, method)()
    return list(values)
