import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.core.errors import HomeBusy
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.core.table import DAY
from dragon_pipeline.home import CLOSED, Home, held


def rows(*texts: str, url: str = "http://a.example/1", day: str = "2025-09-01") -> pl.DataFrame:
    empty = dict.fromkeys(CRAWL.columns) | {"url": url, "outlet": "a", "fetch": 0, "status": "ok", "extractor": "import"}
    return CRAWL.frame([{**empty, "text": text} for text in texts]).with_columns(pl.lit(day).alias(DAY))


def test_an_article_imported_twice_is_there_once(tmp_path: Path):
    home = Home(tmp_path)
    home.put_imports(rows("один"))
    before = (tmp_path / "imports" / "2025-09-01.parquet").read_bytes()
    home.put_imports(rows("один"))
    assert (tmp_path / "imports" / "2025-09-01.parquet").read_bytes() == before


def test_contents_of_one_url_are_numbered_in_the_order_they_came(tmp_path: Path):
    home = Home(tmp_path)
    home.put_imports(rows("один", "два"))
    home.put_imports(rows("три"))
    assert home.imported("2025-09-01").sort("fetch").select("fetch", "text").rows() == [(0, "один"), (1, "два"), (2, "три")]


def test_a_day_without_imports_has_an_empty_table(tmp_path: Path):
    home = Home(tmp_path)
    home.put_imports(rows("один"))
    assert home.imported("2025-09-02").equals(CRAWL.empty())


def test_the_release_key_is_secret_and_drawn_once(tmp_path: Path):
    key = Home(tmp_path).release_key()
    assert len(key) == 32
    assert Home(tmp_path).release_key() == key
    assert (tmp_path / "release.key").stat().st_mode & 0o777 == 0o600
    assert Home(tmp_path / "other").release_key() != key
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["release.key"]


def test_folders_with_gold_in_them_are_for_nobody_else(tmp_path: Path):
    home = Home(tmp_path / "home")
    home.dagster()
    assert {name: (home.root / name).stat().st_mode & 0o777 for name in CLOSED} == dict.fromkeys(CLOSED, 0o700)
    home.tables.chmod(0o750)
    home.release_key()
    assert home.tables.stat().st_mode & 0o777 == 0o750, "whoever opened it wants it open"


def test_the_second_run_is_told_who_holds_the_home(tmp_path: Path):
    hold = (
        "import sys; from pathlib import Path; from dragon_pipeline.home import CLOSED, Home\n"
        "with Home(Path(sys.argv[1])).working(): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout and other.stdout.readline() == "held\n"
        with pytest.raises(HomeBusy, match=str(other.pid)), Home(tmp_path).working():
            pass
        other.kill()
        other.wait()
        with Home(tmp_path).working():
            pass


def test_a_lock_is_free_when_its_holder_is_done(tmp_path: Path):
    with held(tmp_path / "lock") as owner:
        assert owner is None
    with held(tmp_path / "lock") as owner:
        assert owner is None


def test_an_unfinished_batch_keeps_its_name(tmp_path: Path):
    home = Home(tmp_path)
    batch = home.begin_batch()
    assert home.begin_batch() == batch
    home.end_batch()
    assert home.begin_batch() != batch


def test_the_instance_gets_our_configuration_and_keeps_what_was_edited(tmp_path: Path):
    home = Home(tmp_path)
    config = home.dagster() / "dagster.yaml"
    assert "dragon/lane" in config.read_text()
    config.write_text("telemetry: {enabled: false}\n")
    assert (home.dagster() / "dagster.yaml").read_text() == "telemetry: {enabled: false}\n"


def test_a_summary_is_readable_json(tmp_path: Path):
    Home(tmp_path).write_summary({"days": ["2025-09-01"], "rejected": {"причина": 1}})
    assert json.loads((tmp_path / "summary.json").read_text("utf-8"))["rejected"] == {"причина": 1}
    assert "причина" in (tmp_path / "summary.json").read_text("utf-8")


def test_what_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path):
    (tmp_path / "reports" / "2025-09-01.html").mkdir(parents=True)
    with pytest.raises(OSError, match=r"2025-09-01\.html"):
        Home(tmp_path).write_report("2025-09-01", b"one")
    assert [file.name for file in (tmp_path / "reports").iterdir()] == ["2025-09-01.html"]


def test_a_report_replaces_the_one_before_and_leaves_nothing_else(tmp_path: Path):
    home = Home(tmp_path)
    home.write_report("2025-09-01", b"one")
    path = home.write_report("2025-09-01", b"two")
    assert path == tmp_path / "reports" / "2025-09-01.html"
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == {"2025-09-01.html": b"two"}
