"""`dragon release …` on a home with three versions, each command in a process of its own."""

import json
import shutil
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from upath import UPath

import rag_bench
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.records import ACCEPTED, ARTICLES
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline.core.table import DAY
from dragon_pipeline.defs.tables import Tables
from dragon_pipeline.home import Home
from dragon_pipeline_tests.core.release.small_day import PAGES, QUESTIONS, Day, article, verdicts_of
from dragon_pipeline_tests.test_cli import dragon

DAYS = ["2024-05-02", "2024-05-03", "2024-05-04"]
EARLIER = "2024-05-01"
pytestmark = pytest.mark.slow  # some thirty commands, each in a process of its own


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = Home(tmp_path_factory.mktemp("release") / "home")
    home.root.mkdir()
    home.settings_file.write_text(
        "first_day: 2024-05-01\nrelease: {min_questions: 2}\nscreens: {required: [grammar]}\nwindow_days: 30\n"
    )
    articles = pl.DataFrame([article(page) for page in range(len(PAGES))], schema={**ARTICLES.schema, DAY: pl.String()})
    tables, accepted = Tables(UPath(home.tables)), ACCEPTED.frame(QUESTIONS)
    for day in (EARLIER, *DAYS):
        tables.write(dg.AssetKey("articles"), day, articles.filter(pl.col(DAY) == day).drop(DAY))
        tables.write(dg.AssetKey("accepted"), day, accepted)
        tables.write(dg.AssetKey("verdicts"), day, verdicts_of(accepted))
    hub = FolderHub(home.hub, "dragon")
    for number, day in enumerate(DAYS):
        files = ReleaseFiles(UPath(home.tables) / "release" / "files")
        some = accepted.head(4 - number // 2)
        release = Day(some, articles, verdicts_of(some), day, key=home.release_key(), files=files).build()
        publish(release, None, day, hub, files, ReleaseSettings(min_questions=2))
    return home.root


@pytest.fixture
def home(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "home", symlinks=True))


def told(home: Path, *words: str, code: int = 0) -> str:
    done = dragon("release", *words, home=home)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return " ".join((done.stderr if code else done.stdout).split())


def listed(home: Path, *words: str) -> dict[str, dict]:
    return {one["version"]: one for one in json.loads(dragon("release", "list", "--json", *words, home=home).stdout)}


@pytest.mark.slow
def test_versions_are_listed_and_verified(made):
    found = listed(made)
    assert list(found) == ["1.0.0", "1.1.0", "1.2.0"]
    assert found["1.2.0"] == {
        "version": "1.2.0", "day": "2024-05-04", "questions": 3, "texts": 5, "ranking": False, "withdrawn": None, "open": False,
    }  # fmt: skip
    assert "version day questions texts for ranking open withdrawn 1.0.0 2024-05-02 4 5 no no" in told(made, "list")
    assert "1.0.0, 1.1.0, 1.2.0: whole" in told(made, "verify")


def test_a_home_without_a_version_says_so_instead_of_an_empty_table(tmp_path):
    done = dragon("release", "list", home=tmp_path / "none")
    assert (done.returncode, done.stdout) == (0, "")
    assert f"{tmp_path / 'none' / 'hub'}: no version is published yet" in done.stderr
    assert listed(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["diff", "1.0.0"], 2, "AFTER"),
        (["diff", "1.0.0", "1.9.0"], 1, "version 1.9.0 is not on the hub; there are 1.0.0, 1.1.0, 1.2.0"),
        (["yank", "1.0.0"], 2, "--because"),
        (["yank", "1.0.0", "--because", "The answer Олег Дымов is wrong"], 1, "must not say what is private"),
        (["open"], 2, "VERSION..."),
        (["open", "1.2.0"], 1, "1.2.0 is the newest and in use"),
        (["sandbox", "--day", "yesterday"], 2, "--day"),
        (["sandbox", "--day", "2024-05-03"], 1, "2024-05-03 is version 1.1.0, which is not open"),
        (["sandbox", "--day", "2024-04-01"], 1, "2024-04-01 was not run"),
        (["verify", "--sandbox"], 1, "no version of a sandbox is published yet; run `dragon release sandbox`"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else None,
)
def test_what_cannot_be_done_is_said_and_nothing_changes(made, words, code, message):
    assert message in told(made, *words, code=code)
    assert sorted(path.name for path in (made / "hub" / "dragon").iterdir() if path.is_dir()) == [
        "private_qa", "private_texts", "public_questions", "public_texts",
    ]  # fmt: skip
    assert not list((made / "hub").rglob("withdrawn.json"))


@pytest.mark.slow
def test_the_difference_of_two_versions_is_told_for_people_and_machines(made):
    found = json.loads(dragon("release", "diff", "1.1.0", "1.2.0", "--json", home=made).stdout)
    assert found["questions"]["all"] == [4, 3]
    assert found["told"]["day"] == ["2024-05-03", "2024-05-04"]
    assert found["texts_added"] == []
    said = told(made, "diff", "1.1.0", "1.2.0")
    assert "texts added: 0" in said
    assert "all 4 3 -1" in said
    assert "asked in the same words in both: 3" in said
    assert "day 2024-05-03 2024-05-04" in said
    assert told(made, "diff", "1.0.0", "1.0.0") == "1.0.0 and 1.0.0: the same texts and questions, made by the same"


@pytest.mark.slow
def test_a_withdrawn_version_is_marked_and_the_one_before_is_the_newest(home):
    assert "1.2.0 is withdrawn: texts were cut short" in told(home, "yank", "1.2.0", "--because", "texts were  cut short")
    found = listed(home)
    assert {version: one["withdrawn"] for version, one in found.items()} == {
        "1.0.0": None, "1.1.0": None, "1.2.0": "texts were cut short",
    }  # fmt: skip
    assert '"version": "1.1.0"' in told(home, "show")
    assert "1.0.0, 1.1.0, 1.2.0: whole" in told(home, "verify"), "nothing is gone"


@pytest.mark.slow
def test_an_open_version_is_readable_by_everybody_and_may_be_a_sandbox(home):
    assert "1.0.0: open to everybody in opened_texts and opened_qa" in told(home, "open", "1.0.0")
    assert {version: one["open"] for version, one in listed(home).items()} == {"1.0.0": True, "1.1.0": False, "1.2.0": False}
    for dataset in ("opened_texts", "opened_qa"):
        assert (home / "hub" / "dragon" / dataset).stat().st_mode & 0o005 == 0o005
    assert "sandbox 1.0.0: 2024-05-02, published" in told(home, "sandbox")
    assert "sandbox 1.0.0: 2024-05-02, unchanged" in told(home, "sandbox", "--day", "2024-05-02")
    assert listed(home, "--sandbox")["1.0.0"]["open"] is True
    assert "1.0.0: whole" in told(home, "verify", "--sandbox")
    assert list(listed(home)) == ["1.0.0", "1.1.0", "1.2.0"]
    for options in ({"version": "opened"}, {"sandbox": True}):
        release = rag_bench.load(source=home / "hub", **options)
        assert release.version == "1.0.0"
        assert release.gold is not None
        assert len(release.gold.private_qa) == 4


def test_a_sandbox_with_too_few_questions_is_nothing_to_publish(home):
    settings = home / "dragon.yaml"
    settings.write_text(settings.read_text().replace("min_questions: 2", "min_questions: 5"))
    assert "nothing to publish" in told(home, "sandbox", "--day", EARLIER, code=3)
