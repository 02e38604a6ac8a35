"""The journal of a run: a line of JSON for each question as soon as it is answered, so that a run that stopped goes on.

A line `{"release", "content", "k", "system"}` says what the lines after it belong to, until the next such line. The others are
`{"id", "found_ids", "model_answer"}`, or `{"id", "failed"}` with the reason. Nothing is ever taken out: a journal may hold
several releases, and of a question's lines the last one counts.
"""

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rag_bench.errors import BadJournal
from rag_bench.runs import Answer, sort_out


@dataclass(frozen=True)
class Key:
    """What answers are answers to, and whose they are."""

    release: str
    """version"""
    content: str
    k: int
    system: str


class Journal:
    """Appends from any thread; a line is written in one piece.

    Raises:
        BadJournal: the file cannot be read or written, or a line is no line of a journal. A last line that is torn off, by a
            run that was killed, is taken out.
    """

    def __init__(self, path: Path, key: Key):
        self.path = path
        self._lock = threading.Lock()
        self.answers: dict[int, Answer] = {}
        """what earlier runs answered"""
        last = None
        for place, line in enumerate(_whole_lines(path), 1):
            if "release" in line:
                last = line
            elif last == asdict(key):
                self._take(line, place)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: int | None = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise BadJournal(f"{path} cannot be written: {error.strerror}") from error
        if last != asdict(key):
            self._append(asdict(key))

    def append(self, question: int, told: Answer | str) -> None:
        """The answer to a question, or why there is none."""
        if isinstance(told, Answer):
            self._append({"id": question, "found_ids": list(told.found_ids), "model_answer": told.model_answer})
        else:
            self._append({"id": question, "failed": told})

    def close(self) -> None:
        """What a thread that was left behind still answers is not written, nor into what has the descriptor by then."""
        with self._lock:
            self._file, open_file = None, self._file
        if open_file is not None:
            os.close(open_file)

    def _append(self, line: dict[str, Any]) -> None:
        content = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
        with self._lock:
            if self._file is None:
                raise BadJournal(f"{self.path} is closed")
            try:
                written = os.write(self._file, content)
            except OSError as error:
                raise BadJournal(f"{self.path} cannot be written: {error.strerror}") from error
            if written < len(content):
                raise BadJournal(f"{self.path} cannot be written to its end: is the disk full?")

    def _take(self, line: dict[str, Any], place: int) -> None:
        run, faulty = sort_out({line.get("id"): line}) if "failed" not in line else ({}, [])
        if faulty:
            raise BadJournal(
                f"{self.path}, line {place}: question {faulty[0][0]}: {faulty[0][1]}; delete the line, or the file"
            )
        self.answers |= run


def made_for(path: Path) -> Key | None:
    """What a journal was last written for; None when there is no such journal. Nothing is written: a run may be at it."""
    try:
        told = next((line for line in reversed(list(_lines(path, path.read_bytes()))) if "release" in line), {})
        key = Key(**told)
    except (OSError, BadJournal, TypeError):
        return None
    return key if isinstance(key.release, str) and isinstance(key.content, str) else None


def _whole_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a journal; a torn last one is cut off the file."""
    try:
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.truncate(path, len(whole))
    except OSError as error:
        raise BadJournal(f"{path} cannot be read: {error.strerror}") from error
    yield from _lines(path, whole)


def _lines(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    """Its lines but for a torn last one."""
    for place, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines(), 1):
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadJournal(f"{path}, line {place}, is not valid JSON: {error}; delete the line, or the file") from error
        if not isinstance(told, dict):
            raise BadJournal(f"{path}, line {place}, is no line of a journal; delete it, or the file")
        yield told
