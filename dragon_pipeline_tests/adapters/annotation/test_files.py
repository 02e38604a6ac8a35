import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.annotation.files import read_annotations
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.evaluation.annotations import Annotation, Annotations
from dragon_pipeline.core.screening.judge import CRITERIA

LONG = "qa_id,annotator,criterion,value\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Annotations]:
    def read(*contents: str | bytes, criteria: tuple[str, ...] = CRITERIA) -> Annotations:
        paths = [tmp_path / f"{number}.txt" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_annotations(paths, criteria)

    return read


def fault(read: Callable[..., Annotations], *contents: str | bytes) -> str:
    with pytest.raises(BadInput) as told:
        read(*contents)
    return str(told.value)


def test_the_long_form_is_read(read):
    told = read(LONG + "q1,Ира,answer_literacy,да\nq1,Лев,answer_literacy,0\nq2,Ира,answer_literacy,\n")
    assert told.said == [Annotation("q1", "Ира", "answer_literacy", True), Annotation("q1", "Лев", "answer_literacy", False)]
    assert told.empty == 1


def test_the_wide_form_is_read_with_the_judges_scores(read):
    told = read("item;annotator;answer_literacy;judge_answer_literacy;note\nq1;Ира;плохо;1,5;x\n")
    assert told.said == [Annotation("q1", "Ира", "answer_literacy", False)]
    assert told.judged == {("q1", "answer_literacy"): True}
    assert told.ignored == ("note",)


@pytest.mark.parametrize(("score", "passed"), [("0", False), ("0.99", False), ("1", True), ("2", True), ("1.0", True)])
def test_the_judge_passes_from_1(read, score: str, passed: bool):
    told = read(f"qa_id,annotator,criterion,value,judge\nq1,a,answer_literacy,1,{score}\n")
    assert told.judged == {("q1", "answer_literacy"): passed}


@pytest.mark.parametrize("score", ["3", "-1", "nan", "хорошо", "inf"])
def test_another_score_is_refused(read, score: str):
    told = fault(read, f"qa_id,annotator,criterion,value,judge\nq1,a,answer_literacy,1,{score}\n")
    assert "line 2, column judge" in told


def test_a_value_that_is_neither_is_said_with_line_and_column(read):
    told = fault(read, LONG + "q1,a,answer_literacy,1\nq2,a,answer_literacy,может быть\n")
    assert "0.txt, line 3, column value: «может быть» is neither good nor not good" in told
    assert "0.txt, line 2, column answer_literacy: «2»" in fault(read, "qa_id,annotator,answer_literacy\nq1,a,2\n")
    assert "0.txt, line 1, column answer_literacy: «1.5»" in fault(read, '{"qa_id":"q","annotator":"a","answer_literacy":1.5}')


def test_every_fault_is_counted_and_the_first_are_shown(read):
    told = fault(read, LONG + "".join(f"q{i},a,answer_literacy,{i + 2}\n" for i in range(25)))
    assert told.count("line ") == 10
    assert "and 15 faults more" in told


def test_the_same_twice_is_once_and_contradictions_are_refused(read):
    same = read(LONG + "q1,a,answer_literacy,1\nq1,a,answer_literacy,да\n")
    assert len(same.said) == 1
    told = fault(read, LONG + "q1,a,answer_literacy,1\n", LONG + "q1,a,answer_literacy,0\n")
    assert "1.txt, line 2, column value: a says of q1, answer_literacy, another thing than in" in told
    assert "0.txt, line 2 (good)" in told


def test_scores_of_the_judge_that_differ_are_refused(read):
    told = fault(read, "qa_id,annotator,answer_literacy,judge_answer_literacy\nq1,a,1,2\nq1,b,1,0\n")
    assert "line 3, column judge_answer_literacy" in told


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("qa_id,criterion,value\nq1,answer_literacy,1\n", "line 1: this is no header"),
        ("annotator,criterion,value\na,answer_literacy,1\n", "line 1: this is no header"),
        ("qa_id,annotator,value,value\n", "stands there twice"),
        ("qa_id,annotator,clarty\nq1,a,1\n", "no record is of a criterion"),
        (LONG + "q1,a,answer_fluff,1\n", "line 2, column criterion: «answer_fluff» is none of"),
        (LONG + ",a,answer_literacy,1\n", "line 2, column qa_id: is empty"),
        (LONG + "q1,,answer_literacy,1\n", "line 2, column annotator: is empty, but value is filled in"),
        (LONG + "q1,a,answer_literacy\n", "line 2: 3 cells, but the header has 4"),
        (LONG + 'q1,"a"b,answer_literacy,1\n', "line 2: broken CSV"),
        (LONG + "q1,a,answer_literacy,\n", "nothing is filled in yet: 1 values are empty"),
        (LONG, "no record is of a criterion"),
        ('{"qa_id": "q1"', "line 1, character 15: no JSON"),
        ('{"qa_id": "q1", "annotator": "a", "answer_literacy": 1}\n[1]\n', "line 2: an object is needed"),
        ('{"qa_id": "q1", "annotator": "a", "answer_literacy": [1]}', "line 1, column answer_literacy: one value is needed"),
        ("{" * 100_000, "line 1"),
        ("[1, 2", "line 1, column 6: broken JSON"),
        ("[" * 100_000, "broken JSON"),
        ("[1]", "task 1: an object is needed"),
        ("[]", "no record is of a criterion"),
        (json.dumps([{"data": {}, "annotations": [{"result": []}]}]), "task 1, annotation 1, column qa_id"),
        ('[{"data": {"qa_id": "q"}, "annotations": [7]}]', "task 1: annotations with results"),
        ('[{"data": {"qa_id": "q"}, "annotations": [{"result": [7]}]}]', "task 1, annotation 1: a result without a value"),
        (b"PK\x03\x04rest", "Save the sheet as CSV"),
        ("qa_id".encode("utf-16"), "UTF-16"),
        (b"\0\1\2", "is binary"),
        (b"qa_id,annotator\n\x98", "neither UTF-8 nor windows-1251"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(read, content: str | bytes, message: str):
    told = fault(read, content)
    assert message in told
    assert "0.txt" in told or "criterion" in told or "filled" in told
    told.encode()


def test_a_file_that_is_not_there_or_a_folder_is_named(tmp_path: Path):
    with pytest.raises(BadInput, match=r"none\.csv does not exist"):
        read_annotations([tmp_path / "none.csv"], CRITERIA)
    with pytest.raises(BadInput, match="is a folder"):
        read_annotations([tmp_path], CRITERIA)


def test_a_sheet_saved_by_a_russian_spreadsheet_is_read(read):
    told = read("qa_id;annotator;criterion;value\r\nq1;Ира;answer_literacy;Хорошо\r\n".encode("windows-1251"))
    assert told.said == [Annotation("q1", "Ира", "answer_literacy", True)]


def test_marks_against_formulas_are_taken_off(read):
    assert read(LONG + "'=q1,'-a,answer_literacy,1\n").said == [Annotation("=q1", "-a", "answer_literacy", True)]


def test_names_that_a_terminal_cannot_show_are_made_harmless(read):
    told = read('{"qa_id": "q\\ud800", "annotator": "\\u001b[31ma", "answer_literacy": true, "x\\u0007": 1}')
    assert told.said == [Annotation("q�", "�[31ma", "answer_literacy", True)]
    assert told.ignored == ("x�",)
    assert "«�]0;x»" in fault(read, '{"qa_id": "q", "annotator": "a", "answer_literacy": "\\u001b]0;x"}')


def test_other_criteria_are_read_when_they_are_asked_for(read):
    told = read("item,annotator,fluff,judge_fluff\n7,a,1,0\n", criteria=("fluff",))
    assert (told.said, told.judged) == ([Annotation("7", "a", "fluff", True)], {("7", "fluff"): False})


def task(qa_id: str, *annotations: dict) -> dict:
    return {
        "id": 1,
        "data": {"qa_id": qa_id, "question": "Кто?"},
        "annotations": list(annotations),
        "predictions": [],
        "meta": {},
    }


def annotation(who: object, **choices: object) -> dict:
    results = [
        {"from_name": name, "to_name": "question", "type": "choices", "origin": "manual", "value": {"choices": [value]}}
        for name, value in choices.items()
    ]
    return {"id": 1, "completed_by": who, "was_cancelled": False, "ground_truth": False, "result": results}


def test_an_export_of_label_studio_is_read(read):
    skipped = annotation(2) | {"was_cancelled": True}
    by_name = annotation({"id": 2, "email": "b@c.example"}, answer_literacy="Не хорошо")
    export = [
        task("q1", annotation(1, answer_literacy="Хорошо"), by_name),
        task("q2", skipped, annotation(1, answer_literacy="Хорошо", comment="x")),
        task("q3"),
    ]
    told = read(json.dumps(export))
    assert told.said == [
        Annotation("q1", "1", "answer_literacy", True),
        Annotation("q1", "b@c.example", "answer_literacy", False),
        Annotation("q2", "1", "answer_literacy", True),
    ]
    assert (told.cancelled, told.ignored) == (1, ("comment",))


def test_a_flat_export_of_label_studio_is_read(read):
    flat = [
        {"qa_id": "q1", "answer": "Лев", "id": 1, "answer_literacy": "Не хорошо", "annotator": 1, "lead_time": 1.5},
        {"qa_id": "q2", "answer": "Лев", "id": 2, "annotator": None, "annotation_id": None},
    ]
    told = read(json.dumps(flat))
    assert (told.said, told.ignored) == ([Annotation("q1", "1", "answer_literacy", False)], ())


names = st.text(alphabet="abв-=@+'; ,\"", min_size=1, max_size=6).map(lambda name: f"{name}.")
some_annotations = st.dictionaries(
    st.tuples(names, names, st.sampled_from(CRITERIA)), st.booleans(), min_size=1, max_size=12
).map(lambda said: {(item.strip(), who.strip(), name): good for (item, who, name), good in said.items()})


@given(some_annotations)
def test_every_format_gives_the_same_annotations(tmp_path_factory: pytest.TempPathFactory, said: dict):
    folder = tmp_path_factory.mktemp("formats")
    records = [{"qa_id": i, "annotator": a, "criterion": c, "value": int(good)} for (i, a, c), good in said.items()]
    wide: dict[tuple[str, str], dict] = {}
    for (item, who, name), good in said.items():
        wide.setdefault((item, who), {"qa_id": item, "annotator": who})[name] = "да" if good else "нет"
    tasks = [
        task(record["qa_id"], annotation(record["annotator"], **{name: of for name, of in record.items() if name in CRITERIA}))
        for record in wide.values()
    ]
    written = {
        "long.csv": as_csv(records),
        "wide.csv": as_csv(list(wide.values())),
        "long.jsonl": "\n".join(json.dumps(record) for record in records),
        "wide.jsonl": "\n".join(json.dumps(record, ensure_ascii=False) for record in reversed(wide.values())),
        "studio.json": json.dumps(tasks, indent=1),
        "min.json": json.dumps(list(wide.values())),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8")
    expected = [Annotation(*key, good) for key, good in sorted(said.items())]
    assert {name: read_annotations([folder / name], CRITERIA).said for name in written} == dict.fromkeys(written, expected)


def as_csv(records: list[dict]) -> str:
    from dragon_pipeline.adapters.annotation.cells import guard

    text = io.StringIO(newline="")
    sheet = csv.DictWriter(text, dict.fromkeys(name for record in records for name in record), restval="")
    sheet.writeheader()
    sheet.writerows({name: guard(str(value)) for name, value in record.items()} for record in records)
    return text.getvalue()
