"""`dragon annotate export`, `dragon agreement` and the way from one to the other, as a user meets them."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from dragon_pipeline.core.records import ARTICLES, QA, VERDICTS
from dragon_pipeline.core.screening.judge import CRITERIA
from dragon_pipeline.core.table import Table

DRAGON = [sys.executable, "-c", "from dragon_pipeline.cli import main; main()"]
DAYS = ("2025-09-01", "2025-09-02")
TYPES = ("simple", "set", "multi_hop")
HOSTILE = "=HYPERLINK(1) <script>alert(1)</script> & $answer"


def dragon(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRAGON_")}
    return subprocess.run([*DRAGON, *map(str, words)], capture_output=True, text=True, env=environment, cwd=folder)


def blank(table: Table, **values: object) -> dict:
    empty = {pl.String: "", pl.Boolean: False, pl.Int64: 0, pl.Float64: 0.0, pl.List: []}
    return {name: None if column.null else empty[type(column.dtype)] for name, column in table.columns.items()} | values


def failed(number: int, criterion: str) -> bool:
    """What the judge of the made-up home rejects: a quarter of the questions by one criterion, a sixth by another."""
    return (number % 4 == 0 and criterion == "question_clarity") or (number % 6 == 1 and criterion == "answer_correctness")


def put(home: Path, table: Table, day: str, rows: list[dict]) -> None:
    path = home / "tables" / table.name / f"{day}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    table.frame(rows).write_parquet(path)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days of 36 questions; of context_necessity nothing was judged. The second day's gold is of the first."""
    home = tmp_path_factory.mktemp("home")
    articles = [
        blank(ARTICLES, article_id=name, url=f"https://gazeta.example/{name}", outlet="gazeta", title=title, text=text)
        for name, title, text in (("a1", "Первая", HOSTILE), ("a2", "Вторая", "Текст второй статьи."))
    ]
    put(home, ARTICLES, DAYS[0], articles)
    for day in DAYS:
        numbers = [36 * DAYS.index(day) + i for i in range(36)]
        put(
            home,
            QA,
            day,
            [
                blank(QA, qa_id=f"q{i:03}", type=TYPES[i % 3], question=f"Кто {i}?", answer=HOSTILE, answers=[HOSTILE],
                      article_ids=["a1", "a2"], subgraph="[]", writer="rules")
                for i in numbers
            ],
        )  # fmt: skip
        put(
            home,
            VERDICTS,
            day,
            [
                blank(VERDICTS, qa_id=f"q{i:03}", order=order, screen=f"judge_{criterion}", outcome=outcome(i, criterion))
                for i in numbers
                for order, criterion in enumerate(CRITERIA)
            ],
        )
    return home


def outcome(number: int, criterion: str) -> str:
    if criterion == "context_necessity":
        return "not_run"
    return "failed" if failed(number, criterion) else "passed"


@pytest.fixture(scope="module")
def exported(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "sample"
    told = dragon("annotate", "export", "--home", home, "--out", out, "--number", "24", "--seed", "3", folder=home)
    assert told.returncode == 0, told.stderr
    return out


def sheet(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((out / "annotations.csv").read_text("utf-8-sig"), newline="")))


def number_of(qa_id: str) -> int:
    return int(qa_id.removeprefix("q"))


def test_the_sample_is_balanced_and_says_what_it_was_drawn_from(exported: Path):
    told = json.loads((exported / "sample.json").read_text("utf-8"))
    drawn = {(one["judge"], one["type"]): one["drawn"] for one in told["strata"]}
    assert drawn == {(fate, type_): 4 for fate in ("accepted", "rejected") for type_ in TYPES}
    assert sum(one["of"] for one in told["strata"]) == 72
    assert (told["questions"], told["seed"], told["days"]) == (24, 3, list(DAYS))


def test_both_forms_hold_the_same_questions_and_no_verdict(exported: Path):
    tasks = json.loads((exported / "tasks.json").read_text("utf-8"))
    ids = [task["data"]["qa_id"] for task in tasks]
    assert list(dict.fromkeys(row["qa_id"] for row in sheet(exported))) == ids
    assert len(sheet(exported)) == 24 * len(CRITERIA)
    for name in ("tasks.json", "annotations.csv", "label_config.xml"):
        text = (exported / name).read_text("utf-8")
        assert not [word for word in ("judge", "rejected", "accepted", "passed", "failed", "verdict") if word in text]


