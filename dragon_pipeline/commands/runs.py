"""Running days through the daily job in this process, on the home's Dagster instance, so that the UI shows them."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import dagster as dg
import yaml

from dragon_pipeline.commands.failures import advice, without_dumps
from dragon_pipeline.commands.progress import ERRORS
from dragon_pipeline.core.errors import BadInput, DragonError, HomeBusy
from dragon_pipeline.core.records import CRAWL
from dragon_pipeline.defs.automation import JOB
from dragon_pipeline.defs.io_manager import content_hash
from dragon_pipeline.defs.resources import home, settings, source_commit
from dragon_pipeline.home import Home, held

PARTITION, BY, BATCH, RECIPE = "dagster/partition", "dragon/by", "dragon/batch", "dragon/recipe"
COMMAND = "dragon run"
REPOSITORY = {".dagster/repository": "__repository__@dragon_pipeline.definitions"}
"""By this tag the UI finds the runs of a job."""
ACTIVE = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
WAITING = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED]
ENDED_BADLY = [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
ERROR_SHOWN = 300
CRAWL_STEPS = {"crawl", "ledger"}
"""Steps that see the web: when one of them failed, its check included, the day is crawled again."""


NOT_CONTENT = {
    "gateway", "url", "key_variable", "concurrency", "timeout", "attempts", "patience", "price_prompt", "price_prefix",
    "price_reply", "run_tokens", "run_money", "lost_share", "batch", "contact", "maxlag",
}  # fmt: skip
NAMES_A_FILE = re.compile(r"\w+: \[Errno \d+\] .+: '.+'")
OURS = {kind.__name__ for kind in DragonError.__subclasses__()}


class DayFailed(DragonError):
    """A day's run failed; the message names the step and its error."""


def daily_benchmark() -> dg.JobDefinition:
    from dragon_pipeline.definitions import defs

    return defs.resolve_job_def(JOB)


@contextmanager
def instance_of(home: Home) -> Iterator[dg.DagsterInstance]:
    """The Dagster instance in the home.

    Raises:
        BadInput: its dagster.yaml, which people may edit, cannot be used.
    """
    os.environ["DAGSTER_HOME"] = str(home.dagster())
    try:
        instance = dg.DagsterInstance.get()
    except (yaml.YAMLError, dg.DagsterInvalidConfigError) as error:
        told = " ".join(str(error).split())[:ERROR_SHOWN]
        raise BadInput(f"{home.dagster() / 'dagster.yaml'}: {told}\nmend it, or delete it to get ours again") from None
    with instance:
        yield instance


def fail_orphans(instance: dg.DagsterInstance, home: Home) -> list[str]:
    """Fails runs whose process is gone and frees their pool slots; returns their ids.

    To be called while holding the home's run lock or its up lock.

    Raises:
        HomeBusy: a run of a live `dragon up` is in progress.
    """
    orphans = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=ACTIVE + WAITING)):
        run = record.dagster_run
        ours = run.tags.get(BY) == COMMAND
        with held(home.run_lock() if ours else home.up_lock()) as owner:
            alive = owner is not None and owner != str(os.getpid())
        if alive and not ours:
            raise HomeBusy(
                f"{home.root}: run {run.run_id} of `dragon up` (process {owner}) is in progress; wait for it or stop it there"
            )
        if alive or (run.status in WAITING and not ours):
            continue
        instance.report_engine_event("the process that ran this is gone", run)
        instance.report_run_failed(run)
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        orphans.append(run.run_id)
    return orphans


@dataclass(frozen=True)
class Start:
    """How a day is to be run: from the start, on from a failed run, or not at all."""

    parent: str | None
    done: int
    """steps that need not run again"""
    total: int


def start_of(instance: dg.DagsterInstance, day: str, batch: str) -> Start:
    """Goes on from the day's newest run if that failed after the crawl, under the same code, settings, imports and job.

    A day that succeeded in the same batch, which was interrupted later, is done.
    """
    job = daily_benchmark()
    total = len(job.graph.node_dict)
    records = instance.get_run_records(dg.RunsFilter(job_name=JOB, tags={PARTITION: day}), limit=1)
    run = records[0].dagster_run if records else None
    if run is None or run.tags.get(RECIPE) != recipe(day):
        return Start(None, 0, total)
    if run.status == dg.DagsterRunStatus.SUCCESS and run.tags.get(BATCH) == batch:
        return Start(None, total, total)
    if run.status not in ENDED_BADLY:
        return Start(None, 0, total)
    done = _done(instance, run)
    same_job = run.job_snapshot_id == job.get_job_snapshot_id() and run.asset_selection is None
    if not same_job or not done >= CRAWL_STEPS or len(done) >= total:
        return Start(None, 0, total)
    return Start(run.run_id, len(done), total)


