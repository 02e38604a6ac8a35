"""`dragon skip`: gives a day up, so that later days can go on without it."""

from datetime import date

import dagster as dg
from rich.console import Console

from dragon_pipeline.commands.days import days_between, working
from dragon_pipeline.commands.runs import daily_benchmark
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import REVISION
from dragon_pipeline.defs.io_manager import table_of
from dragon_pipeline.defs.resources import home, tables
from dragon_pipeline.defs.tables import Tables


def skip(day: date, reason: str) -> None:
    """Writes an empty table of every asset for the day, with the reason; a report on what the day was before goes.

    Raises:
        BadInput: the day has published a version.
    """
    (key,) = days_between(day, day)
    store = Tables(tables())
    if store.read("revision", [key])["version"].count():
        raise BadInput(f"{key} has published {store.read('revision', [key])['version'][0]}; a published day cannot be skipped")
    with working() as instance:
        assets = sorted(daily_benchmark().asset_layer.selected_asset_keys)
        for asset in assets:
            table = table_of(asset)
            store.write(asset, key, _skipped(reason) if table is REVISION else table.empty())
            metadata = {"skipped": reason, "dagster/row_count": 0}
            instance.report_runless_asset_event(dg.AssetMaterialization(asset, partition=key, metadata=metadata))
        home().report(key).unlink(missing_ok=True)
    Console().print(f"{key} is skipped: {len(assets)} empty tables, because {reason}", markup=False)


def _skipped(reason: str):
    row = {"dataset": "none", "version": None, "commit": None, "content": sha256(b""), "outcome": "skipped", "reason": reason}
    return REVISION.frame([row])
