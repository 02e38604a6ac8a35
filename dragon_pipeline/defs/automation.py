"""The day's job and when it runs."""

import logging

import dagster as dg

from dragon_pipeline.defs.partitions import DAYS

JOB = "daily_benchmark"
STEPS = logging.getLogger("dragon.steps")
"""Gets one record per step of a run: `step`, `state` (start, success, failure, skipped)."""

daily_benchmark = dg.define_asset_job(
    JOB,
    dg.AssetSelection.all(),
    partitions_def=DAYS,
    executor_def=dg.in_process_executor,
    description="One day, from its news to the scores of a published version. Backfills go one run a day, in order.",
    tags={"dragon/lane": "daily"},
)

nightly = dg.build_schedule_from_partitioned_job(
    daily_benchmark,
    name="nightly",
    hour_of_day=3,
    minute_of_hour=0,
    tags={"dagster/priority": "10"},
    description="03:00 Europe/Moscow, for the day before; goes before the runs of a backfill.",
)


STATES = {"STEP_START": "start", "STEP_SUCCESS": "success", "STEP_FAILURE": "failure", "STEP_SKIPPED": "skipped"}


class _Steps(logging.Handler):
    """Passes a run's step events on to STEPS."""

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "dagster_event", None)
        state = STATES.get(event.event_type_value) if event else None
        if event and state:
            STEPS.info("%s %s", event.step_key, state, extra={"step": event.step_key, "state": state})


@dg.logger(description="Step events only, for `dragon run`")
def steps(init_context: dg.InitLoggerContext) -> logging.Logger:
    logger = logging.Logger("dragon.run")
    logger.addHandler(_Steps())
    return logger
