"""The action API of a Wikibase, asked patiently: what the server says about waiting is done, as long as that is bearable."""

import time
from typing import Any

from dragon_pipeline.adapters.wikidata.wikibase_site import Fault, WikibaseSite
from dragon_pipeline.core.errors import Unreachable

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""seconds between attempts, doubled from one to the next, when the server does not say"""


class NoSuchEntity(Exception):
    """One of the ids is impossible, and the API answered for none of them."""


class Wikibase:
    """
    Args:
        maxlag: seconds of replication lag at which the server shall refuse.
        patience: seconds for one request with all its attempts and waits.
        first_wait: seconds between the first two attempts, when the server does not say.
    """

    def __init__(self, site: WikibaseSite, maxlag: int, patience: float, first_wait: float = FIRST_WAIT) -> None:
        self.site = site
        self._maxlag = str(maxlag)
        self._patience = patience
        self._first_wait = first_wait

    def ask(self, action: str, **parameters: str) -> dict[str, Any]:
        """The answer, which holds no error. Asks again while the server is busy or away.

        Raises:
            NoSuchEntity: an id is impossible.
            Unreachable: there was no answer.
            BadInput: pywikibot is not installed.
        """
        begun, wait, attempts = time.monotonic(), self._first_wait, 1
        while True:
            try:
                return self.site.submit({"action": action, "maxlag": self._maxlag, **parameters})
            except Fault as fault:
                pause = fault.wait or wait
                self._give_up(fault, attempts, time.monotonic() - begun, pause)
            time.sleep(pause)
            wait, attempts = min(2 * wait, LONGEST_WAIT), attempts + 1

    def _give_up(self, fault: Fault, attempts: int, spent: float, pause: float) -> None:
        if fault.code == "no-such-entity":
            raise NoSuchEntity(str(fault))
        if not fault.passing:
            raise Unreachable(f"{self.site.url}: {fault}; see wikidata.api and wikidata.contact in the settings")
        if spent + pause > self._patience:
            raise Unreachable(
                f"{self.site.url}: {fault} (attempts: {attempts}, in {spent:.0f} s; the next would be in {pause:.0f} s); "
                "run it again later, or use an index of a dump (wikidata.source: index)"
            )
