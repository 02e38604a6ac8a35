import fcntl
import gzip
import hashlib
import json
import random
import sqlite3
from io import BytesIO
from pathlib import Path

import pytest

from dragon_pipeline.adapters.wikidata.building import Plan, Tally, build, report_path
from dragon_pipeline.adapters.wikidata.dump import Dump
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.errors import BadInput

DAY = "2026-10-{:02}T08:00:00Z"


def entity(number: int, name: str, language: str = "ru", **more: object) -> dict:
    labels = {language: {"language": language, "value": name}}
    return {"type": "item", "id": f"Q{number}", "labels": labels, "modified": DAY.format(1), **more}


def lines(*entities: dict | str | bytes) -> bytes:
    written = [json.dumps(one, ensure_ascii=False) if isinstance(one, dict) else one for one in entities]
    return b"\n".join(one.encode() if isinstance(one, str) else one for one in written) + b"\n"


def made(data: bytes, folder: Path, plan: Plan = Plan(("ru",))) -> tuple[WikidataIndex, Tally]:  # noqa: B008
    tally = build(Dump(BytesIO(data), "test"), folder / "index", plan)
    return WikidataIndex.open(folder / "index"), tally


def many(count: int) -> list[dict]:
    draw = random.Random(1)
    return [
        entity(n, f"Имя {draw.randrange(count // 3)}", sitelinks={f"{m}wiki": {} for m in range(draw.randrange(5))})
        for n in range(1, count)
    ]


FAULTY = [
    ("broken_json", '{"type":"item","id":"Q9","labels":{"ru":'),
    ("broken_json", "null}"),
    ("no_entity", "[1, 2]"),
    ("no_entity", "7"),
    ("bad_utf8", b'{"type":"item","id":"Q9","labels":{"ru":{"value":"' + b'\xff\xfe"}}}'),
    ("no_id", '{"type":"item","labels":{"ru":{"value":"Ока"}}}'),
    ("bad_id", '{"type":"item","id":"P9","labels":{"ru":{"value":"Ока"}}}'),
    ("wrong_type: labels", '{"type":"item","id":"Q9","labels":{"ru":"Ока"}}'),
    ("wrong_type: type", '{"type":[],"id":"Q9","labels":{"ru":{"value":"Ока"}}}'),
    ("broken_json", "{" * 5000 + '"ru"' + "}" * 5000),
]


@pytest.mark.parametrize(("reason", "line"), FAULTY)
def test_a_faulty_line_is_counted_shown_and_survived(tmp_path, reason, line):
    index, tally = made(lines(entity(1, "Ока"), line, entity(2, "Кама")), tmp_path)
    assert [len(found) for found in index.search(["Ока", "Кама"], "item")] == [1, 1]
    assert tally.faults == {reason: 1}
    report = json.loads(report_path(tmp_path / "index").read_text("utf-8"))
    assert report["faults"][reason]["first"][0]["line"] == 2
    assert report["faults"][reason]["first"][0]["text"]
    assert report["entities"] == 2


def test_a_last_line_that_was_cut_is_a_fault_and_the_dump_not_whole(tmp_path):
    data = b"[\n" + b",\n".join(lines(entity(n, f"Имя {n}")).strip() for n in (1, 2, 3)) + b"\n]\n"
    index, tally = made(data[:-40], tmp_path)
    assert tally.faults == {"broken_json": 1, "array_not_closed": 1}
    assert not tally.whole
    assert index.about["whole"] == "false"
    assert index.about["items"] == "2"


def test_a_statement_that_is_faulty_costs_that_statement_alone(tmp_path):
    index, tally = made(lines(entity(1, "Ока", claims={"P1": [{"rank": "normal"}]})), tmp_path)
    assert index.search(["Ока"], "item")[0]
    assert tally.faults == {"bad_statement": 1}


def test_what_has_no_place_in_the_index_is_no_fault(tmp_path):
    redirect, missing = '{"entity":"Q8","redirect":"Q1"}', '{"id":"Q7","missing":"","ru":"mul"}'
    lexeme, foreign = '{"type":"lexeme","id":"L1","lemmas":{"ru":{}}}', entity(6, "Oka", "en")
    _, tally = made(lines(entity(1, "Ока"), redirect.replace("}", ',"ru":0}'), missing, lexeme, foreign), tmp_path)
    assert tally.skipped == {"redirect": 1, "missing": 1, "other_kind": 1, "no_label": 1}
    assert not tally.faults
    assert tally.entities == 5


