"""The written pairs of texts: a base article each with a reprint, a rewrite and a near miss, all invented.

In story_pairs.yaml a text is given by its sentences, one a line; `=3` is the third sentence of the base, `=2-5` several,
`=3 | old → new | …` one with some of its words replaced. The key says what a text is to its base:

reprint: dateline, credit or order changed, a sentence or two cut
light, medium, strong: a rewrite with a new lead; a few sentences, half of them, or all but the quote and the figures reworded
follow_up: later news of the same event, with its background
template: other news of the same form
series: another issue of the same outlet's column, with its standing sentences
namesakes: another event with the same names
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import yaml

from dragon_pipeline.core.records import ARTICLES

REWRITES = ("light", "medium", "strong")
SAME = ("reprint", *REWRITES)
NEAR_MISSES = ("follow_up", "template", "series", "namesakes")


@dataclass(frozen=True)
class StoryPair:
    number: int
    """of the base article, from 1"""
    kind: str
    """what the other text is to it"""
    base: str
    other: str

    @property
    def name(self) -> str:
        return f"{self.number:03}-{self.kind}"

    @property
    def same(self) -> bool:
        return self.kind in SAME


def read_story_pairs() -> list[StoryPair]:
    path = Path(__file__).with_name("story_pairs.yaml")
    entries = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [
        StoryPair(number, kind, " ".join(base), " ".join(_sentences(text, base)))
        for number, entry in enumerate(entries, start=1)
        for base in [entry["base"].splitlines()]
        for kind, text in entry.items()
        if kind != "base"
    ]


def window(pairs: list[StoryPair]) -> pl.DataFrame:
    """All their texts as ARTICLES of one window: the base articles first, then the others, each kind from an outlet of its own;
    only a series is from the outlet of its base."""
    rows = [_row(f"{pair.number:03}-base", "base", "2024-03-01", pair.base) for pair in pairs if pair.kind == "reprint"]
    rows += [_row(pair.name, "base" if pair.kind == "series" else pair.kind, "2024-03-02", pair.other) for pair in pairs]
    return ARTICLES.frame([{name: row[name] for name in ARTICLES.columns} for row in rows]).with_columns(
        day=pl.Series([row["day"] for row in rows])
    )


def _row(article_id: str, outlet: str, day: str, text: str) -> dict:
    of_page = {"article_id": article_id, "url": f"https://{outlet}.example/{article_id}", "outlet": outlet, "text": text}
    return dict.fromkeys(ARTICLES.columns) | of_page | {"version": 1, "change": "new", "title": "", "day": day}


def merged(stories: pl.DataFrame) -> set[str]:
    """Names of the pairs whose two texts are one story in STORIES of such a window."""
    of = dict(stories.select("article_id", "story_id").iter_rows())
    return {name for name, story in of.items() if not name.endswith("-base") and story == of[f"{name[:3]}-base"]}


def _sentences(text: str, base: list[str]) -> Iterator[str]:
    for line in text.splitlines():
        if not line.startswith("="):
            yield line
            continue
        numbers, *replacements = line.removeprefix("=").split(" | ")
        first, _, last = numbers.partition("-")
        for sentence in base[int(first) - 1 : int(last or first)]:
            yield _replaced(sentence, replacements)


def _replaced(sentence: str, replacements: list[str]) -> str:
    for replacement in replacements:
        old, new = replacement.split("→")
        if sentence.count(old.strip()) != 1:
            raise ValueError(f"{old.strip()!r} is not once in {sentence!r}")
        sentence = sentence.replace(old.strip(), new.strip())
    return re.sub(r"\s+", " ", sentence)
