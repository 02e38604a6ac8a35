"""A Wikidata JSON dump as a stream of entities: one array, or an entity a line; plain, gzip or bzip2; a file or a pipe.

Format: https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html
"""

import bz2
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from dragon_pipeline.adapters.wikidata.rows import Fault, sample
from dragon_pipeline.core.errors import BadInput

CHUNK = 1 << 20
LONGEST = 32 << 20
"""bytes of one entity; Wikibase takes none above 4 MiB"""
BATCH = 1 << 20
PACKED = {
    b"\x28\xb5\x2f\xfd": "zstd -dc",
    b"\xfd7zXZ": "xz -dc",
    b"PK\x03\x04": "unzip -p",
    b"7z\xbc\xaf": "7z x -so",
}
"""first bytes of what is not unpacked here, and what does it"""
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"|[{}"]')
_START = re.compile(rb'\{\s*"(?:type|id)"\s*:')
"""how an entity begins: where to go on after one that cannot be read"""

Numbered = tuple[int, bytes]
"""number of the line on which an entity begins, the first being 1, and its JSON"""


class _Counting(io.RawIOBase):
    """Counts the bytes that are read through it; shows the first ones before."""

    def __init__(self, source: BinaryIO) -> None:
        self.source, self.count = source, 0
        self.first = self._ahead = source.read(8)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data, self._ahead = self._ahead or self.source.read(len(buffer)), b""
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class Dump:
    """One pass over a dump.

    Attributes:
        total: bytes of the file as it lies there; None for a pipe.
        faults: of the stream; entities that cannot be read are the parser's.
    """

    def __init__(self, source: BinaryIO, name: str, total: int | None = None) -> None:
        self.name, self.total = name, total
        self.faults: list[Fault] = []
        self._counting = _Counting(source)
        self._line = 0
        self._depth = 0
        """of the array: it is whole when it ends at 0"""
        self._stream = _unpacked(io.BufferedReader(self._counting, CHUNK), self._counting.first, name)

    @classmethod
    def open(cls, path: Path) -> "Dump":
        """
        Raises:
            BadInput: there is no such file, or it is packed in a way that is not known here.
        """
        try:
            return cls(path.open("rb"), str(path), path.stat().st_size)
        except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
            raise BadInput(f"{path}: {error.strerror}; name a Wikidata JSON dump, or - for standard input") from None

    @property
    def read(self) -> int:
        """Bytes read so far, as they lie in the file."""
        return self._counting.count

    def batches(self) -> Iterator[list[Numbered]]:
        """All entities in order, about a megabyte at a time."""
        batch, size = [], 0
        for entity in self._entities():
            batch.append(entity)
            size += len(entity[1])
            if size >= BATCH:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _entities(self) -> Iterator[Numbered]:
        chunks = self._chunks()
        head = b""
        while len(head) < CHUNK and (more := next(chunks, b"")):
            head += more
        head = head.removeprefix(b"\xef\xbb\xbf")
        if not head.strip():
            raise BadInput(f"{self.name} is empty; a Wikidata JSON dump was expected")
        if head.lstrip()[:1] not in (b"[", b"{"):
            raise BadInput(f"{self.name} is no JSON: it begins with {sample(head[:40])!r}; a Wikidata JSON dump was expected")
        chunks = _after(head, chunks)
        array = head.lstrip().startswith(b"[")
        yield from self._lines(chunks) if _is_by_line(head) else self._objects(chunks, array)
        if self._depth:
            self._fault("array_not_closed", b"")

    def _chunks(self) -> Iterator[bytes]:
        """Unpacked bytes, as far as they can be unpacked."""
        while True:
            try:
                chunk = self._stream.read1(CHUNK)
            except EOFError:
                self._fault("cut_archive", b"")
                return
            except (gzip.BadGzipFile, zlib.error) as error:
                self._fault(f"damaged_archive: {error}", b"")
                return
            except OSError as error:
                if error.errno is not None:  # bz2 raises a bare OSError for bad data
                    raise
                self._fault(f"damaged_archive: {error}", b"")
                return
            if not chunk:
                return
            yield chunk

    def _lines(self, chunks: Iterable[bytes]) -> Iterator[Numbered]:
        rest, too_long = b"", False
        for chunk in chunks:
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            for line in lines:
                self._line += 1
                if too_long:
                    too_long = False
                elif entity := self._of_line(line):
                    yield self._line, entity
            if too_long or len(rest) > LONGEST:
                if not too_long:
                    self._fault("too_long", rest, self._line + 1)
                rest, too_long = b"", True
        if rest and not too_long:
            self._line += 1
            if entity := self._of_line(rest):
                yield self._line, entity

    def _of_line(self, line: bytes) -> bytes:
        """The entity on a line of an array or of JSON lines; empty for a line that holds none."""
        line = line.strip(b" \t\r,")
        if line == b"[" or line.startswith((b"[{", b"[]")):
            self._depth += 1
            line = line[1:]
        if line == b"]" or (line.endswith(b"}]") and line.startswith(b"{")):
            self._depth -= 1
            line = line[:-1].rstrip()
        return line

    def _objects(self, chunks: Iterable[bytes], array: bool) -> Iterator[Numbered]:
        """Entities that span lines or share one: cut at the braces outside of strings."""
        rest, self._line = b"", 1
        for chunk in chunks:
            rest += chunk
            done = 0
            for start, stop in self._spans(rest, last=False):
                self._line += rest.count(b"\n", done, start)
                yield self._line, rest[start:stop]
                self._line += rest.count(b"\n", start, stop)
                done = stop
            rest = rest[done:]
            if len(rest) > LONGEST:
                self._fault("too_long", rest)
                rest = b""
        for start, stop in self._spans(rest, last=True):
            yield self._line + rest.count(b"\n", 0, start), rest[start:stop]
        self._depth = int(array and not rest.rstrip().endswith(b"]"))

    def _spans(self, text: bytes, last: bool) -> Iterator[tuple[int, int]]:
        """Where whole objects stand; with `last` also what is left of one that was cut or whose strings do not end."""
        depth = start = at = 0
        while token := _TOKEN.search(text, at):
            at = token.end()
            if token[0] == b"{":
                start = token.start() if not depth else start
                depth += 1
            elif token[0] == b"}":
                depth -= 1
                if depth == 0:
                    yield start, at
                depth = max(depth, 0)
            elif token[0] == b'"':
                # a string without an end: either more is to come, or it is broken and the next entity is to be found
                found = _START.search(text, text.find(b"\n", at) + 1 or len(text))
                if not found:
                    break
                yield start if depth else token.start(), found.start()
                at, depth = found.start(), 0
        if depth and last:
            yield start, len(text)

    def _fault(self, reason: str, text: bytes, line: int | None = None) -> None:
        self.faults.append(Fault(reason, self._line if line is None else line, sample(text)))


