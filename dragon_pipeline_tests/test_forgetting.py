"""`dragon forget` on a home that has run and published: nothing of it is left, it does not come back, and nothing else goes."""

import gzip
import io
import json
import re
import shutil
import signal
import subprocess
import time
from hashlib import sha256
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline_tests.test_interruptions import command, demo_home, environment, run

pytestmark = pytest.mark.slow
URL = "https://motor-city.example/news/perm-tramvai-chajka-01-09-2025.htm"
OF_PAGE = ("perm-tramvai-chajka-01-09-2025", "Вагоны построит компания «Невский вагон»")
NAME, OF_NAME = "Лугова Вероника", ("Лугов", "lugova")
DAY = "2025-09-01"


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = demo_home(tmp_path_factory.mktemp("homes") / "ran")
    told = run(home)
    assert told.returncode == 0, told.stderr
    return home


@pytest.fixture
def home(ran: Path, tmp_path: Path) -> Path:
    return shutil.copytree(ran, tmp_path / "home", symlinks=True)


def forget(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(home, "forget", *words)


def readings(path: Path) -> list[str]:
    """Everything that can be read in a file: cells of tables, compressed or not, in both encodings, with escapes undone."""
    data = path.read_bytes()
    data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
    if data.startswith(b"PAR1"):
        return ["\n".join(map(str, column.to_list())) for column in pl.read_parquet(io.BytesIO(data))]
    texts = [data.decode(encoding, "replace") for encoding in ("utf-8", "cp1251")]
    return texts + [re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text) for text in texts]


def holders(home: Path, *words: str) -> list[str]:
    """Files of the home, what is published apart, in which any of the words can be read."""
    files = [path for path in home.rglob("*") if path.is_file() and path.relative_to(home).parts[0] != "hub"]
    return [str(path.relative_to(home)) for path in files if any(word in text for text in readings(path) for word in words)]


def table(home: Path, name: str, day: str = DAY) -> pl.DataFrame:
    return pl.read_parquet(home / "tables" / name / f"{day}.parquet")


def is_linking_page(name: str) -> bool:
    """Raw pages of other articles stay as they were fetched, links and all."""
    return name.startswith("raw/")


def content(home: Path) -> dict[str, bytes]:
    kept = ("tables", "raw", "reports", "imports", "cache")
    return {
        str(path.relative_to(home)): path.read_bytes() for part in kept for path in (home / part).rglob("*") if path.is_file()
    }


def test_nothing_of_a_forgotten_page_is_left_and_nothing_of_it_comes_back(ran: Path, home: Path):
    assert holders(home, *OF_PAGE), "else this test shows nothing"
    told = forget(home, URL, "--yes", "--because", "a letter")
    assert told.returncode == 0, told.stderr
    left = holders(home, *OF_PAGE)
    assert all(map(is_linking_page, left)), left
    assert not holders(home, OF_PAGE[1])
    assert "dragon release yank 1.0.0" in told.stderr
    assert table(home, "crawl/motor-city").filter(reason="forgotten").height == 1
    again = run(home)
    assert again.returncode == 0, again.stderr
    assert all(map(is_linking_page, holders(home, *OF_PAGE)))
    assert not holders(home, OF_PAGE[1])
    texts = newest_texts(home)
    assert texts.height > 0
    assert not texts["url"].str.contains(OF_PAGE[0]).any()


def test_nothing_of_a_forgotten_person_is_left_and_others_stay(ran: Path, home: Path):
    assert holders(home, *OF_NAME)
    others = table(home, "articles").filter(~pl.col("text").str.contains("Лугов"))
    told = forget(home, NAME, "--yes")
    assert told.returncode == 0, told.stderr
    assert holders(home, *OF_NAME) == []
    assert table(home, "articles").equals(others)
    again = run(home)
    assert again.returncode == 0, again.stderr
    assert holders(home, *OF_NAME) == []
    assert table(home, "articles").equals(others)
    assert not any("Лугов" in text for column in newest_texts(home).select(pl.col(pl.String)) for text in column.drop_nulls())


def newest_texts(home: Path) -> pl.DataFrame:
    """Of the version that the last run published."""
    tags = home / "hub" / "dragon" / "public_texts" / "tags"
    newest = max(tags.iterdir(), key=lambda path: int(path.name.split(".")[1]))
    return pl.concat([pl.read_parquet(path) for path in sorted(newest.rglob("*.parquet"))])


def test_questions_go_with_their_gold_and_everything_that_was_made_of_it(ran: Path, home: Path):
    gone = table(ran, "articles").filter(url=URL)["article_id"].to_list()
    questions = table(ran, "qa").filter(pl.col("article_ids").list.contains(gone[0]))["qa_id"]
    assert len(questions) > 0
    assert forget(home, URL, "--yes").returncode == 0
    for name in ("articles", "mentions", "triplets", "candidates", "facts", "stories"):
        before, after = table(ran, name), table(home, name)
        assert 0 < after.height <= before.height
        assert not after["article_id"].is_in(gone).any()
        if name != "candidates":
            assert after.height == before.filter(~pl.col("article_id").is_in(gone)).height, name
    for name in ("subgraphs", "qa", "verdicts", "accepted", "rejected"):
        assert table(home, name).height == table(ran, name).filter(~pl.col("qa_id").is_in(questions)).height, name
    assert table(home, "release").is_empty()
    assert table(home, "answers/bm25").is_empty()


