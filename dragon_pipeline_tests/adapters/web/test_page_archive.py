import os
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.page_archive import Fetched, PageArchive
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256

DAY = date(2026, 3, 4)
URLS = st.sampled_from(["http://a.example/1", "http://a.example/2", "http://a.example/ё?x=\n"])


def fetched(url: str, body: bytes, at: int = 0) -> Fetched:
    return Fetched(url, body, "text/html; charset=utf-8", datetime(2026, 3, 4, 10, at, tzinfo=UTC))


@settings(max_examples=30)
@given(pages=st.lists(st.tuples(URLS, st.binary(max_size=5)), max_size=12))
def test_every_distinct_content_is_kept_once_in_order(tmp_path_factory, pages):
    archive = PageArchive(tmp_path_factory.mktemp("pages"))
    distinct = list(dict.fromkeys(pages))
    for url, body in pages:
        archive.shelf("a", DAY).keep(fetched(url, body))
    kept = list(archive.shelf("a", DAY).pages())
    assert [(page.url, page.body) for page in kept] == sorted(distinct, key=lambda page: (page[0], distinct.index(page)))
    for url in {url for url, _ in distinct}:
        assert [page.fetch for page in kept if page.url == url] == list(range(sum(known == url for known, _ in distinct)))
    assert all(page.raw_hash == sha256(page.body) for page in kept)


def test_keeping_says_whether_it_was_new_and_the_first_fetch_time_stays(tmp_path):
    shelf = PageArchive(tmp_path).shelf("a", DAY)
    assert [shelf.keep(fetched("http://a.example/", b"x", minute)) for minute in (1, 2)] == [0, None]
    assert [page.fetched_at for page in shelf.pages()] == ["2026-03-04T10:01:00+00:00"]


def test_days_and_outlets_are_apart(tmp_path):
    archive = PageArchive(tmp_path)
    archive.shelf("a", DAY).keep(fetched("http://a.example/", b"x"))
    assert not archive.shelf("b", DAY).urls() | archive.shelf("a", date(2026, 3, 5)).urls()
    assert archive.shelf("a", DAY).urls() == {"http://a.example/"}


def test_a_write_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def full(*paths: object) -> None:
        raise OSError(28, "No space left on device")

    shelf = PageArchive(tmp_path).shelf("a", DAY)
    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(os, "replace", full)
        shelf.keep(fetched("http://a.example/", b"x"))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert shelf.keep(fetched("http://a.example/", b"x")) == 0


def test_half_a_page_of_a_killed_crawl_is_swept_away(tmp_path):
    archive = PageArchive(tmp_path)
    archive.shelf("a", DAY).keep(fetched("http://a.example/", b"x"))
    torn = tmp_path / "a" / DAY.isoformat() / ".abc.tmp"
    torn.write_bytes(b"half")
    assert len(list(archive.shelf("a", DAY).pages())) == 1
    assert not torn.exists()


def test_a_page_that_the_disk_has_spoilt_is_an_error_and_not_a_page(tmp_path):
    archive = PageArchive(tmp_path)
    archive.shelf("a", DAY).keep(fetched("http://a.example/", b"x" * 100))
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadInput, match=path.name):
        list(archive.shelf("a", DAY).pages())
    path.write_bytes(b"")
    with pytest.raises(BadInput, match=path.name):
        archive.shelf("a", DAY)


def test_a_content_that_was_taken_down_leaves_the_others_their_numbers(tmp_path):
    archive = PageArchive(tmp_path)
    shelf = archive.shelf("a", DAY)
    for body in (b"one", b"two", b"three"):
        shelf.keep(fetched("http://a.example/", body))
    (gone,) = tmp_path.rglob("*.1.page.gz")
    gone.unlink()
    shelf = archive.shelf("a", DAY)
    assert shelf.keep(fetched("http://a.example/", b"four")) == 3
    assert [(page.fetch, page.body) for page in archive.shelf("a", DAY).pages()] == [(0, b"one"), (2, b"three"), (3, b"four")]


def test_what_was_read_counts_for_its_content_and_digest_alone(tmp_path):
    shelf = PageArchive(tmp_path).shelf("a", DAY)
    shelf.keep(fetched("http://a.example/", b"x"))
    shelf.note("http://a.example/", 0, "digest", {"title": "Мост"})
    again = PageArchive(tmp_path).shelf("a", DAY)
    assert [reading and reading.columns for _, _, reading in again.readings("digest")] == [{"title": "Мост"}]
    assert [reading for _, _, reading in again.readings("another")] == [None]
    (path,) = tmp_path.rglob("*.read.json")
    for torn in (b"", b"{", b'{"url": 1}', path.read_bytes()[:-5]):
        path.write_bytes(torn)
        assert [reading for _, _, reading in again.readings("digest")] == [None]


def test_shelves_of_days_before_are_read_and_not_swept(tmp_path):
    archive = PageArchive(tmp_path)
    archive.shelf("a", DAY).keep(fetched("http://a.example/", b"x"))
    torn = tmp_path / "a" / DAY.isoformat() / ".abc.tmp"
    torn.write_bytes(b"another crawl is writing this")
    assert [len(shelf.urls()) for shelf in archive.earlier("a", date(2026, 3, 6), 3)] == [0, 1, 0]
    assert torn.exists()
