import gc
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from dragon_pipeline.adapters.vectors.edge import EdgeIndex

ONE = np.eye(4, dtype=np.float32)[:1]


def test_the_scratch_folder_goes_with_the_index(tmp_path):
    index = EdgeIndex(tmp_path / "vectors")
    index.put(["a"], ONE)
    assert len(list((tmp_path / "vectors").iterdir())) == 1
    index.close()
    assert not list((tmp_path / "vectors").iterdir())
    index.close()


def test_an_index_that_is_let_go_leaves_nothing(tmp_path):
    index = EdgeIndex(tmp_path)
    index.put(["a"], ONE)
    del index
    gc.collect()
    assert not list(tmp_path.iterdir())


def test_two_indexes_of_one_folder_do_not_see_each_other(tmp_path):
    one, other = EdgeIndex(tmp_path), EdgeIndex(tmp_path)
    one.put(["a"], ONE)
    assert other.nearest(ONE, 1, [["a"]]) == [[]]
    assert one.nearest(ONE, 1, [["a"]]) == [[("a", 1.0)]]
    one.close()
    other.close()


@pytest.mark.slow
def test_what_a_killed_process_left_is_removed_by_the_next_and_what_lives_stays(tmp_path):
    code = (
        "import os, signal, sys, pathlib, numpy as np\n"
        "from dragon_pipeline.adapters.vectors.edge import EdgeIndex\n"
        "index = EdgeIndex(pathlib.Path(sys.argv[1])); index.put(['a'], np.eye(4, dtype=np.float32)[:1])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    alive = EdgeIndex(tmp_path)
    alive.put(["a"], ONE)
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=60)
    assert len(list(tmp_path.iterdir())) == 2
    third = EdgeIndex(tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    assert alive.nearest(ONE, 1, [["a"]]) == [[("a", 1.0)]]
    alive.close()
    third.close()


START = """
import fcntl, os, pathlib, sys
import numpy as np
from dragon_pipeline.adapters.vectors.edge import EdgeIndex

pauses = sys.argv[2] == "pauses"

def stop(event, given):
    global pauses
    if event != "fcntl.flock":
        return
    if not pauses:  # of the one that comes later: it is about to take its first lock
        print("locks", flush=True)
    elif os.readlink(f"/proc/self/fd/{given[0]}").endswith("/lock"):  # its folder is made and not yet locked
        pauses = False
        print("made", flush=True)
        sys.stdin.readline()

sys.addaudithook(stop)
index = EdgeIndex(pathlib.Path(sys.argv[1]))
print("started", flush=True)
sys.stdin.readline()
index.put(["a"], np.eye(4, dtype=np.float32)[:1])
print("found", index.nearest(np.eye(4, dtype=np.float32)[:1], 1, [["a"]]), len(list(index._scratch.glob("lock"))), flush=True)
index.close()
"""


def start(folder: Path, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", START, str(folder), how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads the names of open files from /proc")
def test_a_process_that_starts_leaves_alone_what_another_one_has_made_and_not_yet_locked(tmp_path):
    with start(tmp_path, "pauses") as first, start(tmp_path, "waits") as second:
        assert first.stdin and first.stdout and second.stdin and second.stdout
        assert first.stdout.readline() == "made\n"
        assert second.stdout.readline() == "locks\n"
        time.sleep(0.3)  # what the second may do meanwhile, it does
        assert first.poll() is second.poll() is None
        first.stdin.write("go on\n\n")
        first.stdin.flush()
        assert first.stdout.readlines()[-1] == "found [[('a', 1.0)]] 1\n"
        second.stdin.write("\n")
        second.stdin.flush()
        assert second.stdout.readlines()[-1] == "found [[('a', 1.0)]] 1\n"
    assert not list(tmp_path.iterdir())


def test_what_a_process_left_that_was_killed_before_it_had_a_lock_is_removed(tmp_path):
    (tmp_path / "edge-dead").mkdir()
    index = EdgeIndex(tmp_path)
    assert not (tmp_path / "edge-dead").exists()
    index.close()
