import json

import pytest

import rag_bench
from dragon_pipeline_tests.rag_bench.releasing import TABLES, publish
from dragon_pipeline_tests.rag_bench.test_systems import Told

WHOLE = {str(one): {"found_ids": [one, (one + 1) % 3], "model_answer": "Псков"} for one in range(3)}


def reasons(rows):
    return [str(row) for row in rows]


def test_a_whole_run_has_no_fault(release):
    found = rag_bench.check(WHOLE, release, k=2)
    assert found.ok and not found.notes
    assert str(found) == "the run: 3 of 3 questions of version 1.1.0 answered, 0 faults, 0 notes"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"found_ids": [0, 7, 8, 9, 10], "model_answer": "да"},
         "found_ids names texts that the release does not have: 7, 8, 9 and 1 more"),
        ({"found_ids": [0], "model_answer": " \n"}, "the answer is empty"),
        ({"found_ids": [], "model_answer": "да"}, "found_ids is empty"),
        ({"found_ids": ["0"], "model_answer": "да"}, "found_ids[0] must be a whole number, and is a string"),
        ({"found_ids": [0, 1.0], "model_answer": "да"}, "found_ids[1] must be a whole number, and is a number with a point"),
        ({"found_ids": [float("nan")], "model_answer": "да"}, "found_ids[0] must be a whole number, and is a number with a po"),
        ({"found_ids": [True], "model_answer": "да"}, "found_ids[0] must be a whole number, and is a truth value"),
        ({"found_ids": [-1], "model_answer": "да"}, "found_ids[0] is out of range"),
        ({"found_ids": [0], "model_answer": 5}, "model_answer must be a string, and is a number"),
        ({"found_ids": [0]}, "model_answer is missing"),
        ([0], "the entry must be an object with found_ids and model_answer, and is a list"),
    ],
)  # fmt: skip
def test_every_faulty_row_is_named_with_the_reason(release, entry, reason):
    found = rag_bench.check({**WHOLE, "1": entry}, release)
    assert not found.ok and len(found.faults) == 1
    assert str(found.faults[0]).replace("'1'", "1").startswith(f"question 1: {reason}")


def test_missing_and_unknown_questions_are_faults(release):
    found = rag_bench.check({"0": WHOLE["0"], "1": WHOLE["1"], "17": WHOLE["2"], "x": WHOLE["2"]}, release)
    assert reasons(found.faults) == [
        "question 'x': the id must be a whole number such as 0 or 17",
        "question 17: release 1.1.0 has no such question",
        "question 2: has no entry",
    ]


def test_repeats_and_too_few_texts_are_notes(release):
    entries = {"0": {"found_ids": [2, 2, 0], "model_answer": "да"}, "1": {"found_ids": [0, 1, 2], "model_answer": "да"}}
    found = rag_bench.check({**WHOLE, **entries}, release, k=2)
    assert found.ok and reasons(found.notes) == [
        "question 0: found_ids names a text twice; it counts once",
        "question 0: found_ids has 3 texts; measures at 2 read the first 2",
        "question 1: found_ids has 3 texts; measures at 2 read the first 2",
    ]
    assert reasons(rag_bench.check(WHOLE, release).notes)[0] == "question 0: found_ids has 2 of 5 texts"


def test_a_run_is_expected_to_find_as_many_texts_as_it_was_asked_for(release):
    assert rag_bench.check(rag_bench.run(Told(), release, k=1), release).notes == ()
    assert len(rag_bench.check(rag_bench.run(Told(), release, k=2), release).notes) == 3


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"0": NaN}', b'{"0": 1, "0": 2}', b"\xff", b"[" * 200_000])
def test_a_file_that_is_no_run_is_a_fault(release, tmp_path, content):
    (tmp_path / "results.json").write_bytes(content)
    found = rag_bench.check(tmp_path / "results.json", release)
    assert not found.ok and found.answered == 0 and "results.json" in str(found)


def test_a_file_that_is_not_there_is_a_fault(release, tmp_path):
    assert "cannot be read" in str(rag_bench.check(tmp_path / "none.json", release))


def test_a_run_of_another_release_is_known_by_itself_and_by_its_journal(release, tmp_path):
    run = rag_bench.run(Told(), release, path=tmp_path / "results.json")
    publish(tmp_path / "hub", "1.2.0")
    newer = rag_bench.load(source=tmp_path / "hub")
    for given in (run, tmp_path / "results.json"):
        assert str(rag_bench.check(given, newer).faults[0]) == "the run was made for version 1.1.0, and this is 1.2.0"
        assert rag_bench.check(given, release).ok


def test_a_run_of_the_sandbox_is_none_of_the_release_of_the_same_number(release, tmp_path):
    publish(tmp_path / "hub", "1.1.0", prefix="sandbox_")
    sandbox = rag_bench.load(source=tmp_path / "hub", sandbox=True)
    run = rag_bench.run(Told(), sandbox, path=tmp_path / "results.json")
    for given in (run, tmp_path / "results.json"):
        told = str(rag_bench.check(given, release).faults[0])
        assert told == "the run was made for another version 1.1.0: of the sandbox, or of another hub"
        assert rag_bench.check(given, sandbox).ok


def test_a_check_leaves_the_journal_of_a_run_that_is_under_way_as_it_is(release, tmp_path):
    rag_bench.run(Told(), release, path=tmp_path / "results.json")
    journal = tmp_path / "results.journal.jsonl"
    half = journal.read_bytes() + b'{"id": 2, "found'
    journal.write_bytes(half)
    assert rag_bench.check(tmp_path / "results.json", release).ok and journal.read_bytes() == half


@pytest.mark.parametrize(
    "line", ['{"release": "9.9.9"}', '{"release": [1], "content": "", "k": 5, "system": ""}', "[]", "\u001b"]
)
def test_a_journal_of_a_stranger_is_not_believed(release, tmp_path, line):
    (tmp_path / "results.json").write_text(json.dumps(WHOLE))
    (tmp_path / "results.journal.jsonl").write_text(line + "\n")
    assert rag_bench.check(tmp_path / "results.json", release).ok


def test_ids_that_are_mostly_unknown_are_told_as_one(release, tmp_path):
    (tmp_path / "results.json").write_text(json.dumps({str(one): WHOLE["0"] for one in range(700, 703)}))
    found = rag_bench.check(tmp_path / "results.json", release)
    assert str(found.faults[0]) == "most ids are not in version 1.1.0: is the run one of another version?"


def test_many_rows_of_a_kind_are_counted_not_listed(tmp_path):
    questions = [{"id": one, "question": "Кто?"} for one in range(40)]
    publish(tmp_path, "1.1.0", ("public_texts", "public_questions"), tables={**TABLES, "public_questions": questions})
    told = str(rag_bench.check({"0": WHOLE["0"], "x": 1}, rag_bench.load(source=tmp_path))).splitlines()
    assert told[0] == "the run: 1 of 40 questions of version 1.1.0 answered, 40 faults, 1 notes"
    assert told[1].startswith("  fault  question 'x':") and told[2] == "  fault  question 1: has no entry"
    assert told[12] == "  fault  … and 29 more of the kind"
    run = {str(one): WHOLE["0"] for one in range(40)}
    assert str(rag_bench.check(run, rag_bench.load(source=tmp_path))).splitlines()[4] == "  note  … and 37 more of the kind"
