"""The house rules that no linter holds: locks, declared imports, layout, and definitions that load in silence."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
CLIENT = tomllib.loads((ROOT / "rag_bench" / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
OURS = {"dragon_pipeline", "rag_bench"}
NOT_IMPORTED = {
    "dagster-dg-cli": "`dg`, called by make check",
    "dagster-webserver": "`dagster dev`, called by dragon up",
    "setuptools": "pkg_resources for pymorphy2",
}
INSTALLED_BY = {"levenshtein": "python-levenshtein"}
PUBLISHED_NAMES = {"rag_bench/helper.py"}
"""modules of the published client that scripts import"""
LEFT_OUT = {"torch"}
"""of the lock of `models`: pip installs it first"""


def requirements(project: dict, *extras: str) -> list[Requirement]:
    told = [*project["dependencies"], *(line for extra in extras for line in project["optional-dependencies"][extra])]
    return [Requirement(line) for line in told]


def pins(lock: Path) -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for line in lock.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            pin = Requirement(line)
            found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


def versions(of: list[Requirement]) -> set[str]:
    """Of one distribution in one lock; a Python version may need another than the rest."""
    return {str(pin.specifier) for pin in of}


def sources(package: str) -> Iterator[Path]:
    yield from sorted((ROOT / package).rglob("*.py"))


def imports(package: str) -> set[str]:
    """Top-level names that a package's code imports from outside the standard library and this repository."""
    names: set[str] = set()
    for path in sources(package):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - OURS


def distributions(modules: set[str]) -> set[str]:
    """The distributions that hold these modules; of several the one whose name is the module's."""
    known = packages_distributions()
    assert modules <= set(known), f"not installed: {modules - set(known)}"
    of = {min(map(canonicalize_name, known[module]), key=lambda name: name != module) for module in modules}
    return {canonicalize_name(INSTALLED_BY.get(name, name)) for name in of}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_pins_versions_and_names_no_host(lock: Path):
    text = lock.read_text("utf-8")
    assert not re.search(r"https?:|file:|--(extra-)?index-url|--find-links|^-e |@ ", text, re.MULTILINE)
    assert all(re.fullmatch(r"==[\w.!+]+", str(pin.specifier)) for of in pins(lock).values() for pin in of)


@pytest.mark.parametrize("extra", ["", *sorted(set(PROJECT["optional-dependencies"]) - {"serve"})])
def test_a_lock_is_current_for_the_project(extra: str):
    lock = pins(ROOT / "requirements" / f"{extra or 'base'}.txt")
    wanted = requirements(PROJECT, *([extra] if extra else [])) + requirements(CLIENT, "baselines")
    for one in wanted:
        name = canonicalize_name(one.name)
        if name in {"dragon-rag-bench", "dragon-pipeline"} or (extra == "models" and name in LEFT_OUT):
            continue
        assert name in lock, f"make lock: {one} is not in {extra or 'base'}.txt"
        assert all(one.specifier.contains(next(iter(pin.specifier)).version) for pin in lock[name]), f"make lock: {one}"


def test_an_extra_locks_what_the_base_locks():
    base = pins(ROOT / "requirements" / "base.txt")
    for extra in set(PROJECT["optional-dependencies"]) - {"serve"}:
        lock = pins(ROOT / "requirements" / f"{extra}.txt")
        assert {name: versions(lock.get(name, [])) for name in base} == {name: versions(of) for name, of in base.items()}, extra


def test_every_import_is_declared():
    extras = set(PROJECT["optional-dependencies"]) - {"dev", "browser"}
    declared = {canonicalize_name(one.name) for one in requirements(PROJECT, *sorted(extras))}
    assert distributions(imports("dragon_pipeline")) - declared == set()
    told = {canonicalize_name(one.name) for one in requirements(CLIENT, *CLIENT["optional-dependencies"])}
    assert distributions(imports("rag_bench")) - told == set()


def test_everything_declared_is_imported_or_has_a_reason():
    declared = {canonicalize_name(one.name) for one in requirements(PROJECT)} - {"dragon-rag-bench"}
    assert declared - distributions(imports("dragon_pipeline")) == set(NOT_IMPORTED)


def test_every_folder_of_code_says_what_it_is():
    for folder in sorted({path.parent for path in sources("dragon_pipeline")}):
        said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8")))
        assert said, folder


def test_every_data_file_goes_into_the_package():
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"][
        "dragon_pipeline"
    ]
    suffixes = {pattern.removeprefix("**/*") for pattern in patterns}
    kept = {path for path in (ROOT / "dragon_pipeline").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert {path for path in kept if path.suffix not in {*suffixes, ".py"}} == set()


def test_no_module_is_named_for_having_no_subject():
    forbidden = re.compile(r"(^|_)(utils?|helpers?|processor|common|misc|v\d)(_|$)")
    named = {path.relative_to(ROOT).as_posix() for package in OURS for path in sources(package) if forbidden.search(path.stem)}
    assert named == PUBLISHED_NAMES


def test_definitions_are_one_short_file():
    assert len((ROOT / "dragon_pipeline" / "definitions.py").read_text("utf-8").splitlines()) < 20


def test_the_environment_is_read_by_the_command_and_the_resources_only():
    readers = {
        path.relative_to(ROOT / "dragon_pipeline").parts[0]
        for path in sources("dragon_pipeline")
        if re.search(r"\benviron\b|\bgetenv\b", path.read_text("utf-8")) and path.name != "resources.py"
    }
    assert readers <= {"cli.py", "commands"}


def test_the_flow_loads_without_a_warning(tmp_path: Path):
    load = (
        "import warnings, dagster; warnings.simplefilter('error')\n"
        "from dragon_pipeline.definitions import defs; defs.resolve_asset_graph()"
    )
    environment = {"PATH": "/usr/bin:/bin", "DRAGON_HOME": str(tmp_path)}
    loaded = subprocess.run(
        [sys.executable, "-c", load], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (loaded.returncode, loaded.stderr) == (0, "")


def test_no_committed_file_names_a_machine():
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    machine = re.compile(rb"(?<![\w.])/(work|root|home/\w+)/")
    named = [name for name in told.split("\0") if name and machine.search(_bytes(ROOT / name))]
    assert named == []


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() and path.suffix not in {".gz", ".parquet"} else b""


def test_the_image_s_dagster_differs_in_its_storage_only():
    embedded, image = (
        yaml.safe_load((ROOT / path).read_text("utf-8")) for path in ("dragon_pipeline/dagster.yaml", "docker/dagster.yaml")
    )
    assert image.pop("storage")
    assert image == embedded
