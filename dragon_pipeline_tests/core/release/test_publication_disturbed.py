"""Publishing to a Hub that goes wrong at any single request, in ways that are no outage: each time a sentence, or the whole."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release import versions
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.tables import DATASETS, PRIVATE
from dragon_pipeline.core.release.verification import verify
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import HALF_BLIND, WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"
ALWAYS = 10_000


def page(hub: LocalHub) -> None:
    """A guest network answers instead, once."""
    hub.fail("any", "page")


def expired(hub: LocalHub) -> None:
    hub.fail("any", 401, times=ALWAYS)


def forbidden(hub: LocalHub) -> None:
    hub.fail("any", 403, times=ALWAYS)


def opened_up(hub: LocalHub) -> None:
    """Somebody makes the private datasets public."""
    for dataset in PRIVATE:
        if found := hub.repositories.get(f"bench/{dataset}"):
            found.private = False


def private_again(hub: LocalHub) -> None:
    for dataset in PRIVATE:
        if found := hub.repositories.get(f"bench/{dataset}"):
            found.private = True


def commits(hub: LocalHub) -> int:
    """To private datasets."""
    return sum(len(hub.repositories[f"bench/{dataset}"].commits) for dataset in PRIVATE)


class At:
    """Does something before the Hub acts on the n-th request."""

    def __init__(self, hub: LocalHub, at: int, happens: Callable[[LocalHub], None]) -> None:
        self._hub, self._at, self._happens = hub, at, happens
        self.before = 0
        """commits to private datasets until then"""

    def __call__(self, number: int, route: str, done: bool) -> None:
        if number == self._at and not done:
            self.before = commits(self._hub)
            self._happens(self._hub)


@pytest.mark.slow
@pytest.mark.parametrize("happens", [page, expired, forbidden, opened_up])
def test_whatever_goes_wrong_at_any_request_is_a_sentence_and_the_next_run_heals_it(
    local_hub, release, other_release, files, happens
):
    hub = HuggingFaceHub("bench", WRITE, local_hub.url, patience=0)
    publish(other_release, None, TODAY, hub, files, SETTINGS)
    before = local_hub.snapshot()
    local_hub.requests.clear()
    publish(release, None, TODAY, hub, files, SETTINGS)
    routes, refused, secrets = [request.route for request in local_hub.requests], 0, []
    for at in range(1, len(routes) + 1):
        local_hub.restore(before)
        local_hub.watch = disturbed = At(local_hub, at, happens)
        try:
            publish(release, None, TODAY, hub, files, SETTINGS)
        except PublicationFailed as error:
            refused += 1
            assert str(error).isprintable() and "Traceback" not in str(error)
        local_hub.watch = None
        local_hub.forgive()
        if happens is opened_up:
            secrets.append(commits(local_hub) - disturbed.before)
        private_again(local_hub)
        newest = versions.latest(hub)
        assert newest in ("1.0.0", "1.1.0")
        assert newest == "1.1.0" or "1.1.0" not in hub.tags("public_questions")
        assert set(publish(release, None, TODAY, hub, files, SETTINGS)["version"]) == {"1.1.0"}, routes[at - 1]
        assert versions.partial(versions.tags_of(hub)) == []
    assert refused > len(routes) // 4
    assert set(secrets) <= {0, 1}, "no more than the one commit that was on its way when the dataset was made public"
    assert sum(secrets) < len(routes) // 2
    assert verify(hub, "1.1.0") == []


@pytest.mark.slow
def test_a_first_publication_that_is_answered_with_pages_is_healed_by_the_next(local_hub, release, files):
    hub = HuggingFaceHub("bench", WRITE, local_hub.url, patience=0)
    publish(release, None, TODAY, hub, files, SETTINGS)
    for at in range(1, len(local_hub.requests) + 1):
        local_hub.restore()
        local_hub.watch = At(local_hub, at, page)
        with suppress(PublicationFailed):
            publish(release, None, TODAY, hub, files, SETTINGS)
        local_hub.watch = None
        assert versions.latest(hub) in (None, "1.0.0")
        assert set(publish(release, None, TODAY, hub, files, SETTINGS)["version"]) == {"1.0.0"}
        assert all(local_hub.repositories[f"bench/{dataset}"].private == (dataset in PRIVATE) for dataset in DATASETS)
    assert verify(hub, "1.0.0") == []


def test_a_token_that_does_not_see_the_private_datasets_is_said_and_publishes_nothing(local_hub, release, other_release, files):
    publish(release, None, TODAY, HuggingFaceHub("bench", WRITE, local_hub.url, patience=0), files, SETTINGS)
    before = {name: (found.head, dict(found.tags)) for name, found in local_hub.repositories.items()}
    blind = HuggingFaceHub("bench", HALF_BLIND, local_hub.url, patience=0)
    with pytest.raises(PublicationFailed, match="it is not there, or the token in HF_TOKEN does not reach it"):
        publish(other_release, None, TODAY, blind, files, SETTINGS)
    assert {name: (found.head, dict(found.tags)) for name, found in local_hub.repositories.items()} == before
