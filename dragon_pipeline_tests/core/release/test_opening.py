import json

import pytest

from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.release import ids, versions
from dragon_pipeline.core.release.opening import OPENED, open_versions, opened
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import CARD_PATH, MANIFEST_PATH, TABLE_PATH, from_parquet, read_table
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.release.withdrawal import withdraw
from dragon_pipeline.core.settings import ReleaseSettings

SETTINGS = ReleaseSettings(min_questions=2)
TODAY, TOMORROW = "2024-05-02", "2024-05-03"


@pytest.fixture
def hub(day, release, files) -> MemoryHub:
    """1.0.0 of one day, and 1.1.0 of the next, which is in use."""
    hub = MemoryHub()
    publish(release, None, TODAY, hub, files, SETTINGS)
    publish(day.vary(day=TOMORROW).build(), None, TOMORROW, hub, files, SETTINGS)
    return hub


def test_a_closed_version_is_opened_with_its_own_tables(hub):
    commits = open_versions(hub, ["1.0.0"])
    assert commits == {"1.0.0": {dataset: hub.tags(dataset)["1.0.0"] for dataset in OPENED.values()}}
    for private, dataset in OPENED.items():
        assert hub.read(dataset, "1.0.0")[TABLE_PATH] == hub.read(private, "1.0.0")[TABLE_PATH]
    assert opened(hub) == {"1.0.0"}
    assert verify(hub, "1.0.0") == [] == verify(hub, "1.1.0")


def test_with_the_key_anyone_can_check_the_commitments_and_make_every_id_again(hub, day):
    public = versions.read_manifest(hub, "1.0.0")
    open_versions(hub, ["1.0.0"])
    for dataset in OPENED.values():
        told = json.loads(hub.read(dataset, "1.0.0", [MANIFEST_PATH])[MANIFEST_PATH])
        key = bytes.fromhex(told["private"]["key"])
        assert public["commitments"]["key"] == ids.key_commitment(key)
        assert public["commitments"]["seed"] == ids.seed_commitment(key, told["private"]["seed"])
        assert {name: told[name] for name in ("content", "commits")} == {name: public[name] for name in ("content", "commits")}
    texts = dict(day.articles.select("url", "article_id").iter_rows())
    places = dict(read_table(hub, "public_texts", "1.0.0").select("id", "url").iter_rows())
    found = from_parquet(hub.read("opened_texts", "1.0.0")[TABLE_PATH])
    assert {place: id for id, place in found.iter_rows()} == {
        place: ids.private_id(key, texts[url]) for place, url in places.items() if not url.endswith("/most")
    } | {place: ids.private_id(key, day.articles["article_id"][2]) for place, url in places.items() if url.endswith("/most")}


def test_the_key_of_an_open_version_is_no_other_versions(hub):
    open_versions(hub, ["1.0.0"])
    told = hub.read("opened_qa", "1.0.0", [MANIFEST_PATH])[MANIFEST_PATH].decode()
    other = versions.read_manifest(hub, "1.1.0", "private_qa")["private"]["key"]
    assert other not in told


def test_cards_of_opened_datasets_say_what_they_are(hub):
    open_versions(hub, ["1.0.0"])
    for dataset in OPENED.values():
        card = hub.read(dataset, "1.0.0", [CARD_PATH])[CARD_PATH].decode()
        assert f"# DRAGON {dataset.replace('_', ' ')}, {TODAY}" in card
        assert "must not be done" not in card


def test_opened_again_it_changes_nothing(hub):
    first = open_versions(hub, ["1.0.0"])
    assert open_versions(hub, ["1.0.0"]) == first
    assert {dataset: hub.head(dataset) for dataset in OPENED.values()} == first["1.0.0"]


