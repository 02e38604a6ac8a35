import io
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rag_bench
from dragon_pipeline_tests.rag_bench.releasing import TABLES, publish
from rag_bench import Found
from rag_bench.errors import BadJournal, RagBenchError
from rag_bench.journal import Journal, Key
from rag_bench.progress import Progress
from rag_bench.runs import Answer, read_run
from rag_bench.systems import NoAnswers

TEXTS = [row["text"] for row in TABLES["public_texts"]]
QUESTIONS = [row["question"] for row in TABLES["public_questions"]]


class Told:
    """Finds text n for question n, and says what it is told; keeps what it was asked."""

    name = "told"

    def __init__(self, found=None, says="Псков"):
        self.found, self.says = found or {}, says
        self.asked: list[str] = []
        self.shown: list[list[str]] = []

    def retrieve(self, question, k):
        self.asked.append(question)
        place = QUESTIONS.index(question)
        found = self.found.get(place, [place])
        return found(k) if callable(found) else found

    def answer(self, question, passages):
        self.shown.append(list(passages))
        return self.says(question) if callable(self.says) else self.says


def failing(*places):
    def says(question):
        if QUESTIONS.index(question) in places:
            raise ConnectionError("the model is gone")
        return "Псков"

    return says


def test_a_run_is_the_answers_of_a_system_and_the_results_file(release, tmp_path):
    system = Told({0: [2, 1, 2]})
    run = rag_bench.run(system, release, path=tmp_path / "results.json")
    assert dict(run) == {0: Answer((2, 1), "Псков"), 1: Answer((1,), "Псков"), 2: Answer((2,), "Псков")}
    assert read_run(tmp_path / "results.json") == dict(run)
    assert system.shown == [[TEXTS[2], TEXTS[1]], [TEXTS[1]], [TEXTS[2]]]


def test_a_run_is_scored_as_it_is(release):
    run = rag_bench.run(Told(says=failing(1)), release)
    scores = rag_bench.evaluate(run, release, ["Hit@5", "Exact"])
    assert scores.table()["all"] == {"Hit@5": 2 / 3, "Exact": 1 / 3} and scores.unanswered == 1


def test_found_passages_are_what_the_model_sees_and_their_texts_count_once(release):
    system = Told({0: [Found(2, "конец"), (2, "начало"), (0, "мост"), (2, "конец")]})
    run = rag_bench.run(system, release)
    assert run[0].found_ids == (2, 0) and system.shown[0] == ["конец", "начало", "мост"]


def test_entries_after_the_first_k_are_not_used_and_k_is_handed_over(release):
    system = Told({0: lambda k: [0, 1, 2][: k + 1]})
    assert rag_bench.run(system, release, k=2)[0].found_ids == (0, 1)


def test_numbers_of_numpy_are_ids(release):
    run = rag_bench.run(Told({0: np.array([2, 0]), 1: [(np.int32(1), "завод")]}), release)
    assert run[0].found_ids == (2, 0) and run[1].found_ids == (1,)
    assert all(type(text_id) is int for text_id in run[0].found_ids)


@pytest.mark.parametrize(
    ("found", "says", "reason"),
    [
        ([99], "да", "retrieve returned text 99, which release 1.1.0 does not have"),
        (["1"], "да", "retrieve returned '1'; it must return ids of texts"),
        ([True], "да", "retrieve returned True; it must return ids"),
        ([1.0], "да", "retrieve returned 1.0, of type float; ids are whole numbers"),
        ([(1, None, 2)], "да", "of type tuple; ids are whole numbers"),
        ([(1, 2)], "да", "pairs of an id and a passage"),
        (None, None, 'answer returned None; it must return a string, "" when there is no answer'),
        (None, b"\xd1", "answer returned b'\\xd1', of type bytes; it must return a string"),
        (None, "я" * 20_001, "model_answer has 20,001 characters"),
        (None, "\0", "model_answer holds a NUL character"),
        (lambda k: None, "да", "retrieve returned None; it must return a list of ids of texts"),
        (lambda k: 5, "да", "retrieve returned 5, of type int; it must return a list of ids of texts"),
    ],
)
def test_what_is_no_answer_is_kept_with_the_reason_and_the_rest_goes_on(release, found, says, reason):
    system = Told({1: found} if found is not None else {}, says=lambda question: says if question == QUESTIONS[1] else "Псков")
    run = rag_bench.run(system, release)
    assert set(run) == {0, 2} and reason in run.failures[1]
    assert reason in str(run)


