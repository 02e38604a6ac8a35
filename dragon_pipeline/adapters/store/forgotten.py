"""The list of what is to stay forgotten, and the log of how it came to be: hashes and numbers, no address and no name."""

import hmac
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragon_pipeline.core.corpus.forgotten import Forgotten, Forms, Name
from dragon_pipeline.core.errors import BadInput

FORMAT = 1


@dataclass(frozen=True)
class ForgottenList:
    """Two files of a home.

    `secret`: what the hashes are keyed with; the same for as long as the home is.
    """

    path: Path
    log: Path
    secret: bytes

    def read(self, forms: Forms) -> Forgotten:
        """The list; empty when nothing was forgotten.

        Raises:
            BadInput: the file is broken, or another key made it; then nothing on it would be recognised.
        """
        key = hmac.digest(self.secret, b"dragon forget", "sha256")
        if not self.path.exists():
            return Forgotten(key, forms)
        try:
            told = json.loads(self.path.read_bytes())
            urls, made_with = frozenset(map(str, told["urls"])), told["key"]
            names = tuple(tuple(frozenset(map(str, word)) for word in name) for name in told["names"])
        except (ValueError, TypeError, KeyError) as error:
            raise BadInput(f"{self.path} is broken ({error}): restore it, or what was forgotten comes back") from None
        if made_with != _proof(key) or told.get("format") != FORMAT:
            raise BadInput(f"{self.path} was made with another release.key: restore that key, or what was forgotten comes back")
        return Forgotten(key, forms, urls, names)

    def add(self, known: Forgotten, urls: Iterable[str] = (), names: Iterable[Name] = ()) -> Forgotten:
        """The list with more on it, which is on disk when this returns."""
        more = Forgotten(known.key, known.forms, known.urls | set(urls), tuple(dict.fromkeys((*known.names, *names))))
        told = {
            "format": FORMAT,
            "key": _proof(known.key),
            "urls": sorted(more.urls),
            "names": [[sorted(word) for word in name] for name in more.names],
        }
        _write(self.path, (json.dumps(told, indent=1) + "\n").encode())
        return more

    def note(self, **told: Any) -> None:
        """Adds a line to the log."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(json.dumps(told, ensure_ascii=False).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def notes(self) -> list[Mapping[str, Any]]:
        """The lines of the log; one that a power cut tore is left out."""
        found = []
        for line in self.log.read_bytes().split(b"\n") if self.log.exists() else ():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return [note for note in found if isinstance(note, dict)]

    def unfinished(self) -> bool:
        """Whether something was begun and never done."""
        last = {note.get("hash"): note.get("state") for note in self.notes()}
        return "begun" in last.values()


def _proof(key: bytes) -> str:
    """By which a key is known again, and which does not give it away."""
    return hmac.new(key, b"the key of this list", "sha256").hexdigest()[:16]


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
