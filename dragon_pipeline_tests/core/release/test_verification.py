import json

import polars as pl
import pytest

from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.release import verification
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS, MANIFEST_PATH, TABLE_PATH, from_parquet, of_rows, to_parquet
from dragon_pipeline.core.release.verification import read_table, release_faults, releases, said_privately, verify
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings

TODAY = "2024-05-02"


@pytest.fixture
def published(release, files) -> MemoryHub:
    hub = MemoryHub()
    publish(release, None, TODAY, hub, files, ReleaseSettings(min_questions=2))
    return hub


def commit(hub: MemoryHub, dataset: str, files: dict[str, bytes]) -> str:
    return hub.commit(dataset, files, "by hand", dataset.startswith("private"), hub.head(dataset))


def republish(hub: MemoryHub, dataset: str, path: str, content: bytes, told: bool = True) -> MemoryHub:
    """The same version with one other file; `told`: every manifest names its hash."""
    changed = MemoryHub()
    files = {name: hub.read(name, "1.0.0") for name in DATASETS}
    files[dataset][path] = content
    for name in DATASETS:
        manifest = json.loads(files[name][MANIFEST_PATH])
        if told:
            manifest["files"][dataset][path] = sha256(content)
        files[name][MANIFEST_PATH] = json.dumps(manifest).encode()
    data = {
        name: commit(changed, name, {path: files[name][path] for path in files[name] if path != MANIFEST_PATH})
        for name in files
    }
    for name in DATASETS:
        manifest = json.loads(files[name][MANIFEST_PATH]) | {"commits": data}
        changed.tag(name, "1.0.0", commit(changed, name, files[name] | {MANIFEST_PATH: json.dumps(manifest).encode()}))
    return changed


def with_rows(hub: MemoryHub, dataset: str, change) -> MemoryHub:
    rows = read_table(hub, dataset, "1.0.0").to_dicts()
    return republish(hub, dataset, TABLE_PATH, to_parquet(of_rows(dataset, change(rows))))


def change(rows: list[dict], at: int, **values: object) -> list[dict]:
    return [{**row, **values} if place == at else row for place, row in enumerate(rows)]


def test_a_published_release_has_no_faults(published):
    assert verify(published, "1.0.0") == []


def test_the_check_itself_accepts_an_unchanged_copy(published):
    assert verify(with_rows(published, "private_qa", lambda rows: rows), "1.0.0") == []


def test_a_data_commit_that_lacks_what_the_manifest_names_is_a_fault(published):
    files = published.read("public_texts", "1.0.0")
    manifest = json.loads(files[MANIFEST_PATH])
    other = commit(published, "public_texts", {"README.md": b"other"})
    for named, fault in (("f" * 40, "a data commit that is not there"), (other, "does not hold what the manifest names")):
        manifest["commits"]["public_texts"] = named
        changed = commit(published, "public_texts", files | {MANIFEST_PATH: json.dumps(manifest).encode()})
        published.tag("public_texts", f"1.{len(published.tags('public_texts'))}.0", changed)
        faults = verify(published, max(published.tags("public_texts")))
        assert any(fault in found for found in faults)


def test_a_version_that_is_not_there_is_said_for_every_dataset(published):
    faults = verify(published, "1.7.0")
    assert [fault for fault in faults if "no tag 1.7.0" in fault] == [f"{dataset} has no tag 1.7.0" for dataset in DATASETS]


def test_a_file_that_the_manifest_does_not_name_is_a_fault(published, release):
    faults = verify(republish(published, "public_texts", "README.md", b"other", told=False), "1.0.0")
    assert "public_texts/README.md is not what the manifest of private_qa names" in faults


CASES = {
    "gold text nowhere": ("private_qa", lambda rows: change(rows, 0, text_ids='["nowhere"]'), "gold text nowhere is not in"),
    "no gold": ("private_qa", lambda rows: change(rows, 1, text_ids="[[]]"), "question 1 has no gold text"),
    "no JSON": ("private_qa", lambda rows: change(rows, 1, text_ids="[x"), "question 1: text_ids is not JSON"),
    "no answer": ("private_qa", lambda rows: change(rows, 2, answers=[]), "question 2 has no answer"),
    "empty answer": ("private_qa", lambda rows: change(rows, 2, answers=[" "]), "question 2 has no answer"),
    "a hole": ("public_questions", lambda rows: change(rows, 3, id=4), "public_questions.id is not 0 … 3"),
    "fewer": ("private_qa", lambda rows: rows[:3], "private_qa has 3 rows, the manifest says 4"),
    "other type": ("private_qa", lambda rows: change(rows, 0, type="odd"), "private_qa has the types"),
    "private order": ("public_texts", lambda rows: rows[::-1], "public_texts.id is not 0 … 4 in row order"),
    "repeats": ("private_texts", lambda rows: change(rows, 1, id=rows[0]["id"]), "private_texts.id repeats"),
    "other": ("public_questions", lambda rows: change(rows, 0, question="Кто это?"), "hold different questions"),
}


