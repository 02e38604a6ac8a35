"""The difference a day makes: which pages are new, changed, unchanged or gone, and what changed in the changed ones."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import polars as pl
from rapidfuzz.distance import LCSseq

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.articles import HELD, UNCHANGED
from dragon_pipeline.core.corpus.ledger import canonical_of, gone_pages
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.table import DAY
from rag_bench.lexemes import is_number
from rag_bench.tokens import tokens
from rag_bench.words import read_words

CRAWLED = ("url", "outlet", "status", "reason", "canonical")
ONE = "1"
"""the value of «один», which is more often a pronoun: a number only where it is written in digits"""

LONGEST = 50_000
"""words of a text; the order of longer ones is not looked at, as that takes the square of their length"""


@dataclass(frozen=True)
class Day:
    """A day's tables."""

    day: str
    crawled: pl.DataFrame
    """CRAWL rows; of the columns only CRAWLED is needed"""
    ledger: pl.DataFrame
    articles: pl.DataFrame


@dataclass(frozen=True)
class Standing:
    """What stood at a URL before the day: the version that won it when the window last saw it."""

    url: str
    outlet: str
    article_id: str
    day: str


@dataclass(frozen=True)
class Moves:
    """A day's pages by what became of them."""

    day: str
    new: Sequence[Mapping]
    """rows of ARTICLES"""
    changed: Sequence[Mapping]
    """rows of ARTICLES"""
    unchanged: Mapping[str, str]
    """URL → outlet"""
    gone: Mapping[str, str]
    """URL → why, of pages that the window knows"""
    standing: Mapping[str, Standing]
    """of `changed` and `gone`, by URL"""


@dataclass(frozen=True)
class Version:
    """One version of a page as far as it can be compared."""

    title: str
    text: str
    names: Mapping[str, str]
    """lemmas of a name in the text → its normal form"""


@dataclass(frozen=True)
class NewPage:
    url: str
    outlet: str
    title: str
    versions: int
    """contents that it had that day"""


@dataclass(frozen=True)
class ChangedPage:
    url: str
    outlet: str
    version: int
    before: str | None
    """day on which the version before won last; None: in the window it only ever lost"""
    title: str
    title_before: str | None
    """None: as now, or no longer known"""
    numbers_removed: tuple[str, ...]
    """by value: `1,5 млн` is `1500000`"""
    numbers_added: tuple[str, ...]
    names_removed: tuple[str, ...]
    names_added: tuple[str, ...]
    kept: float | None
    """share of the words before that are still there, in their order; None: the text before is no longer known"""
    fresh: float | None
    """share of the words now that were not there"""


@dataclass(frozen=True)
class VanishedPage:
    url: str
    outlet: str
    reason: str
    """http_404, http_410 or soft_404"""
    title: str | None
    """None: no longer known"""
    seen: str
    """the last day on which it was there"""


@dataclass(frozen=True)
class UnchangedPage:
    url: str
    outlet: str


@dataclass(frozen=True)
class Diff:
    """Each by outlet and URL."""

    day: str
    new: tuple[NewPage, ...]
    changed: tuple[ChangedPage, ...]
    unchanged: tuple[UnchangedPage, ...]
    vanished: tuple[VanishedPage, ...]


Page = TypeVar("Page", UnchangedPage, VanishedPage)


def moves(day: Day, before: Batches, rules: Mapping[str, UrlRules]) -> Moves:
    """What became of the day's pages; `before`: LEDGER of the window that ends the day before."""
    winners = day.ledger.filter("latest")
    outlets = dict(winners.select("url", "outlet").iter_rows())
    same = dict(_left_out(day.crawled, rules))
    gone = {url: why for url, why in gone_pages(day.crawled, rules).items() if url not in outlets}
    held = before.among([*HELD, "outlet"], "url", {*outlets, *same, *gone})
    won_before = set(held.filter("latest")["article_id"])
    standing = {row["url"]: Standing(**row) for row in _last(held).iter_rows(named=True)}
    articles = day.articles.sort("outlet", "url").to_dicts()
    told = {row["url"] for row in articles}
    same |= {url: outlets[url] for url, id in winners.select("url", "article_id").iter_rows() if id in won_before}
    return Moves(
        day.day,
        new=[row for row in articles if row["change"] == "new"],
        changed=[row for row in articles if row["change"] == "changed"],
        unchanged={url: outlet for url, outlet in same.items() if url not in told and url not in gone},
        gone={url: why for url, why in gone.items() if url in standing},
        standing=standing,
    )


