"""Whatever else than tables holds articles: caches, records of runs, files of releases, raw pages, and published versions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.embeddings.cache import forget_vectors
from dragon_pipeline.adapters.store.scanning import tells, that_tell
from dragon_pipeline.adapters.store.scrubbing import delete_rows, replace_texts
from dragon_pipeline.adapters.web.forgotten_pages import forget_entries, forget_files, forget_lines, forget_pages
from dragon_pipeline.core.errors import DragonError
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release.holdings import of_version
from dragon_pipeline.core.release.sandbox import SandboxHub
from dragon_pipeline.core.release.tables import is_table
from dragon_pipeline.core.release.versions import releases
from dragon_pipeline.defs.engines import hub
from dragon_pipeline.defs.forgetting import Found
from dragon_pipeline.defs.resources import home, tables
from dragon_pipeline.home import write_table

DATABASES = ("*.db", "*.sqlite")


@dataclass(frozen=True)
class Holder:
    """A published version that holds it."""

    version: str
    sandbox: bool = False
    unread: str | None = None
    """why it could not be looked into"""

    def __str__(self) -> str:
        of = "sandbox version" if self.sandbox else "version"
        return f"{of} {self.version}" + (f", which could not be read ({self.unread})" if self.unread else "")

    @property
    def advice(self) -> str:
        if self.sandbox:
            return "publish another day as the sandbox, and delete its commits on the hub"
        how = f'`dragon release yank {self.version} --because "…"`'
        return f"{how} withdraws it; its commits stay until they are deleted on the hub"


def published(found: Found) -> list[Holder]:
    """Versions on the hub whose texts or questions tell of it."""
    return [*_holders(hub(), found, sandbox=False), *_holders(SandboxHub(hub()), found, sandbox=True)]


def _holders(where: Hub, found: Found, sandbox: bool) -> list[Holder]:
    holders = []
    try:
        for one in releases(where):
            if one.day >= min(found.days, default=""):
                holdings = of_version(where, one.version)
                told = ((dataset, path) for dataset, paths in holdings.paths.items() for path in paths if is_table(path))
                if any(tells(holdings.read(dataset, path), found.traces.hits) for dataset, path in told):
                    holders.append(Holder(one.version, sandbox))
    except (DragonError, OSError) as error:
        holders.append(Holder("unknown", sandbox, str(error)[:200]))
    return holders


def caches(found: Found) -> dict[str, int]:
    """Model replies, vectors, answers of Wikidata and of web sites, and the vector engine's scratch."""
    root, hits = home().root / "cache", found.traces.hits
    replies = root / "models.sqlite"
    return {
        "model replies": delete_rows(replies, _of_replies(found)) if replies.exists() else 0,
        "vectors": forget_vectors(root / "embeddings.sqlite", found.contexts) if found.contexts else 0,
        "wikidata answers": sum(delete_rows(path, hits) for path in _databases("cache/wikidata")),
        "http answers": forget_entries(root / "http", hits),
        "scratch files": forget_files(root / "vectors", hits),
    }


def records(found: Found) -> dict[str, int]:
    """Samples and messages in Dagster's records, lines of its logs, reports and the summary."""
    hits, root = found.traces.hits, home().root
    bad = home().bad_imports
    if bad.exists():
        rows = pl.read_parquet(bad)
        going = pl.Series(hits(rows["sample"].to_list()), dtype=pl.Boolean)
        if going.any():
            write_table(bad, rows.filter(~going))
    if home().summary.exists() and tells(home().summary.read_bytes(), hits):
        home().summary.unlink()
    return {
        "records of runs": sum(replace_texts(path, hits) for path in _databases("dagster")),
        "lines of logs": forget_lines(root / "dagster", "compute_logs/*", hits),
        "reports": forget_files(root / "reports", hits),
    }


def release_files(found: Found) -> dict[str, int]:
    """Files of releases that were built, published or not."""
    folder, gone = tables() / "release" / "files", 0
    for path in that_tell([path for path in folder.rglob("*") if path.is_file()], found.traces.hits) if folder.exists() else ():
        path.unlink()
        gone += 1
    return {"release files": gone}


def pages(found: Found) -> dict[str, int]:
    """Raw pages, imported rows, and what an unfinished crawl has noted."""
    doomed, gone = found.doomed, 0
    known = doomed.everywhere()
    named = type(known)(known.key, known.forms, known.urls, doomed.known.names)
    for day in home().imported_days():
        rows = home().imported(day)
        going = named.going(rows, doomed.rules)
        if going.any():
            home().keep_imports(day, rows.filter(~going))
            gone += int(going.sum())
    return {
        "imported rows": gone,
        "raw pages": forget_pages(home().raw, named, doomed.rules),
        "unfinished crawls": forget_lines(home().raw, "unfinished.jsonl", found.traces.hits),
    }


def _databases(folder: str) -> list[Path]:
    root = home().root / folder
    return [path for pattern in DATABASES for path in sorted(root.rglob(pattern)) if path.is_file()]


def _of_replies(found: Found) -> Callable[[Sequence[str]], list[bool]]:
    """A reply also tells of it when it has head and tail of one of its triplets."""
    names = sorted({name for pair in found.pairs for name in pair if name})
    tails: dict[str, set[str]] = {}
    for head, tail in found.pairs:
        tails.setdefault(head, set()).add(tail)

    def hits(texts: Sequence[str]) -> list[bool]:
        told = found.traces.hits(texts)
        if not names:
            return told
        said = pl.Series(list(texts), dtype=pl.String).str.extract_many(names, overlapping=True).to_list()
        return [
            hit or any(tails.get(name, set()) & set(these) for name in set(these))
            for hit, these in zip(told, said, strict=True)
        ]

    return hits
