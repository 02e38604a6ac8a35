"""A process that publishes when it is told to, each time in a child of its own, so that the child can be killed.

One line of JSON in, the child's process id out, and how it ended when it has. Nothing but imports is done before the fork.
"""

import json
import os
import sys
from pathlib import Path

from upath import UPath

from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.settings import ReleaseSettings
from dragon_pipeline_tests.local_hub.answers import WRITE

SETTINGS = ReleaseSettings(min_questions=2)


def run(hub: str, day: str, rows: list[dict], store: str) -> str:
    """What a publisher says in the end. `hub`: address of a Hub, or a folder."""
    opened = HuggingFaceHub("bench", WRITE, hub, patience=30) if hub.startswith("http") else FolderHub(Path(hub), "bench")
    try:
        return publish(RELEASE.frame(rows), None, day, opened, ReleaseFiles(UPath(store)), SETTINGS)["outcome"][0]
    except PublicationFailed as error:
        return f"refused: {error}"


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            print(json.dumps(run(**json.loads(line))), flush=True)  # noqa: T201
            os._exit(0)
        print(child, flush=True)  # noqa: T201
        os.waitpid(child, 0)
        print("ended", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
