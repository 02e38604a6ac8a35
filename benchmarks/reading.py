"""Draws accepted or rejected questions of a home for an editor to read, and counts the editor's verdicts.

    python benchmarks/reading.py draw --home real --seed $(git rev-parse HEAD) [--per-type 12] [--day 2024-03-03]
    python benchmarks/reading.py rejected --home real --seed $(git rev-parse HEAD) [--number 40] [--day 2024-03-03]
    python benchmarks/reading.py count docs/reading.csv
    python benchmarks/reading.py count docs/rejected.csv

`draw` prints each question with its answers and evidence sentences, and a line of CSV (qa_id, type) to fill in: `printable`
(yes or no), `fault`, and the criteria of paper Appendix D (1 good, 0 not). `rejected` draws from every screen in turn, and
prints why a question was rejected: was that right (`rightly`, yes or no)? The sample depends on the seed alone: the same commit
draws the same questions.
"""

import argparse
import csv
import hashlib
import sys
from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

import polars as pl
from readings import count

from dragon_pipeline.core.screening.judge import CRITERIA


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing, rejecting = commands.add_parser("draw"), commands.add_parser("rejected")
    for command in (drawing, rejecting):
        command.add_argument("--home", type=Path, required=True)
        command.add_argument("--seed", required=True)
        command.add_argument("--day", help="only questions of that day; without it, of all days")
    drawing.add_argument("--per-type", type=int, default=12)
    rejecting.add_argument("--number", type=int, default=40)
    commands.add_parser("count").add_argument("file", type=Path)
    given = parser.parse_args()
    if given.command == "draw":
        say(draw(given.home / "tables", given.seed, given.per_type, given.day))
    elif given.command == "rejected":
        say(rejected(given.home / "tables", given.seed, given.number, given.day))
    else:
        say(counted(given.file))


def draw(tables: Path, seed: str, per_type: int, day: str | None) -> str:
    facts = sentences(tables)
    lines = []
    for (type_,), rows in sorted(read(tables / "accepted", day or "*").unique("qa_id").group_by("type")):
        for row in shuffled(rows, seed)[:per_type]:
            lines += [f"{row['qa_id']},{type_}", *shown(row, facts)]
    return "\n".join(lines)


def rejected(tables: Path, seed: str, number: int, day: str | None) -> str:
    """Questions of each screen in turn, so that a screen which rejects few is read too; unwritten ones have no question."""
    facts = sentences(tables)
    found = read(tables / "rejected", day or "*").filter(pl.col("screen").is_in(["writing", "quota"]).not_()).unique("qa_id")
    by_screen = [shuffled(rows, seed) for _, rows in sorted(found.group_by("screen"))]
    order = [row for row in chain.from_iterable(zip_longest(*by_screen)) if row is not None]
    lines = []
    for row in order[:number]:
        lines += [f"{row['qa_id']},{row['type']},{row['screen']}", f"    {row['because']}", *shown(row, facts)]
    return "\n".join(lines)


def shown(row: dict, facts: dict[str, str]) -> Iterator[str]:
    yield f"    {row['question']}"
    yield f"    → {row['answer']}"
    yield from (f"        {facts[fact_id]}" for fact_id in dict.fromkeys(row["fact_ids"]))


def shuffled(rows: pl.DataFrame, seed: str) -> list[dict]:
    return sorted(rows.to_dicts(), key=lambda row: hashlib.sha256(f"{seed} {row['qa_id']}".encode()).hexdigest())


def sentences(tables: Path) -> dict[str, str]:
    """Evidence by fact."""
    return dict(read(tables / "facts", "*").select("fact_id", "sentence").iter_rows())


def read(table: Path, day: str) -> pl.DataFrame:
    return pl.concat(pl.read_parquet(path) for path in sorted(table.glob(f"{day}.parquet")))


def counted(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        columns = next(csv.reader(lines))
    if "rightly" in columns:
        return count(file, "rightly", by="screen")
    return "\n".join([count(file, "printable", by="type"), by_criterion(file)])


def by_criterion(file: Path) -> str:
    """Of the readings that judged them: how many questions are good by each criterion of Appendix D."""
    with file.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row[CRITERIA[0]]]
    found = []
    for reading in sorted({row["reading"] for row in rows}, key=int):
        of = [row for row in rows if row["reading"] == reading]
        found.append(f"reading {reading}, by criterion:")
        found += [f"  {name}: {sum(row[name] == '1' for row in of)} of {len(of)}" for name in CRITERIA]
    return "\n".join(found)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
