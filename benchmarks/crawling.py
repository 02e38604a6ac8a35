"""The crawl against Scrapy alone, in the same run: pages a second, memory, and what a killed crawl fetches again.

    python benchmarks/crawling.py [--pages 2000] [--many 20000] [--rounds 3]

`bare` is a Scrapy spider with its defaults that downloads the same pages and throws them away; `trafilatura` is that spider
with `trafilatura.bare_extraction` on every page; `crawl` is ours, raw pages archived, articles extracted and all tables read,
with no delay between requests. Each runs in a process of its own against benchmarks/crawling_site.py, by turns; medians.
Seconds are those from the first request to the last table, without imports. Memory is the peak of the crawling process
(`tables`: with the tables read, one outlet's at a time) and of its largest reader.
"""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from crawling_site import HOSTS, by_json, path

DAY = (2031, 5, 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--many", type=int, default=20_000, help="pages of the run that memory is measured on; 0: none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", choices=PARTS, help=argparse.SUPPRESS)
    parser.add_argument("--gateway", help=argparse.SUPPRESS)
    parser.add_argument("--home", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        say(json.dumps(PARTS[given.child](given.gateway, given.pages, given.home)))
        return
    with site(given.pages) as gateway:
        seconds: dict[str, list[float]] = {part: [] for part in PARTS}
        told: dict[str, dict] = {}
        for _ in range(given.rounds):
            for part in PARTS:
                told[part] = child(part, gateway, given.pages)
                seconds[part].append(told[part]["seconds"])
        speed = {part: given.pages / statistics.median(times) for part, times in seconds.items()}
        for part, rate in speed.items():
            spread = f"{min(seconds[part]):.1f} to {max(seconds[part]):.1f} s"
            say(f"{part:12} {rate:6.0f} pages/s  ({spread}; {told[part]['pages']} pages, {told[part]['mib']} MiB)")
        say(
            f"crawl is {speed['crawl'] / speed['trafilatura']:.2f} of trafilatura, {speed['crawl'] / speed['bare']:.2f} of bare"
        )
        resumed(gateway, given.pages)
    if given.many:
        few = told["crawl"]
        with site(given.many) as gateway:
            many = child("crawl", gateway, given.many)
        for name in few["mib"]:
            say(f"memory of {name}: {few['mib'][name]} MiB at {given.pages}, {many['mib'][name]} MiB at {given.many} pages")
        say(f"{given.many} pages in {many['seconds']:.0f} s, {many['pages']} rows")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def site(pages: int) -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("crawling_site.py"), str(pages)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
    finally:
        server.kill()
        server.wait()


def command(part: str, gateway: str, pages: int, home: Path) -> list[str]:
    return [sys.executable, __file__, "--child", part, "--gateway", gateway, "--pages", str(pages), "--home", str(home)]


def child(part: str, gateway: str, pages: int) -> dict:
    with folder() as home:
        done = subprocess.run(command(part, gateway, pages, home), stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)


@contextmanager
def folder() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="crawling-"))
    try:
        yield home
    finally:
        shutil.rmtree(home)


def resumed(gateway: str, pages: int) -> None:
    """Kills a crawl half way, and goes on with it."""
    with folder() as home:
        urlopen(f"{gateway}/reset").close()
        half = subprocess.Popen(command("crawl", gateway, pages, home), stdout=subprocess.DEVNULL)
        while sum(counts(gateway).values()) < pages // 2:
            time.sleep(0.05)
        os.kill(half.pid, signal.SIGKILL)
        half.wait()
        before = sum(counts(gateway).values())
        done = subprocess.run(command("crawl", gateway, pages, home), stdout=subprocess.PIPE, text=True, check=True)
        asked = counts(gateway)
    again = sum(number - 1 for number in asked.values())
    say(
        f"killed after {before} of {pages} pages and gone on with: {again} fetched again ({again / pages:.1%}), "
        f"{json.loads(done.stdout)['pages']} in the tables, {len(asked)} asked for"
    )


def counts(gateway: str) -> dict[str, int]:
    with urlopen(f"{gateway}/counts") as answer:
        return json.load(answer)


def crawl(gateway: str, pages: int, home: Path) -> dict:
    import asyncio
    import resource
    from datetime import date

    from dragon_pipeline.adapters.web import readers
    from dragon_pipeline.adapters.web.engine import crawl
    from dragon_pipeline.adapters.web.entry import Entry
    from dragon_pipeline.adapters.web.outlet import Outlet
    from dragon_pipeline.adapters.web.page_archive import PageArchive
    from dragon_pipeline.adapters.web.steps import JsonLd, Selectors
    from dragon_pipeline.core.settings import NewsroomSettings

    fields = {
        "title": ("h1.topic-body__title",),
        "text": ("p.topic-body__text",),
        "published_at": ('meta[property="article:published_time"]::attr(content)',),
    }
    outlets = [
        Outlet(
            name=host.partition(".")[0],
            hosts=(host,),
            entries=(Entry(kind="sitemap", url=f"http://{host}/sitemap.xml"),),
            articles=(r"/news/(?P<year>\d{4})/(?P<month>\d{2})/(?P<day>\d{2})/[\w-]+/",),
            extract=(JsonLd(by="json_ld") if by_json(host) else Selectors(by="selectors", fields=fields),),
            remove=("aside", "nav"),
        )
        for host in HOSTS
    ]
    settings = NewsroomSettings(gateway=gateway, delay=0, seconds_per_outlet=3_600)
    archive, day = PageArchive(home / "raw", home / "http"), date(*DAY)
    started = time.perf_counter()
    crawled = asyncio.run(crawl(outlets, day, settings, archive, day))
    before_tables = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = 0
    for one in crawled.values():
        table = one.table()
        found += table.filter(status="ok").height
    seconds = time.perf_counter() - started
    readers.shared().close()
    peaks = [resource.getrusage(who).ru_maxrss // 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {"seconds": seconds, "pages": found, "mib": {"crawl": before_tables, "tables": peaks[0], "reader": peaks[1]}}


def bare(gateway: str, pages: int, home: Path) -> dict:
    return scrapy_alone(gateway, pages, lambda response: None)


def trafilatura(gateway: str, pages: int, home: Path) -> dict:
    from trafilatura import bare_extraction

    return scrapy_alone(gateway, pages, lambda response: bare_extraction(response.text, url=response.url))


def scrapy_alone(gateway: str, pages: int, read) -> dict:
    import resource

    import scrapy
    from scrapy.crawler import CrawlerProcess

    seen = []

    class Spider(scrapy.Spider):
        name = "alone"

        async def start(self):
            for number in range(pages):
                host = HOSTS[number % len(HOSTS)]
                yield scrapy.Request(f"http://{host}{path(host, number)}", meta={"proxy": gateway})

        def parse(self, response):
            read(response)
            seen.append(response.status)

    process = CrawlerProcess({"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "CONCURRENT_REQUESTS": 2 * len(HOSTS)})
    process.crawl(Spider)
    started = time.perf_counter()
    process.start()
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {"seconds": seconds, "pages": seen.count(200), "mib": {"crawl": peak}}


PARTS = {"bare": bare, "trafilatura": trafilatura, "crawl": crawl}

if __name__ == "__main__":
    main()
