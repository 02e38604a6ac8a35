from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release import notices, versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import CARD_PATH, DATASETS
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.core.release.test_publication import BreakingHub, Outage, put
from dragon_pipeline_tests.local_hub.answers import WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"
WHY = "в ответах нашлась ошибка"


@pytest.fixture(params=["memory", "folder", "huggingface"])
def hub(request: pytest.FixtureRequest, tmp_path: Path, local_hub: LocalHub) -> Hub:
    if request.param == "huggingface":
        return HuggingFaceHub("bench", WRITE, local_hub.url, patience=5)
    return MemoryHub() if request.param == "memory" else FolderHub(tmp_path, "bench")


@pytest.fixture
def two(hub: Hub, release, other_release, files) -> Hub:
    """A hub with two versions."""
    for each in (other_release, release):
        publish(each, None, TODAY, hub, files, SETTINGS)
    return hub


def tagged(hub: Hub) -> dict:
    return {dataset: {tag: hub.read(dataset, tag) for tag in hub.tags(dataset)} for dataset in DATASETS}


def newest(hub: Hub, dataset: str, path: str) -> bytes:
    return hub.read(dataset, str(hub.head(dataset)), [path])[path]


def test_every_card_says_what_was_withdrawn_and_nothing_else_changes(two):
    before, files = tagged(two), {dataset: two.read(dataset, str(two.head(dataset))) for dataset in DATASETS}
    assert withdraw(two, "1.1.0", WHY) == {"1.1.0": WHY}
    assert tagged(two) == before
    for dataset in DATASETS:
        found = two.read(dataset, str(two.head(dataset)))
        card = found.pop(CARD_PATH).decode()
        assert card.startswith(files[dataset].pop(CARD_PATH).decode())
        assert card.endswith(f"## Withdrawn versions\n\n- `1.1.0`: {WHY}\n")
        assert notices.load(dataset, found.pop("withdrawn.json")) == {"1.1.0": WHY}
        assert found == files[dataset]
    assert verify(two, "1.1.0") == []


def test_the_newest_version_is_one_that_was_not_withdrawn(two):
    withdraw(two, "1.1.0", WHY)
    assert versions.latest(two) == "1.0.0"
    assert [(found.version, found.withdrawn) for found in versions.releases(two)] == [("1.0.0", None), ("1.1.0", WHY)]
    withdraw(two, "1.0.0", "и эта тоже")
    assert versions.latest(two) is None
    assert notices.withdrawn(two) == {"1.0.0": "и эта тоже", "1.1.0": WHY}


def test_later_versions_carry_the_notices_on(two, day, files):
    withdraw(two, "1.0.0", WHY)
    later = day.vary(day="2024-05-03").build()
    publish(later, None, "2024-05-03", two, files, SETTINGS)
    assert versions.latest(two) == "1.2.0"
    assert verify(two, "1.2.0") == []
    for dataset in DATASETS:
        found = two.read(dataset, "1.2.0", [CARD_PATH, "withdrawn.json"])
        assert found[CARD_PATH].decode().endswith(f"- `1.0.0`: {WHY}\n")
        assert notices.load(dataset, found["withdrawn.json"]) == {"1.0.0": WHY}
    withdraw(two, "1.2.0", "слишком рано")
    assert newest(two, "public_texts", CARD_PATH).count(b"Withdrawn versions") == 1
    assert versions.latest(two) == "1.1.0"


def test_withdrawn_again_the_reason_is_the_new_one_and_the_same_reason_changes_nothing(two):
    withdraw(two, "1.0.0", WHY)
    heads = [two.head(dataset) for dataset in DATASETS]
    withdraw(two, "1.0.0", WHY)
    assert [two.head(dataset) for dataset in DATASETS] == heads
    assert withdraw(two, "1.0.0", "иначе") == {"1.0.0": "иначе"}


def test_what_is_published_already_and_withdrawn_is_not_published_again_and_said(two, release, files):
    withdraw(two, "1.1.0", WHY)
    revision = publish(release, None, TODAY, two, files, SETTINGS)
    assert set(revision["outcome"]) == {"unchanged"}
    assert set(revision["reason"]) == {f"withdrawn: {WHY}"}


@pytest.mark.parametrize("version", ["1.2.0", "", "latest", "../1.0.0"])
def test_a_version_that_is_not_there_cannot_be_withdrawn(two, version):
    with pytest.raises(BadInput, match="does not hold version"):
        withdraw(two, version, WHY)


@pytest.mark.parametrize("reason", ["", " \n", "`|`", "x" * 501])
def test_a_reason_must_fit_a_card(two, reason):
    with pytest.raises(BadInput, match="needs a reason"):
        withdraw(two, "1.0.0", reason)


@given(st.text(min_size=1, max_size=80))
def test_no_reason_breaks_out_of_its_line(reason):
    try:
        plain = notices.one_line(reason)
    except BadInput:
        return
    card = notices.with_notices(b"# Card\n", {"1.0.0": plain}).decode()
    assert card.count("\n") == 6
    assert notices.with_notices(card.encode(), {}) == b"# Card\n"


@pytest.mark.parametrize("done", [False, True], ids=["before", "after"])
def test_a_withdrawal_that_breaks_at_any_step_is_finished_when_it_is_asked_for_again(release, other_release, files, done):
    at, broken = 0, True
    while broken:
        at, hub = at + 1, MemoryHub()
        for each in (other_release, release):
            publish(each, None, TODAY, hub, files, SETTINGS)
        try:
            withdraw(BreakingHub(hub, at, done), "1.1.0", WHY)  # type: ignore[arg-type]
            broken = False
        except Outage:
            said = any("withdrawn.json" in hub.paths(dataset, str(hub.head(dataset))) for dataset in DATASETS)
            assert versions.latest(hub) == ("1.0.0" if said else "1.1.0")
        withdraw(hub, "1.1.0", WHY)
        assert {newest(hub, dataset, "withdrawn.json") for dataset in DATASETS} == {notices.dump({"1.1.0": WHY})}
    assert at > 20


def test_a_publication_that_was_cut_short_is_finished_before_it_is_withdrawn(release, files):
    hub, steps = MemoryHub(), BreakingHub(MemoryHub())
    publish(release, None, TODAY, steps, files, SETTINGS)  # type: ignore[arg-type]
    with pytest.raises(Outage):
        publish(release, None, TODAY, BreakingHub(hub, steps.calls - 5, done=True), files, SETTINGS)  # type: ignore[arg-type]
    assert versions.latest(hub) is None
    withdraw(hub, "1.0.0", WHY)
    assert [(found.version, found.withdrawn) for found in versions.releases(hub)] == [("1.0.0", WHY)]


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"1.0.0": 7}', b"\xff"])
def test_a_notice_that_somebody_broke_is_said(two, content):
    kept = dict.fromkeys(two.paths("public_texts", str(two.head("public_texts"))))
    put(two, "public_texts", {**kept, "withdrawn.json": content}, private=False)
    with pytest.raises(PublicationFailed, match=r"withdrawn\.json of public_texts on the hub"):
        versions.latest(two)


def test_the_folder_itself_shows_the_notice(tmp_path, release, files):
    hub = FolderHub(tmp_path, "bench")
    publish(release, None, TODAY, hub, files, SETTINGS)
    withdraw(hub, "1.0.0", WHY)
    shown = hub.location("public_questions")
    assert WHY in (shown / "README.md").read_text("utf-8")
    assert notices.load("public_questions", (shown / "withdrawn.json").read_bytes()) == {"1.0.0": WHY}
    assert (shown / "manifest.json").exists()
