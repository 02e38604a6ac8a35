import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dragon_pipeline.adapters.embeddings.cache import BATCH, CachedEmbedder
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder

WORKER = """
import sys
from pathlib import Path
from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
texts = [f"текст {number}" for number in range(int(sys.argv[2]), int(sys.argv[2]) + 300)]
print(CachedEmbedder(FakeEmbedder(), Path(sys.argv[1])).passages(texts).shape)
"""


def test_only_missing_texts_are_embedded_each_once(tmp_path):
    first, second = FakeEmbedder(), FakeEmbedder()
    CachedEmbedder(first, tmp_path / "vectors.sqlite").passages(["один", "два", "один"])
    again = CachedEmbedder(second, tmp_path / "vectors.sqlite").passages(["три", "один", "два", "три"])
    assert first.embedded == ["один", "два"]
    assert second.embedded == ["три"]
    assert again.tobytes() == FakeEmbedder().passages(["три", "один", "два", "три"]).tobytes()


def test_questions_and_passages_and_other_embedders_are_apart(tmp_path):
    path = tmp_path / "vectors.sqlite"
    one, other = FakeEmbedder(), FakeEmbedder(32, name="other")
    CachedEmbedder(one, path).passages(["один"])
    CachedEmbedder(one, path).queries(["один"])
    assert CachedEmbedder(other, path).passages(["один"]).shape == (1, 32)
    assert one.embedded == ["один", "один"] and other.embedded == ["один"]


class Dying(FakeEmbedder):
    """Runs out of memory after its first batch."""

    def passages(self, texts):
        if self.embedded:
            raise MemoryError
        return super().passages(texts)


def test_a_run_that_dies_keeps_what_it_has_paid_for(tmp_path):
    texts = [f"текст {number}" for number in range(BATCH + 10)]
    with pytest.raises(MemoryError):
        CachedEmbedder(Dying(), tmp_path / "vectors.sqlite").passages(texts)
    after = FakeEmbedder()
    CachedEmbedder(after, tmp_path / "vectors.sqlite").passages(texts)
    assert after.embedded == texts[BATCH:]


def test_progress_counts_what_had_to_be_embedded(tmp_path):
    seen = []
    cached = CachedEmbedder(FakeEmbedder(), tmp_path / "vectors.sqlite", lambda done, missing: seen.append((done, missing)))
    texts = [f"текст {number}" for number in range(BATCH + 10)]
    cached.passages(texts)
    cached.passages(texts)
    assert seen == [(BATCH, BATCH + 10), (BATCH + 10, BATCH + 10)]


def test_more_texts_than_one_query_takes_are_found(tmp_path):
    texts = [f"текст {number}" for number in range(1200)]
    CachedEmbedder(FakeEmbedder(), tmp_path / "vectors.sqlite").passages(texts)
    after = FakeEmbedder()
    vectors = CachedEmbedder(after, tmp_path / "vectors.sqlite").passages(texts)
    assert after.embedded == []
    assert np.array_equal(vectors, FakeEmbedder().passages(texts))


def test_processes_and_threads_may_share_the_file(tmp_path):
    path = tmp_path / "new" / "vectors.sqlite"
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(path), str(start)], stdout=subprocess.PIPE, text=True)
        for start in (0, 150)
    ]
    with ThreadPoolExecutor(4) as threads:
        cached = CachedEmbedder(FakeEmbedder(), path)
        shapes = threads.map(lambda start: cached.passages([f"текст {start + n}" for n in range(200)]).shape, (0, 50, 100, 400))
    assert list(shapes) == [(200, 64)] * 4
    assert [(worker.communicate()[0], worker.returncode) for worker in workers] == [("(300, 64)\n", 0)] * 2
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT COUNT(*) FROM vectors").fetchone() == (600,)
    connection.close()
