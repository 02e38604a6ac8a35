"""A window of facts made from a few words: «Полярис купить Маяк»."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import polars as pl
import pytest

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.facts import local_id
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.graph import Graph
from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.core.questions.strata import Tally
from dragon_pipeline.core.questions.subgraphs import Sample, sample
from dragon_pipeline.core.records import ARTICLES, FACTS, STORIES
from dragon_pipeline.core.settings import QuestionSettings
from dragon_pipeline.core.table import DAY

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"


def words(text: str) -> list[str]:
    """Stands for a lemmatiser: lower case, no punctuation."""
    return [word.strip(".,«»?!:").lower() for word in text.split() if word.strip(".,«»?!:")]


def make_fact(head: str, relation: str, tail: str, article: str = "a1", **changes: Any) -> dict:
    """A novel fact of today in an article of its own text; `wording` is given as a dict."""
    kinds = changes.pop("kinds", ("ORG", "ORG"))
    wording = changes.pop("wording", None)
    sentence = changes.pop("sentence", f"{head} {relation} {tail}.")
    ids = {"head_id": local_id(head, kinds[0]), "tail_id": local_id(tail, kinds[1]), "relation_id": None, **changes}
    return {
        "fact_id": content_id(article, ids["head_id"], ids["relation_id"] or relation, ids["tail_id"]),
        "triplet_id": content_id(article, head, relation, tail),
        "article_id": article,
        "url": f"https://vestnik.example/{article}",
        "outlet": "vestnik",
        "head": head,
        "head_kind": kinds[0],
        "relation": relation,
        "tail": tail,
        "tail_kind": kinds[1],
        "novelty": "novel",
        "why": "unlinked_head",
        "statement_id": None,
        "revision": "bundled-test",
        "head_link": "no_candidates",
        "relation_link": "no_candidates",
        "tail_link": "no_candidates",
        "held_back": None,
        "sentence": sentence,
        "start": int(content_id(sentence), 16) % 10**6,  # every sentence has a place of its own
        "stop": int(content_id(sentence), 16) % 10**6 + len(sentence),
        "wording": json.dumps(wording) if wording is not None else None,
        DAY: TODAY,
        **ids,
    }


def make_articles(facts: Sequence[dict], texts: Mapping[str, str] | None = None) -> list[dict]:
    """The articles that the facts are of; `texts` adds articles or replaces what they say."""
    of: dict[str, dict] = {}
    for fact in facts:
        row = of.setdefault(fact["article_id"], make_article(fact["article_id"], url=fact["url"], day=fact[DAY]))
        row["text"] += fact["sentence"] + "\n"
    for article, text in (texts or {}).items():
        of.setdefault(article, make_article(article))["text"] = text
    return list(of.values())


def make_article(article: str, url: str | None = None, day: str = TODAY, version: int = 1) -> dict:
    return {
        "article_id": article, "url": url or f"https://vestnik.example/{article}", "outlet": "vestnik", "version": version,
        "change": "new", "title": "Заголовок", "text": "", "author": None, "section": None, "published_at": None, DAY: day,
    }  # fmt: skip


def amount(kind: str, text: str) -> Quantity | None:
    """Stands for a language's reader of values: «12», «12 тонн», «12-14 тонн»."""
    number, _, unit = text.partition(" ")
    low, _, high = number.partition("-")
    return Quantity(Decimal(low), Decimal(high or low), unit) if kind == "NUMBER" and low.isdigit() else None


@dataclass
class Window:
    """Frames of a window and what is drawn from them."""

    facts: pl.DataFrame
    articles: pl.DataFrame
    stories: pl.DataFrame

    def graph(self) -> Graph:
        return Graph(self.facts, self.articles, self.stories, TODAY)

    def sample(self, seed: int = 0, **settings: Any) -> pl.DataFrame:
        return self.sampled(seed, **settings).subgraphs

    def sampled(self, seed: int = 0, **settings: Any) -> Sample:
        draw = Draw(seed, words, amount)
        return sample(self.facts, self.stories, self.articles, TODAY, QuestionSettings(**settings), draw)

    def tally(self, type_: str, **settings: Any) -> Tally:
        return self.sampled(**settings).tallies[type_]

    def drawn(self, type_: str, **settings: Any) -> list[dict]:
        return self.sample(**settings).filter(type=type_).to_dicts()


def make_window(
    facts: Sequence[dict],
    texts: Mapping[str, str] | None = None,
    stories: Sequence[Sequence[str]] = (),
    articles: Sequence[dict] | None = None,
) -> Window:
    """A window of these facts; `stories` lists which articles are reprints of one another."""
    rows = list(articles) if articles is not None else make_articles(facts, texts)
    mates = {article: min(story) for story in stories for article in story}
    members = [
        {"story_id": mates.get(row["article_id"], row["article_id"]), "article_id": row["article_id"], "similarity": 1.0}
        for row in rows
    ]
    return Window(
        pl.DataFrame(list(facts), schema={**FACTS.schema, DAY: pl.String()}),
        pl.DataFrame(rows, schema={**ARTICLES.schema, DAY: pl.String()}),
        STORIES.frame(members),
    )


@pytest.fixture(scope="session")
def fact() -> Callable[..., dict]:
    return make_fact


@pytest.fixture(scope="session")
def window() -> Callable[..., Window]:
    return make_window


@pytest.fixture(scope="session")
def article() -> Callable[..., dict]:
    return make_article


@pytest.fixture(scope="session")
def draw() -> Draw:
    return Draw(0, words, amount)


@pytest.fixture(scope="session")
def lemmas() -> Callable[[str], list[str]]:
    return words


@pytest.fixture(scope="module")
def drawn_window(fact, window):
    def make(rows):
        return window(
            [
                fact(h, r, t, f"{a}-{day}", kinds=("ORG", "ORG"), novelty=novelty, held_back=held, day=day)
                for h, r, t, novelty, held, day, a in rows
            ]
        )

    return make
