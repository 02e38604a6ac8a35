"""One record of an imported file → one row of CRAWL, or the reason why not."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import polars as pl

from dragon_pipeline.core.corpus.dates import is_day, iso_date, moscow_day
from dragon_pipeline.core.corpus.urls import canonical_url
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.table import DAY

NEEDED = ("url", "title", "text")
USED = (*NEEDED, "outlet", "lead", "published_on", "day")
LONGEST = 2_000_000
"""Characters of one field; longer is no article."""
SAMPLE = 80
BAD_SCHEMA = pl.Schema({"line": pl.Int64(), "reason": pl.String(), "kept": pl.Boolean(), "sample": pl.String()})


def safe(text: object) -> str:
    """At most SAMPLE characters that any terminal and file can hold."""
    shown = str(text)[: 4 * SAMPLE]
    return "".join(c if c.isprintable() else "�" if "\ud800" <= c <= "\udfff" else " " for c in shown).strip()[:SAMPLE]


@dataclass
class Rows:
    """Gathers the rows of one file: the good ones as CRAWL, the bad ones with line, reason and a sample."""

    good: list[dict] = field(default_factory=list)
    bad: list[dict] = field(default_factory=list)
    _contents: dict[tuple[str, str | None], list[str]] = field(default_factory=dict)

    def add(self, line: int, record: dict) -> None:
        """`record` has string or absent values under the names of USED; others are ignored."""
        values = {name: record.get(name) for name in USED}
        reason = _fault(values)
        if reason:
            absent = reason.startswith("no_") and reason.removeprefix("no_") not in record
            shown = f"its fields: {', '.join(record)}" if absent else values["url"] or values["title"] or values["text"] or ""
            self.refuse(line, reason, shown)
            return
        url, content = str(values["url"]).strip(), sha256(repr([values["title"], values["lead"], values["text"]]).encode())
        published_at, day = self._dates(line, values)
        contents = self._contents.setdefault((url, day), [])
        if content in contents:
            self.refuse(line, "duplicate", url)
            return
        contents.append(content)
        self.good.append(
            dict.fromkeys(CRAWL.columns)
            | {name: values[name] for name in ("title", "lead", "text")}
            | {"url": url, "outlet": (values["outlet"] or "").strip() or urlsplit(canonical_url(url)).hostname}
            | {"fetch": len(contents) - 1, "status": "ok", "extractor": "import", "published_at": published_at, DAY: day}
        )

    def refuse(self, line: int, reason: str, sample: object, kept: bool = False) -> None:
        self.bad.append({"line": line, "reason": reason, "kept": kept, "sample": safe(sample)})

    def frames(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """CRAWL rows with `day`, and the bad rows in the order of their lines."""
        rows = pl.DataFrame(self.good, schema={**CRAWL.schema, DAY: pl.String()}, orient="row")
        bad = pl.DataFrame(self.bad, schema=BAD_SCHEMA, orient="row")
        return CRAWL.check(rows.sort([*CRAWL.key, DAY], maintain_order=True)), bad.sort("line", maintain_order=True)

    def _dates(self, line: int, values: dict) -> tuple[str | None, str | None]:
        """The publication date and the day of a row; a broken one is noted and taken as absent."""
        stated, day = values["published_on"], values[DAY]
        published_at = iso_date(stated)
        if stated is not None and published_at is None:
            self.refuse(line, "bad_date", f"published_on: {stated}", kept=True)
        if day is not None and not is_day(day):
            self.refuse(line, "bad_day", f"day: {day}", kept=True)
            day = None
        return published_at, day or (moscow_day(published_at) if published_at else None)


def _fault(values: dict) -> str | None:
    """Why a record cannot become a row."""
    texts = [value for value in values.values() if value is not None]
    if not all(isinstance(value, str) for value in texts):
        return "not_text"
    for name in NEEDED:
        if not (values[name] or "").strip():
            return f"no_{name}"
    if any(len(value) > LONGEST for value in texts):
        return "too_long"
    if any("\0" in value for value in texts):
        return "nul_byte"
    return _unfit(texts) or _bad_url(values["url"])


def _unfit(texts: list[str]) -> str | None:
    for value in texts:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            undecoded = "\udc80" <= value[error.start] <= "\udcff"
            return "undecodable" if undecoded else "lone_surrogate"
    return None


def _bad_url(url: str) -> str | None:
    try:
        canonical_url(url)
    except BadInput:
        return "bad_url"
    return None