def test_a_question_that_failed_is_asked_again_and_no_other(release, tmp_path, capsys):
    path = tmp_path / "results.json"
    first = rag_bench.run(Told(says=failing(1)), release, path=path)
    assert set(first.failures) == {1} and set(read_run(path)) == {0, 2}
    assert f"no answer to question 1 ({first.failures[1]})" in capsys.readouterr().err
    again = Told()
    second = rag_bench.run(again, release, path=path, workers=2)
    assert rag_bench.run(Told(says=failing(0, 1, 2)), release, path=path, workers=2) == second
    assert again.asked == [QUESTIONS[1]] and list(second) == [0, 1, 2] and not second.failures
    assert "2 of 3 answers are from" in capsys.readouterr().err


def test_answers_of_another_system_release_or_k_are_not_taken(release, tmp_path):
    path = tmp_path / "results.json"
    rag_bench.run(Told(), release, path=path)
    other = Told(says="Тверь")
    other.name = "other"
    assert rag_bench.run(other, release, path=path)[0].model_answer == "Тверь"
    publish(tmp_path / "hub", "1.2.0")
    for changed in ({"release": rag_bench.load(source=tmp_path / "hub")}, {"k": 3}):
        asked = Told()
        rag_bench.run(asked, **{"release": release, "path": path, **changed})
        assert len(asked.asked) == 3
    back = Told()
    assert rag_bench.run(back, release, path=path)[0].model_answer == "Псков" and back.asked == []


def test_a_system_without_a_name_is_its_class(release):
    class Mine(Told):
        name = None

    assert rag_bench.run(Mine(), release).key.system.endswith("Mine")


def test_a_torn_last_line_is_taken_out_and_its_question_asked_again(release, tmp_path):
    path, journal = tmp_path / "results.json", tmp_path / "results.journal.jsonl"
    whole = rag_bench.run(Told(), release, path=path)
    lines = journal.read_bytes()
    for cut in range(1, len(lines) - lines[:-1].rfind(b"\n")):
        journal.write_bytes(lines[:-cut])
        asked = Told()
        assert rag_bench.run(asked, release, path=path) == whole and asked.asked == [QUESTIONS[2]]
        assert all(json.loads(line) for line in journal.read_bytes().splitlines())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 2_000), fail=st.sets(st.integers(0, 2)), workers=st.integers(1, 3))
def test_however_a_run_was_cut_the_next_gives_the_same_answers_and_asks_only_what_is_not_there(
    release, tmp_path, cut, fail, workers
):
    path, journal = tmp_path / "results.json", tmp_path / "results.journal.jsonl"
    journal.unlink(missing_ok=True)
    rag_bench.run(Told(says=failing(*fail)), release, path=path, workers=workers)
    content = journal.read_bytes()
    journal.write_bytes(content[: cut % (len(content) + 1)])
    lines = [json.loads(line) for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    kept = {line["id"] for line in lines if "model_answer" in line}
    asked = Told()
    assert dict(rag_bench.run(asked, release, path=path, workers=workers)) == dict(rag_bench.run(Told(), release))
    assert sorted(map(QUESTIONS.index, asked.asked)) == sorted({0, 1, 2} - kept)


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"id": 1, "found_ids": ["1"], "model_answer": ""}', b'{"id": "x"}', b"\xff"])
def test_a_line_that_is_none_is_named(release, tmp_path, line):
    path, journal = tmp_path / "results.json", tmp_path / "results.journal.jsonl"
    rag_bench.run(Told(), release, path=path)
    journal.write_bytes(journal.read_bytes() + line + b"\n")
    with pytest.raises(BadJournal, match=r"results\.journal\.jsonl, line 5"):
        rag_bench.run(Told(), release, path=path)


