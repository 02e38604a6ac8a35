"""What goes wrong around a run: a full disk, a newsroom that dies, signals, holes. The next run ends as if nothing had been."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.demo.newsroom import Newsroom

DRAGON = [sys.executable, "-c", "from dragon_pipeline.cli import main; main()"]
DAY = "2025-09-01"
OUTLETS = "severny-kurier, delovaya-volna, motor-city, afisha-kvartal"
pytestmark = pytest.mark.slow


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return demo_home(tmp_path / "home")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = demo_home(tmp_path_factory.mktemp("homes") / "undisturbed")
    told = run(home)
    assert told.returncode == 0, told.stderr
    return home


def demo_home(folder: Path) -> Path:
    """A demo home with a known key, so that two of them give the same bytes."""
    folder.mkdir()
    (folder / "dragon.yaml").write_text(
        f"first_day: {DAY}\n"
        f"newsroom: {{gateway: demo, delay: 0, lost_share: 0, outlets: [{OUTLETS}]}}\n"
        "evaluation: {baselines: [bm25]}\n"
    )
    (folder / "release.key").write_bytes(b"k" * 32)
    return folder


def command(home: Path, *words: str) -> list[str]:
    return [*DRAGON, *(words or ("run", "--day", DAY)), "--home", str(home)]


def environment(newsroom: Newsroom | None) -> dict[str, str]:
    gateway = {"DRAGON_NEWSROOM__GATEWAY": newsroom.address, "DRAGON_NEWSROOM__GATEWAY_SHOWS_DAYS": "true"} if newsroom else {}
    return {name: value for name, value in os.environ.items() if not name.startswith("DRAGON_")} | gateway


def run(
    home: Path, *words: str, newsroom: Newsroom | None = None, within: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(home, *words), capture_output=True, text=True, env=environment(newsroom), preexec_fn=within, check=False
    )


def content(home: Path) -> dict[str, bytes]:
    parts = (path for part in ("tables", "hub") for path in sorted((home / part).rglob("*")))
    return {str(path.relative_to(home)): path.read_bytes() for path in parts if path.is_file()}


def assert_failed(told: subprocess.CompletedProcess[str], *words: str) -> None:
    assert told.returncode == 1, told.stderr
    assert "Traceback" not in told.stderr
    for word in words:
        assert word in told.stderr


def assert_ends_like(undisturbed: Path, home: Path) -> None:
    told = run(home)
    assert told.returncode == 0, told.stderr
    assert content(home) == content(undisturbed)


@pytest.mark.parametrize("kib", [40, 240])
def test_where_no_file_may_grow_on_the_day_is_gone_on_with_later(undisturbed: Path, home: Path, kib: int):
    told = run(home, within=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (kib * 1024, kib * 1024)))
    assert_failed(told, str(home), "make room at")
    assert_ends_like(undisturbed, home)


@pytest.mark.parametrize(("part", "size"), [("raw", "20k"), ("tables", "80k"), ("hub", "40k"), ("cache", "16k"), ("", "1100k")])
def test_a_full_disk_is_named_and_the_day_is_gone_on_with_when_there_is_room(
    undisturbed: Path, tmp_path: Path, part: str, size: str
):
    home = tmp_path / "home"
    if not part:
        home.mkdir()
        with small_disk(home, size) as grow:
            for path in undisturbed.glob("*.*"):
                if path.name in {"dragon.yaml", "release.key"}:
                    (home / path.name).write_bytes(path.read_bytes())
            assert_failed(run(home), f"make room at {home}")
            grow()
            assert_ends_like(undisturbed, home)
        return
    demo_home(home)
    (home / part).mkdir()
    with small_disk(home / part, size) as grow:
        assert_failed(run(home), f"make room at {home / part}")
        grow()
        assert_ends_like(undisturbed, home)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Callable[[], None]]:
    """A file system of this size; what it gives makes it large. Skips where nothing may be mounted."""
    told = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, text=True)
    if told.returncode:
        pytest.skip(f"needs the right to mount a small file system: {told.stderr.strip()}")
    try:
        yield lambda: subprocess.run(["mount", "-o", "remount,size=100m", str(folder)], check=True) and None
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("requests", [14, 20])
def test_a_newsroom_that_dies_in_mid_crawl_stops_the_day(undisturbed: Path, home: Path, requests: int):
    with Newsroom() as newsroom:
        newsroom.dies_after = requests
        told = run(home, newsroom=newsroom)
    assert_failed(told, "pages were lost to the network", "once the sites answer, run the day again")
    assert_ends_like(undisturbed, home)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_crawl_and_says_so(undisturbed: Path, home: Path, number: signal.Signals):
    with Newsroom() as newsroom:
        newsroom.hanging.add("motor-city.example")
        with started(home, newsroom) as process:
            while len(newsroom.requests) < 12:
                time.sleep(0.05)
            process.send_signal(number)
            assert process.stderr is not None
            told = process.stderr.read()
    assert process.returncode == 1
    assert "crawl: stopped by a signal\nrun it again to go on from there" in told
    assert_ends_like(undisturbed, home)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_step_and_the_steps_before_are_kept(undisturbed: Path, home: Path, number: signal.Signals):
    with started(home, None) as process:
        assert process.stderr is not None
        next(line for line in process.stderr if line.startswith(f"{DAY}  mentions"))
        process.send_signal(number)
        told = process.stderr.read()
    assert process.returncode == 1
    assert "stopped by a signal\nrun it again to go on from there" in told
    assert "steps are done already" in run(home).stderr
    assert content(home) == content(undisturbed)


@contextmanager
def started(home: Path, newsroom: Newsroom | None) -> Iterator[subprocess.Popen[str]]:
    """A run that can be interrupted even where this suite itself runs in a shell's background, which ignores SIGINT."""
    with subprocess.Popen(
        command(home),
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=environment(newsroom),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    ) as process:
        yield process


