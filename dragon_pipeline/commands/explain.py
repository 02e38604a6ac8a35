"""`dragon explain`: where a question comes from, back to the sentences, and where each part was made."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg
import polars as pl
import typer
from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.commands.runs import instance_of
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.prompts import line
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.resources import home, tables
from dragon_pipeline.defs.tables import Tables

MADE_OF = ("subgraphs", "qa", "verdicts", "accepted", "rejected", "release", "revision")
"""assets of the question's own day"""


def explain(qa_id: str, as_json: bool) -> None:
    """Prints a question's lineage.

    Raises:
        BadInput: no day accepted or rejected it.
    """
    store = Tables(tables())
    days = [day for day in store.days("accepted") if _find(store, day, qa_id)]
    if not days:
        raise BadInput(f"{qa_id}: no day of {home().root} accepted or rejected this question")
    with instance_of(home()) as instance:
        told = [lineage(store, instance, day, qa_id) for day in days]
    if as_json:
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    console = Console(soft_wrap=True, highlight=False)
    for number, one in enumerate(told):
        console.print("\n" if number else "", end="")
        _print(one, console)


def lineage(store: Tables, instance: dg.DagsterInstance, day: str, qa_id: str) -> dict:
    """One question of one day as JSON."""
    fate, qa = _find(store, day, qa_id) or ("", {})
    window = [other for other in store.days("facts") if other <= day]
    facts = _by_id(store.read("facts", window), "fact_id", qa["fact_ids"])
    articles = _by_id(
        store.read("articles", window), "article_id", [*qa["article_ids"], *(fact["article_id"] for fact in facts)]
    )
    made = _Made(instance)
    return {
        "qa_id": qa_id,
        "day": day,
        "fate": fate,
        **{name: qa[name] for name in ("rank", "screen", "because") if name in qa},
        **{name: qa[name] for name in QUESTION},
        "verdicts": _verdicts(store, day, qa_id),
        "facts": [
            {
                **{name: fact[name] for name in FACT},
                "made": made.at("facts", fact[DAY]),
                "triplet": made.at("triplets", fact[DAY]),
            }
            for fact in facts
        ],
        "articles": [
            {
                **{
                    name: article[name]
                    for name in ("article_id", "url", "outlet", "version", "change", "title", "published_at", DAY)
                },
                "gold": article["article_id"] in qa["article_ids"],
                "made": made.at("articles", article[DAY]),
            }
            for article in articles
        ],
        "made": {asset: made.at(asset, day) for asset in MADE_OF},
    }


def _verdicts(store: Tables, day: str, qa_id: str) -> list[dict]:
    told = (
        store.read("verdicts", [day])
        .filter(qa_id=qa_id)
        .sort("order")
        .select("screen", "outcome", "score", "reason", "evidence")
    )
    return [{**row, "evidence": read_evidence(row["evidence"])} for row in told.iter_rows(named=True)]


QUESTION = (
    "type", "question", "answers", "given", "bridge", "direction", "cross_story", "one_article", "writer", "reason",
)  # fmt: skip
FACT = (
    "fact_id", "head", "head_id", "relation", "relation_id", "tail", "tail_id", "novelty", "why", "sentence", "start", "stop",
    "article_id", "url", DAY,
)  # fmt: skip


@dataclass(frozen=True)
class _Made:
    instance: dg.DagsterInstance

    def at(self, asset: str, day: str) -> dict[str, str | None]:
        """Asset, partition and the run that made it, from the event log."""
        wanted = dg.AssetRecordsFilter(dg.AssetKey(asset.split("/")), asset_partitions=[day])
        found = self.instance.fetch_materializations(wanted, limit=1).records
        return {"asset": asset, "partition": day, "run_id": found[0].run_id if found else None}


def _find(store: Tables, day: str, qa_id: str) -> tuple[str, dict] | None:
    for fate in ("accepted", "rejected"):
        rows = store.read(fate, [day]).filter(qa_id=qa_id)
        if rows.height:
            return fate, rows.row(0, named=True)
    return None


def _by_id(frame: pl.DataFrame, key: str, ids: Sequence[str]) -> list[dict]:
    """Rows in the order of the ids, each once."""
    rows = {row[key]: row for row in frame.filter(pl.col(key).is_in(list(ids))).iter_rows(named=True)}
    return [rows[id] for id in dict.fromkeys(ids) if id in rows]


def _print(told: dict, console: Console) -> None:
    why = f" by {told['screen']}: {told['because']}" if told["fate"] == "rejected" else f", rank {told['rank']} of its type"
    console.print(f"{told['question'] or '(not written)'}", style="bold", markup=False)
    console.print(f"{told['type']} {told['qa_id']} of {told['day']}: {told['fate']}{why}", markup=False)
    console.print(f"answers: {'; '.join(told['answers'])}", markup=False)
    rows = [[_shown(verdict[name]) for name in ("screen", "outcome", "score", "reason")] for verdict in told["verdicts"]]
    print_table(console, ("screen", "verdict", "score", "reason"), rows)
    for verdict in told["verdicts"]:
        for one in evidence_lines(verdict["evidence"]):
            console.print(f"  {verdict['screen']}: {one}", markup=False)
    console.print("\nfacts")
    for fact in told["facts"]:
        console.print(
            f"  {fact['head']} – {fact['relation']} – {fact['tail']} ({fact['novelty']}: {fact['why']})", markup=False
        )
        console.print(
            f"    «{fact['sentence']}»\n    {fact['url']}, {fact['day']}, characters {fact['start']}–{fact['stop']}",
            markup=False,
        )
        console.print(f"    {_place(fact['triplet'])}; {_place(fact['made'])}", markup=False)
    console.print("\narticles")
    for article in told["articles"]:
        gold = "gold" if article["gold"] else "evidence only"
        console.print(
            f"  {article['url']} version {article['version']} of {article['day']}, {gold}: {article['title']}", markup=False
        )
        console.print(f"    {_place(article['made'])}", markup=False)
    console.print("\nmade")
    for place in told["made"].values():
        console.print(f"  {_place(place)}", markup=False)


def read_evidence(text: str | None) -> object:
    """What a verdict rests on: what its JSON holds, else the text as it is."""
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return text


def evidence_lines(evidence: object) -> list[str]:
    """One line for each reply, or for all that is shown: `model: …, reply: …, knew: no`."""
    rows = evidence if isinstance(evidence, list) else [] if evidence is None else [evidence]
    return [
        ", ".join(f"{name}: {_said(value)}" for name, value in row.items()) if isinstance(row, dict) else _said(row)
        for row in rows
    ]


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " / ".join(map(_said, value)) if isinstance(value, list) else line(str(value))


def _place(made: dict) -> str:
    return f"{made['asset']} {made['partition']} in run {made['run_id'] or 'unknown'}"


def _shown(value: object) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
