from pathlib import Path

import pytest

from dragon_pipeline.adapters.store.forgotten import ForgottenList
from dragon_pipeline.core.corpus.urls import UrlRules
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.languages.ru.lemmas import forms


def at(folder: Path, secret: bytes = b"k" * 32) -> ForgottenList:
    return ForgottenList(folder / "forgotten.json", folder / "forgotten.jsonl", secret)


def test_what_was_put_on_the_list_is_on_it_for_good(tmp_path: Path):
    known = at(tmp_path).read(forms)
    assert not known
    known = at(tmp_path).add(known, urls=[known.hash("https://a.example/1")])
    at(tmp_path).add(known, names=[known.name(["Анна", "Седова"])])
    again = at(tmp_path).read(forms)
    assert again.has_url("https://a.example/1", UrlRules())
    assert again.has_name("С Анной Седовой")


def test_neither_file_names_anything_or_is_for_others(tmp_path: Path):
    files, known = at(tmp_path), at(tmp_path).read(forms)
    files.add(known, [known.hash("https://a.example/1")], [known.name(["Анна", "Седова"])])
    files.note(kind="url", hash=known.hash("https://a.example/1"))
    for path in (files.path, files.log):
        assert path.stat().st_mode & 0o777 == 0o600
        assert not any(word in path.read_text("utf-8").lower() for word in ("example", "седов", "анна"))


def test_another_key_or_a_broken_file_is_told_and_forgets_nothing_in_silence(tmp_path: Path):
    known = at(tmp_path).read(forms)
    at(tmp_path).add(known, [known.hash("https://a.example/1")])
    with pytest.raises(BadInput, match=r"another release\.key"):
        at(tmp_path, b"o" * 32).read(forms)
    for content in ("", "[]", '{"format": 1}', '{"urls": 5, "names": [], "key": ""}'):
        (tmp_path / "forgotten.json").write_text(content)
        with pytest.raises(BadInput, match=r"forgotten\.json is broken"):
            at(tmp_path).read(forms)


def test_a_torn_line_of_the_log_is_left_out(tmp_path: Path):
    files = at(tmp_path)
    assert files.notes() == []
    files.note(kind="url", state="begun")
    files.log.write_bytes(files.log.read_bytes() + b'{"kind": "na')
    assert files.notes() == [{"kind": "url", "state": "begun"}]
