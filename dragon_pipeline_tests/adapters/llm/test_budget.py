import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.llm.budget import Budget, Cost
from dragon_pipeline.core.errors import BudgetSpent
from dragon_pipeline_tests.adapters.llm.model_server import Raw, Written, ask, failing, last, only_for

SPENDER = """
import sys
from pathlib import Path
from dragon_pipeline.adapters.llm.budget import Budget, Cost
budget = Budget(Path(sys.argv[1]), "run", tokens=1000)
taken = 0
while isinstance(reserved := budget.reserve(Cost(7)), int):
    budget.settle(reserved, Cost(5))
    taken += 1
print(taken)
"""


@pytest.fixture
def budgets(world):
    made = []

    def make(run="run", **limits):
        made.append(Budget(world.cache, run, **limits))
        return made[-1]

    yield make
    for budget in made:
        budget.close()


def test_a_spent_budget_stops_cleanly_and_the_next_run_goes_on_from_the_cache(world, budgets):
    server = world.serve(answer=lambda body: "да и нет")
    requests = [ask(f"слово {number}") for number in range(30)]
    # 3 + 3 tokens each, and 64 in reserve.
    budget = budgets("one", tokens=120)
    model = world.model(server, budget=budget, concurrency=2)
    with pytest.raises(BudgetSpent) as stopped:
        model.complete(requests)
    paid = len(server.asked)
    assert 5 <= paid < 20
    assert budget.spent() == Cost(6 * paid) and 120 - 64 - 30 < budget.spent().tokens <= 120
    assert str(stopped.value) == (
        f"extractor: the budget of this run is used up ({6 * paid} of 120 tokens); {paid} of 30 requests are answered and kept."
        " Run it again and it goes on from there, or set models.run_tokens or models.run_money higher."
    )
    with pytest.raises(BudgetSpent):
        world.model(server, budget=budgets("one", tokens=120)).complete(requests)
    assert len(server.asked) == paid, "the same run may not go on"
    assert [reply.text for reply in world.model(server, budget=budgets("two")).complete(requests)] == ["да и нет"] * 30
    assert len(server.asked) == 30, "nothing was paid twice"


def test_what_is_in_flight_when_the_budget_ends_is_finished_and_kept(world, budgets):
    server = world.serve(answer=lambda body: Written("да " * 60, delay=0.3))
    requests = [ask(f"слово {number}") for number in range(9)]
    with pytest.raises(BudgetSpent, match="2 of 9 requests"):
        world.model(server, budget=budgets(tokens=160), concurrency=2).complete(requests)
    assert len(server.asked) == 2
    world.stop(server)
    assert [reply.reason is None for reply in world.model(server).complete(requests[:2])] == [True, True]


def test_money_is_counted_by_the_prices_and_stops_too(world, budgets):
    server = world.serve(answer=lambda body: "да и нет")
    budget = budgets(money=1.0)
    prices = {"price_prompt": 10_000, "price_prefix": 1_000, "price_reply": 1_000, "max_tokens": 100}
    model = world.model(server, budget=budget, concurrency=1, **prices)
    with pytest.raises(BudgetSpent, match=r"of 1 money\); \d+ of 200 requests"):
        model.complete([ask(f"слово {number}") for number in range(200)])
    # 3 prompt tokens, one of them from the prefix cache, and 3 of the reply
    each = (2 * 10_000 + 1_000 + 3 * 1_000) / 1e6
    assert model.usage.money == pytest.approx(each * len(server.asked)) == pytest.approx(budget.spent().money)
    assert 0.7 < budget.spent().money <= 1


def test_a_spent_budget_does_not_hinder_what_is_in_the_cache(world, budgets):
    server = world.serve(answer=lambda body: "да")
    world.model(server).complete([ask("раз")])
    assert world.model(server, budget=budgets(tokens=1)).complete([ask("раз")])[0].text == "да"


def test_a_request_that_failed_costs_nothing(world, budgets):
    for answer in (Raw(400, b"no"), Raw(500, b"no"), Raw(200, b"<html>")):
        server = world.serve(answer=only_for("раз", answer))
        budget = budgets(str(answer))
        assert world.model(server, budget=budget).complete([ask("раз")])[0].reason
        assert budget.spent() == Cost()
        assert isinstance(budgets(str(answer), tokens=100).reserve(Cost(100)), int), "nothing stays in reserve"


def held(text):
    """What the first request of a batch reserves: half a token for a byte of the prompt, and the longest reply."""
    return len(f"Отвечай.{text}".encode()) // 2 + 1 + 64


def late_at_first(times):
    seen = []

    def answer(body):
        seen.append(body)
        return Written("поздно", delay=3) if len(seen) <= times else "да и нет"

    return answer


