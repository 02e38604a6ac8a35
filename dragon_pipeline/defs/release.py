"""Release: from accepted questions to a published version."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import polars as pl

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.verification import release_faults, verify
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.defs.checks.release import READS_BACK, WHOLE, result
from dragon_pipeline.defs.partitions import DAILY, day_before, window
from dragon_pipeline.defs.report import report
from dragon_pipeline.home import Home

GROUP = "release"


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"parquet"},
    code_version="2",
    ins={"articles": window("articles")},
    check_specs=[WHOLE],
)
def release(  # noqa: PLR0913 (what flows in, and what it is made with)
    context: dg.AssetExecutionContext,
    accepted: pl.DataFrame,
    articles: Batches,
    verdicts: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
    home: dg.ResourceParam[Home],
    provenance: dg.ResourceParam[Provenance],
    release_files: dg.ResourceParam[FileStore],
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """The files of the four datasets before they have a version; empty when too few questions may be released."""
    files = build_release(
        accepted, articles, verdicts, context.partition_key, settings, home.release_key(), provenance, release_files
    )
    yield report("release", files, by="dataset", questions=accepted.height)
    yield result(WHOLE, release_faults(files, accepted, articles, release_files))


@dg.asset(
    **DAILY,
    group_name=GROUP,
    kinds={"huggingface"},
    code_version="1",
    ins={"before": day_before("revision")},
    check_specs=[READS_BACK],
)
def revision(
    context: dg.AssetExecutionContext,
    before: pl.DataFrame | None,
    release: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
    hub: dg.ResourceParam[Hub],
    release_files: dg.ResourceParam[FileStore],
) -> Iterator[dg.Output | dg.AssetCheckResult]:
    """What the hub holds of the day: the published version and its commits, or why there is none."""
    told = publish(release, before, context.partition_key, hub, release_files, settings.release)
    if told["outcome"][0] == "unchanged" and not told_before(context, told["content"][0]):
        told = told.with_columns(outcome=pl.lit("published"))
    shown: dict[str, Any] = {name: told[name][0] or "none" for name in ("version", "outcome", "reason", "content")}
    yield report("revision", told, **shown)
    yield result(READS_BACK, [] if told["version"][0] is None else verify(hub, told["version"][0]))


def told_before(context: dg.AssetExecutionContext, content: str) -> bool:
    """A run before this one, and before those that it goes on from, told of this content on this day.

    Otherwise what the hub holds already is this run's own work: it was killed before it could tell.
    """
    own = context.run.root_run_id or context.run_id
    told = context.instance.fetch_materializations(
        dg.AssetRecordsFilter(context.asset_key, asset_partitions=[context.partition_key]), limit=1000
    )
    for record in told.records:
        run = context.instance.get_run_by_id(record.run_id)
        shown = record.asset_materialization.metadata.get("content") if record.asset_materialization else None
        if shown and shown.value == content and record.run_id != own and (run is None or run.root_run_id != own):
            return True
    return False
