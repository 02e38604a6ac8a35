"""Files of articles: JSONL (plain or .gz), Parquet and CSV, read row by row; what cannot be used is kept with the reason."""

import csv
import gzip
import io
import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.web.article_rows import NEEDED, USED, Rows, safe
from dragon_pipeline.core.errors import BadInput

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of one line held at once; the rest of a longer one is skipped."""
PROBE = 1024 * 1024
FORMATS = "JSONL (one object a line, plain or .gz), Parquet or CSV with the fields url, title and text"


class NothingUsable(BadInput):
    """A file of articles without one that can be used; `bad` tells of each row, as in `Imported`."""

    def __init__(self, message: str, bad: pl.DataFrame) -> None:
        super().__init__(message)
        self.bad = bad


@dataclass(frozen=True)
class Imported:
    rows: pl.DataFrame
    """CRAWL columns and `day` (null when the file gives neither a day nor a date)"""
    bad: pl.DataFrame
    """line, reason, kept (true: the row is in `rows`, without its broken date), sample"""
    encoding: str | None = None
    """`utf-8` or `windows-1251`; none for Parquet"""


def read_articles(path: Path) -> Imported:
    """Articles of a file. Good rows are used even where others are bad.

    Raises:
        BadInput: the file as a whole cannot be used; the message names file, line and what to do.
        NothingUsable: (a BadInput) it could be read, but none of its rows can be used.
    """
    if not path.exists():
        raise BadInput(f"{path} does not exist. Give a file: {FORMATS}.")
    if path.is_dir():
        raise BadInput(f"{path} is a folder. Give one file in it: {FORMATS}.")
    try:
        return _read(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}.") from error


def _read(path: Path) -> Imported:
    with path.open("rb") as raw:
        zipped = raw.read(2) == b"\x1f\x8b"
    source = _Source(path, gzip.open(path, "rb") if zipped else path.open("rb"))
    with source.stream:
        if source.broken and not source.head.strip():
            raise BadInput(f"{path} is a broken gzip file ({source.broken}). Fetch or pack it again.")
        kind = _kind(path, source.head)
        rows = Rows()
        encoding = None
        if kind == "parquet":
            if zipped:
                raise BadInput(f"{path} is gzipped Parquet. Unpack it first: gunzip.")
            _read_parquet(path, rows)
        else:
            encoding = _encoding(source.head)
            (_read_jsonl if kind == "jsonl" else _read_csv)(source, encoding, rows)
    if not rows.good:
        raise NothingUsable(_nothing_usable(path, rows), rows.frames()[1])
    return Imported(*rows.frames(), encoding)


class _Source:
    """A file's bytes line by line, its beginning looked at; a gzip that breaks off ends the lines and is remembered."""

    def __init__(self, path: Path, stream: gzip.GzipFile | io.BufferedReader) -> None:
        self.path, self.stream, self.broken = path, stream, ""
        self.head = self._safely(PROBE)
        self._buffer = io.BytesIO(self.head)

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Line number from 1, the line without its end, and whether it was cut."""
        number = 0
        while line := self._line(LONGEST_LINE):
            number += 1
            cut = len(line) >= LONGEST_LINE and not line.endswith(b"\n")
            while cut and (rest := self._line(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, cut

    def _line(self, limit: int) -> bytes:
        line = self._buffer.readline(limit)
        if line.endswith(b"\n") or len(line) >= limit:
            return line
        try:
            return line + self.stream.readline(limit - len(line))
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.broken = str(error)
            return line

    def _safely(self, size: int) -> bytes:
        parts: list[bytes] = []
        try:
            while size > 0 and (part := self.stream.read1(min(size, 65536))):
                parts.append(part)
                size -= len(part)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self.broken = str(error)
        return b"".join(parts)


def _kind(path: Path, head: bytes) -> str:
    """`parquet`, `csv` or `jsonl`, by content first and by name where the content does not say."""
    name = path.name.lower().removesuffix(".gz")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"PAR1"):
        return "parquet"
    _refuse_other_formats(path, head, start)
    if name.endswith((".csv", ".tsv")):
        return "csv"
    if name.endswith((".jsonl", ".ndjson", ".json")) or start.startswith(b"{"):
        return "jsonl"
    if name.endswith((".parquet", ".pq")):
        raise BadInput(f"{path} is no Parquet file (its first bytes are not PAR1). Give {FORMATS}.")
    if _delimiter(start.split(b"\n", 1)[0].decode("latin-1")):
        return "csv"
    shown = safe(start[:60].decode("utf-8", "replace"))
    raise BadInput(f"{path}, line 1: neither JSON nor a CSV header ({shown}). Give {FORMATS}.")


def _refuse_other_formats(path: Path, head: bytes, start: bytes) -> None:
    if not start:
        raise BadInput(f"{path} is empty. Give a file with articles: {FORMATS}.")
    if re.match(rb"(?i)<(!doctype|html|\?xml|head|body|!--)", start):
        shown = safe(start[:60].decode("latin-1"))
        raise BadInput(f"{path}, line 1: this is HTML or XML ({shown}), not articles. Give {FORMATS}.")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput(f"{path} is in UTF-16. Save it as UTF-8: iconv -f utf-16 -t utf-8.")
    if _binary(head[:4096]):
        raise BadInput(f"{path} is binary and no Parquet. Give {FORMATS}.")
    if _is_array(start):
        raise BadInput(f"{path}, line 1: this is one JSON array. Give one object a line: jq -c '.[]' FILE > articles.jsonl")


def _binary(head: bytes) -> bool:
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in head)
    return controls > len(head) * 0.1


def _is_array(start: bytes) -> bool:
    """Whether a JSON array spans the file, rather than a stray one standing on a line of JSONL."""
    first, _, rest = start.partition(b"\n")
    return first.startswith(b"[") and not (rest.strip() and first.rstrip().endswith(b"]"))


def _encoding(head: bytes) -> str:
    """`windows-1251` when most lines beyond ASCII are Russian words in it and no UTF-8; a few broken lines decide nothing."""
    lines = [line for line in head.split(b"\n")[: -1 if len(head) >= PROBE else None] if not line.isascii()]
    return "windows-1251" if sum(_is_windows_1251(line) for line in lines) * 2 > len(lines) else "utf-8"


def _is_windows_1251(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return bool(re.search(rb"[\xc0-\xff\xa8\xb8]{3}", line))
    return False


def _read_jsonl(source: _Source, encoding: str, rows: Rows) -> None:
    number = 0
    for number, line, cut in source.lines():
        if not line.strip():
            continue
        shown = line[:320].decode(encoding, "replace")
        if cut:
            rows.refuse(number, "too_long", shown)
            continue
        try:
            record = json.loads(line.decode(encoding), parse_int=str, parse_float=str, parse_constant=lambda _: None)
        except UnicodeDecodeError:
            rows.refuse(number, "undecodable", shown)
        except (ValueError, RecursionError):
            rows.refuse(number, "nul_byte" if b"\0" in line else "not_json", shown)
        else:
            if isinstance(record, dict):
                rows.add(number, record)
            else:
                rows.refuse(number, "not_an_object", shown)
    if source.broken:
        rows.refuse(number, "broken_gzip", source.broken)


def _delimiter(header: str) -> str | None:
    """The one that splits the header into names with all the needed fields."""
    for delimiter in (",", ";", "\t"):
        if set(NEEDED) <= set(_names(header, delimiter)):
            return delimiter
    return None


def _names(header: str, delimiter: str) -> list[str]:
    try:
        cells = next(csv.reader([header.strip("\r\n")], delimiter=delimiter), [])
    except csv.Error:
        return []
    return [cell.strip().lower() for cell in cells]


def _read_csv(source: _Source, encoding: str, rows: Rows) -> None:
    lines = (line.decode(encoding, "surrogateescape") for _, line, _ in source.lines())
    header = next(lines, "")
    delimiter = _delimiter(header)
    if delimiter is None:
        needed = ", ".join(NEEDED)
        raise BadInput(
            f"{source.path}, line 1: a CSV header with {needed} is needed; found: {safe(header)}. Name the columns so."
        )
    names = _names(header, delimiter)
    csv.field_size_limit(LONGEST_LINE)
    reader = csv.reader(lines, delimiter=delimiter)
    start, going = 2, True
    while going:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            rows.refuse(start, "broken_csv", error)
        else:
            going = cells is not None
            if cells and len(cells) != len(names):
                rows.refuse(start, "wrong_columns", delimiter.join(cells))
            elif cells:
                rows.add(start, {name: cell or None for name, cell in zip(names, cells, strict=True)})
        start = reader.line_num + 2
    if source.broken:
        rows.refuse(start, "broken_gzip", source.broken)


def _read_parquet(path: Path, rows: Rows) -> None:
    try:
        names = pl.read_parquet_schema(path)
        missing = [name for name in NEEDED if name not in names]
        if missing:
            raise BadInput(f"{path} lacks the columns {', '.join(missing)}; it has {', '.join(names)}. Rename them.")
        frame = pl.read_parquet(path, columns=[name for name in USED if name in names])
    except pl.exceptions.PolarsError as error:
        raise BadInput(f"{path} is a broken Parquet file: {safe(error)}. Write it again.") from error
    for number, record in enumerate(frame.iter_rows(named=True), start=1):
        rows.add(number, {name: _as_text(value) for name, value in record.items()})


def _as_text(value: object) -> object:
    """Numbers and dates as their strings; lists and structures as they are, to be refused."""
    if value is None or isinstance(value, bool | list | dict | bytes):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)  # pyright: ignore[reportAttributeAccessIssue]


def _nothing_usable(path: Path, rows: Rows) -> str:
    refused = [row for row in rows.bad if not row["kept"]]
    if not refused:
        return f"{path} holds no articles. Give {FORMATS}."
    reasons = ", ".join(f"{reason} {count}" for reason, count in sorted(Counter(row["reason"] for row in refused).items()))
    first = refused[0]
    where = f"{path}, line {first['line']}: {first['reason']} ({first['sample']})"
    return f"{where}. None of its {len(refused)} rows can be used: {reasons}. Give {FORMATS}."
