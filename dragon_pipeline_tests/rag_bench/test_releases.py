import json

import pytest

import rag_bench
from dragon_pipeline_tests.rag_bench.releasing import TABLES, files_of, parquet, publish, sha256, write_commit
from rag_bench.errors import BadRelease, BadTable, NotOnHub, RagBenchWarning, Unreachable

PUBLIC = ("public_texts", "public_questions")


def load(root, version="latest", **how):
    return rag_bench.load(version, root, **how)


def test_a_release_is_its_four_tables_at_the_commits_of_one_tag(tmp_path):
    commits = publish(tmp_path, "1.1.0")
    release = load(tmp_path)
    assert (release.version, release.commits, release.manifest["day"]) == ("1.1.0", commits, "2026-03-01")
    assert list(release.texts) == TABLES["public_texts"] and list(release.questions) == TABLES["public_questions"]
    assert release.gold and list(release.gold.private_qa) == TABLES["private_qa"]
    assert release.gold and list(release.gold.private_texts) == TABLES["private_texts"]
    assert str(release) == f"1.1.0 of 2026-03-01: 3 questions, 3 texts, with gold, from {tmp_path / 'dragon'}"


def test_the_newest_version_is_by_number(tmp_path):
    for version in ("1.9.0", "1.10.0", "1.2.0"):
        publish(tmp_path, version)
    assert load(tmp_path).version == "1.10.0"
    assert load(str(tmp_path), "1.2.0").version == "1.2.0"


def test_the_folder_of_the_namespace_is_the_hub_too(tmp_path):
    publish(tmp_path, "1.1.0")
    assert load(tmp_path / "dragon").version == load(tmp_path, namespace="dragon").version == "1.1.0"


@pytest.mark.parametrize("lacking", sorted(TABLES))
def test_a_version_that_lacks_a_half_is_not_the_newest(tmp_path, lacking):
    publish(tmp_path, "1.1.0")
    publish(tmp_path, "1.2.0", [dataset for dataset in TABLES if dataset != lacking])
    assert load(tmp_path).version == "1.1.0"


def test_who_sees_no_gold_gets_the_newest_public_version_without_it(tmp_path):
    publish(tmp_path, "1.1.0", PUBLIC)
    publish(tmp_path, "1.2.0", PUBLIC)
    assert (load(tmp_path).version, load(tmp_path).gold) == ("1.2.0", None)


def test_the_gold_of_an_opened_version_is_everyone_s(tmp_path):
    opened = {"opened_texts": TABLES["private_texts"], "opened_qa": TABLES["private_qa"]}
    publish(tmp_path, "1.1.0", PUBLIC)
    for dataset, rows in opened.items():
        write_commit(tmp_path / "dragon" / dataset, "1.1.0", {**files_of(rows), **manifest_like(tmp_path, dataset, rows)})
    publish(tmp_path, "1.2.0", PUBLIC)
    assert load(tmp_path).gold is None
    release = load(tmp_path, "opened")
    assert release.version == "1.1.0" and release.gold and list(release.gold.private_qa) == TABLES["private_qa"]
    assert load(tmp_path, "1.1.0").gold == release.gold


def manifest_like(root, dataset, rows):
    """A manifest for files that are published later than the rest of their release."""
    tag = root / "dragon" / "public_texts" / "tags" / "1.1.0" / "manifest.json"
    told = json.loads(tag.read_bytes())
    told["files"] = {dataset: {path: sha256(c) for path, c in files_of(rows).items()}}
    return {"manifest.json": json.dumps(told).encode()}


def test_the_sandbox_is_a_release_of_its_own_in_the_same_folder(tmp_path):
    publish(tmp_path, "1.5.0")
    publish(tmp_path, "1.0.0", prefix="sandbox_")
    sandbox = load(tmp_path, sandbox=True)
    assert (sandbox.version, load(tmp_path).version) == ("1.0.0", "1.5.0")
    assert set(sandbox.commits) == {f"sandbox_{dataset}" for dataset in TABLES} and sandbox.gold