def test_a_few_questions_first_and_the_others_later(release, tmp_path):
    path = tmp_path / "results.json"
    assert list(rag_bench.run(Told(), release, path=path, limit=1)) == [0]
    rest = Told()
    assert list(rag_bench.run(rest, release, path=path)) == [0, 1, 2] and rest.asked == QUESTIONS[1:]


def many(tmp_path: Path, count: int) -> rag_bench.Release:
    questions = [{"id": one, "question": f"Вопрос {one}?"} for one in range(count)]
    publish(tmp_path / "many", "1.1.0", ("public_texts", "public_questions"), tables={**TABLES, "public_questions": questions})
    return rag_bench.load(source=tmp_path / "many")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_system_that_exits_is_a_system_that_failed(release, workers):
    run = rag_bench.run(Told(says=lambda question: sys.exit("no licence")), release, workers=workers)
    assert [told.partition(" (")[0] for told in run.failures.values()] == ["SystemExit: no licence"] * 3


class Cancelled(BaseException):
    """As an event loop raises it."""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_system_that_raises_what_is_no_exception_loses_no_question(release, workers):
    run = rag_bench.run(Told(says=lambda question: (_ for _ in ()).throw(Cancelled("gone"))), release, workers=workers)
    assert len(run.failures) == 3 and "Cancelled: gone" in run.failures[0]


def test_a_failure_names_the_line_of_the_system_not_of_a_library(release):
    def says(question):
        return json.loads("{")

    line = says.__code__.co_firstlineno + 1
    run = rag_bench.run(Told(says=says), release, limit=1)
    assert run.failures[0].endswith(f"(test_systems.py, line {line})") and "JSONDecodeError" in run.failures[0]


def test_what_is_found_may_have_no_end(release):
    run = rag_bench.run(Told({0: lambda k: (one % 3 for one in itertools.count())}), release, k=3, limit=1)
    assert run[0].found_ids == (0, 1, 2)


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (Told, r"Told is a class; give a system that is made of it: Told\(…\)"),
        (object(), r"a system has a method retrieve\(question, k\), and object has none"),
        (None, "and NoneType has none"),
    ],
)
def test_what_is_no_system_is_asked_nothing(release, system, words):
    with pytest.raises(RagBenchError, match=words):
        rag_bench.run(system, release)


@pytest.mark.parametrize("how", [{"k": 0}, {"limit": -1}, {"workers": 0}, {"path": "."}])
def test_a_number_that_is_too_small_or_a_folder_for_the_results_asks_nothing(release, how):
    system = Told()
    with pytest.raises(RagBenchError, match=r"must be at least|\. is a folder; give the results file"):
        rag_bench.run(system, release, **how)
    assert not system.asked


class AtOnce:
    """Answers only when as many questions are asked at once as it waits for."""

    def __init__(self, width: int):
        self.together = threading.Barrier(width, timeout=20)
        self.now = self.most = 0
        self.lock = threading.Lock()

    def retrieve(self, question, k):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        self.together.wait()
        with self.lock:
            self.now -= 1
        return [0]

    def answer(self, question, passages):
        return question


def test_so_many_questions_are_asked_at_once_and_the_order_is_kept(tmp_path):
    system = AtOnce(4)
    run = rag_bench.run(system, many(tmp_path, 12), workers=4, path=tmp_path / "results.json")
    assert system.most == 4 and list(run) == list(range(12))
    assert all(answer.model_answer == f"Вопрос {one}?" for one, answer in run.items())
    assert len((tmp_path / "results.journal.jsonl").read_bytes().splitlines()) == 13


