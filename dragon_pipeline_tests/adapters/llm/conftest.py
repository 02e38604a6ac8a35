"""Local servers, and models over them that share one cache file."""

import pytest

from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.settings import ModelSettings
from dragon_pipeline_tests.adapters.llm.model_server import ModelServer


class World:
    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "models.sqlite"
        self._servers: list[ModelServer] = []
        self._models: list = []

    def serve(self, kind="vllm", **told):
        server = ModelServer(kind, **told)
        self._servers.append(server)
        return server

    def model(self, server, *, budget=None, key=None, progress=None, **settings):
        url = settings.pop("url", None) or server.url
        told = ModelSettings(**{"url": url, "model": "m", "max_tokens": 64, "patience": 2, "timeout": 20} | settings)
        self._models.append(open_model("extractor", told, self.cache, budget, key, progress))
        return self._models[-1]

    def stop(self, server):
        self._servers.remove(server)
        server.stop()

    def close(self):
        for server in self._servers:
            server.stop()
        for model in self._models:
            model.close()


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path)
    yield world
    world.close()