def test_a_table_in_pieces_is_read_in_order(tmp_path):
    publish(tmp_path, "1.1.0", pieces=3)
    assert load(tmp_path).texts["id"] == [0, 1, 2]
    assert load(tmp_path).passages([2, 0]) == [TABLES["public_texts"][2]["text"], TABLES["public_texts"][0]["text"]]


@pytest.mark.parametrize("layout", ["{dataset}.parquet", "{dataset}/rows.parquet", "{dataset}/data/train-0.parquet"])
def test_a_folder_with_the_tables_is_a_release(tmp_path, layout):
    for dataset in TABLES:
        file = tmp_path / layout.format(dataset=dataset)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(parquet(TABLES[dataset]))
    release = load(tmp_path)
    assert list(release.questions) == TABLES["public_questions"] and release.gold and not release.manifest
    content = release.content
    (tmp_path / layout.format(dataset="public_questions")).write_bytes(parquet(TABLES["public_questions"][:2]))
    assert load(tmp_path).content != content


@pytest.mark.parametrize(
    "told", [{"1.2.0": "two answers were wrong"}, [{"version": "1.2.0", "reason": "two answers were wrong"}]]
)
def test_a_withdrawn_version_is_not_the_newest_and_says_why_when_it_is_asked_for(tmp_path, told):
    publish(tmp_path, "1.1.0")
    publish(tmp_path, "1.2.0")
    for dataset in PUBLIC:
        withdraw(tmp_path / "dragon" / dataset, json.dumps(told).encode())
    assert load(tmp_path).version == "1.1.0"
    with pytest.warns(RagBenchWarning, match=r"version 1\.2\.0 was withdrawn: two answers were wrong"):
        assert load(tmp_path, "1.2.0").version == "1.2.0"


@pytest.mark.parametrize("content", [b"{", b'{"1.2.0": 5}', b'[{"version": 1, "reason": "x"}]', b"[" * 100_000, b"5"])
def test_a_list_of_withdrawn_versions_that_cannot_be_read_is_said(tmp_path, content):
    publish(tmp_path, "1.1.0")
    withdraw(tmp_path / "dragon" / "public_questions", content)
    with pytest.raises(BadRelease, match=r"public_questions: withdrawn\.json cannot be read"):
        load(tmp_path)


def withdraw(folder, content: bytes) -> None:
    """A commit on top of main that adds the list, without a tag."""
    newest = folder / "commits" / ("f" * 40)
    newest.mkdir(exist_ok=True)
    (newest / "withdrawn.json").write_bytes(content)
    (folder / "head").unlink(missing_ok=True)
    (folder / "head").symlink_to(newest.relative_to(folder))


def test_what_the_hub_does_not_hold_is_said(tmp_path):
    with pytest.raises(NotOnHub, match="holds no release: neither dragon/public_questions/tags nor"):
        load(tmp_path)
    with pytest.raises(NotOnHub, match="none is no folder"):
        load(tmp_path / "none")
    publish(tmp_path, "1.1.0")
    for version in ("1.4.0", "../../1.1.0", "opened", ""):
        with pytest.raises(NotOnHub, match=r"has no version .*; there are 1\.1\.0"):
            load(tmp_path, version)
    with pytest.raises(NotOnHub, match="no dataset sandbox_public_texts and sandbox_public_questions"):
        load(tmp_path, sandbox=True)
    with pytest.raises(NotOnHub, match=r"has no version whose gold everyone may read; there are 1\.1\.0$"):
        load(tmp_path, "opened")
    for dataset in ("public_texts", "public_questions"):
        withdraw(tmp_path / "dragon" / dataset, b'{"1.1.0": "wrong"}')
    with pytest.raises(NotOnHub, match=r"has no version that was not withdrawn; there are 1\.1\.0$"):
        load(tmp_path)


def test_a_folder_is_opened_without_a_token(tmp_path):
    publish(tmp_path, "1.1.0")
    with pytest.raises(NotOnHub, match=r"has no dataset sandbox_public_texts and sandbox_public_questions$"):
        load(tmp_path, sandbox=True)


def test_a_tag_that_is_nearly_a_version_is_none(tmp_path):
    publish(tmp_path, "1.2.0")
    for tag in ("01.9.0", "1.٩.0", "1.9.0 ", "1.9.0\x1b", "latest"):
        publish(tmp_path, tag)
    assert load(tmp_path).version == "1.2.0"
    with pytest.raises(NotOnHub, match=r"there are 1\.2\.0$"):
        load(tmp_path, "1.9.0")


