"""The public names: `import rag_bench` gives all of them and loads nothing."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rag_bench

SOURCE = Path(rag_bench.__file__)


def test_every_public_name_is_there_and_told_to_type_checkers():
    told = {
        alias.name: node.module
        for node in ast.walk(ast.parse(SOURCE.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("rag_bench")
        for alias in node.names
    }
    names = {name: f"rag_bench.{home}" for name, home in rag_bench.HOMES.items()}
    assert told == names | dict.fromkeys(rag_bench.MODULES, "rag_bench")
    for name, home in rag_bench.HOMES.items():
        assert getattr(rag_bench, name) is getattr(import_module(f"rag_bench.{home}"), name)
    assert set(rag_bench.HOMES) | rag_bench.MODULES <= set(dir(rag_bench))


def test_no_public_name_is_also_a_module():
    assert not set(rag_bench.HOMES) & {path.stem for path in SOURCE.parent.glob("*.py")}


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'lode'"):
        _ = rag_bench.lode  # type: ignore[attr-defined]


SCRIPT = """
import rag_bench
release = rag_bench.load()
reveal_type(release.version)
rag_bench.llm.ChatModel("u", "m")
rag_bench.lode
"""


@pytest.mark.slow
def test_a_type_checker_knows_the_names_and_no_other(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(SOURCE.parents[1])]}))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "script.py"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert 'Type of "release.version" is "str"' in told and '"lode" is not a known attribute' in told and "1 error" in told


def test_importing_it_loads_nothing_else():
    code = (
        "import sys, typing; before = set(sys.modules); import rag_bench\n"
        "print(sorted({name for name in set(sys.modules) - before if name.split('.')[0] not in sys.stdlib_module_names}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['rag_bench']"


def test_modules_are_reached_without_an_import():
    code = "import rag_bench; print(rag_bench.errors.NotOnHub.__name__, rag_bench.Rows.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "NotOnHub Rows\n"