def diff(moved: Moves, before: Mapping[str, Version], now: Mapping[str, Version]) -> Diff:
    """What changed. Versions by URL: `before` those that stood at the changed and the gone, as far as they are known; `now`
    those of the day at the changed."""
    changed = [_changed(row, moved.standing.get(row["url"]), before.get(row["url"]), now[row["url"]]) for row in moved.changed]
    vanished = [
        VanishedPage(url, at.outlet, why, before[url].title if url in before else None, at.day)
        for url, why in moved.gone.items()
        for at in (moved.standing[url],)
    ]
    return Diff(
        moved.day,
        new=tuple(NewPage(row["url"], row["outlet"], row["title"], row["version"]) for row in moved.new),
        changed=tuple(changed),
        unchanged=_in_order(UnchangedPage(url, outlet) for url, outlet in moved.unchanged.items()),
        vanished=_in_order(vanished),
    )


def numbers(text: str) -> set[str]:
    """The values of a text's numbers, each in one form; days and years of dates are among them."""
    found = set(filter(is_number, read_words(text).keys))
    return found if ONE not in found or ONE in tokens(text) else found - {ONE}


def shared(before: Sequence[str], now: Sequence[str]) -> tuple[float, float]:
    """Shares of the words before that are kept, in their order, and of the words now that are fresh."""
    if max(len(before), len(now)) > LONGEST:
        common = (Counter(before) & Counter(now)).total()
    else:
        common = LCSseq.similarity(before, now)
    return common / len(before) if before else 1.0, 1 - common / len(now) if now else 0.0


def _changed(row: Mapping, at: Standing | None, before: Version | None, now: Version) -> ChangedPage:
    known = before or now
    kept, fresh = shared(tokens(before.text), tokens(now.text)) if before else (None, None)
    were, are = (numbers(f"{version.title}\n{version.text}") for version in (known, now))
    return ChangedPage(
        row["url"],
        row["outlet"],
        row["version"],
        before=at.day if at else None,
        title=now.title,
        title_before=known.title if known.title != now.title else None,
        numbers_removed=tuple(sorted(were - are, key=_size)),
        numbers_added=tuple(sorted(are - were, key=_size)),
        names_removed=_names(known, now),
        names_added=_names(now, known),
        kept=kept,
        fresh=fresh,
    )


def _names(of: Version, without: Version) -> tuple[str, ...]:
    return tuple(sorted({of.names[key] for key in of.names.keys() - without.names.keys()}))


def _size(number: str) -> tuple[int, str]:
    """Grows with the number, near enough for a list: longer ones are larger."""
    return len(number.partition(".")[0]), number


def _last(held: pl.DataFrame) -> pl.DataFrame:
    """Of each URL the version that won it last."""
    won = held.filter("latest").sort("url", DAY).unique("url", keep="last", maintain_order=True)
    return won.select("url", "outlet", "article_id", DAY)


def _left_out(crawled: pl.DataFrame, rules: Mapping[str, UrlRules]) -> Iterator[tuple[str, str]]:
    """URL and outlet of the pages that the site said are unchanged."""
    rows = crawled.filter(status="left_out", reason=UNCHANGED).select("url", "canonical", "outlet")
    for url, canonical, outlet in rows.iter_rows():
        try:
            yield canonical_of(url, canonical, rules.get(outlet, UrlRules())), outlet
        except BadInput:
            continue  # no address, no page


def _in_order(pages: Iterable[Page]) -> tuple[Page, ...]:
    return tuple(sorted(pages, key=lambda page: (page.outlet, page.url)))
