"""How long the client's base takes to install into a fresh environment, and how large it is; pyarrow against `datasets`.

    python benchmarks/install.py [--cold]

Builds the wheel of rag_bench/, installs it with pip into new environments, in turn, and prints the medians of three.
`--cold` leaves out pip's cache, so that the network is measured too. The size is what the installation adds to the environment,
compiled files included; pip and setuptools, which every environment has, are not counted.
"""

import argparse
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

CLIENT = Path(__file__).resolve().parents[1] / "rag_bench"
RUNS = 3
VARIANTS = {"base (pyarrow)": [], "base and datasets": ["datasets"]}
"""what is installed beside the wheel; `datasets` brings pyarrow"""


def build(folder: Path) -> Path:
    copied = shutil.copytree(CLIENT, folder / "rag_bench", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(copied)]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def install(wheel: Path, more: list[str], cold: bool) -> tuple[float, float, float, int]:
    """Seconds, those of the processor, megabytes, and distributions."""
    with tempfile.TemporaryDirectory(prefix="install-") as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        before = size(Path(folder))
        flags = ["-q", "--disable-pip-version-check", *(["--no-cache-dir"] if cold else [])]
        began, spent = time.perf_counter(), processor()
        subprocess.run([python, "-m", "pip", "install", *flags, str(wheel), *more], check=True)
        seconds, spent = time.perf_counter() - began, processor() - spent
        subprocess.run([python, "-c", "import rag_bench; rag_bench.load, rag_bench.run, rag_bench.evaluate"], check=True)
        distributions = len(list(Path(folder).rglob("*.dist-info")))
        return seconds, spent, (size(Path(folder)) - before) / 1e6, distributions


def processor() -> float:
    """Seconds of all children so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def size(folder: Path) -> int:
    """Bytes on disk, as `du` counts them."""
    return sum(file.lstat().st_blocks * 512 for file in folder.rglob("*"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cold", action="store_true", help="without pip's cache")
    cold = parser.parse_args().cold
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        wheel = build(Path(folder))
        measured: dict[str, list[tuple[float, float, float, int]]] = {name: [] for name in VARIANTS}
        for _ in range(RUNS):
            for name, more in VARIANTS.items():
                measured[name].append(install(wheel, more, cold))
    for name, runs in measured.items():
        seconds, spent, megabytes, count = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{name:<20} {seconds:5.1f} s, {spent:4.1f} s of processor, {megabytes:4.0f} MB, {count:.0f} distributions")  # noqa: T201


if __name__ == "__main__":
    main()
