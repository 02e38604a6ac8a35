"""Days, and which days of an upstream table an asset loads.

The settings of the home are read here when the flow is loaded, since first day, outlets and window are part of its shape.
"""

import re
from typing import Any

import dagster as dg

from dragon_pipeline.defs.resources import settings

ZONE = "Europe/Moscow"
SETTINGS = settings()
DAYS = dg.DailyPartitionsDefinition(start_date=SETTINGS.first_day.isoformat(), timezone=ZONE)
DAILY: dict[str, Any] = {"partitions_def": DAYS, "owners": ["team:bench"]}
"""What every asset of the flow says of itself."""
OUTLETS = {**{re.sub(r"\W", "_", name): name for name in SETTINGS.newsroom.names}, "imported": "import"}
"""Name of each crawl table in code → last part of its asset key; `import` is a word of the language."""
CRAWLS = {name: dg.AssetIn(key=["crawl", part]) for name, part in OUTLETS.items()}


def window(asset: str) -> dg.AssetIn:
    """The day and the days before it that form one window."""
    return _days(asset, 1 - SETTINGS.window_days, 0)


def window_and_day(asset: str) -> dg.AssetIn:
    """The window that ends the day before, and the day; one frame, as Dagster takes an asset only once."""
    return _days(asset, -SETTINGS.window_days, 0)


def day_before(asset: str) -> dg.AssetIn:
    """The day before; None on the first day."""
    return _days(asset, -1, -1)


def _days(asset: str, first: int, last: int) -> dg.AssetIn:
    return dg.AssetIn(key=asset, partition_mapping=dg.TimeWindowPartitionMapping(start_offset=first, end_offset=last))
