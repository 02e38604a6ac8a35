"""Shared by the tests of the API."""

from collections.abc import Callable, Iterator

import pytest

from dragon_pipeline_tests.adapters.wikidata.wikibase import WikibaseServer


@pytest.fixture
def serve() -> Iterator[Callable[..., WikibaseServer]]:
    """Starts servers of entities; they end with the test."""
    servers: list[WikibaseServer] = []

    def start(*entities: dict) -> WikibaseServer:
        servers.append(WikibaseServer(list(entities)))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
