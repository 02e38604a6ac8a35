"""CONTRIBUTING's recipes do what they say: each is followed in a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import dragon_pipeline
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline_tests.core.screening.conftest import make_case, make_fact

PACKAGE = Path(dragon_pipeline.__file__).parent
CONTRIBUTING = PACKAGE.parent / "CONTRIBUTING.md"
BLOCK = re.compile(r"^ {3}```(?:python|text|yaml|xml|html)\n(.*?)^ {3}```$", re.DOTALL | re.MULTILINE)

SCREENED = """
import json, sys
from dragon_pipeline.commands.doctor import screens_that_will_run
from dragon_pipeline.core.records import ARTICLES, FACTS, MENTIONS, QA
from dragon_pipeline.core.screening.screens import run_screens
from dragon_pipeline.defs import engines

rows = json.load(sys.stdin)
qa, facts, articles, mentions = (table.frame(rows[table.name]) for table in (QA, FACTS, ARTICLES, MENTIONS))
verdicts = run_screens(qa, facts, articles, mentions, engines.screens()(facts, QA.empty()))
print(json.dumps({"doctor": screens_that_will_run(), "verdicts": verdicts.to_dicts()}))
"""


def recipe(title: str) -> list[str]:
    """The blocks of code of one recipe."""
    section = CONTRIBUTING.read_text("utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return [textwrap.dedent(block) for block in BLOCK.findall(section)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(tree: Path, script: str, rows: dict[str, list[dict]]) -> dict:
    """What a script prints as JSON that imports the package of the tree."""
    told = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "DRAGON_HOME": str(tree / "home"), "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


def test_an_outlet_is_added_by_a_file_and_a_fixture(tree):
    declaration, *fixture = recipe("Add an outlet")
    tests = tree / "dragon_pipeline_tests"
    for part in ("local_sites", "adapters/web/test_sites.py"):
        source, copy = PACKAGE.parent / "dragon_pipeline_tests" / part, tests / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
    shutil.copy(PACKAGE.parent / "pyproject.toml", tree)
    (tree / PACKAGE.name / "adapters" / "web" / "outlets" / "dolina.yaml").write_text(declaration, encoding="utf-8")
    site = tests / "adapters" / "web" / "sites" / "dolina"
    site.mkdir(parents=True)
    names = ("site.yaml", "rss.xml", "archive.html", "archive-2019.html", "sad.html", "sliva.html")
    for name, text in zip(names, fixture, strict=True):
        (site / name).write_text(text, encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "dragon_pipeline_tests/adapters/web/test_sites.py", "-k", "dolina"],
        capture_output=True,
        text=True,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree)},
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "3 passed" in told.stdout


def test_a_screen_is_added_by_a_file_and_a_line(tree):
    code, line = recipe("Add a screen")
    (tree / PACKAGE.name / "core" / "screening" / "length.py").write_text(code, encoding="utf-8")
    place = tree / PACKAGE.name / "languages" / "ru" / "screens.py"
    before = place.read_text("utf-8")
    opened = "    return [\n"
    assert before.count(opened) == 1
    imported = "from dragon_pipeline.core.screening.length import LengthScreen\n"
    after = before.replace("\nimport polars as pl\n", f"\nimport polars as pl\n\n{imported}", 1)
    place.write_text(after.replace(opened, f"{opened}        {line.strip()}\n"), encoding="utf-8")

    opened_in = make_fact(("«Вектор»", "открыть завод в", "Тула"), "«Вектор» открыл завод в Туле.")
    long = "В каком именно городе, по словам всех, кто был там, открыл новый завод «Вектор»?"
    asked = [
        make_case("simple", question, ["Тула"], [opened_in]) for question in ("В каком городе «Вектор» открыл завод?", long)
    ]
    rows = {
        QA.name: [one.qa for one in asked],
        FACTS.name: list(asked[0].facts),
        ARTICLES.name: list(asked[0].articles),
        MENTIONS.name: list(asked[0].mentions),
    }
    told = run(tree, SCREENED, rows)

    assert next(iter(told["doctor"].items())) == ("length", "yes")
    found = {row["qa_id"]: row for row in told["verdicts"] if row["screen"] == "length"}
    short, other = (found[one.qa["qa_id"]] for one in asked)
    assert (short["outcome"], short["score"], short["reason"]) == ("passed", round(6 / 11, 6), None)
    assert (other["outcome"], other["score"], other["reason"]) == ("failed", 0, "too_long: 14 words")
    assert len(told["verdicts"]) == 2 * len(told["doctor"])
    assert not (PACKAGE / "core" / "screening" / "length.py").exists()
