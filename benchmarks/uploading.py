"""How much memory publishing to a Hub over HTTP takes, for small and large releases.

    python benchmarks/uploading.py
    python benchmarks/uploading.py --megabytes 50 1000

Public texts of so many megabytes, in files of 32 MB of noise, go to a local Hub in a process of its own and are read back by
hash. Memory is the peak of resident memory (VmHWM, set back after the imports) over what the imports took.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ["HF_HUB_DISABLE_XET"] = "1"

from upath import UPath

from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.release import manifest
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import CARD_PATH, DATASETS, MANIFEST_PATH
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

DAY = "2024-05-02"
FILE, PIECE = 32 << 20, 1 << 20
say = sys.stdout.write


def serve(address: multiprocessing.SimpleQueue) -> None:
    hub = LocalHub()
    address.put(hub.url)
    hub.serve()


def memory(name: str) -> int:
    """MiB of this process: VmRSS now, or VmHWM at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(f"{name}:"))


def noise(size: int, path: Path) -> None:
    with path.open("wb") as file:
        for _ in range(size // PIECE):
            file.write(os.urandom(PIECE))


def files_of(dataset: str, megabytes: int, store: ReleaseFiles) -> list[dict]:
    count = max(1, (megabytes << 20) // FILE) if dataset == "public_texts" else 1
    size = FILE if dataset == "public_texts" else PIECE
    told = {"day": DAY, "ranking": True, "questions": {"all": 1, "by_type": {"simple": 1}}, "texts": {"all": 1}}
    rows = []
    for number in range(count):
        kept = store.add(lambda path: noise(size, path))
        rows.append({"path": f"data/train-{number:05d}-of-{count:05d}.parquet", "rows": 1, **vars(kept)})
    for path, content in ((CARD_PATH, b"# A card\n"), (MANIFEST_PATH, manifest.dump(told))):
        rows.append({"path": path, "rows": 0, **vars(store.add(lambda to, content=content: to.write_bytes(content) and None))})
    return [{"dataset": dataset, **row} for row in rows]


def measure(url: str, megabytes: int, told: multiprocessing.SimpleQueue) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = ReleaseFiles(UPath(folder))
        release = RELEASE.frame([row for dataset in DATASETS for row in files_of(dataset, megabytes, store)])
        hub = HuggingFaceHub(f"bench-{megabytes}", WRITE, url)
        before = memory("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")
        start = time.perf_counter()
        publish(release, None, DAY, hub, store, ReleaseSettings())
        told.put((memory("VmHWM") - before, before, time.perf_counter() - start))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs=2, default=[64, 640], metavar="N")
    sizes = parser.parse_args().megabytes
    context = multiprocessing.get_context("spawn")
    address = context.SimpleQueue()
    server = context.Process(target=serve, args=(address,), daemon=True)
    server.start()
    url, peaks = address.get(), []
    for megabytes in sizes:
        told = context.SimpleQueue()
        process = context.Process(target=measure, args=(url, megabytes, told))
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{megabytes} MB failed")
        over, before, seconds = told.get()
        peaks.append(over)
        say(f"{megabytes:6,} MB  peak {over:4} MiB over {before} MiB of imports  {seconds:.1f} s\n")
    say(f"{sizes[1] / sizes[0]:.0f} times the bytes take {peaks[1] / max(1, peaks[0]):.2f} times the memory\n")
    server.terminate()
    server.join()


if __name__ == "__main__":
    main()