def test_the_same_seed_gives_the_same_bytes_and_another_another_sample(home: Path, exported: Path, tmp_path: Path):
    words = ("annotate", "export", "--home", home, "--number", "24")
    assert dragon(*words, "--seed", "3", "--out", tmp_path / "same", folder=tmp_path).returncode == 0
    names = ("tasks.json", "annotations.csv", "label_config.xml", "sample.json")
    assert [(tmp_path / "same" / name).read_bytes() for name in names] == [(exported / name).read_bytes() for name in names]
    assert dragon(*words, "--seed", "4", "--out", tmp_path / "other", folder=tmp_path).returncode == 0
    assert (tmp_path / "other" / "tasks.json").read_bytes() != (exported / "tasks.json").read_bytes()


def test_days_and_the_share_of_rejected_can_be_chosen(home: Path, tmp_path: Path):
    words = ("annotate", "export", "--home", home, "--out", tmp_path / "out", "--day", DAYS[1], "--include-rejected", "0")
    told = dragon(*words, "--number", "12", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    ids = {row["qa_id"] for row in sheet(tmp_path / "out")}
    assert len(ids) == 12
    assert not [qa_id for qa_id in ids if any(failed(number_of(qa_id), criterion) for criterion in CRITERIA)]
    assert min(map(number_of, ids)) >= 36


def test_what_may_be_filled_in_is_not_overwritten(home: Path, exported: Path):
    before = (exported / "annotations.csv").read_bytes()
    told = dragon("annotate", "export", "--home", home, "--out", exported, folder=home)
    assert told.returncode == 1
    assert "give another folder" in told.stderr
    assert (exported / "annotations.csv").read_bytes() == before


def people(qa_id: str, criterion: str) -> dict[str, bool]:
    """Ира agrees with the judge but on every fifth question; Лев finds everything good."""
    good = not failed(number_of(qa_id), criterion)
    return {"Ира": good != (number_of(qa_id) % 5 == 0), "Лев": True}


def fill_in(rows: list[dict[str, str]], annotator: str) -> str:
    text = io.StringIO(newline="")
    filled = csv.DictWriter(text, list(rows[0]))
    filled.writeheader()
    for row in rows:
        good = people(row["qa_id"], row["criterion"])[annotator]
        filled.writerow({**row, "annotator": annotator, "value": "хорошо" if good else "плохо"})
    return text.getvalue()


def in_label_studio(tasks: list[dict]) -> list[dict]:
    """The tasks as Label Studio exports them after both annotators went through."""
    return [
        task
        | {
            "annotations": [
                {
                    "completed_by": {"id": number, "email": annotator},
                    "was_cancelled": False,
                    "result": [
                        {"from_name": name, "type": "choices", "value": {"choices": ["Хорошо" if good else "Не хорошо"]}}
                        for name in CRITERIA
                        for good in (people(task["data"]["qa_id"], name)[annotator],)
                    ],
                }
                for number, annotator in enumerate(("Ира", "Лев"))
            ]
        }
        for task in tasks
    ]


def test_from_export_to_report_by_either_way(home: Path, exported: Path, tmp_path: Path):
    for annotator in ("Ира", "Лев"):
        (tmp_path / f"{annotator}.csv").write_text(fill_in(sheet(exported), annotator), "utf-8-sig")
    tasks = json.loads((exported / "tasks.json").read_text("utf-8"))
    (tmp_path / "studio.json").write_text(json.dumps(in_label_studio(tasks)))
    by_sheet, by_studio = (
        dragon("agreement", *files, "--home", home, "--rule", "majority", "--json", folder=tmp_path)
        for files in (["Ира.csv", "Лев.csv"], ["studio.json"])
    )
    assert (by_sheet.returncode, by_sheet.stderr) == (0, "")
    told, studio = json.loads(by_sheet.stdout), json.loads(by_studio.stdout)
    assert told | {"files": 0} == studio | {"files": 0}

    ids = {row["qa_id"] for row in sheet(exported)}
    for criterion in set(CRITERIA) - {"context_necessity"}:
        good = {qa_id for qa_id in ids if all(people(qa_id, criterion).values())}
        passed = {qa_id for qa_id in ids if not failed(number_of(qa_id), criterion)}
        of = told["criteria"][criterion]
        assert of["precision"]["value"] == pytest.approx(len(good & passed) / len(passed), abs=1e-6)
        assert of["recall"]["value"] == pytest.approx(len(good & passed) / len(good), abs=1e-6)
        assert (of["items"], of["judged"], of["annotators"]) == (24, 24, 2)
        assert -1 <= of["alpha"]["low"] <= of["alpha"]["value"] <= of["alpha"]["high"] <= 1
    unjudged = told["criteria"]["context_necessity"]
    assert (unjudged["not_judged"], unjudged["precision"]["value"], unjudged["precision"]["reason"]) == (24, None, "not_judged")


def test_a_report_is_read_by_people(home: Path, tmp_path: Path):
    lines = ["qa_id,annotator,question_clarity,context_necessity,mood"]
    lines += [f"q{i:03},{who},{int(i != 4)},1,x" for i in range(12) for who in "ab"]
    (tmp_path / "said.csv").write_text("\n".join([*lines, "elsewhere,a,1,,x"]))
    told = dragon("agreement", "said.csv", "--home", home, folder=tmp_path)
    assert told.returncode == 0, told.stderr
    assert f"judge: verdicts of {home}; an item is good when half or more of its annotators said so" in told.stdout
    row = next(line for line in told.stdout.splitlines() if line.startswith("question_clarity"))
    assert row.split() == (
        "question_clarity 12 1 1.00 [0.70, 1.00] 9 0.82 [0.52, 0.95] 11 0.90 0.83 [0.55, 0.95]".split()
    )  # fmt: skip
    unjudged = next(line for line in told.stdout.splitlines() if line.startswith("context_necessity"))
    assert unjudged.split() == ["context_necessity", "0", "12", "–", "0", "–", "0", "–", "–"]
    assert "unknown to the home, and so not judged: 1 (elsewhere)" in told.stdout
    assert "no precision, recall, accuracy (context_necessity): the judge rated none of the annotated items" in told.stdout
    assert "no alpha (context_necessity): all annotators said the same of all items" in told.stdout
    assert "not filled in: 1 values" in told.stdout
    assert "columns not read: mood" in told.stdout


def test_no_home_is_needed_when_the_file_has_the_judges_scores(tmp_path: Path):
    records = [{"item": i, "annotator": "a", "answer_literacy": i % 2, "judge_answer_literacy": i % 3} for i in range(12)]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, records)))
    told = dragon("agreement", "said.jsonl", "--json", folder=tmp_path)
    assert told.returncode == 0, told.stderr
    of = json.loads(told.stdout)["criteria"]["answer_literacy"]
    assert (of["precision"]["hits"], of["precision"]["n"], of["recall"]["n"]) == (4, 8, 6)
    assert not (tmp_path / ".dragon").exists()


