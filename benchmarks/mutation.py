"""Breaks accepted questions of a home in known ways, and prints which screen catches which share of each.

    python benchmarks/mutation.py --home real --day 2024-03-03 [--number 40] [--seed 0] [--show]

Each way breaks `number` accepted questions of the day (fewer where it cannot be applied to so many; how many it could not be
applied to is printed), drawn by the seed. A broken question takes the place of the whole one among all questions written that
day, for some screens judge a question by its company; a copy stands beside it. The screens are those of the embedded profile;
one that is not cheap (duplicates) sees what failed nothing before. A cell is the share that the screen fails, «caught by any»
that of which at least one does; `first` is the share by the first screen in cost order that fails it. The last line: accepted
questions that were left whole, and how many of them fail in the company of the broken ones. `--show` prints every broken
question that passes.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import malformations
import mutations
import polars as pl
from mutations import Changed, Way, Window

from dragon_pipeline.core.ports import Case, Grammar, GrammarCheck
from dragon_pipeline.core.records import QA
from dragon_pipeline.core.screening.evidence import standing
from dragon_pipeline.core.screening.nodes import Node
from dragon_pipeline.core.screening.screens import build_cases, run_screens
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.languages.ru.grammar import RussianGrammar
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.screens import screens as russian_screens

MEANING: tuple[Way, ...] = (
    mutations.wrong_answer_of_the_article,
    mutations.wrong_answer_from_elsewhere,
    mutations.answer_in_question,
    mutations.number_in_answer,
    mutations.number_in_question,
    mutations.other_given,
    mutations.given_as_pronoun,
    mutations.missing_member,
    mutations.surplus_member,
    mutations.bridge_named,
    mutations.bridge_by_surname,
    mutations.second_fact_dropped,
    mutations.compared_with_the_other,
    mutations.direction_turned,
    mutations.answer_inflected,
    mutations.gold_article_swapped,
    mutations.duplicated,
)
FORM: tuple[Callable[[random.Random, Case], str | None], ...] = (
    malformations.wrong_case,
    malformations.wrong_number,
    malformations.wrong_gender,
    malformations.preposition_dropped,
    malformations.verb_dropped,
    malformations.words_swapped,
    malformations.this_added,
    malformations.there_added,
    malformations.yesterday_added,
    malformations.mark_lost,
    malformations.two_sentences,
)


@dataclass(frozen=True)
class Told:
    """What the screens said of the questions that one way broke."""

    way: str
    refused: int
    """accepted questions that the way could not be applied to, of those tried"""
    failed: dict[str, list[str]]
    """broken question → screens that fail it, in cost order"""


class Day:
    """A day's questions with the tables of its window, and the screens over it."""

    def __init__(self, tables: Path, day: str):
        written = questions(tables, day)
        self.qa = written.filter(pl.col(DAY) == day).drop(DAY)
        self.accepted = pl.read_parquet(tables / "accepted" / f"{day}.parquet")["qa_id"].sort().to_list()
        self.facts, self.articles, self.mentions = (window(tables / name, day) for name in ("facts", "articles", "mentions"))
        earlier = written.filter(pl.col(DAY) < day)
        current = standing(self.facts, self.articles)
        self.screens = russian_screens(current, lemmas, ScreenSettings(), Remembered(RussianGrammar()), earlier=earlier)
        cases = build_cases(self.qa, self.facts, self.articles, self.mentions)
        self.cases = {case.qa["qa_id"]: case for case in cases}
        self.names = names(self.facts, self.articles)

    def verdicts(self, changed: Sequence[dict]) -> dict[str, list[str]]:
        """Question → the screens that fail it, when these rows stand in place of the day's with the same id."""
        rows = {row["qa_id"]: row for row in (*self.qa.to_dicts(), *changed)}
        judged = run_screens(QA.frame(list(rows.values())), self.facts, self.articles, self.mentions, self.screens)
        found: dict[str, list[str]] = {key: [] for key in rows}
        for row in judged.sort("qa_id", "order").filter(outcome="failed").iter_rows(named=True):
            found[row["qa_id"]].append(row["screen"])
        return found