@pytest.mark.parametrize("killed", ["opened_texts", "opened_qa"])
@pytest.mark.parametrize("method", ["commit", "tag"])
@pytest.mark.parametrize("done", [False, True])
def test_an_opening_that_breaks_is_finished_by_the_next(hub, killed, method, done):
    class Outage(Exception):
        pass

    class Breaking:
        def __getattr__(self, name: str):
            def call(dataset: str, *args: object):
                if (name, dataset) != (method, killed):
                    return getattr(hub, name)(dataset, *args)
                if done:
                    getattr(hub, name)(dataset, *args)
                raise Outage

            return call

    with pytest.raises(Outage):
        open_versions(Breaking(), ["1.0.0"])  # type: ignore[arg-type]
    whole = (killed, method, done) == ("opened_qa", "tag", True)
    assert opened(hub) == ({"1.0.0"} if whole else set())
    commits = open_versions(hub, ["1.0.0"])["1.0.0"]
    assert opened(hub) == {"1.0.0"}
    assert {dataset: hub.head(dataset) for dataset in OPENED.values()} == commits


def test_the_newest_version_is_in_use_and_is_not_opened_unless_asked_for(hub):
    with pytest.raises(BadInput, match=r"1\.1\.0 is the newest and in use.*--even-newest"):
        open_versions(hub, ["1.1.0"])
    assert opened(hub) == set()
    open_versions(hub, ["1.1.0"], even_newest=True)
    assert opened(hub) == {"1.1.0"}


def test_a_version_of_the_newest_ones_day_has_its_key(hub, day, files):
    publish(day.vary(day=TOMORROW, accepted=day.accepted.head(3)).build(), None, TOMORROW, hub, files, SETTINGS)
    with pytest.raises(BadInput, match=r"1\.2\.0 is of 2024-05-03 too"):
        open_versions(hub, ["1.1.0"], even_newest=True)
    with pytest.raises(BadInput, match=r"1\.2\.0 is the newest and in use"):
        open_versions(hub, ["1.1.0", "1.2.0"])


def test_versions_of_one_day_are_opened_together(hub, day, files):
    other = day.vary(accepted=day.accepted.head(3)).build()
    publish(other, None, TODAY, hub, files, SETTINGS.model_copy(update={"publish_past": True}))
    publish(day.vary(day="2024-05-04").build(), None, "2024-05-04", hub, files, SETTINGS)
    with pytest.raises(BadInput, match=r"1\.2\.0 is of 2024-05-02 too.*dragon release open 1\.0\.0 1\.2\.0"):
        open_versions(hub, ["1.0.0"])
    open_versions(hub, ["1.2.0", "1.0.0"])
    assert opened(hub) == {"1.0.0", "1.2.0"}


def test_a_withdrawn_version_of_the_day_is_nobodys_secret(hub, day, files):
    other = day.vary(accepted=day.accepted.head(3)).build()
    publish(other, None, TODAY, hub, files, SETTINGS.model_copy(update={"publish_past": True}))
    withdraw(hub, "1.2.0", "wrong set")
    open_versions(hub, ["1.0.0"])
    assert opened(hub) == {"1.0.0"}


def test_a_withdrawn_newest_version_is_not_in_use(hub):
    withdraw(hub, "1.1.0", "texts were cut short")
    open_versions(hub, ["1.1.0"])
    with pytest.raises(BadInput, match=r"1\.0\.0 is the newest and in use"):
        open_versions(hub, ["1.0.0"])


def test_what_the_hub_does_not_hold_or_not_whole_is_not_opened(hub):
    with pytest.raises(BadInput, match=r"1\.7\.0 is not on the hub; there are 1\.0\.0, 1\.1\.0"):
        open_versions(hub, ["1.7.0"])

    class Lying:
        def __getattr__(self, name: str):
            return getattr(hub, name)

        def read(self, dataset, revision, paths=None):
            found = hub.read(dataset, revision, paths)
            return {path: content + b" " if path == CARD_PATH else content for path, content in found.items()}

    with pytest.raises(PublicationFailed, match="not whole"):
        open_versions(Lying(), ["1.0.0"])  # type: ignore[arg-type]
