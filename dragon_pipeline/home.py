"""A home: the folder that holds everything a run writes. No Dagster in here; `--home` and DRAGON_HOME name one."""

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.store.forgotten import ForgottenList
from dragon_pipeline.core.errors import HomeBusy
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.table import DAY

KEY_BYTES = 32
CLOSED = ("tables", "cache", "dagster", "reports")
"""folders with gold in them: nobody else on the machine reads them; the hub decides itself who reads what"""


@dataclass(frozen=True)
class Home:
    root: Path

    @property
    def settings_file(self) -> Path:
        return self.root / "dragon.yaml"

    @property
    def tables(self) -> Path:
        return self.root / "tables"

    @property
    def raw(self) -> Path:
        """Raw pages as fetched, append-only."""
        return self.root / "raw"

    @property
    def http_cache(self) -> Path:
        """What outlets answered lately, to be asked for with conditions."""
        return self._folder("cache/http")

    @property
    def hub(self) -> Path:
        return self.root / "hub"

    @property
    def embeddings(self) -> Path:
        self._folder("cache")
        return self.root / "cache" / "embeddings.sqlite"

    @property
    def replies(self) -> Path:
        """What models answered, for good; and what the runs have spent."""
        self._folder("cache")
        return self.root / "cache" / "models.sqlite"

    @property
    def wikidata(self) -> Path:
        """What Wikidata's API answered, and its client's own files."""
        return self._folder("cache/wikidata")

    @property
    def vectors(self) -> Path:
        """Scratch folder of the vector engine in this process."""
        return self._folder("cache/vectors")

    @property
    def summary(self) -> Path:
        return self.root / "summary.json"

    def report(self, day: str) -> Path:
        """The HTML page on what became of a day."""
        return self.root / "reports" / f"{day}.html"

    def write_report(self, day: str, page: bytes) -> Path:
        path = self.report(day)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, page)
        return path

    @property
    def bad_imports(self) -> Path:
        """Rows of the file imported last that could not be used as they are, with line and reason."""
        return self.root / "imports" / "bad.parquet"

    def dagster(self) -> Path:
        """The folder of the Dagster instance; made, with our configuration, when it is not there yet."""
        folder = self._folder("dagster")
        config = folder / "dagster.yaml"
        if not config.exists():
            write_atomically(config, files("dragon_pipeline").joinpath("dagster.yaml").read_bytes())
        return folder

    def release_key(self) -> bytes:
        """The secret under which ids of releases are made; drawn once for a home and never changed."""
        path = self._folder() / "release.key"
        if not path.exists():
            temporary = path.with_name(f".release.key.{os.getpid()}")
            try:
                write_private(temporary, secrets.token_bytes(KEY_BYTES))
                os.link(temporary, path)
            except FileExistsError:
                pass
            finally:
                temporary.unlink(missing_ok=True)
        return path.read_bytes()

    def forgotten(self) -> ForgottenList:
        """What is to stay forgotten, and the log of it."""
        return ForgottenList(self.root / "forgotten.json", self.root / "forgotten.jsonl", self.release_key())

    def imported(self, day: str) -> pl.DataFrame:
        """CRAWL rows of imported files for the day."""
        path = self.root / "imports" / f"{day}.parquet"
        return CRAWL.check(pl.read_parquet(path)) if path.exists() else CRAWL.empty()

    def imported_days(self) -> list[str]:
        """Days that files were imported for, in order."""
        return sorted(path.stem for path in (self.root / "imports").glob("????-??-??.parquet"))

    def keep_imports(self, day: str, rows: pl.DataFrame) -> None:
        """Puts these CRAWL rows in the place of what was imported for the day."""
        write_table(self.root / "imports" / f"{day}.parquet", CRAWL.check(rows))

    def put_imports(self, rows: pl.DataFrame) -> None:
        """Adds CRAWL rows with `day` to what was imported before; a row that is there already is not put twice."""
        for day in sorted(rows[DAY].unique()):
            self._put_day(day, rows.filter(pl.col(DAY) == day).drop(DAY))

    def _put_day(self, day: str, rows: pl.DataFrame) -> None:
        before = self.imported(day)
        content = [name for name in CRAWL.columns if name != "fetch"]
        kept = pl.concat([before, CRAWL.check(rows)]).unique(content, keep="first", maintain_order=True)
        if kept.height == before.height:
            return
        kept = kept.with_columns(fetch=pl.int_range(pl.len()).over("url").cast(pl.Int64)).sort(CRAWL.key)
        write_table(self.root / "imports" / f"{day}.parquet", CRAWL.check(kept))

    def begin_batch(self) -> str:
        """Name of the days that one `dragon run` takes on; the same again after one that was cut short."""
        path = self._folder() / "unfinished"
        if not path.exists():
            write_atomically(path, secrets.token_hex(8).encode())
        return path.read_text()

    def end_batch(self) -> None:
        (self.root / "unfinished").unlink(missing_ok=True)

    def write_summary(self, summary: dict) -> None:
        write_atomically(self.summary, (json.dumps(summary, ensure_ascii=False, indent=2) + "\n").encode())

    @contextmanager
    def working(self) -> Iterator[None]:
        """Holds the home for one `dragon run`.

        Raises:
            HomeBusy: another one holds it.
        """
        with held(self._folder() / "lock") as owner:
            if owner:
                raise HomeBusy(
                    f"{self.root}: another `dragon run` (process {owner}) is working on this home; wait for it or stop it"
                )
            yield

    def up_lock(self) -> Path:
        """Held by `dragon up` while it lives."""
        return self._folder("dagster") / "up.lock"

    def run_lock(self) -> Path:
        return self._folder() / "lock"

    def _folder(self, name: str = "") -> Path:
        self.root.mkdir(parents=True, exist_ok=True)
        for closed in CLOSED:
            (self.root / closed).mkdir(mode=0o700, exist_ok=True)
        folder = self.root / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder


@contextmanager
def held(path: Path) -> Iterator[str | None]:
    """Takes the lock file and yields None, or yields the process that holds it. A lock dies with its process."""
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            yield lock.read().strip() or "unknown"
            return
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        try:
            yield None
        finally:
            lock.truncate(0)


def write_table(path: Path, frame: pl.DataFrame) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name("." + path.name)
    frame.write_parquet(temporary)
    temporary.replace(path)


def write_atomically(path: Path, data: bytes) -> None:
    """All or nothing.

    Raises:
        OSError: with the path in it, as a full disk does not name one.
    """
    temporary = path.with_name("." + path.name)
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_private(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
