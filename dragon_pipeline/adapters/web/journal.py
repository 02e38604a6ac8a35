"""What a crawl has settled so far, on disk: one that is killed goes on where it was."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from dragon_pipeline.adapters.web.tally import Outcome
from dragon_pipeline.core.corpus.health import NETWORK_REASONS

NAME = "unfinished.jsonl"
LONGEST_GAP = 24 * 3600
"""seconds after which an unfinished crawl is not gone on with: what it settled is of another day"""


class Journal:
    """One outlet's and day's unfinished crawl. `recipe` names what it depends on: another recipe starts anew.

    A line is in the kernel's hands when `note` returns, so that a killed process loses none; a power cut may take some,
    whose pages are then fetched again.
    """

    def __init__(self, folder: Path, recipe: str):
        self.path = folder / NAME
        self.recipe = recipe
        self.settled = dict(self._read())
        """address → what became of it, from a crawl that was cut short"""
        if not self.settled:
            self.path.unlink(missing_ok=True)

    def note(self, url: str, outcome: Outcome) -> None:
        """Keeps what became of a page; what the network took is asked for again."""
        if NETWORK_REASONS.fullmatch(outcome.reason or ""):
            return
        line = json.dumps([url, outcome.status, outcome.reason], ensure_ascii=False)
        try:
            if not self.path.exists():
                self.path.parent.mkdir(parents=True, exist_ok=True)
                line = json.dumps(self.recipe) + "\n" + line
            with self.path.open("ab") as file:
                file.write(line.encode() + b"\n")
        except OSError as error:  # a full disk does not name one
            raise OSError(error.errno, error.strerror, str(self.path)) from error

    def close(self) -> None:
        """The crawl is finished: the next one asks for everything anew."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> Iterator[tuple[str, Outcome]]:
        try:
            if time.time() - self.path.stat().st_mtime > LONGEST_GAP:
                return
            recipe, *lines = self.path.read_bytes().split(b"\n")
            if _parsed(recipe) != self.recipe:
                return
        except OSError:
            return
        for line in lines:
            match _parsed(line):
                case [str(url), str(status), str() | None as reason]:
                    yield url, Outcome(status, reason)


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:  # the last line of a killed crawl may be torn
        return None
