import json
from dataclasses import replace

import pytest

from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.release import ids
from dragon_pipeline.core.release.opening import open_versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.sandbox import SandboxHub, refuse_closed
from dragon_pipeline.core.release.tables import CARD_PATH, DATASETS, MANIFEST_PATH, read_table
from dragon_pipeline.core.release.verification import release_faults, verify
from dragon_pipeline.core.release.versions import releases
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings

SETTINGS = ReleaseSettings(min_questions=2, publish_past=True)
TODAY, TOMORROW = "2024-05-02", "2024-05-03"


@pytest.fixture(scope="module")
def sandbox(day):
    return day.vary(key=ids.sandbox_key(day.key), provenance=replace(day.provenance, sandbox=True))


@pytest.fixture
def hub(day, release, files) -> MemoryHub:
    hub = MemoryHub()
    publish(release, None, TODAY, hub, files, SETTINGS)
    publish(day.vary(day=TOMORROW).build(), None, TOMORROW, hub, files, SETTINGS)
    return hub


def test_a_sandbox_is_four_public_datasets_with_versions_of_their_own(hub, sandbox, files):
    assert release_faults(sandbox.build(), sandbox.accepted, sandbox.window, files) == []
    view = SandboxHub(hub)
    told = publish(sandbox.build(), None, TODAY, view, files, SETTINGS)
    assert told["version"].to_list() == ["1.0.0"] * 4
    assert verify(view, "1.0.0") == []
    assert [one.version for one in releases(hub)] == ["1.0.0", "1.1.0"], "releases do not count it"
    for dataset in DATASETS:
        assert read_table(view, dataset, "1.0.0").columns == read_table(hub, dataset, "1.0.0").columns
        assert json.loads(hub.read(f"sandbox_{dataset}", "1.0.0", [MANIFEST_PATH])[MANIFEST_PATH])["sandbox"] is True
        assert "DRAGON sandbox" in hub.read(f"sandbox_{dataset}", "1.0.0", [CARD_PATH])[CARD_PATH].decode()
        hub.commit(f"sandbox_{dataset}", {"x": b"x"}, "it is public", False, hub.head(f"sandbox_{dataset}"))


def test_a_sandbox_has_a_key_of_its_own(hub, day, sandbox, files):
    publish(sandbox.build(), None, TODAY, SandboxHub(hub), files, SETTINGS)
    key = json.loads(hub.read("sandbox_private_qa", "1.0.0", [MANIFEST_PATH])[MANIFEST_PATH])["private"]["key"]
    assert key != json.loads(hub.read("private_qa", "1.0.0", [MANIFEST_PATH])[MANIFEST_PATH])["private"]["key"]
    assert key not in {ids.release_key(day.key, name).hex() for name in (TODAY, TOMORROW)}
    mine, theirs = (set(read_table(hub, name, "1.0.0")["id"]) for name in ("sandbox_private_texts", "private_texts"))
    assert not mine & theirs


def test_the_same_sandbox_is_published_once(hub, sandbox, files):
    view = SandboxHub(hub)
    for outcome in ("published", "unchanged"):
        assert publish(sandbox.build(), None, TODAY, view, files, SETTINGS)["outcome"][0] == outcome


def test_a_day_whose_version_is_closed_gets_no_sandbox(hub):
    for day, version in ((TODAY, "1.0.0"), (TOMORROW, "1.1.0")):
        with pytest.raises(BadInput, match=f"{day} is version {version}, which is not open.*answers away"):
            refuse_closed(hub, day)


def test_an_open_or_withdrawn_version_has_no_answers_to_give_away(hub):
    open_versions(hub, ["1.0.0"])
    refuse_closed(hub, TODAY)
    withdraw(hub, "1.1.0", "cut short")
    refuse_closed(hub, TOMORROW)


def test_a_day_without_a_version_gets_a_sandbox_only_if_it_will_get_none(hub):
    refuse_closed(hub, "2024-05-01")
    with pytest.raises(BadInput, match="2024-05-04 may still be published"):
        refuse_closed(hub, "2024-05-04")
    with pytest.raises(BadInput, match="2024-05-01 may still be published"):
        refuse_closed(MemoryHub(), "2024-05-01")


def test_a_short_key_makes_no_sandbox():
    with pytest.raises(BadInput, match="at least 16"):
        ids.sandbox_key(b"short")


def test_a_day_with_a_sandbox_is_never_published(hub, day, sandbox, files):
    earlier = "2024-05-01"
    publish(sandbox.vary(day=earlier).build(), None, earlier, SandboxHub(hub), files, SETTINGS)
    told = publish(day.vary(day=earlier).build(), None, earlier, hub, files, SETTINGS)
    assert (told["outcome"][0], told["version"][0]) == ("past", None)
    assert told["reason"][0] == f"the sandbox gives the answers of {earlier} away: whoever is ranked on them could read them"