def test_replies_that_came_too_late_count_as_what_was_reserved_for_them(world, budgets):
    server = world.serve(answer=late_at_first(2))
    budget = budgets()
    model = world.model(server, budget=budget, timeout=1, attempts=3, patience=60)
    assert model.complete([ask("раз")])[0].text == "да и нет"
    assert budget.spent() == Cost(2 * held("раз") + 2 + 3)
    assert (model.usage.prompt_tokens, model.usage.reply_tokens, model.usage.retries) == (2, 3, 2), "as the server told"
    assert isinstance(budgets(tokens=1000).reserve(Cost(1000 - budget.spent().tokens)), int), "nothing stays in reserve"


def test_a_request_that_is_late_again_and_again_does_not_spend_more_than_the_limit(world, budgets):
    server = world.serve(answer=late_at_first(9))
    budget = budgets(tokens=100)
    with pytest.raises(BudgetSpent, match="0 of 1 requests"):
        world.model(server, budget=budget, timeout=1, attempts=3, patience=60).complete([ask("раз")])
    assert len(server.asked) == 1 and budget.spent() == Cost(held("раз"))


@pytest.mark.parametrize(
    "answer",
    [
        Raw(200, b'{"choices": [{"mess', {}, cut=True),
        Raw(200, b'{"choices": [{"mess'),
        Raw(200, b'{"choices": []}'),
        Raw(200, b'{"model": "other", "choices": [{"message": {"content": "x"}}]}'),
        Raw(200, b'{"choices": [{"message": {"content": "x"}}]}'),
        Raw(504, b"the gateway gave up"),
    ],
)
def test_an_answer_that_does_not_tell_what_it_took_counts_as_what_was_reserved(world, budgets, answer):
    server = world.serve(answer=only_for("раз", answer))
    budget = budgets()
    world.model(server, budget=budget, attempts=1).complete([ask("раз")])
    assert budget.spent() == Cost(held("раз"))


USAGE = {"prompt_tokens": 30, "completion_tokens": 7}


@pytest.mark.parametrize(
    "answer",
    [
        failing(200, {"model": "other", "choices": [{"message": {"content": "x"}}], "usage": USAGE}),
        failing(200, {"choices": [], "usage": USAGE}),
        failing(200, {"error": "engine", "usage": USAGE}),
        failing(400, {"error": {"code": "content_filter"}, "usage": USAGE}),
        failing(500, {"error": "engine", "usage": USAGE}),
    ],
)
def test_a_failed_answer_that_tells_what_it_took_is_counted(world, budgets, answer):
    server = world.serve(answer=only_for("раз", answer))
    budget = budgets()
    model = world.model(server, budget=budget, attempts=1)
    assert model.complete([ask("раз")])[0].reason
    assert budget.spent() == Cost(37) and (model.usage.prompt_tokens, model.usage.reply_tokens) == (30, 7)


def test_all_attempts_of_a_request_are_counted(world, budgets):
    seen = []

    def answer(body):
        seen.append(last(body))
        return failing(500, {"error": "engine", "usage": USAGE}) if len(seen) < 3 else "да и нет"

    budget = budgets()
    model = world.model(world.serve(answer=answer), budget=budget, attempts=3, patience=60)
    assert model.complete([ask("раз")])[0].text == "да и нет"
    assert budget.spent() == Cost(2 * 37 + 2 + 3) and model.usage.prompt_tokens == 62


def test_what_a_killed_process_had_in_flight_stays_counted(budgets):
    assert isinstance(budgets(tokens=100).reserve(Cost(60)), int)
    after = budgets(tokens=100)
    assert after.reserve(Cost(60)) == "not_now" and after.reserve(Cost(101)) == "never"
    assert isinstance(after.reserve(Cost(40)), int)


def test_another_process_that_holds_the_budget_is_waited_for_no_longer_than_patience(world, budgets):
    server = world.serve()
    budgets(tokens=100).reserve(Cost(60))
    began = time.monotonic()
    with pytest.raises(BudgetSpent, match="0 of 1 requests"):
        world.model(server, budget=budgets(tokens=100), patience=0.6).complete([ask("раз")])
    assert 0.5 < time.monotonic() - began < 5


def test_processes_of_one_run_share_its_budget(world, budgets):
    command = [sys.executable, "-c", SPENDER, str(world.cache)]
    clients = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    taken = [int(client.communicate(timeout=60)[0]) for client in clients]
    assert budgets().spent() == Cost(5 * sum(taken)) and 985 <= 5 * sum(taken) <= 1000


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=12), st.integers(0, 100))
def test_no_order_of_requests_spends_more_than_the_limit(tmp_path_factory, requests, limit):
    budget = Budget(tmp_path_factory.mktemp("budget") / "b.sqlite", "run", tokens=limit)
    held = []
    for expected, used in requests:
        reserved = budget.reserve(Cost(expected))
        if isinstance(reserved, int):
            held.append((reserved, min(expected, used)))
        elif held:
            budget.settle(held[0][0], Cost(held.pop(0)[1]))
    for reserved, used in held:
        budget.settle(reserved, Cost(used))
    assert budget.spent().tokens <= limit
    budget.close()
