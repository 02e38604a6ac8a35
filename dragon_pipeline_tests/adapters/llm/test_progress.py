import logging

from dragon_pipeline.adapters.llm.progress import LoggedProgress, Pace, line_of, span
from dragon_pipeline.core.language_model import Usage
from dragon_pipeline_tests.adapters.llm.model_server import Written, ask


def test_progress_is_told_after_every_reply_with_the_time_left(world):
    told = []
    server = world.serve(answer=lambda body: Written("да", delay=0.1))
    world.model(server).complete([ask("слово 0")])
    model = world.model(server, concurrency=2, progress=lambda *seen: told.append(seen))
    model.complete([*(ask(f"слово {number}") for number in range(9)), ask("слово 8")])
    done, total, usage, left = zip(*told, strict=True)
    assert done[0] in (2, 3) and done[-1] == 10 and list(done) == sorted(done)
    assert set(total) == {10}
    assert usage[-1].requests == 10 and usage[-1].cached == 2
    assert left[-1] == 0 and 0.05 < left[1] < 5


def test_lines_come_at_intervals_and_at_the_end_of_a_long_batch(caplog):
    caplog.set_level(logging.INFO, "dragon.models")
    progress = LoggedProgress("writer m", seconds_between=1000)
    for number in range(1, 101):
        progress(number, 100, Usage(requests=number), 1.0)
    assert [record.message for record in caplog.records] == ["writer m: 1 of 100, 1 s left", "writer m: 100 of 100"]
    for number in range(1, 4):  # many small batches in a row
        progress(1, 1, Usage(requests=number), 0.0)
    assert len(caplog.records) == 2


def test_a_line_tells_what_went_wrong_and_what_it_cost():
    usage = Usage(120, 20, 1, 2, 3, 4, prompt_tokens=12_000, reply_tokens=3_000, money=1.5)
    assert line_of("judge m", 120, 400, usage, 250) == (
        "judge m: 120 of 400, 20 cached, 1 repaired, 3 unreadable, 2 lost, 4 retries,"
        " 12,000 + 3,000 tokens, 1.50 money, 4 min left"
    )


def test_time_left_is_said_in_the_unit_that_fits():
    assert [span(seconds) for seconds in (3, 89, 600, 9000)] == ["3 s", "89 s", "10 min", "2.5 h"]


def test_the_pace_is_unknown_until_something_was_paid():
    assert Pace(10, 5).step(0) is None
    assert Pace(10, 9).step(1) == 0
