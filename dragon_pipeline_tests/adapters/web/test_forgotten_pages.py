import gzip
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from dragon_pipeline.adapters.web.forgotten_pages import forget_answers, forget_entries, forget_lines, forget_pages
from dragon_pipeline.adapters.web.page_archive import Fetched, PageArchive
from dragon_pipeline.core.corpus.forgotten import Forgotten
from dragon_pipeline.languages.ru.lemmas import forms

NOBODY = Forgotten(b"k" * 32, forms)
BY_URL = Forgotten(NOBODY.key, forms, frozenset({NOBODY.hash("https://a.example/1")}))
BY_NAME = Forgotten(NOBODY.key, forms, names=(NOBODY.name(["Глафира", "Зимородкова"]),))


def keep(root: Path, url: str, *bodies: str) -> None:
    shelf = PageArchive(root).shelf("a", date(2025, 9, 1))
    for body in bodies:
        fetch = shelf.keep(Fetched(url, body.encode(), "text/html", datetime(2025, 9, 1, tzinfo=UTC)))
        shelf.note(url, fetch or 0, "d", {"title": None, "lead": None, "text": body, "author": None, "canonical": None})


def test_all_contents_of_a_page_go_with_what_was_read_in_them(tmp_path: Path):
    keep(tmp_path, "http://www.a.example/1?utm_source=x", "один", "два")
    keep(tmp_path, "https://a.example/12", "три")
    assert forget_pages(tmp_path, BY_URL, {}) == 2
    assert len(list(tmp_path.rglob("*.page.gz"))) == len(list(tmp_path.rglob("*.read.json"))) == 1
    assert forget_pages(tmp_path, BY_URL, {}) == 0


def test_pages_whose_article_names_somebody_go(tmp_path: Path):
    keep(tmp_path, "https://a.example/1", "Встретили Глафиру Зимородкову.")
    keep(tmp_path, "https://a.example/2", "Встретили Глафиру Петрову.")
    assert forget_pages(tmp_path, BY_NAME, {}) == 1


def test_a_page_that_the_disk_has_spoilt_is_passed_over(tmp_path: Path):
    keep(tmp_path, "https://a.example/2", "один")
    for path in [*tmp_path.rglob("*.page.gz"), *tmp_path.rglob("*.read.json")]:
        path.write_bytes(b"\x1f\x8b torn")
    assert forget_pages(tmp_path, BY_URL, {}) == 0


def answer(cache: Path, name: str, url: str, body: bytes, headers: bytes = b"") -> Path:
    entry = cache / "a" / name[:2] / name
    entry.mkdir(parents=True)
    (entry / "meta").write_text(repr({"url": url, "method": "GET"}))
    (entry / "response_body").write_bytes(body)
    (entry / "response_headers").write_bytes(headers)
    return entry


def test_answers_that_tell_of_it_go_whole(tmp_path: Path):
    page = answer(tmp_path, "page", "https://a.example/1", b"")
    listing = answer(tmp_path, "list", "https://a.example/feed", gzip.compress(b"<loc>https://a.example/1</loc>"))
    sealed = answer(tmp_path, "seal", "https://a.example/3", b"\0", b"Content-Encoding: br\r\n")
    other = answer(tmp_path, "other", "https://a.example/2", b"https://a.example/12")
    assert forget_answers(tmp_path, 0, BY_URL) == 3
    assert [entry.exists() for entry in (page, listing, sealed, other)] == [False, False, False, True]


def test_answers_that_hit_go_whole(tmp_path: Path):
    told = answer(tmp_path, "told", "https://a.example/5", "тайна".encode())
    other = answer(tmp_path, "other", "https://a.example/2", b"")

    def hits(texts: Sequence[str]) -> list[bool]:
        return ["тайна" in text for text in texts]

    assert forget_entries(tmp_path, hits) == 1
    assert (told.exists(), other.exists()) == (False, True)


def test_lines_that_hit_go_and_the_others_stay_as_they_are(tmp_path: Path):
    path = tmp_path / "logs" / "one.err"
    path.parent.mkdir()
    path.write_bytes(b"one\r\nsecret \xff\n\nlast")
    assert forget_lines(tmp_path, "logs/*", lambda texts: ["secret" in text for text in texts]) == 1
    assert path.read_bytes() == b"one\r\n\nlast"
    assert json.dumps([file.name for file in path.parent.iterdir()]) == '["one.err"]'