def _unpacked(packed: io.BufferedReader, magic: bytes, name: str) -> io.BufferedReader | gzip.GzipFile | bz2.BZ2File:
    """By the first bytes, since a pipe has no name; gzip and bzip2 may have several members."""
    for known, command in PACKED.items():
        if magic.startswith(known):
            raise BadInput(f"{name} is packed in another way than gzip or bzip2: {command} FILE | dragon wikidata build - …")
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)
    return bz2.BZ2File(packed) if magic.startswith(b"BZh") else packed


def _after(head: bytes, chunks: Iterable[bytes]) -> Iterator[bytes]:
    yield head
    yield from chunks


def _is_by_line(head: bytes) -> bool:
    """Whether entities stand one a line, told by the whole lines of the first megabyte."""
    *lines, last = head.split(b"\n")
    lines = [line.strip(b" \t\r,") for line in lines] or [last.strip(b" \t\r,")]
    if any(_is_entity(line.removeprefix(b"[").removesuffix(b"]")) for line in lines):
        return True
    first = next((line for line in lines if line not in (b"", b"[")), b"")
    return not first.startswith(b"[") and first != b"{"


def _is_entity(text: bytes) -> bool:
    if not text.startswith(b"{"):
        return False
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and ({"labels", "claims", "redirect", "missing", "entity"} & found.keys()) != set()
