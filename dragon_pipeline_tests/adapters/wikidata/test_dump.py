import bz2
import gzip
import json
import lzma
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.wikidata import dump as module
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.core.errors import BadInput

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=12)
SOME = st.lists(
    st.builds(
        lambda number, label, nested: {"type": "item", "id": f"Q{number}", "labels": {"ru": {"value": label}}, "x": nested},
        st.integers(1, 10**9),
        WORDS,
        st.recursive(
            WORDS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=5
        ),
    ),
    min_size=1,
    max_size=6,
)
THREE = [{"type": "item", "id": f"Q{n}", "labels": {"ru": {"language": "ru", "value": f"Имя {{{n}}}, «]»"}}} for n in (1, 2, 3)]


def text(entity: dict, **how) -> str:
    return json.dumps(entity, ensure_ascii=False, **how)


LAYOUTS = {
    "array, an entity a line": lambda some: "[\n" + ",\n".join(map(text, some)) + "\n]\n",
    "the same with CRLF": lambda some: "[\r\n" + ",\r\n".join(map(text, some)) + "\r\n]\r\n",
    "brackets on the lines of the first and last": lambda some: "[" + ",\n".join(map(text, some)) + "]",
    "JSON lines": lambda some: "\n".join(map(text, some)) + "\n",
    "JSON lines without a last newline": lambda some: "\n".join(map(text, some)),
    "JSON lines with empty ones between": lambda some: "\n\n" + "\n\n \n".join(map(text, some)) + "\n\n",
    "with a byte order mark": lambda some: "\ufeff[\n" + ",\n".join(map(text, some)) + "\n]",
    "all in one line": lambda some: "[" + ", ".join(map(text, some)) + "]",
    "all in one line, no space": lambda some: json.dumps(some, separators=(",", ":")),
    "entities over several lines": lambda some: json.dumps(some, indent=2, ensure_ascii=False),
    "entities over several lines, not indented": lambda some: json.dumps(some, indent=0),
    "one after the other, over several lines": lambda some: "\n".join(text(one, indent=1) for one in some),
}
PACKINGS = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "gzip of two members": lambda data: gzip.compress(data[: len(data) // 2]) + gzip.compress(data[len(data) // 2 :]),
    "gzip with padding": lambda data: gzip.compress(data) + bytes(512),
    "bzip2": bz2.compress,
    "bzip2 of two streams": lambda data: bz2.compress(data[: len(data) // 2]) + bz2.compress(data[len(data) // 2 :]),
}


def read(data: bytes) -> tuple[list[dict], Dump]:
    dump = Dump(BytesIO(data), "test")
    return [json.loads(one) for batch in dump.batches() for _, one in batch], dump


@pytest.mark.parametrize("layout", LAYOUTS)
@given(some=SOME)
def test_every_entity_of_every_layout_is_read_in_order(layout, some):
    found, dump = read(LAYOUTS[layout](some).encode())
    assert found == some
    assert not dump.faults


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packing", PACKINGS)
def test_every_packing_is_told_by_its_first_bytes(packing, layout):
    data = PACKINGS[packing](LAYOUTS[layout](THREE).encode())
    found, dump = read(data)
    assert found == THREE
    assert not dump.faults
    assert dump.read == len(data)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("chunk", [1, 2, 3, 7, 64])
def test_nothing_depends_on_where_a_read_ends(layout, chunk):
    class Dripping(BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(min(size or chunk, chunk) if size and size > 8 else size)

    dump = Dump(Dripping(LAYOUTS[layout](THREE).encode()), "test")
    assert [json.loads(one) for batch in dump.batches() for _, one in batch] == THREE


def test_entities_come_with_the_line_on_which_they_begin():
    by_line, over_lines = LAYOUTS["array, an entity a line"](THREE), LAYOUTS["entities over several lines"](THREE)
    for data in (by_line, over_lines):
        lines = data.split("\n")
        for batch in Dump(BytesIO(data.encode()), "test").batches():
            for number, one in batch:
                begun = "\n".join(lines[number - 1 :]).strip(" [")
                assert begun.startswith(one.decode()[:20])


def test_memory_holds_a_megabyte_of_entities_at_a_time():
    large = [{"type": "item", "id": f"Q{n}", "labels": {}, "x": "ы" * 30_000} for n in range(1, 200)]
    sizes = [sum(len(one) for _, one in batch) for batch in Dump(BytesIO(json.dumps(large).encode()), "test").batches()]
    assert len(sizes) > 10
    assert max(sizes) < 2 * module.BATCH


@pytest.mark.parametrize("packing", ["gzip", "bzip2"])
def test_a_cut_archive_gives_what_it_still_holds_and_says_so(packing):
    draw = Random(7)
    some = [{"type": "item", "id": f"Q{n}", "labels": {}, "x": draw.randbytes(200).hex()} for n in range(1, 9000)]
    data = PACKINGS[packing](LAYOUTS["array, an entity a line"](some).encode())
    dump = Dump(BytesIO(data[: len(data) * 2 // 3]), "test")
    lines = [one for batch in dump.batches() for _, one in batch]
    assert [json.loads(one) for one in lines[:1000]] == some[:1000]
    assert {fault.reason for fault in dump.faults} == {"cut_archive", "array_not_closed"}


@pytest.mark.parametrize("packing", ["gzip", "bzip2"])
def test_a_damaged_archive_says_so(packing):
    draw = Random(7)
    some = [{"type": "item", "id": f"Q{n}", "labels": {}, "x": draw.randbytes(200).hex()} for n in range(1, 9000)]
    data = bytearray(PACKINGS[packing](LAYOUTS["JSON lines"](some).encode()))
    data[-len(data) // 3 :] = draw.randbytes(len(data) // 3 + 1)
    dump = Dump(BytesIO(bytes(data)), "test")
    assert sum(len(batch) for batch in dump.batches())
    assert [fault.reason.split(":")[0] for fault in dump.faults] == ["damaged_archive"]


@pytest.mark.parametrize("layout", ["array, an entity a line", "entities over several lines", "all in one line"])
def test_an_array_without_its_end_is_told(layout):
    data = LAYOUTS[layout](THREE).encode()
    dump = Dump(BytesIO(data[: data.rindex(b"{", 0, data.rindex(b"{"))]), "test")
    assert sum(len(batch) for batch in dump.batches())
    assert [fault.reason for fault in dump.faults] == ["array_not_closed"]


def test_an_entity_without_an_end_is_left_out_and_the_next_is_found():
    endless = '{"type":"item","id":"Q9","x":"' + "x" * (module.LONGEST + 2 * module.CHUNK)
    data = "\n".join([text(THREE[0]), endless, text(THREE[1])])
    found, dump = read(data.encode())
    assert found == THREE[:2]
    assert [(fault.reason, fault.line) for fault in dump.faults] == [("too_long", 2)]


def test_after_a_string_without_an_end_reading_goes_on_at_the_next_entity():
    lines = json.dumps(THREE, indent=1, ensure_ascii=False).replace('"Имя {2}', '"Имя {2}\n').encode()
    spans = [one for batch in Dump(BytesIO(lines), "test").batches() for _, one in batch]
    assert [json.loads(spans[0]), json.loads(spans[-1])] == [THREE[0], THREE[2]]
    assert len(spans) == 3


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"<html><body>404</body></html>", "no JSON"),
        (b'"a string"', "no JSON"),
        (lzma.compress(b"[]"), "xz -dc"),
        (b"\x28\xb5\x2f\xfd\x00\x00\x00\x00\x00", "zstd -dc"),
        (gzip.compress(b""), "is empty"),
        (gzip.compress(b"<html>"), "no JSON"),
    ],
)
def test_what_is_no_dump_is_refused_in_plain_words(data, told):
    with pytest.raises(BadInput, match=told):
        list(Dump(BytesIO(data), "test").batches())


def test_a_dump_that_is_not_there_is_refused(tmp_path: Path):
    for path in (tmp_path / "none.json.gz", tmp_path):
        with pytest.raises(BadInput, match="name a Wikidata JSON dump"):
            Dump.open(path)
