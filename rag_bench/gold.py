"""The gold of a release: what the private tables say about each question.

Tables may be a pyarrow table, a Polars frame, a dataset of the `datasets` package (or its `{"train": …}`), or rows as dicts.
List columns may be lists, or JSON lists as the published client has them; `text_ids` may be nested.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rag_bench.errors import BadTable


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


def rows(table: Any) -> list[dict[str, Any]]:
    """Any kind of table as dicts."""
    if isinstance(table, Mapping) and "train" in table:
        table = table["train"]
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
    public_ids = {row["id"]: row["public_id"] for row in _with(private_texts, "private_texts", ("id", "public_id"))}
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
        gold[question] = Gold(question, row.get("type") or "simple", row["answer"], answers, texts)
    return [gold[question] for question in sorted(gold)]


def known_texts(private_texts: Any) -> frozenset[int]:
    """Public ids of all texts of the release."""
    return frozenset(row["public_id"] for row in _with(private_texts, "private_texts", ("public_id",)))


def _with(table: Any, name: str, columns: tuple[str, ...]) -> list[dict[str, Any]]:
    found = rows(table)
    missing = [column for column in columns if found and column not in found[0]]
    if missing:
        raise BadTable(f"{name} has no column {', '.join(missing)}")
    return found