@pytest.mark.parametrize("case", CASES)
def test_every_kind_of_damage_is_found(published, case):
    dataset, damage, fault = CASES[case]
    assert any(fault in found for found in verify(with_rows(published, dataset, damage), "1.0.0"))


def test_a_question_that_contains_its_own_answer_is_found(published):
    rows = read_table(published, "private_qa", "1.0.0")
    place = rows["answers"].to_list().index(["Анна Лещинская"])
    said = "Верно ли, что АННА ЛЕЩИНСКАЯ открыла сад?"
    damaged = with_rows(published, "public_questions", lambda rows: change(rows, place, question=said))
    assert f"question {place} contains its own answer 'Анна Лещинская'" in verify(damaged, "1.0.0")


@pytest.mark.parametrize("secret", ["private text", "fact", "key"])
def test_a_private_id_in_a_public_table_is_found(published, secret):
    private = json.loads(published.read("private_qa", "1.0.0")[MANIFEST_PATH])["private"]
    subgraph = json.loads(read_table(published, "private_qa", "1.0.0")["subgraph"][0])
    id = {
        "private text": read_table(published, "private_texts", "1.0.0")["id"][0],
        "fact": subgraph[0]["fact_id"],
        "key": private["key"],
    }[secret]
    damaged = with_rows(published, "public_texts", lambda rows: change(rows, 0, url=f"https://x.example/{id}.html"))
    assert any("column url, holds the internal id" in fault for fault in verify(damaged, "1.0.0"))


def test_a_changed_seed_breaks_the_commitment(published):
    manifest = json.loads(published.read("private_qa", "1.0.0")[MANIFEST_PATH])
    manifest["private"]["seed"] += 1
    damaged = republish(published, "private_qa", MANIFEST_PATH, json.dumps(manifest).encode(), told=False)
    assert "the seed of private_qa is not the one committed to" in verify(damaged, "1.0.0")


def test_a_table_that_is_no_parquet_is_a_fault_and_no_crash(published):
    damaged = republish(published, "private_qa", TABLE_PATH, b"PAR1 torn")
    assert any("is no Parquet file" in fault for fault in verify(damaged, "1.0.0"))


def test_a_manifest_that_is_no_json_is_a_fault_and_no_crash(published):
    files = published.read("public_texts", "1.0.0") | {MANIFEST_PATH: b"{"}
    damaged = MemoryHub()
    damaged.tag("public_texts", "1.0.0", commit(damaged, "public_texts", files))
    faults = verify(damaged, "1.0.0")
    assert any("is not JSON" in fault for fault in faults)
    assert "private_qa has no tag 1.0.0" in faults


def test_releases_are_listed_with_day_and_counts(published):
    (found,) = releases(published)
    assert (found.version, found.day, found.questions, found.texts, found.ranking) == ("1.0.0", TODAY, 4, 5, False)
    assert found.commits == {dataset: published.tags(dataset)["1.0.0"] for dataset in DATASETS}


def test_a_manifest_can_be_shown(published):
    assert verification.read_manifest(published, "1.0.0")["version"] == "1.0.0"
    with pytest.raises(PublicationFailed, match=r"1\.3\.0"):
        verification.read_manifest(published, "1.3.0")


def test_a_release_is_checked_before_it_is_published(day, release):
    assert release_faults(release, day.accepted, day.window, day.files) == []


def test_an_article_id_in_a_public_text_is_found_before_publishing(day, release):
    id = day.articles["article_id"][4]
    at = (pl.col("dataset") == "public_texts") & (pl.col("path") == TABLE_PATH)
    with day.files.local(release.row(by_predicate=at, named=True)["sha256"]) as path:
        texts = from_parquet(path.read_bytes())
    content = to_parquet(of_rows("public_texts", change(texts.to_dicts(), 0, title=f"Завод {id}")))
    stored = day.files.add(lambda path: path.write_bytes(content))
    leaky = release.with_columns(sha256=pl.when(at).then(pl.lit(stored.sha256)).otherwise(pl.col("sha256")))
    faults = release_faults(leaky, day.accepted, day.window, day.files)
    assert f"public_texts/{TABLE_PATH}, column title, holds the internal id {id}" in faults
    assert release_faults(release.clear(), day.accepted, day.window, day.files) == []


def test_a_version_that_is_published_after_a_withdrawal_says_so_and_has_no_faults(published, other_release, files):
    withdraw(published, "1.0.0", "texts were cut short")
    publish(other_release, None, TODAY, published, files, ReleaseSettings(min_questions=2))
    assert "withdrawn.json" in published.paths("public_texts", "1.1.0")
    assert verify(published, "1.0.0") == [] == verify(published, "1.1.0")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The answer Анна Лещинская is wrong", ["the text holds the answer 'Анна Лещинская'"]),
        ("Texts were cut short", []),
    ],
)
def test_what_a_text_for_everybody_says_of_the_private_half_is_told(published, text, told):
    assert said_privately(published, "1.0.0", text) == told


def test_an_id_in_a_text_for_everybody_is_told(published):
    id = read_table(published, "private_texts", "1.0.0")["id"][2]
    assert said_privately(published, "1.0.0", f"see {id.upper()}") == [f"the text holds the id {id}"]