def test_a_wrong_file_is_said_without_a_traceback_and_nothing_is_reported(tmp_path: Path):
    (tmp_path / "said.csv").write_text("qa_id,annotator,criterion,value\nq1,a,answer_literacy,1\nq1,b,answer_literacy,hm\n")
    told = dragon("agreement", "said.csv", folder=tmp_path)
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("error: said.csv, line 3, column value: «hm» is neither good nor not good")


def test_an_empty_home_has_nothing_to_draw_or_to_judge_by(tmp_path: Path):
    (tmp_path / "said.csv").write_text("qa_id,annotator,criterion,value\nq1,a,answer_literacy,1\n")
    for words in (["annotate", "export", "--out", "out"], ["agreement", "said.csv"]):
        told = dragon(*words, "--home", tmp_path / "none", folder=tmp_path)
        assert told.returncode == 1
        assert f"{tmp_path}/none holds no" in told.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["agreement"],
        ["agreement", "x.csv", "--rule", "most"],
        ["annotate", "export"],
        ["annotate", "export", "--out", "out", "--number", "0"],
        ["annotate", "export", "--out", "out", "--include-rejected", "1.5"],
        ["annotate", "export", "--out", "out", "--day", "2025-09-02", "--until", "2025-09-01"],
    ],
)
def test_wrong_use_is_exit_code_2(tmp_path: Path, words: list[str]):
    told = dragon(*words, folder=tmp_path)
    assert told.returncode == 2
    assert "Usage" in told.stderr