def test_a_hole_is_refused_until_it_is_skipped_and_an_older_day_is_not_published(home: Path):
    assert run(home, "run", "--day", "2025-09-02").returncode == 0
    assert_failed(run(home, "run", "--day", "2025-09-04"), "2025-09-03 is missing", "dragon skip --day 2025-09-03")
    assert run(home, "skip", "--day", "2025-09-03", "--because", "the crawler was off").returncode == 0
    assert run(home, "run", "--day", "2025-09-04").returncode == 0
    assert_failed(run(home, "skip", "--day", "2025-09-04", "--because", "no reason"), "a published day cannot be skipped")
    told = run(home, "run", "--day", "2025-09-01")
    assert told.returncode == 3
    assert "2025-09-04 is published already; set release.publish_past" in told.stderr
    outcomes = {day: pl.read_parquet(home / "tables" / "revision" / f"2025-09-0{day}.parquet")["outcome"][0] for day in "1234"}
    assert outcomes == {"1": "past", "2": "published", "3": "skipped", "4": "published"}
    assert pl.read_parquet(home / "tables" / "funnel" / "2025-09-03.parquet").is_empty()
    assert [page.stem[-1] for page in sorted((home / "reports").iterdir())] == ["1", "2", "4"]
    assert run(home, "skip", "--day", "2025-09-01", "--because", "too old").returncode == 0
    assert [page.stem[-1] for page in sorted((home / "reports").iterdir())] == ["2", "4"], "nothing is told of a skipped day"


def test_a_day_without_articles_publishes_nothing_and_says_why(tmp_path: Path):
    home = tmp_path / "home"
    told = run(home, "run", "--day", "2025-09-01")
    assert told.returncode == 3
    assert "nothing to publish: 2025-09-01: " in told.stderr
    assert pl.read_parquet(home / "tables" / "revision" / "2025-09-01.parquet")["outcome"].to_list() == ["empty"]


def test_good_rows_of_a_bad_file_are_used(tmp_path: Path):
    text = "Завод «Заря» в Костроме выпустил первый трактор. Директор завода Анна Седова открыла новый цех в Твери. " * 8
    rows = "".join(f'{{"url": "https://a.example/{n}", "title": "Завод {n}", "text": "{n} {text}"}}\n' for n in range(3))
    file = tmp_path / "news.jsonl"
    file.write_text(f'{rows}<html>\n{{"url": "https://a.example/9", "title": "Без текста"}}\n')
    told = run(tmp_path / "home", "run", "--day", DAY, "--articles", str(file))
    assert told.returncode in {0, 3}, told.stderr
    assert f"{file}: 3 articles, 3 of the days asked for" in told.stderr
    assert f"{file}: 2 rows left out, 0 dates unreadable; the first is line 4: not_json" in told.stderr
    bad = tmp_path / "home" / "imports" / "bad.parquet"
    assert f"all of them are in {bad}" in told.stderr
    assert pl.read_parquet(bad).select("line", "reason").rows() == [(4, "not_json"), (5, "no_text")]
    assert pl.read_parquet(tmp_path / "home" / "tables" / "articles" / f"{DAY}.parquet").height > 0
