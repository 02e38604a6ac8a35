"""The command as a person meets it: in a process of its own."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.home import Home

DRAGON = [sys.executable, "-c", "from dragon_pipeline.cli import main; main()"]
QUESTION = re.compile(r'<h4 lang="ru"><bdi>(.+)</bdi></h4>')
DAYS = ["run", "--day", "2025-09-01", "--until", "2025-09-02"]


def dragon(*words: str, home: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*DRAGON, *words, "--home", str(home)], capture_output=True, text=True, env=environment(settings))


def environment(settings: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("DRAGON_")} | settings


def demo_home(folder: Path) -> Path:
    """A demo home with a known key, so that two of them give the same bytes."""
    folder.mkdir()
    (folder / "dragon.yaml").write_text(
        "first_day: 2025-09-01\n"
        "newsroom: {gateway: demo, delay: 0, outlets: [severny-kurier, delovaya-volna, motor-city, afisha-kvartal]}\n"
        "evaluation: {baselines: [bm25]}\n"
    )
    (folder / "release.key").write_bytes(b"k" * 32)
    return folder


def content(home: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(home)): path.read_bytes()
        for part in ("tables", "hub", "reports")
        for path in sorted((home / part).rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    "words",
    [
        ["run"],
        ["run", "--day", "yesterday"],
        ["run", "--day", "2025-09-02", "--until", "2025-09-01"],
        ["demo", "--days", "0"],
        ["explain"],
        ["diff"],
        ["nonsense"],
    ],
)
def test_wrong_use_is_exit_code_2(tmp_path: Path, words: list[str]):
    told = dragon(*words, home=tmp_path)
    assert told.returncode == 2
    assert "Usage" in told.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["run", "--day", "2025-09-01", "--articles", "no-such.jsonl"], "no-such.jsonl does not exist"),
        (["run", "--day", "2020-01-01"], "first_day"),
        (["run", "--day", "2999-01-01"], "not over yet"),
        (["explain", "0123456789abcdef"], "accepted or rejected"),
        (["diff", "--day", "2025-09-01"], "no ledger of this day; run it first"),
        (["release", "show", "1.0.0"], "no version is published yet"),
        (["release", "verify"], "no version is published yet"),
        (["evaluate", "no-such.json"], "no version is published yet"),
    ],
)
def test_a_failure_is_said_without_a_traceback(tmp_path: Path, words: list[str], message: str):
    told = dragon(*words, home=tmp_path)
    assert told.returncode == 1
    assert message in told.stderr
    assert "Traceback" not in told.stderr


def test_a_file_without_a_usable_row_leaves_a_table_of_them(tmp_path: Path):
    (tmp_path / "news.jsonl").write_text('not json\n{"url": "https://a.example/1", "title": "Без текста"}\n')
    told = dragon("run", "--day", "2025-09-01", "--articles", str(tmp_path / "news.jsonl"), home=tmp_path)
    assert told.returncode == 1
    assert "news.jsonl, line 1: not_json" in told.stderr
    assert f"Each row with its reason: {tmp_path}/imports/bad.parquet" in told.stderr
    bad = pl.read_parquet(tmp_path / "imports" / "bad.parquet")
    assert bad.select("line", "reason").rows() == [(1, "not_json"), (2, "no_text")]


def test_a_broken_database_of_runs_is_said_without_a_traceback(tmp_path: Path):
    runs = tmp_path / "dagster" / "history" / "runs.db"
    runs.parent.mkdir(parents=True)
    runs.write_bytes(b"no database" * 1000)
    told = dragon("run", "--day", "2025-09-01", home=tmp_path)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert f"{tmp_path}/dagster: the records of runs: file is not a database" in told.stderr


@pytest.mark.parametrize("text", ["storage: [", "storage: {sqlit: {}}"])
def test_a_broken_dagster_yaml_is_named(tmp_path: Path, text: str):
    (tmp_path / "dagster").mkdir()
    (tmp_path / "dagster" / "dagster.yaml").write_text(text)
    told = dragon("run", "--day", "2025-09-01", home=tmp_path)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert f"error: {tmp_path}/dagster/dagster.yaml: " in told.stderr


def test_a_wrong_setting_is_named(tmp_path: Path):
    told = dragon("doctor", home=tmp_path, DRAGON_RELEASE__MIN_QUESTIONS="none")
    assert told.returncode == 1
    assert "release.min_questions" in told.stderr


def test_the_home_of_something_else_is_no_demo_home(tmp_path: Path):
    (tmp_path / "dragon.yaml").write_text("seed: 3\n")
    told = dragon("demo", home=tmp_path)
    assert told.returncode == 1
    assert "not a demo home" in told.stderr


def test_a_second_run_on_a_home_says_who_is_there(tmp_path: Path):
    with Home(tmp_path).working():
        told = dragon("run", "--day", "2025-09-01", home=tmp_path)
    assert told.returncode == 1
    assert f"process {os.getpid()}" in told.stderr


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = demo_home(tmp_path_factory.mktemp("homes") / "undisturbed")
    told = dragon(*DAYS, home=home)
    assert told.returncode == 0, told.stderr
    return home


@pytest.mark.slow
def test_a_run_leaves_a_summary(undisturbed: Path):
    told = json.loads((undisturbed / "summary.json").read_text("utf-8"))
    assert told["days"] == ["2025-09-01", "2025-09-02"]
    assert told["versions"] == ["1.0.0", "1.1.0"]
    assert told["screens"]["closed_book"] == "ran", "it guesses without a model"
    assert told["screens"]["judge_context_necessity"] == "not_run"
    assert 0 < told["scores"]["bm25"]["Hit@5"] <= 1
    assert set(told["seconds"]) == {"corpus", "knowledge", "questions", "screening", "release", "evaluation"}
    assert told["articles"] > 0 and told["facts"]["novel"] > 0 and told["facts"]["known"] > 0
    assert set(told["accepted"]) <= {"simple", "set", "multi_hop", "conditional", "comparison"}


@pytest.mark.slow
def test_a_hub_that_is_lost_is_published_again_by_its_days_and_a_day_that_comes_first_says_so(
    undisturbed: Path, tmp_path: Path
):
    home = Path(shutil.copytree(undisturbed, tmp_path / "home", symlinks=True))
    shutil.rmtree(home / "hub")
    told = dragon("run", "--day", "2025-09-02", home=home)
    assert "2025-09-02: the hub does not hold 1.0.0 of 2025-09-01, which earlier days published" in told.stderr
    shutil.rmtree(home / "hub")
    assert dragon(*DAYS, home=home).returncode == 0
    for version in ("1.0.0", "1.1.0"):
        before, after = (
            {path.relative_to(hub): path.read_bytes() for path in hub.glob(f"*/tags/{version}/data/*")}
            for hub in (undisturbed / "hub" / "dragon", home / "hub" / "dragon")
        )
        assert before == after and len(before) == 4


@pytest.mark.slow
def test_a_run_leaves_a_report_of_each_day(undisturbed: Path):
    pages = {path.name: path.read_text("utf-8") for path in (undisturbed / "reports").iterdir()}
    assert set(pages) == {"2025-09-01.html", "2025-09-02.html"}
    funnel = pl.read_parquet(undisturbed / "tables" / "funnel" / "2025-09-02.parquet")
    accepted = pl.read_parquet(undisturbed / "tables" / "accepted" / "2025-09-02.parquet")
    assert funnel.filter(stage="accepted", type="all")["rows_out"].to_list() == [accepted.height]
    assert accepted.filter(rank=1)["question"].is_in(list(QUESTION.findall(pages["2025-09-02.html"]))).all()


@pytest.mark.slow
def test_what_an_edit_changed_is_told(undisturbed: Path):
    told = dragon("diff", "--day", "2025-09-02", "--json", home=undisturbed)
    assert told.returncode == 0, told.stderr
    diff = json.loads(told.stdout)
    articles = pl.read_parquet(undisturbed / "tables" / "articles" / "2025-09-02.parquet")
    for kind in ("new", "changed"):
        assert sorted(page["url"] for page in diff[kind]) == sorted(articles.filter(change=kind)["url"])
    edited = next(page for page in diff["changed"] if page["outlet"] == "motor-city")
    assert edited["url"].endswith("ladoga-avgust-01-09-2025.htm") and edited["before"] == "2025-09-01"
    assert (edited["numbers_removed"], edited["numbers_added"]) == (["26"], ["24"])
    assert 0.9 < edited["kept"] < 1 and diff["vanished"] == []


@pytest.mark.slow
def test_one_outlet_s_difference_is_a_table(undisturbed: Path):
    told = dragon("diff", "--day", "2025-09-02", "--outlet", "motor-city", home=undisturbed)
    assert told.returncode == 0, told.stderr
    assert "ladoga-avgust" in told.stdout and "delovaya-volna" not in told.stdout
    other = dragon("diff", "--day", "2025-09-02", "--outlet", "lenta", home=undisturbed)
    assert (other.returncode, other.stdout) == (1, "")
    assert "--outlet lenta: 2025-09-02 has afisha-kvartal, delovaya-volna, motor-city, severny-kurier" in other.stderr


@pytest.mark.slow
@pytest.mark.parametrize("step", ["crawl", "mentions", "release", "revision"])
def test_a_killed_run_goes_on_to_the_same_bytes(undisturbed: Path, tmp_path: Path, step: str):
    home = demo_home(tmp_path / "killed")
    kill_after(home, f"2025-09-02  {step}")
    told = dragon(*DAYS, home=home)
    assert told.returncode == 0, told.stderr
    assert "was killed" in told.stderr
    assert "2025-09-01  crawl" not in told.stderr, "a day that was done is not run again"
    assert content(home) == content(undisturbed)


def kill_after(home: Path, line: str) -> None:
    """Kills a run of DAYS as soon as it has told this, at once or a moment into the next step."""
    run = [*DRAGON, *DAYS, "--home", str(home)]
    with subprocess.Popen(run, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment({})) as process:
        assert process.stderr is not None
        for told in process.stderr:
            if told.startswith(line):
                break
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)


@pytest.mark.slow
def test_run_again_it_publishes_nothing_new(undisturbed: Path):
    hub = {path: data for path, data in content(undisturbed).items() if path.startswith("hub/")}
    told = dragon(*DAYS, home=undisturbed)
    assert told.returncode == 0, told.stderr
    assert {path: data for path, data in content(undisturbed).items() if path.startswith("hub/")} == hub
    assert "1.0.0, 1.1.0" in told.stdout
    assert f"what became of each day: {undisturbed}/reports" in told.stdout
