"""Checks of what leaves the house. They are made inside their assets: separate checks of one day are still a preview."""

import dagster as dg

WHOLE = dg.AssetCheckSpec(
    "whole_and_tight",
    asset="release",
    blocking=True,
    description="The four datasets fit together, and nothing private, nor any id of ours, is in their public half",
)
READS_BACK = dg.AssetCheckSpec(
    "reads_back",
    asset="revision",
    blocking=True,
    description="The hub gives back what was published, and nothing private is in its public half",
)
FAULTS_SHOWN = 20


def result(spec: dg.AssetCheckSpec, faults: list[str]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        check_name=spec.name,
        asset_key=spec.asset_key,
        passed=not faults,
        description="; ".join(faults[:FAULTS_SHOWN]) or None,
        metadata={"faults": len(faults)},
    )
