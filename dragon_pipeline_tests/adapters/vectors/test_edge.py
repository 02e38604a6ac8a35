import gc
import subprocess
import sys

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
