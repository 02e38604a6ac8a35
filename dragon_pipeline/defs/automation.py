"""The day's job and when it runs."""

import logging
from datetime import timedelta
from zoneinfo import ZoneInfo

import dagster as dg

from dragon_pipeline.defs.partitions import ZONE

JOB = "daily_benchmark"
STEPS = logging.getLogger("dragon.steps")
"""Gets one record per step of a run: `step`, `state` (start, success, failure, skipped)."""

daily_benchmark = dg.define_asset_job(
    JOB,
    dg.AssetSelection.all(),
    executor_def=dg.in_process_executor,
    description="One day, from its news to the scores of a published version. Backfills go one run a day, in order.",
    tags={"dragon/lane": "daily"},
)


@dg.schedule(job=daily_benchmark, cron_schedule="0 3 * * *", execution_timezone=ZONE)
def nightly(context: dg.ScheduleEvaluationContext) -> dg.RunRequest:
    """03:00 Europe/Moscow, for the day before; goes before the runs of a backfill."""
    day = context.scheduled_execution_time.astimezone(ZoneInfo(ZONE)).date() - timedelta(days=1)
    return dg.RunRequest(partition_key=day.isoformat(), tags={"dagster/priority": "10"})


STATES = {"STEP_START": "start", "STEP_SUCCESS": "success", "STEP_FAILURE": "failure", "STEP_SKIPPED": "skipped"}


class _Steps(logging.Handler):
    """Passes a run's step events on to STEPS."""

    def emit(self, record: logging.LogRecord) -> None:
        event = getattr(record, "dagster_event", None)
        state = STATES.get(event.event_type_value) if event else None
        if event and state:
            STEPS.info("%s %s", event.step_key, state, extra={"step": event.step_key, "state": state})


@dg.logger(config_schema={}, description="Step events only, for `dragon run`")
def steps(init_context: dg.InitLoggerContext) -> logging.Logger:
    logger = logging.Logger("dragon.run")
    logger.addHandler(_Steps())
    return logger
