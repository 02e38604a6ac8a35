"""Articles read by worker processes: the same rows, nobody left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.workers import LEAST, WorkerDied, Workers, available

SENTENCES = (
    "Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.",
    "Директор завода «Маяк» Пётр Громов встретился в Берлине с лидерами Италии и Австрии.",
    "Вчера инженер Мария Соколова представила в Казани новый электробус «Заря».",
    "Громов рассказал журналистам о планах.",
)
PARENT = """
from dragon_pipeline.languages.ru.workers import Workers
workers = Workers(processes=2, least=0)
text = "Инженер Пётр Громов открыл завод. " * 20
articles = [{{"article_id": str(i), "published_at": None, "text": text + str(i)}} for i in range(4000)]
list(workers.read("mentions", articles[:6]))
print(*workers.pids, flush=True)
{then}
"""


def articles(number: int) -> list[dict]:
    """Texts of different lengths and orders of the same sentences."""
    return [
        {"article_id": f"a{i}", "published_at": "2024-03-15T10:00:00+03:00",
         "text": " ".join((*SENTENCES[i % 4 :], *SENTENCES[: i % 4])[: 1 + i % 5]) + f" Это сообщение номер {i}."}
        for i in range(number)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def two() -> Iterator[Workers]:
    """Two worker processes that take any batch."""
    workers = Workers(processes=2, least=0)
    yield workers
    workers.close()
    assert not workers.running


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:  # noqa: PTH123
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids: list[int], seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while any(map(running, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(running, pids))


@pytest.mark.parametrize("number", [2, 17])
def test_rows_of_workers_are_those_of_this_process_in_order(two, number):
    batch, alone = articles(number), Workers(processes=1)
    mentions = list(NatashaEntities(two).find(batch))
    triplets = list(RuleExtractor(two).extract(batch, {}))
    assert two.running
    assert not alone.running
    assert mentions == list(NatashaEntities(alone).find(batch))
    assert triplets == list(RuleExtractor(alone).extract(batch, {}))
    assert {row["article_id"] for row in mentions} == {article["article_id"] for article in batch}
    assert triplets


def test_what_a_worker_raises_comes_through_and_the_next_batch_is_read(two):
    batch = articles(6)
    batch[3]["published_at"] = "on a fine day"
    with pytest.raises(ValueError, match="on a fine day") as told:
        list(RuleExtractor(two).extract(batch, {}))
    assert "article a3" in "".join(told.value.__notes__)
    assert list(RuleExtractor(two).extract(articles(3), {}))


def test_an_idle_worker_that_is_gone_is_started_anew(two):
    before = list(NatashaEntities(two).find(articles(5)))
    killed = two.pids[0]
    os.kill(killed, signal.SIGKILL)
    assert gone([killed])
    assert list(NatashaEntities(two).find(articles(5))) == before
    assert len(two.pids) == 2


def test_a_worker_killed_at_work_is_an_error_that_says_so(two):
    list(NatashaEntities(two).find(articles(3)))
    long = [{**article, "text": " ".join([article["text"]] * 40)} for article in articles(100)]
    pids = two.pids
    killer = threading.Timer(0.3, os.kill, (pids[0], signal.SIGKILL))
    killer.start()
    with pytest.raises(WorkerDied, match="killed by SIGKILL"):
        list(NatashaEntities(two).find(long))
    killer.join()
    assert gone(pids)
    assert list(NatashaEntities(two).find(articles(3)))


def test_small_batches_stay_in_this_process():
    workers = Workers(processes=2)
    assert list(workers.read("mentions", articles(4)))
    assert not workers.running
    assert not workers.wanted([{"text": "я" * LEAST}])
    assert workers.wanted([{"text": "я" * LEAST}, {"text": ""}])
    assert not Workers(processes=1).wanted([{"text": "я" * LEAST}] * 2)


def test_as_many_workers_as_cores_unless_said():
    assert Workers().processes == available() == len(os.sched_getaffinity(0))
    assert Workers(processes=3).processes == 3
    with pytest.raises(ValueError, match="at least 1"):
        Workers(processes=0)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_a_parent_that_is_killed_leaves_no_workers(name):
    parent = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PARENT.format(then='list(workers.read("triplets", articles))')],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        # a shell's background job ignores SIGINT, and Dagster then SIGTERM too: both would be handed down
        preexec_fn=lambda: signal.signal(getattr(signal, name), signal.SIG_DFL) and None if name != "SIGKILL" else None,
    )  # fmt: skip
    with parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(running, pids))
        time.sleep(0.3)
        parent.send_signal(getattr(signal, name))
        assert parent.wait(timeout=20) != 0
    assert gone(pids)


def test_a_parent_that_ends_takes_its_workers_along():
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PARENT.format(then="")], capture_output=True, text=True, check=True, timeout=60
    )
    assert gone([int(pid) for pid in told.stdout.split()])
    assert not told.stderr