@pytest.mark.parametrize("name", ["manifest.json", "withdrawn.json"])
def test_a_list_that_would_fill_the_memory_is_not_read(tmp_path, name):
    publish(tmp_path, "1.1.0")
    withdraw(tmp_path / "dragon" / "public_texts", b"{}")
    file = next((tmp_path / "dragon" / "public_texts" / "commits").glob(f"*/{name}"))
    with file.open("wb") as sink:
        sink.truncate(100_000_000)  # a hole: it takes no room
    with pytest.raises(BadRelease, match=rf"{name}.* has 100,000,000 bytes, at most"):
        load(tmp_path)


def test_a_release_shows_itself_in_one_line_and_says_when_it_is_the_sandbox(tmp_path):
    publish(tmp_path, "1.1.0", prefix="sandbox_")
    release = load(tmp_path, sandbox=True)
    assert str(release).startswith("sandbox 1.1.0 of 2026-03-01: 3 questions, 3 texts, with gold")
    assert repr(release) == f"Release(version='1.1.0', source='{tmp_path / 'dragon'}')"


def test_a_file_that_is_not_the_manifest_s_is_refused(tmp_path):
    publish(tmp_path, "1.1.0")
    table = tmp_path / "dragon" / "private_qa" / "tags" / "1.1.0" / "data" / "train-00000-of-00001.parquet"
    table.write_bytes(parquet(TABLES["private_qa"][:2]))
    with pytest.raises(BadRelease, match=r"private_qa at 1\.1\.0: data/train-00000-of-00001\.parquet has SHA-256"):
        load(tmp_path)


def test_a_piece_that_is_missing_is_refused(tmp_path):
    publish(tmp_path, "1.1.0", pieces=2)
    (tmp_path / "dragon" / "public_texts" / "tags" / "1.1.0" / "data" / "train-00001-of-00002.parquet").unlink()
    with pytest.raises(BadRelease, match=r"train-00001-of-00002\.parquet is in the manifest and not on the hub"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": "1.0.0"}, "its manifest says that it is version '1.0.0'"),
        ({"files": []}, "names no files of it"),
        ({"files": {"public_questions": "x"}}, "names no files of it"),
        ({"content": "other"}, "are parts of different releases"),
        ({"commits": {"public_texts": "0" * 40}}, "are parts of different releases"),
    ],
)
def test_halves_that_do_not_belong_together_are_refused(tmp_path, change, words):
    publish(tmp_path, "1.1.0")
    file = tmp_path / "dragon" / "public_questions" / "tags" / "1.1.0" / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | change))
    with pytest.raises(BadRelease, match=words):
        load(tmp_path)


@pytest.mark.parametrize(
    ("table", "rows", "words"),
    [
        ("public_texts", [{"id": 0, "text": "а"}, {"id": 0, "text": "б"}], "ids must be there, and each once"),
        ("public_questions", [{"id": "0", "question": "Кто?"}], "ids must be whole numbers, and are string"),
        ("public_questions", [{"id": 0, "text": "Кто?"}], "has no column question"),
        ("public_questions", [{"id": 0, "question": None}, {"id": 1, "question": "Кто?"}], "question must be a string in each"),
        ("public_texts", [{"id": 0, "text": 5}], "text must be a string in each row"),
        ("public_texts", [{"id": -1, "text": "а"}], "ids must be 0 or more"),
    ],
)
def test_a_table_that_cannot_be_used_is_said(tmp_path, table, rows, words):
    publish(tmp_path, "1.1.0", tables={**TABLES, table: rows})
    release = load(tmp_path)
    with pytest.raises(BadTable, match=words):
        _ = (release.texts, release.questions)


def test_a_hub_that_cannot_be_reached_is_said(tmp_path):
    with pytest.raises(Unreachable, match=r"the hub at http://127\.0\.0\.1:9 gives no answer"):
        rag_bench.load(endpoint="http://127.0.0.1:9", cache=tmp_path)
