"""A day's report as one HTML page for people: the funnel, why questions fell, samples with verdicts and evidence.

The page stands alone (no scripts, no network, style and bars inside) and is a function of the tables: equal tables give equal
bytes. Every text of an article or a model is escaped by the template, and signs that turn the direction of writing or cannot
be seen are shown by their number.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import polars as pl
from jinja2 import Environment, PackageLoader, StrictUndefined

from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.screening.funnel import ALL, STAGES, Corpus, Screened, askable, lost
from dragon_pipeline.core.screening.selection import QUOTA, WRITING

BEST_OF_TYPE = 3
"""Accepted questions shown of each type, first by rank."""
PER_SCREEN = 3
"""Rejected questions shown of each screen, each for another reason where there are several."""
MOST_NAMED = 20
LONG = 700
"""Characters of one text that are shown."""
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
"""Control signs, those that turn the direction of writing, and those that take no room."""


def render_page(day: str, funnel: pl.DataFrame, corpus: Corpus, screened: Screened, facts: pl.DataFrame) -> bytes:
    """The page in UTF-8.

    Args:
        funnel: FUNNEL of the day.
        corpus: of the day.
        facts: FACTS of the window, which the questions rest on.
    """
    rows = funnel.sort("order", "type").to_dicts()
    known = {row["fact_id"]: row for row in facts.sort("fact_id", "article_id", "start").iter_rows(named=True)}
    values = {
        "day": day,
        "types": [type_ for type_ in TYPES if any(row["type"] == type_ for row in rows)],
        "stages": _stages([row for row in rows if row["type"] == ALL]),
        "by_type": _by_type(rows),
        "notes": [(row["type"], row["note"]) for row in rows if row["stage"] == "accepted" and row["note"]],
        "screens": [{**row, "reasons": lost(row)} for row in rows if row["type"] == ALL and row["state"]],
        "accepted": _accepted(screened, known),
        "rejected": _rejected(screened.rejected, rows, known),
        "outlets": _outlets(corpus, screened, known),
        "entities": _entities(screened.accepted),
        "totals": _totals(rows),
    }
    return _templates().get_template("day.html.j2").render(values).encode()


def _totals(rows: Sequence[Mapping]) -> list[tuple[str, int]]:
    whole = {row["stage"]: row for row in rows if row["type"] == ALL}
    parts = (("articles", "articles", "rows_in"), ("facts to ask about", "facts", "rows_out"))
    more = (("questions drawn", "questions", "rows_in"), ("written", "questions", "rows_out"))
    last = ("accepted", "accepted", "rows_out")
    return [(label, whole[stage][end] if stage in whole else 0) for label, stage, end in (*parts, *more, last)]


def _stages(whole: Sequence[Mapping]) -> list[dict]:
    """Rows of the funnel with the widths of their bars, in hundredths of the most that it has of the unit."""
    most: Counter[str] = Counter()
    for row in whole:
        most[row["unit"]] = max(most[row["unit"]], row["rows_in"], 1)
    return [
        {
            **row,
            "reasons": lost(row),
            "wide_in": round(100 * row["rows_in"] / most[row["unit"]], 2),
            "wide_out": round(100 * row["rows_out"] / most[row["unit"]], 2),
        }
        for row in whole
    ]


def _by_type(rows: Sequence[Mapping]) -> list[dict]:
    """Stage → type → its row of the funnel with the share of the drawn that is left; from the questions on."""
    drawn = {row["type"]: max(row["rows_in"], 1) for row in rows if row["stage"] == STAGES[-1]}
    told: dict[str, dict[str, dict]] = {}
    for row in rows:
        if row["stage"] not in STAGES[:-1]:
            wide = round(100 * row["rows_out"] / drawn[row["type"]], 2)
            told.setdefault(row["stage"], {})[row["type"]] = {**row, "wide": wide}
    return [{"stage": stage, "of": of} for stage, of in told.items()]


def _accepted(screened: Screened, facts: Mapping[str, dict]) -> list[dict]:
    first = screened.accepted.filter(pl.col("rank") <= BEST_OF_TYPE).sort("rank")
    told: dict[str, list[dict]] = {}
    for row in screened.verdicts.sort("order").join(first.select("qa_id"), on="qa_id", how="semi").iter_rows(named=True):
        told.setdefault(row["qa_id"], []).append(row)
    found = {type_: first.filter(type=type_).to_dicts() for type_ in TYPES}
    return [
        {"name": type_, "cards": [_card(row, told.get(row["qa_id"], []), facts) for row in rows]}
        for type_, rows in found.items()
        if rows
    ]


def _rejected(rejected: pl.DataFrame, rows: Sequence[Mapping], facts: Mapping[str, dict]) -> list[dict]:
    """By what rejected them, in the order of the flow; of each, questions with different reasons first."""
    order = {WRITING: 0, **{row["stage"]: row["order"] for row in rows if row["state"]}, QUOTA: len(rows)}
    by_screen: dict[str, dict[str, list[dict]]] = {}
    for row in rejected.sort("qa_id").iter_rows(named=True):
        by_screen.setdefault(row["screen"], {}).setdefault(row["because"].split(":")[0], []).append(row)
    found = []
    for screen in sorted(by_screen, key=lambda name: (order.get(name, 0), name)):
        of_reason = sorted(by_screen[screen].items(), key=lambda item: (-len(item[1]), item[0]))
        turns = sorted((turn, place) for place, (_, of) in enumerate(of_reason) for turn in range(min(len(of), PER_SCREEN)))
        cards = [of_reason[place][1][turn] for turn, place in turns[:PER_SCREEN]]
        total = sum(len(of) for _, of in of_reason)
        told = [_card(row, json.loads(row["verdicts"]), facts) for row in cards]
        found.append({"name": screen, "total": total, "cards": told})
    return found


def _card(qa: Mapping[str, Any], verdicts: Iterable[Mapping], facts: Mapping[str, dict]) -> dict:
    by_outcome: dict[str, list[Mapping]] = {"failed": [], "passed": [], "not_run": []}
    for row in verdicts:
        by_outcome[row["outcome"]].append(row)
    standing = json.loads(qa["standing"]) if "standing" in qa else None
    return {"qa": qa, "standing": standing, **by_outcome, "facts": [facts[id] for id in qa["fact_ids"] if id in facts]}


def _outlets(corpus: Corpus, screened: Screened, facts: Mapping[str, dict]) -> list[tuple[str, int, int, int, int]]:
    """Outlet, its articles and facts to ask about of the day, questions written and accepted that rest on it; most first."""
    articles, asked = Counter(corpus.articles["outlet"]), Counter(askable(corpus.facts)["outlet"])
    written = _rest_on(screened.qa.filter(pl.col("reason").is_null()), facts)
    accepted = _rest_on(screened.accepted, facts)
    names = {*articles, *asked, *written, *accepted}
    told = [(name, articles[name], asked[name], written[name], accepted[name]) for name in names]
    return sorted(told, key=lambda row: (-row[4], -row[3], -row[2], -row[1], row[0]))


def _rest_on(questions: pl.DataFrame, facts: Mapping[str, dict]) -> Counter[str]:
    outlets = ({facts[id]["outlet"] for id in ids if id in facts} for ids in questions["fact_ids"])
    return Counter(outlet for of in outlets for outlet in of)


def _entities(accepted: pl.DataFrame) -> dict:
    """Names of accepted questions, most first: how many ask for it, mention it, go over it; and how many names there are."""
    asked: Counter[str] = Counter()
    given: Counter[str] = Counter()
    bridges: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for answers, mentioned, bridge in accepted.select("answers", "given", "bridge").iter_rows():
        over = {bridge} - {None, *answers}
        asked.update({*answers})
        given.update({*mentioned})
        bridges.update(over)
        named.update({*answers, *mentioned, *over})
    first = sorted(named, key=lambda name: (-named[name], name))[:MOST_NAMED]
    return {"all": len(named), "rows": [(name, named[name], asked[name], given[name], bridges[name]) for name in first]}


@cache
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader("dragon_pipeline.core.screening", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["shown"] = shown
    made.filters["web"] = web
    return made


def shown(text: object) -> str:
    """A text from outside for the page, cut when it is long; the template escapes it."""
    told = str(text)
    told = told if len(told) <= LONG else told[: LONG - 1] + "…"
    return UNSEEN.sub(lambda sign: f"⟨U+{ord(sign[0]):04X}⟩", told)


def web(url: str) -> str | None:
    """The address if it is one of the web; `javascript:` and its like give none."""
    return url if re.match(r"https?://[^\s]+$", url) else None
