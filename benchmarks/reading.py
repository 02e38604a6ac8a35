"""Draws accepted questions of a home for an editor to read, and counts the editor's verdicts.

    python benchmarks/reading.py draw --home real --seed $(git rev-parse HEAD) [--per-type 10] [--day 2024-03-03]
    python benchmarks/reading.py count docs/reading.csv

`draw` prints each question with its answers and evidence sentences, and a line of CSV (qa_id, type) to fill in with
`printable` (yes or no) and `fault`. The sample depends on the seed alone: the same commit draws the same questions.
"""

import argparse
import hashlib
import sys
from pathlib import Path

import polars as pl
from readings import count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--home", type=Path, required=True)
    drawing.add_argument("--seed", required=True)
    drawing.add_argument("--per-type", type=int, default=10)
    drawing.add_argument("--day", help="only questions accepted that day; without it, of all days")
    commands.add_parser("count").add_argument("file", type=Path)
    given = parser.parse_args()
    if given.command == "draw":
        say(draw(given.home / "tables", given.seed, given.per_type, given.day))
    else:
        say(count(given.file, "printable", by="type"))


def draw(tables: Path, seed: str, per_type: int, day: str | None) -> str:
    accepted = read(tables / "accepted", day or "*")
    facts = {row["fact_id"]: row for row in read(tables / "facts", "*").iter_rows(named=True)}
    lines = []
    for (type_,), rows in sorted(accepted.unique("qa_id").group_by("type")):
        order = sorted(
            rows.iter_rows(named=True), key=lambda row: hashlib.sha256(f"{seed} {row['qa_id']}".encode()).hexdigest()
        )
        for row in order[:per_type]:
            lines += [f"{row['qa_id']},{type_}", f"    {row['question']}", f"    → {row['answer']}"]
            lines += [f"        {facts[fact_id]['sentence']}" for fact_id in dict.fromkeys(row["fact_ids"])]
    return "\n".join(lines)


def read(table: Path, day: str) -> pl.DataFrame:
    return pl.concat(pl.read_parquet(path) for path in sorted(table.glob(f"{day}.parquet")))


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
