import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench import runs
from rag_bench.errors import BadRun
from rag_bench.runs import Answer, check_run, parse_run, read_run, write_run

ENTRY = {"found_ids": [3, 1, 3], "model_answer": "Казань"}


def faults(data: object) -> tuple[str, ...]:
    with pytest.raises(BadRun) as refused:
        check_run(data)
    return refused.value.faults


def test_a_results_file_is_read_in_id_order():
    run = parse_run(json.dumps({"10": ENTRY, "2": ENTRY}).encode())
    assert list(run) == [2, 10]
    assert run[2] == Answer((3, 1, 3), "Казань")


def test_a_byte_order_mark_and_further_fields_do_no_harm():
    assert parse_run("\ufeff".encode() + json.dumps({"0": {**ENTRY, "seconds": 1.5}}).encode()) == {
        0: Answer((3, 1, 3), "Казань")
    }


@given(
    st.dictionaries(
        st.integers(0, 999),
        st.builds(
            Answer,
            st.lists(st.integers(0, 2**63 - 1), max_size=9).map(tuple),
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        ),
    )
)
def test_what_is_written_reads_back_alike(tmp_path_factory, run):
    path = tmp_path_factory.mktemp("runs") / "results.json"
    write_run(run, path)
    assert read_run(path) == run


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "it is empty"),
        (b" \n", "it is empty"),
        (b"<html>", "not valid JSON"),
        (b"\xff\xfe{}", "byte 0 is not UTF-8"),
        (b"[]", "must be an object of question ids, and is a list"),
        (b"null", "and is null"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"0": {"found_ids": [NaN], "model_answer": ""}}', "NaN is not a JSON value"),
        (b'{"0": {"found_ids": [-Infinity], "model_answer": ""}}', "-Infinity is not a JSON value"),
        (b'{"0": {}, "0": {}}', "the key '0' occurs twice"),
        (b"9" * 5_000, "not valid JSON"),
    ],
)
def test_a_file_that_is_no_run_is_refused(data, words):
    with pytest.raises(BadRun, match=r"results\.json cannot be scored") as refused:
        parse_run(data, "results.json")
    assert words in str(refused.value)


@pytest.mark.parametrize("key", ["", "-1", "1.0", "01", "x", " 1", "٣", "9" * 30, "9" * 19, True, None, 1.0])
def test_an_id_that_is_no_whole_number_is_named(key):
    (fault,) = faults({key: ENTRY})
    assert fault.startswith("question ") and "the id" in fault


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (None, "must be an object with found_ids and model_answer, and is null"),
        ([], "and is a list"),
        ({"model_answer": ""}, "found_ids is missing"),
        ({"found_ids": []}, "model_answer is missing"),
        ({**ENTRY, "found_ids": "1"}, "found_ids must be a list, and is a string"),
        ({**ENTRY, "found_ids": [1, "2"]}, "found_ids[1] must be a whole number, and is a string"),
        ({**ENTRY, "found_ids": [1.0]}, "found_ids[0] must be a whole number, and is a number with a point"),
        ({**ENTRY, "found_ids": [True]}, "found_ids[0] must be a whole number, and is a truth value"),
        ({**ENTRY, "found_ids": [-1]}, "found_ids[0] is out of range"),
        ({**ENTRY, "found_ids": [2**63]}, "found_ids[0] is out of range"),
        ({**ENTRY, "found_ids": [0] * 1001}, "found_ids has 1,001 entries"),
        ({**ENTRY, "model_answer": None}, "model_answer must be a string, and is null"),
        ({**ENTRY, "model_answer": 7}, "model_answer must be a string, and is a number"),
        ({**ENTRY, "model_answer": "x" * 20_001}, "model_answer has 20,001 characters"),
        ({**ENTRY, "model_answer": "a\0b"}, "NUL"),
        ({**ENTRY, "model_answer": "\ud800"}, "surrogate"),
    ],
)
def test_a_faulty_entry_is_named_with_what_is_wrong(entry, words):
    (fault,) = faults({"0": ENTRY, "7": entry})
    assert fault.startswith("question '7': ") and words in fault


def test_all_faults_are_counted_and_twenty_are_shown():
    with pytest.raises(BadRun, match="and 5 more") as refused:
        check_run({str(number): None for number in range(25)})
    assert len(refused.value.faults) == 20


def test_one_question_under_two_keys_is_answered_twice():
    assert faults({"1": ENTRY, 1: ENTRY}) == ("question 1: the question is answered twice",)


def test_sizes_are_limited(monkeypatch, tmp_path):
    monkeypatch.setattr(runs, "MOST_BYTES", 10)
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"0": ENTRY}))
    with pytest.raises(BadRun, match="at most 10"):
        read_run(path)
    with pytest.raises(BadRun, match="at most 10"):
        parse_run(path.read_bytes())
    monkeypatch.setattr(runs, "MOST_QUESTIONS", 1)
    assert "answers 2 questions" in faults({"0": ENTRY, "1": ENTRY})[0]


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(BadRun, match="No such file"):
        read_run(tmp_path / "none.json")