def _done(instance: dg.DagsterInstance, run: dg.DagsterRun | None) -> set[str]:
    """Steps that succeeded in the run or in those it went on from."""
    done: set[str] = set()
    while run is not None:
        stats = instance.get_run_step_stats(run.run_id)
        done |= {step.step_key for step in stats if step.status is not None and step.status.value == "SUCCESS"}
        run = instance.get_run_by_id(run.parent_run_id) if run.parent_run_id else None
    return done


def recipe(day: str) -> str:
    """Hash over code, settings and the day's imported articles: a failed run is gone on with only under the same."""
    told = json.dumps(_content(settings().model_dump(mode="json")), sort_keys=True)
    imported = content_hash(CRAWL, home().imported(day))
    return sha256(f"{source_commit()} {told} {imported}".encode()).hexdigest()[:16]


def _content(values: Any) -> Any:
    """Settings without those that say where, how fast and for how much: they change no table."""
    if isinstance(values, dict):
        return {name: _content(value) for name, value in values.items() if name not in NOT_CONTENT}
    return [_content(value) for value in values] if isinstance(values, list) else values


def materialise(instance: dg.DagsterInstance, day: str, start: Start, batch: str) -> None:
    """One day through `daily_benchmark`.

    Raises:
        DayFailed: with what failed it.
    """
    with without_dumps():
        result = dg.execute_job(
            dg.reconstructable(daily_benchmark),
            instance,
            run_config={"loggers": {"steps": {}}},
            tags={PARTITION: day, BY: COMMAND, BATCH: batch, RECIPE: recipe(day), **REPOSITORY},
            reexecution_options=dg.ReexecutionOptions.from_failure(start.parent, instance) if start.parent else None,
        )
    for warning in warnings_of(result):
        ERRORS.print(f"{day}  {warning}", markup=False)
    if not result.success:
        reason = _reason(result)
        what = advice(reason, home().root) or "\nrun it again"
        raise DayFailed(f"{day}: {reason}{what} to go on from there; the run is {result.run_id} in `dragon up`")


def warnings_of(result: dg.JobExecutionResult | dg.ExecuteInProcessResult) -> list[str]:
    """A line for each thing that a check warns of, with the check's name before it."""
    warned = [check for check in result.get_asset_check_evaluations() if not check.passed and not check.blocking]
    return [f"{check.check_name}: {line}" for check in warned for line in (check.description or "failed").splitlines()]


def _reason(result: dg.JobExecutionResult) -> str:
    for event in result.all_events:
        error = event.step_failure_data.error if event.is_step_failure else None
        if error and error.cls_name == "DagsterAssetCheckFailedError":
            return "; ".join(_failed_checks(result))
        if error:
            return f"{event.step_key}: {_root(error)}"
    for event in result.all_events:
        data = event.event_specific_data
        if event.is_failure and getattr(data, "error", None):
            return _root(data.error)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]
    return "stopped"


def _failed_checks(result: dg.JobExecutionResult) -> list[str]:
    """What the blocking checks that failed say."""
    checks = [check for check in result.get_asset_check_evaluations() if check.blocking and not check.passed]
    return [f"{check.asset_key.to_user_string()}, check {check.check_name}: {check.description}" for check in checks]


def _root(error: Any) -> str:
    """What is behind Dagster's own words in a SerializableErrorInfo: our message as it is, any other with where it arose."""
    while error.cause and error.cls_name.startswith("Dagster"):
        error = error.cause
    told = error.message.strip()
    if error.cls_name == "DagsterExecutionInterruptedError":
        return "stopped by a signal"
    if error.cls_name in OURS:
        return told.partition(": ")[2]
    if NAMES_A_FILE.match(told):
        return told.partition("] ")[2]
    place = error.stack[-1].strip().partition("\n")[0] if error.stack else ""
    return f"{told} ({place})" if place else told
