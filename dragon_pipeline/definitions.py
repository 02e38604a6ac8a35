"""The one Dagster entry."""

import dagster as dg

from dragon_pipeline.defs import automation, corpus, evaluation, knowledge, questions, release, screening
from dragon_pipeline.defs.resources import resources

defs = dg.Definitions(
    assets=dg.load_assets_from_modules([corpus, knowledge, questions, screening, release, evaluation]),
    jobs=[automation.daily_benchmark],
    schedules=[automation.nightly],
    loggers={"steps": automation.steps, "console": dg.colored_console_logger},
    resources=resources(),
    executor=dg.in_process_executor,
)
