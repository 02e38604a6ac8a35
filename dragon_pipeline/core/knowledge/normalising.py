"""Normalising by rules: the nearest candidate, when it is near enough and of a kind whose names are rarely borne by others."""

from collections.abc import Sequence

from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.ports import Choice, Naming
from dragon_pipeline.core.prompts import Prompt

LINKED_KINDS = ("LOC", "ROLE", "PER")
"""A café may bear a planet's name, a city rarely does."""
NEAR = 0.75
"""Least similarity of the best candidate (cosines of the E5 family lie between .7 and 1)."""


class RuleNormaliser:
    """The embedded normaliser."""

    name = "rules"
    models: Sequence[LanguageModel] = ()
    prompts: Sequence[Prompt] = ()

    def choose(self, namings: Sequence[Naming]) -> Sequence[Choice]:
        return [_choose(naming) for naming in namings]


def _choose(naming: Naming) -> Choice:
    if not naming.candidates:
        return Choice(None, "no_candidates")
    best = naming.candidates[0]
    if naming.kind == "property":
        return Choice(best["wikidata_id"], "picked")
    if naming.name_kind not in LINKED_KINDS:
        return Choice(None, "not_linked_by_rules")
    return Choice(best["wikidata_id"], "picked") if best["similarity"] >= NEAR else Choice(None, "too_far")
