"""The bundled newsroom as a gateway: a home whose setting `newsroom.gateway` is `demo` gets one while a command runs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from dragon_pipeline.defs.configuration import load_settings
from dragon_pipeline.defs.resources import home

GATEWAY = "DRAGON_NEWSROOM__GATEWAY"
SHOWS_DAYS = "DRAGON_NEWSROOM__GATEWAY_SHOWS_DAYS"


@contextmanager
def newsroom_if_asked() -> Iterator[str | None]:
    """Starts the newsroom on a free loopback port when the home asks for it, and names it in the environment."""
    if load_settings(home(), os.environ).newsroom.gateway != "demo":
        yield None
        return
    from dragon_pipeline.demo.newsroom import Newsroom

    with Newsroom() as newsroom:
        os.environ[GATEWAY] = newsroom.address
        os.environ[SHOWS_DAYS] = "true"
        yield newsroom.address
