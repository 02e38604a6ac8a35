"""Verdicts of readings, kept as CSV with `reading`, `commit`, `fault` and a column that says yes or no."""

import csv
from collections import Counter
from pathlib import Path


def count(file: Path, verdict: str, by: str | None = None) -> str:
    """Of each reading: how many rows say yes under `verdict`, also by a column's values; the faults of the rest."""
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    readings = sorted({row["reading"] for row in rows}, key=int)
    return "\n".join(_count([row for row in rows if row["reading"] == one], verdict, by) for one in readings)


def _count(rows: list[dict[str, str]], verdict: str, by: str | None) -> str:
    lines = [f"reading {rows[0]['reading']}, commit {rows[0]['commit']}: {_yes(rows, verdict)} of {len(rows)} {verdict}"]
    for value in sorted({row[by] for row in rows}) if by else ():
        of = [row for row in rows if row[by] == value]
        lines.append(f"  {value}: {_yes(of, verdict)} of {len(of)}")
    faults = Counter(row["fault"] for row in rows if row[verdict] != "yes")
    return "\n".join([*lines, *(f"  {number} × {fault}" for fault, number in faults.most_common())])


def _yes(rows: list[dict[str, str]], verdict: str) -> int:
    return sum(row[verdict] == "yes" for row in rows)
