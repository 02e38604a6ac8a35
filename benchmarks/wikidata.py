"""What an index of a Wikidata dump costs, and how fast it answers; on a synthetic dump made of real statements.

    python benchmarks/wikidata.py ../shared/data/wikidata/dump-excerpt-49-items.ndjson.gz [--items 200000] [--processes 2]

Every synthetic item takes labels, descriptions, sitelinks and statements of one of the 49 real items, about as many of each as
items of Wikidata have on average; its Russian name is made of words of the real labels and descriptions, so that names differ
and also collide. All items have a Russian name; what items without one cost is measured on a second dump. Prints entities and
megabytes a second of the build, bytes of the index per item, peak memory, the median and 99th percentile of a lookup, and the
items a second of a plain loop of json.loads over the lines in the same run. What it writes, to a temporary folder, it deletes.
"""

import argparse
import gzip
import json
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from stat import S_ISREG

import orjson

from dragon_pipeline.adapters.wikidata.building import Plan, build
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.adapters.wikidata.index import WikidataIndex

SEED = 20240301
AVERAGE = {"labels": 8, "descriptions": 8, "aliases": 2, "sitelinks": 4, "claims": 14}
"""of an item; statements: https://www.wikidata.org/wiki/Wikidata:Statistics, the others rounded up"""
OFTEN = "Иван Петров"
NAMESAKE = 0.005
"""share of items that bear one and the same name"""
LOOKUPS = 5_000
MILLION = 1_000_000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("excerpt", type=Path, help="real entities, one a line")
    arguments.add_argument("--items", type=int, default=200_000)
    arguments.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    given = arguments.parse_args()
    templates = list(_entities(given.excerpt))
    with tempfile.TemporaryDirectory() as folder:
        named, nameless = Path(folder) / "named.json.gz", Path(folder) / "nameless.json.gz"
        write(templates, given.items, named, russian=True)
        write(templates, given.items // 4, nameless, russian=False)
        index = Path(folder) / "index.sqlite"
        rate = measure_build(named, index, given.items, given.processes)
        ignored = measure_ignored(nameless, named, given.items // 4, given.processes)
        peer = measure_peer(named, given.items)
        tell(
            f"on one processor, against the plain loop: the build {rate / peer:.2f}, items without a name {ignored / peer:.2f}"
        )
        measure_lookups(index, templates)


def write(templates: Sequence[dict], items: int, path: Path, russian: bool) -> None:
    draw = random.Random(SEED)
    words = _words(templates)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"[\n")
        for number in range(1, items + 1):
            entity = synthetic(draw.choice(templates), 10 * number, draw)
            for part in ("labels", "descriptions", "aliases"):
                entity[part].pop("ru", None)
            if russian:
                name = OFTEN if draw.random() < NAMESAKE else _name(words, draw)
                entity["labels"]["ru"] = {"language": "ru", "value": name}
                entity["aliases"]["ru"] = [{"language": "ru", "value": _name(words, draw)}]
                entity["descriptions"]["ru"] = {"language": "ru", "value": _name(words, draw).lower()}
            file.write(orjson.dumps(entity) + (b",\n" if number < items else b"\n"))
        file.write(b"]\n")


def synthetic(template: dict, number: int, draw: random.Random) -> dict:
    """About as large as an average item; the statements keep everything but their ids."""
    entity = {"type": "item", "id": f"Q{number}"}
    for part in ("labels", "descriptions", "aliases", "sitelinks"):
        entity[part] = dict(_some(sorted(template[part].items()), AVERAGE[part], draw))
    entity["claims"] = {}
    for name, claim in _some([(name, c) for name, group in template["claims"].items() for c in group], AVERAGE["claims"], draw):
        uuid = f"{draw.getrandbits(128):032x}"
        parts = "-".join((uuid[:8], uuid[8:12], uuid[12:16], uuid[16:20], uuid[20:]))
        entity["claims"].setdefault(name, []).append({**claim, "id": f"Q{number}${parts}"})
    day = draw.randrange(1, 28)
    return {**entity, "lastrevid": draw.getrandbits(31), "modified": f"2026-10-{day:02}T10:00:00Z"}


def _some(of: list, average: int, draw: random.Random) -> list:
    return draw.sample(of, min(len(of), round(draw.expovariate(1 / average))))


def _words(templates: Sequence[dict]) -> list[str]:
    texts = [t["value"] for e in templates for part in ("labels", "descriptions") if (t := e[part].get("ru"))]
    texts += [alias["value"] for entity in templates for alias in entity["aliases"].get("ru", ())]
    return sorted({word.strip("(),.;«»").capitalize() for text in texts for word in text.split()} - {""})


def _name(words: list[str], draw: random.Random) -> str:
    """Some words are frequent and some rare, as in names."""
    return " ".join(words[int(len(words) * draw.random() ** 2)] for _ in range(draw.choice((1, 2, 2, 2, 3))))


def measure_build(dump: Path, index: Path, items: int, processes: int) -> float:
    """Items in a second of one processor."""
    cost = cost_of(_build, dump, index, processes)
    packed, size = dump.stat().st_size, index.stat().st_size
    with gzip.open(dump) as file:
        unpacked = sum(len(chunk) for chunk in iter(partial(file.read, 1 << 20), b""))
    about = WikidataIndex.open(index).about
    tell(f"{items:,} items, {unpacked / items:,.0f} bytes each, {packed / unpacked:.0%} of that packed; {about['revision']}")
    tell(f"build, {processes} processes  {cost.told(items)}, {unpacked / cost.wall / 1e6:.0f} MB/s unpacked")
    tell(f"peak memory  {cost.memory:.0f} MiB, of the largest other process {cost.memory_of_others:.0f} MiB")
    kept = {name: int(about[name]) / items for name in ("names", "statements")}
    tell(f"index  {size / items:.0f} bytes per item, {cost.disk / size:.1f} times that while it is built")
    tell(f"kept of each item  {kept['names']:.1f} names and {kept['statements']:.1f} statements")
    tell(f"per million items with a name  {cost.per_million(items)}, {size / items * MILLION / 2**20:.0f} MiB")
    return items / cost.processor


def measure_ignored(nameless: Path, named: Path, items: int, processes: int) -> float:
    """Items without a name in a second of one processor; a few with one stand before, so that there is something to build."""
    mixed = nameless.with_name("mixed.json.gz")
    with gzip.open(named) as file:
        mixed.write_bytes(gzip.compress(b"".join(islice(file, 1, 101)), 1) + nameless.read_bytes())
    cost = cost_of(_build, mixed, nameless.with_name("ignored.sqlite"), processes)
    tell(f"items without a name  {cost.told(items)}; per million {cost.per_million(items)}")
    return items / cost.processor


def measure_peer(dump: Path, items: int) -> float:
    count = min(items, 20_000)
    before, processor = time.perf_counter(), time.process_time()
    with gzip.open(dump) as file:
        for line in islice(file, 1, count + 1):
            json.loads(line.strip().rstrip(b","))
    cost = Cost(time.perf_counter() - before, time.process_time() - processor, 0, 0)
    tell(f"plain loop of json.loads, no index  {cost.told(count)}")
    return count / cost.processor


def measure_lookups(index: Path, templates: Sequence[dict]) -> None:
    draw, words = random.Random(SEED + 1), _words(templates)
    names = [_name(words, draw) for _ in range(LOOKUPS)]
    subjects = [f"Q{10 * draw.randrange(1, 200_000)}" for _ in range(LOOKUPS)]
    _forget(index)
    kb = WikidataIndex.open(index)
    found = sum(bool(kb.search([name], "item")[0]) for name in names[:500])
    tell(f"lookups  {found / 500:.0%} of the names are there")
    for state, many in (("cold", LOOKUPS // 10), ("warm", LOOKUPS)):
        for what, values in (("search", names), ("stated", subjects)):
            if state == "cold":
                _forget(index)
                kb = WikidataIndex.open(index)
            ask = partial(kb.search, kind="item") if what == "search" else kb.stated
            tell(f"{what}, {state}  {_percentiles(ask, values[:many])}")
    often = _percentiles(partial(kb.search, kind="item"), [OFTEN] * 500)
    tell(f"search of a name that {NAMESAKE:.1%} of all items bear, warm  {often}")


def _percentiles(ask: Callable[[list[str]], object], values: Sequence[str]) -> str:
    """Of the time on the wall and of the processor's, which other work on the machine changes little."""
    walls, processors = [], []
    for value in values:
        wall, processor = time.perf_counter(), time.thread_time()
        ask([value])
        processors.append(time.thread_time() - processor)
        walls.append(time.perf_counter() - wall)
    return f"{_two(walls)}; of the processor {_two(processors)}; {len(values)} lookups"


def _two(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return f"median {1e3 * ordered[len(ordered) // 2]:.3f} ms, p99 {1e3 * ordered[int(len(ordered) * 0.99)]:.3f} ms"


def _forget(path: Path) -> None:
    """Takes the file out of the page cache."""
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(descriptor)


def _entities(path: Path) -> Iterator[dict]:
    yield from (orjson.loads(text) for batch in Dump.open(path).batches() for _, text in batch)


def _build(dump: Path, index: Path, processes: int) -> None:
    build(Dump.open(dump), index, Plan(("ru",), processes=processes))


@dataclass(frozen=True)
class Cost:
    wall: float
    """seconds"""
    processor: float
    """seconds of all processes together: the other work of a machine changes them little"""
    memory: float
    """MiB"""
    memory_of_others: float
    disk: int = 0
    """bytes of the files that were written, temporary ones too"""

    def told(self, items: int) -> str:
        return f"{items / self.wall:,.0f} items/s, {items / self.processor:,.0f} in a second of one processor"

    def per_million(self, items: int) -> str:
        wall, processor = (seconds / items * MILLION / 60 for seconds in (self.wall, self.processor))
        return f"{wall:.1f} min, {processor:.1f} min of one processor"


def cost_of(work: Callable, *values: object) -> Cost:
    """Of work that is done in a process of its own, its start left out."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(theirs, work, *values))
    process.start()
    theirs.close()
    cost = ours.recv()
    process.join()
    return cost


def _run(pipe: Connection, work: Callable, *values: object) -> None:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    before, used, disk = time.perf_counter(), sum(map(_processor, whose)), [0]
    watching = threading.Thread(target=_watch_disk, args=(disk,), daemon=True)
    watching.start()
    work(*values)
    memory = [resource.getrusage(who).ru_maxrss / 1024 for who in whose]
    pipe.send(Cost(time.perf_counter() - before, sum(map(_processor, whose)) - used, *memory, disk[0]))


def _watch_disk(most: list[int]) -> None:
    """Bytes of the files that this process writes, deleted ones too: SQLite's temporary files have no name."""
    while True:
        size = 0
        for descriptor in Path("/proc/self/fd").iterdir():
            with suppress(OSError):
                mode, stat = descriptor.lstat().st_mode, descriptor.stat()
                size += stat.st_size if S_ISREG(stat.st_mode) and mode & 0o200 else 0
        most[0] = max(most[0], size)
        time.sleep(0.05)


def _processor(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