@pytest.mark.parametrize("workers", [1, 3])
def test_a_system_that_only_fails_is_not_asked_everything(tmp_path, workers):
    class Gone(Told):
        def retrieve(self, question, k):
            raise TimeoutError("no route")

    with pytest.raises(
        NoAnswers, match=r"2\d questions in a row failed, \d+ were not asked. The last one: TimeoutError: no route"
    ):
        rag_bench.run(Gone(), many(tmp_path, 60), workers=workers, path=tmp_path / "results.json")
    assert not (tmp_path / "results.json").exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_journal_that_cannot_be_written_stops_the_run(release, tmp_path, workers):
    class Closing(Told):
        def answer(self, question, passages):
            for descriptor in Path("/proc/self/fd").iterdir():
                if descriptor.resolve().name == "results.journal.jsonl":
                    full = os.open("/dev/full", os.O_WRONLY)
                    os.dup2(full, int(descriptor.name))
                    os.close(full)
            return "да"

    with pytest.raises(BadJournal, match=r"results\.journal\.jsonl cannot be written: No space left"):
        rag_bench.run(Closing(), release, path=tmp_path / "results.json", workers=workers)


def test_a_journal_that_is_closed_writes_into_nothing_else(tmp_path):
    journal = Journal(tmp_path / "run.journal.jsonl", Key("1.1.0", "", 5, "told"))
    journal.close()
    with (tmp_path / "other").open("wb"), pytest.raises(BadJournal, match="is closed"):
        journal.append(0, "no answer")
    assert (tmp_path / "other").read_bytes() == b""


SLOW = """
import sys, time
import rag_bench
class Slow:
    def retrieve(self, question, k):
        return [0]
    def answer(self, question, passages):
        print("asked", flush=True)
        time.sleep(0.2)
        return question
release = rag_bench.load(source=sys.argv[1])
rag_bench.run(Slow(), release, path=sys.argv[2], workers=int(sys.argv[3]))
"""


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_killed_or_interrupted_loses_at_most_what_is_being_asked(tmp_path, workers, how):
    release = many(tmp_path, 40)
    path = tmp_path / "results.json"
    command = [sys.executable, "-c", SLOW, str(tmp_path / "many"), str(path), str(workers)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,  # a shell's background ignores SIGINT, and so would this
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    ) as process:
        asked = 0
        while asked < 9 and process.stdout and process.stdout.readline():
            asked += 1
        process.send_signal(how)
        out, error = process.communicate(timeout=60)
    asked += out.count("asked")
    kept = [json.loads(line) for line in (tmp_path / "results.journal.jsonl").read_bytes().splitlines(keepends=True)[1:]]
    lost = asked - len(kept)
    assert 0 <= lost <= (workers if how == signal.SIGKILL or workers == 1 else 0)
    if how == signal.SIGINT:
        assert f"stopped with {len(kept)} answers; the same call goes on from there" in error
    rest = Echo()
    assert list(rag_bench.run(rest, release, path=path)) == list(range(40)) and len(rest.asked) == 40 - len(kept)


class Echo(Told):
    name = "Slow"

    def retrieve(self, question, k):
        self.asked.append(question)
        return [0]


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_one_line_on_a_terminal_and_few_lines_elsewhere():
    for screen, lines in ((Screen(), 0), (io.StringIO(), 4)):
        clock = iter(range(0, 1000, 10)).__next__
        progress = Progress(12, screen, clock)
        for step in range(12):
            progress.step(failed=step == 3)
        told = screen.getvalue()
        assert told.count("\n") == lines
        assert "6 of 12 questions, 1 failed, about 60 s left" in told
        assert told.rstrip("\n").endswith("12 of 12 questions, 1 failed, in 2 min")


def test_time_left_counts_what_is_asked_now():
    screen = io.StringIO()
    clock = iter([0.0, 3600.0, 7200.0]).__next__
    progress = Progress(8, screen, clock)
    progress.step(failed=False)
    assert screen.getvalue() == "1 of 8 questions, about 7.0 h left\n"
