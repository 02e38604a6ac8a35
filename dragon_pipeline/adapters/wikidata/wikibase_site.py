"""pywikibot as a guest: one anonymous Wikibase site, without user configuration, silent, writing into one folder.

pywikibot expects to be a script: it reads the command line when it is imported, makes folders, and keeps its settings in a
module. So it is imported late, as if nothing else had been called, and its settings are lent for one request at a time.
docs/adr/0019 says what is left to it.
"""

import logging
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import content_id

if TYPE_CHECKING:
    from pywikibot.site import BaseSite

    from dragon_pipeline.adapters.wikidata.wikibase_session import JudgingSession

LONGEST_QUERY = 1500
"""bytes in a URL; longer requests are posted"""
USER_CONFIG = "# pywikibot looks for this file; dragon sets what it needs itself.\n"
CONTACT = re.compile(r"[ -z|~]*[!-z|~][ -z|~]*")
"""ASCII that can stand in a header; braces mean something to pywikibot"""
CODE = "repo"
"""of the one site in our family"""

_lent = threading.RLock()
"""held while pywikibot's settings are those of one site"""


class Fault(ConnectionError):
    """An exchange that gave no answer. A builtin ConnectionError is what pywikibot hands on as it is, at once.

    `passing`: it may go better in a while. `wait`: seconds that the server asks for. `code`: of the API's error.
    """

    def __init__(self, what: str, passing: bool = True, wait: float | None = None, code: str | None = None) -> None:
        super().__init__(what)
        self.passing, self.wait, self.code = passing, wait, code


class NoThrottle:
    """In the place of pywikibot's, which keeps its processes in a file that must not go away; Wikibase waits instead."""

    retry_after = 0

    def drop(self) -> None:
        """Called when the process ends."""


class WikibaseSite:
    """One server.

    Args:
        url: of its api.php.
        contact: e-mail or page, for the user agent.
        folder: where pywikibot may write.
        timeout: seconds between two signs of life of one answer.

    Raises:
        BadInput: the URL or the contact cannot be used.
    """

    def __init__(self, url: str, contact: str | None, folder: Path, timeout: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc or not parts.path.endswith("/api.php"):
            raise BadInput(f"wikidata.api: {url!r} is no URL of an api.php")
        if not contact or not CONTACT.fullmatch(contact):
            raise BadInput(
                f"wikidata.contact: {contact!r}; set it to an e-mail or page in plain ASCII: Wikidata asks who calls its API"
            )
        self.url, self._contact, self._folder, self._timeout = url, contact.strip(), folder, timeout

    def submit(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """The answer of one request, which holds no error.

        Raises:
            Fault: there was none.
            BadInput: pywikibot is not installed.
        """
        with self._lend():
            from pywikibot.data.api import Request
            from pywikibot.exceptions import Error

            try:
                return Request(self._site, parameters=dict(parameters), use_get=True, throttle=False).submit()
            except Error as error:
                raise Fault(f"pywikibot gives up: {type(error).__name__}: {error}", passing=False) from error

    @property
    def user_agent(self) -> str:
        """As every request names us.

        Raises:
            BadInput: pywikibot is not installed.
        """
        with self._lend():
            from pywikibot.comms import http

            return http.user_agent(self._site)

    @contextmanager
    def _lend(self) -> Iterator[None]:
        with _lent:
            _import_pywikibot(self._folder)
            from pywikibot import config
            from pywikibot.comms import http

            config.base_dir = str(self._folder)
            config.user_agent_format = f"DragonPipeline/{version('dragon-pipeline')} ({{script_comments}}) {{pwb}} {{python}}"
            config.user_agent_description = self._contact
            config.socket_timeout = self._timeout
            config.max_retries = 0
            config.enable_GET_without_SSL, config.maximum_GET_length = True, LONGEST_QUERY
            http.session = self._session
            yield

    @cached_property
    def _session(self) -> "JudgingSession":
        from dragon_pipeline.adapters.wikidata.wikibase_session import JudgingSession

        return JudgingSession()

    @cached_property
    def _site(self) -> "BaseSite":
        import pywikibot
        from pywikibot.family import DefaultWikibaseFamily
        from pywikibot.site import DataSite

        parts = urlsplit(self.url)
        own: dict[str, Any] = {
            "name": f"dragon{content_id(self.url)}",
            "langs": {CODE: parts.netloc},
            "protocol": lambda _family, code: parts.scheme,
            "apipath": lambda _family, code: parts.path,
        }
        family = type("OneSite", (DefaultWikibaseFamily,), own)()
        changed = {"login": lambda *_args, **_options: None, "throttle": NoThrottle()}
        anonymous: Any = type("AnonymousSite", (DataSite,), changed)
        return pywikibot.Site(CODE, family, interface=anonymous)


def _import_pywikibot(folder: Path) -> None:
    if "pywikibot.site" in sys.modules:
        return
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "user-config.py").write_text(USER_CONFIG, "utf-8")
    log = logging.getLogger("pywiki")
    log.addHandler(logging.NullHandler())
    log.propagate = False
    called, sys.argv = sys.argv, ["dragon", f"-dir:{folder}"]
    try:
        from pywikibot import logging as pywikibot_logging
    except ImportError as error:
        raise BadInput(
            f"wikidata.source is `api`, which needs pywikibot ({error}); pip install 'dragon-pipeline[wikidata]'"
        ) from None
    finally:
        sys.argv = called
    # Its first message would catch all warnings of the process, change their filters and write to the terminal.
    pywikibot_logging._init_routines.clear()