def test_vectors_of_its_sentences_go(ran: Path, home: Path):
    article = table(ran, "articles").filter(url=URL).to_dicts()[0]
    said = table(ran, "triplets").filter(article_id=article["article_id"], status="kept").to_dicts()
    texts = {f"{row[end]}. {article['text'][row['start'] : row['stop']]}" for row in said for end in ("head", "tail")}
    digests = {sha256(text.encode()).digest() for text in texts}
    assert digests & vectors(ran)
    assert forget(home, URL, "--yes").returncode == 0
    assert not digests & vectors(home)
    assert vectors(home) < vectors(ran)


def vectors(home: Path) -> set[bytes]:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(home / "cache" / "embeddings.sqlite")) as cache:
        return {digest for (digest,) in cache.execute("SELECT digest FROM vectors")}


def test_the_log_and_the_list_do_not_name_what_was_forgotten(home: Path):
    assert forget(home, URL, "--yes").returncode == 0
    assert forget(home, NAME, "--yes").returncode == 0
    for name in ("forgotten.json", "forgotten.jsonl"):
        text = (home / name).read_text("utf-8").lower()
        assert not any(word in text for word in ("motor", "chajka", "perm", "лугов", "вероник", "example"))
    notes = [json.loads(line) for line in (home / "forgotten.jsonl").read_text("utf-8").splitlines()]
    assert [(note["kind"], note["state"]) for note in notes] == [
        ("url", "begun"),
        ("url", "done"),
        ("name", "begun"),
        ("name", "done"),
    ]
    assert notes[1]["counts"]["articles"] == 1
    assert notes[1]["published"] == ["1.0.0"]


def test_without_yes_or_with_dry_run_nothing_is_done(ran: Path, home: Path):
    told = forget(home, URL)
    assert (told.returncode, told.stderr) == (1, "error: nothing was done; say --yes to do it\n")
    assert "1 pages in 1 versions" in told.stdout
    assert forget(home, NAME, "--dry-run").returncode == 0
    assert content(home) == content(ran)
    assert not (home / "forgotten.json").exists()


@pytest.mark.parametrize("what", ["Никифор Безвестный", "https://nowhere.example/page"])
def test_what_is_not_here_is_kept_out_from_now_on_and_nothing_goes(ran: Path, home: Path, what: str):
    told = forget(home, what, "--yes")
    assert told.returncode == 0, told.stderr
    assert "nothing in this home is of that" in told.stdout
    assert content(home) == content(ran)
    assert (home / "forgotten.json").exists()


@pytest.mark.parametrize(
    "what", ["", "Лугова", "https://motor-city.example/", "http://[", "a" * 5000, "'; DROP TABLE kept; --", "\x1b[2J"]
)
def test_what_is_neither_page_nor_person_is_refused(ran: Path, home: Path, what: str):
    told = forget(home, what, "--yes")
    assert told.returncode == 1
    assert told.stderr.startswith("error: ")
    assert "Traceback" not in told.stderr
    assert content(home) == content(ran)


def test_a_reason_that_names_it_is_refused(home: Path):
    told = forget(home, NAME, "--yes", "--because", "так просит Вероника Лугова")
    assert told.returncode == 1
    assert "names what is to be forgotten" in told.stderr
    assert not (home / "forgotten.jsonl").exists()


@pytest.mark.parametrize("changed", ["release", "facts", "articles"])
def test_killed_anywhere_it_is_finished_by_the_next(home: Path, changed: str):
    path = home / "tables" / changed / f"{DAY}.parquet"
    before = path.stat().st_mtime_ns
    with subprocess.Popen(
        command(home, "forget", URL, "--yes"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment(None)
    ) as process:
        while process.poll() is None and path.stat().st_mtime_ns == before:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
    assert path.stat().st_mtime_ns != before
    assert holders(home, *OF_PAGE), "it was killed too late to show anything"
    told = forget(home, URL, "--yes")
    assert told.returncode == 0, told.stderr
    assert "a `dragon forget` was cut short" in told.stderr
    assert all(map(is_linking_page, holders(home, *OF_PAGE)))
    assert not holders(home, OF_PAGE[1])


def test_an_import_does_not_bring_it_back(tmp_path: Path):
    text = "Мастерскую в Костроме открыла Глафира Зимородкова. Подмастерье из Твери расписал ей лавку и три стола. " * 5
    file, home = tmp_path / "news.jsonl", tmp_path / "home"
    rows = [("https://a.example/1", text), ("https://a.example/2", text.replace("Глафира Зимородкова", "артель «Заря»"))]
    file.write_text("".join(json.dumps({"url": url, "title": "Мастерская", "text": said}) + "\n" for url, said in rows))
    run(home, "run", "--day", DAY, "--articles", str(file))
    assert holders(home, "Зимородков")
    told = forget(home, "Зимородкова Глафира", "--yes")
    assert told.returncode == 0, told.stderr
    assert holders(home, "Зимородков", "a.example/1") == []
    told = run(home, "run", "--day", DAY, "--articles", str(file))
    assert "1 article left out, which are to stay forgotten" in told.stderr
    assert holders(home, "Зимородков", "a.example/1") == []
    assert holders(home, "a.example/2")


def test_another_release_key_is_told_before_anything_comes_back(home: Path):
    assert forget(home, URL, "--yes").returncode == 0
    (home / "release.key").write_bytes(b"o" * 32)
    told = run(home)
    assert told.returncode == 1
    assert "restore that key" in told.stderr