def test_a_repeated_entity_is_told_and_the_first_is_kept(tmp_path):
    index, tally = made(lines(entity(1, "Ока"), entity(2, "Кама"), entity(1, "Москва-река")), tmp_path)
    assert tally.faults == {"repeated": 1}
    assert [(fault.line, fault.sample) for fault in tally.shown["repeated"]] == [(3, "Q1 Москва-река")]
    assert not index.search(["Москва-река"], "item")[0]


@pytest.mark.parametrize(
    "data",
    [lines(entity(1, "Oka", "en")), lines("{"), lines('{"id":"Q1","redirect":"Q2"}'), b"[\n]\n", b"[]", b"[ ]", b"{}"],
)
def test_a_dump_of_which_nothing_can_be_used_is_refused_and_leaves_nothing(tmp_path, data):
    with pytest.raises(BadInput, match="no item or property with a label in ru"):
        made(data, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_failed_build_leaves_the_index_that_was_there(tmp_path):
    made(lines(entity(1, "Ока")), tmp_path)
    before = (tmp_path / "index").read_bytes()
    with pytest.raises(BadInput):
        made(lines("{"), tmp_path)
    assert (tmp_path / "index").read_bytes() == before


def test_a_build_takes_what_killed_ones_left_and_leaves_what_others_hold(tmp_path):
    left, held = tmp_path / ".index.abc.building", tmp_path / ".index.def.building"
    left.write_bytes(b"half")
    with held.open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        made(lines(entity(1, "Ока")), tmp_path)
        assert held.exists()
    assert not left.exists()


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("processes", [1, 2])
def test_equal_entities_give_equal_bytes(tmp_path, shuffled, processes):
    some = many(3000)
    first, other = tmp_path / "one", tmp_path / "other"
    made(lines(*some), first)
    if shuffled:
        random.Random(2).shuffle(some)
    made(gzip.compress(lines(*some)), other, Plan(("ru",), processes=processes))
    assert digest(first / "index") == digest(other / "index")


def test_a_large_dump_gives_the_same_by_one_process_and_by_several(tmp_path):
    data = lines(*({**one, "x": "ы" * 3000} for one in many(8000)))
    for processes in (1, 3):
        made(data, tmp_path / str(processes), Plan(("ru",), processes=processes))
    assert digest(tmp_path / "1" / "index") == digest(tmp_path / "3" / "index")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_revision_is_the_day_of_the_latest_edit_and_the_content(tmp_path):
    some = [entity(1, "Ока"), entity(2, "Oka", "en", modified=DAY.format(29)), entity(3, "Кама", modified=DAY.format(8))]
    first, _ = made(lines(*some), tmp_path)
    assert first.revision.startswith("dump-2026-10-29-")
    named, _ = made(lines(*some), tmp_path, Plan(("ru",), revision="autumn"))
    assert named.revision == first.revision.replace("2026-10-29", "autumn")
    other, _ = made(lines(*some[:2]), tmp_path)
    assert other.revision[:16] == first.revision[:16]
    assert other.revision != first.revision
    undated, _ = made(lines('{"id":"Q1","labels":{"ru":{"value":"Ока"}}}'), tmp_path)
    assert undated.revision.startswith("dump-undated-")


def test_progress_is_told_as_entities_read(tmp_path):
    heard: list[int] = []
    some = [{**one, "x": "x" * 3000} for one in many(1500)]
    build(Dump(BytesIO(lines(*some)), "test"), tmp_path / "index", Plan(("ru",)), heard.append)
    assert heard == sorted(heard)
    assert len(heard) > 3
    assert heard[-1] == len(some)


def test_temporary_files_of_the_database_lie_beside_the_index_and_are_gone(tmp_path):
    """An index is larger than what many a /tmp holds, which is often memory."""
    seen: set[str] = set()

    def look(entities: int) -> None:
        for descriptor in Path("/proc/self/fd").iterdir():
            try:
                seen.add(str(descriptor.readlink()))
            except FileNotFoundError:
                continue

    some = [{**one, "aliases": {"ru": [{"value": f"{one['id']} {n} " + "ы" * 900} for n in range(100)]}} for one in many(600)]
    build(Dump(BytesIO(lines(*some)), "test"), tmp_path / "index", Plan(("ru",)), look)
    temporary = {path for path in seen if "etilqs" in path}
    assert temporary
    assert all(path.startswith(str(tmp_path)) for path in temporary)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index", "index.report.json"]
    connection = sqlite3.connect(":memory:")
    assert connection.execute("PRAGMA temp_store_directory").fetchall() in ([], [("",)])
    connection.close()