class Remembered:
    """A grammar check that judges each question once."""

    def __init__(self, inner: GrammarCheck):
        self.name, self.inner = inner.name, inner
        self.known: dict[str, Grammar] = {}

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        new = [question for question in dict.fromkeys(questions) if question not in self.known]
        self.known |= zip(new, self.inner.check(new), strict=True)
        return [self.known[question] for question in questions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--day", required=True)
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    day = Day(given.home / "tables", given.day)
    told, whole = [], Counter()
    for name, way in ways().items():
        changed, refused = broken(day, way, given.number, f"{given.seed} {name}")
        verdicts = day.verdicts(list(changed.values()))
        told.append(Told(name, refused, {key: caught(key, row, verdicts) for key, row in changed.items()}))
        whole.update(screen for key in set(day.accepted) - set(changed) for screen in verdicts[key][:1])
        whole["judged"] += len(set(day.accepted) - set(changed))
        if given.show:
            say(*(f"{name}: {row['question']} → {row['answer']}" for row in passing(changed, told[-1])))
    say(*table(told, [screen.name for screen in day.screens]), "", left_whole(whole))


def ways() -> dict[str, Way]:
    return {way.__name__.replace("_", " "): way for way in (*MEANING, *(of_form(way) for way in FORM))}


def of_form(malform: Callable[[random.Random, Case], str | None]) -> Way:
    def way(draw: random.Random, case: Case, _window: Window) -> Changed | None:
        question = malform(draw, case)
        return None if question is None else {"question": question}

    way.__name__ = malform.__name__
    return way


def broken(day: Day, way: Way, number: int, seed: str) -> tuple[dict[str, dict], int]:
    """Accepted question → its broken row, and how many could not be broken so, of those tried."""
    draw = random.Random(seed)
    found: dict[str, dict] = {}
    refused = 0
    for key in draw.sample(day.accepted, len(day.accepted)):
        if len(found) == number:
            break
        case = day.cases[key]
        changed = way(draw, case, day.names)
        if changed is None or all(case.qa[column] == value for column, value in changed.items()):
            refused += 1
        else:
            found[key] = {**case.qa, **changed}
    return found, refused


def caught(key: str, row: dict, verdicts: dict[str, list[str]]) -> list[str]:
    """A copy is caught when one of the two is."""
    return verdicts[row["qa_id"]] or verdicts[key]


def passing(changed: dict[str, dict], told: Told) -> Iterable[dict]:
    return (row for key, row in changed.items() if not told.failed[key])


def table(told: Sequence[Told], screens: Sequence[str]) -> Iterable[str]:
    seen = {screen for way in told for screens in way.failed.values() for screen in screens}
    order = [screen for screen in screens if screen in seen]
    yield f"| way | broken | not applicable | caught by any | {' | '.join(order)} | first |"
    yield "| --- " * (len(order) + 5) + "|"
    for way in told:
        by_screen = Counter(screen for screens in way.failed.values() for screen in screens)
        first = Counter(screens[0] for screens in way.failed.values() if screens)
        size = len(way.failed)
        cells = [share(by_screen[screen], size) for screen in order]
        said = ", ".join(f"{screen} {share(first[screen], size)}" for screen in order if first[screen])
        yield f"| {way.way} | {size} | {way.refused} | {share(first.total(), size)} | {' | '.join(cells)} | {said} |"


def share(part: int, size: int) -> str:
    return f"{part / size:.2f}" if part else "–"


def left_whole(whole: Counter) -> str:
    judged = whole.pop("judged")
    by = ", ".join(f"{screen} {number}" for screen, number in sorted(whole.items()))
    return (
        f"left whole: {judged - whole.total()} of {judged} pass ({1 - whole.total() / judged:.4f}); failed by: {by or 'none'}"
    )


def questions(tables: Path, day: str) -> pl.DataFrame:
    """What was written up to that day, with `day`; columns that an older home lacks are empty."""
    found = window(tables / "qa", day).filter(pl.col("question").is_not_null())
    lacking = {"one_article": pl.lit(False), **dict.fromkeys(("direction", "raw"), pl.lit(None, pl.String))}
    missing = {name: value for name, value in lacking.items() if name not in found.columns}
    return found.with_columns(**missing).select([*QA.columns, DAY])


def window(table: Path, day: str) -> pl.DataFrame:
    """The table's days up to that one, with `day`."""
    days = [path for path in sorted(table.glob("*.parquet")) if path.stem <= day]
    return pl.concat(
        [pl.read_parquet(path).with_columns(pl.lit(path.stem).alias(DAY)) for path in days], how="diagonal_relaxed"
    )


def names(facts: pl.DataFrame, articles: pl.DataFrame) -> Window:
    by_article, everywhere = defaultdict(dict), defaultdict(dict)
    for row in facts.sort("article_id", "start", "fact_id").iter_rows(named=True):
        for end in ("head", "tail"):
            node = Node(row[end], row[f"{end}_kind"], row[f"{end}_id"])
            by_article[row["article_id"]][node] = everywhere[node.kind][node] = None
    near, far = ({key: list(found) for key, found in of.items()} for of in (by_article, everywhere))
    return Window(near, far, articles["article_id"].unique().sort().to_list())


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
