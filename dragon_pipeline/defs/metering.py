"""What a step asked of models, as metadata of its table, and whether the models answered, as a check."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import dagster as dg

from dragon_pipeline.core.language_model import LanguageModel, Losses, Usage, losses
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.core.settings import ModelSettings, Settings

ANSWERED = "models_answered"
COLUMNS = ("requests", "cached", "prompt_tokens", "prefix_tokens", "reply_tokens", "repaired", "retries", "unreadable", "lost")


class Meter:
    """Usage of models between the start and the end of a step."""

    def __init__(self, models: Sequence[LanguageModel]) -> None:
        self._models = list({id(model): model for model in models}.values())
        self._before = [model.usage for model in self._models]

    @property
    def used(self) -> dict[tuple[str, str], Usage]:
        """(role, model) → what was asked since."""
        found: dict[tuple[str, str], Usage] = {}
        for model, before in zip(self._models, self._before, strict=True):
            key = (model.role, model.name)
            found[key] = found.get(key, Usage()) + (model.usage - before)
        return found

    def losses(self, reasons: Iterable[str | None]) -> Losses:
        """Calls without an answer, of all calls; `reasons`: of the rows, for those who read it."""
        total = sum(self.used.values(), Usage())
        return Losses(total.requests, losses(reasons, total.requests).reasons, total.lost)

    def metadata(self) -> dict[str, Any]:
        """A table by role and model, and the totals as numbers that Dagster can plot; empty for rules."""
        used = self.used
        if not used:
            return {}
        total = sum(used.values(), Usage())
        return {
            "models": dg.MetadataValue.md(_table(used)),
            "model requests": total.requests,
            "model tokens": total.prompt_tokens + total.reply_tokens,
            "model money": round(total.money, 6),
            "model seconds": round(total.seconds, 2),
        }


def _table(used: Mapping[tuple[str, str], Usage]) -> str:
    lines = [("role", "model", *(name.replace("_", " ") for name in COLUMNS), "money"), ("-",) * (len(COLUMNS) + 3)]
    for (role, model), usage in sorted(used.items()):
        lines.append((role, model, *(str(getattr(usage, name)) for name in COLUMNS), f"{usage.money:.4f}"))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def answered(asset: str) -> dg.AssetCheckSpec:
    """The check that stops a day whose models were away: what they did not answer would look as if there were nothing."""
    return dg.AssetCheckSpec(
        ANSWERED, asset=asset, blocking=True, description="Few enough calls of models were left without an answer"
    )


def answered_result(asset: str, lost: Losses, settings: Settings) -> dg.AssetCheckResult:
    """Whether few enough calls were lost."""
    if not lost.asked:
        return dg.AssetCheckResult(check_name=ANSWERED, asset_key=asset, passed=True, description="no model was asked")
    allowed = settings.models.lost_share
    passed = lost.share <= allowed
    told = ", ".join(f"{reason} {number}" for reason, number in lost.reasons.items())
    text = f"{lost.share:.1%} of {lost.asked} calls of models got no answer, allowed {allowed:.1%}" + (
        f": {told}" if told else ""
    )
    again = "; once the server answers, run the day again: only these are asked again"
    return dg.AssetCheckResult(
        check_name=ANSWERED,
        asset_key=asset,
        passed=passed,
        description=text + ("" if passed else again),
        metadata={"share": lost.share, "reasons": dict(lost.reasons)},
    )


SAMPLING = {"model", "temperature", "top_p", "seed", "max_tokens", "window"}


def recipe(prompts: Sequence[Prompt], **roles: ModelSettings | None) -> dict[str, object]:
    """What makes a table what it is, besides its input: of each role the rules, or its model and sampling; prompt versions.
    No address, and no name of a key."""
    told = {role: model.model_dump(include=SAMPLING) if model else "rules" for role, model in roles.items()}
    return {**told, **({"prompts": {prompt.name: prompt.digest for prompt in prompts}} if prompts else {})}
