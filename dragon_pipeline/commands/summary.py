"""summary.json and its tables: what the days of a run came to."""

from collections import defaultdict

import dagster as dg
import polars as pl
from rich.console import Console

from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.evaluation.scores import PROFILE
from dragon_pipeline.core.screening.screens import screens_that_ran
from dragon_pipeline.defs.report import counts
from dragon_pipeline.defs.tables import Tables
from rag_bench.profiles import PROFILES

STAGES = ("corpus", "knowledge", "questions", "screening", "release", "evaluation")


def summarise(tables: Tables, instance: dg.DagsterInstance, days: list[str]) -> dict:
    """The summary of these days, as summary.json holds it (see the README)."""
    facts, qa = tables.read("facts", days), tables.read("qa", days)
    revision = tables.read("revision", days)
    return {
        "days": days,
        "versions": sorted(set(revision["version"].drop_nulls()), key=_number),
        "articles": tables.read("articles", days).height,
        "triplets": tables.read("triplets", days).filter(status="kept").height,
        "facts": {novelty: facts.filter(novelty=novelty).height for novelty in ("novel", "known")},
        "qa": qa["question"].count(),
        "accepted": counts(tables.read("accepted", days), "type"),
        "rejected": counts(tables.read("rejected", days), "because"),
        "screens": screens_that_ran(tables.read("verdicts", days)),
        "scores": _scores(tables.read("scores", days)),
        "seconds": _seconds(instance, days),
    }


def _number(version: str) -> int:
    return int(version.split(".")[1])


def _scores(scores: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Measures over all types, of the newest version, in the order of their profile."""
    told: dict[str, dict[str, float]] = {}
    if scores.is_empty():
        return told
    newest = max(scores["version"], key=_number)
    rows = scores.filter(version=newest, type="all").unique(["baseline", "measure"], keep="last", maintain_order=True)
    for baseline, measure, value in rows.select("baseline", "measure", "value").iter_rows():
        told.setdefault(baseline, {})[measure] = round(value, 4)
    order = PROFILES[PROFILE].measures
    return {baseline: {name: means[name] for name in order if name in means} for baseline, means in told.items()}


def _seconds(instance: dg.DagsterInstance, days: list[str]) -> dict[str, float]:
    """Seconds per stage from Dagster's event log: of each day, the last run of every step."""
    stages = _stage_of_steps()
    spent: defaultdict[str, float] = defaultdict(float)
    for day in days:
        steps: dict[str, float] = {}
        records = instance.get_run_records(dg.RunsFilter(tags={"dagster/partition": day}), ascending=True)
        for record in records:
            for step in instance.get_run_step_stats(record.dagster_run.run_id):
                if step.start_time and step.end_time and step.step_key in stages:
                    steps[step.step_key] = step.end_time - step.start_time
        for step, seconds in steps.items():
            spent[stages[step]] += seconds
    return {stage: round(spent[stage], 2) for stage in STAGES if stage in spent}


def _stage_of_steps() -> dict[str, str]:
    """Step → group of its assets."""
    from dragon_pipeline.definitions import defs

    graph = defs.resolve_asset_graph()
    return {asset.node_def.name: graph.get(key).group_name for asset in graph.assets_defs for key in asset.keys}


def print_summary(summary: dict, console: Console) -> None:
    accepted, rejected, facts, days = summary["accepted"], summary["rejected"], summary["facts"], summary["days"]
    flow = {
        "articles": summary["articles"],
        "triplets": summary["triplets"],
        "novel facts": facts["novel"],
        "known facts": facts["known"],
        "questions": summary["qa"],
        "accepted": sum(accepted.values()),
        "rejected": sum(rejected.values()),
    }
    print_table(console, tuple(flow), [tuple(flow.values())], days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}")
    if accepted:
        print_table(console, ("type", "accepted"), accepted.items())
    if rejected:
        print_table(console, ("rejected because", "questions"), rejected.items())
    if summary["screens"]:
        print_table(console, ("screen", "did it run"), summary["screens"].items())
    if summary["scores"]:
        measures = list(next(iter(summary["scores"].values())))
        rows = [(name, *(f"{values[measure]:.3f}" for measure in measures)) for name, values in summary["scores"].items()]
        print_table(console, ("baseline", *measures), rows, f"scores of version {summary['versions'][-1]}")
    print_table(console, ("stage", "seconds"), [(stage, f"{seconds:.1f}") for stage, seconds in summary["seconds"].items()])
    console.print(f"\nversions: {', '.join(summary['versions']) or 'none'}")
