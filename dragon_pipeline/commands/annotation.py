"""`dragon annotate export`: a sample of questions for people to judge."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from dragon_pipeline.adapters.annotation.label_studio import labeling_config, tasks
from dragon_pipeline.adapters.annotation.sheet import write_sheet
from dragon_pipeline.commands.printing import print_table
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.annotations import Article, Item
from dragon_pipeline.core.evaluation.sample import Question, Sample, Wanted, draw
from dragon_pipeline.defs.engines import annotation_guide
from dragon_pipeline.defs.resources import home, tables
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import write_atomically

CONFIG, TASKS, SHEET, SAMPLE = "label_config.xml", "tasks.json", "annotations.csv", "sample.json"


@dataclass(frozen=True)
class Wish:
    out: Path
    wanted: Wanted
    first: str | None
    """day; none: the first there is"""
    last: str | None


def export(wish: Wish) -> None:
    """Writes the sample into a folder: a Label Studio project, a sheet, and what was drawn from what.

    Raises:
        BadInput: no question can be drawn, or the folder holds such files already.
    """
    if held := [name for name in (CONFIG, TASKS, SHEET, SAMPLE) if (wish.out / name).exists()]:
        raise BadInput(f"{wish.out} already holds {held[0]}, which may be filled in; give another folder")
    store = Tables(tables())
    days = [day for day in store.days("qa") if (wish.first or day) <= day <= (wish.last or day)]
    if not days:
        raise BadInput(f"{home().root} holds no questions of these days; run `dragon run`, or choose other days")
    articles = _articles(store, days[-1])
    sample = draw(store.read("qa", days), store.read("verdicts", days), frozenset(articles), wish.wanted)
    if not sample.questions:
        left_out = ", ".join(f"{reason} {count}" for reason, count in sample.left_out.items())
        raise BadInput(f"{home().root}: no question of {days[0]} to {days[-1]} can be shown ({left_out})")
    _write(wish, days, [_item(one, articles) for one in sample.questions], sample)
    _print(wish, sample)


def _articles(store: Tables, last: str) -> dict[str, Article]:
    """By id, of all days up to the last: gold may come from any day of a window."""
    frame = store.read("articles", [day for day in store.days("articles") if day <= last])
    rows = frame.select("article_id", "title", "url", "text").iter_rows()
    return {article_id: Article(title, url, text) for article_id, title, url, text in rows}


def _item(question: Question, articles: Mapping[str, Article]) -> Item:
    shown = tuple(articles[article_id] for article_id in question.article_ids)
    return Item(question.qa_id, question.question, question.answer, shown)


def _write(wish: Wish, days: list[str], items: list[Item], sample: Sample) -> None:
    guide = annotation_guide()
    told = {
        "days": days,
        "seed": wish.wanted.seed,
        "questions": len(items),
        "strata": [
            {"judge": fate, "type": type_, "drawn": sample.drawn[fate, type_], "of": of}
            for (fate, type_), of in sample.held.items()
        ],
        "left_out": dict(sample.left_out),
    }
    wish.out.mkdir(parents=True, exist_ok=True)
    write_atomically(wish.out / CONFIG, labeling_config(guide).encode())
    write_atomically(wish.out / TASKS, tasks(items).encode())
    write_atomically(wish.out / SHEET, write_sheet(items, guide))
    write_atomically(wish.out / SAMPLE, (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode())


def _print(wish: Wish, sample: Sample) -> None:
    console = Console(soft_wrap=True, highlight=False, markup=False)
    rows = [(fate, type_, sample.drawn[fate, type_], of) for (fate, type_), of in sample.held.items()]
    print_table(console, ("judge", "type", "drawn", "of"), rows, f"{len(sample.questions)} questions in {wish.out}")
    if left_out := {reason: count for reason, count in sample.left_out.items() if count}:
        console.print(f"\nnot to be drawn: {', '.join(f'{reason} {count}' for reason, count in left_out.items())}")
    if len(sample.questions) < wish.wanted.number:
        console.print(f"\nonly {len(sample.questions)} of {wish.wanted.number}: there are no more")
    console.print(f"\nLabel Studio: {CONFIG} is the labeling interface, {TASKS} the data to import; or fill in {SHEET}")
    console.print("then: dragon agreement FILE --home DIR")
