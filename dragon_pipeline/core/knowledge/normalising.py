"""Normalising by rules: the best candidate, when it is near enough and nothing else bears the name.

The numbers were set on NEREL's training texts and on namesakes (benchmarks/linking.py and namesakes.py; docs/quality.md says
what came out). A wrong link makes new facts known and joins stories that have nothing to do with each other, a missing one
only leaves a name to itself: so precision comes first. What Wikidata states of candidates that were not taken is not lost for
that: it makes a fact `unsure` (facts.py).
"""

import math
from collections.abc import Sequence

from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.ports import Choice, Naming
from dragon_pipeline.core.prompts import Prompt

LINKED_KINDS = ("LOC", "ROLE", "PER")
"""A café may bear a planet's name, a city rarely does."""
SURE = frozenset({None, "name", "order", "without_patronymic", "without_class", "expanded", "singular", "verb", "copula"})
"""What may be done to a name to find what it means; a surname with an initial, or what stands in quotes, may be another's."""
NEAR = 0.78
"""Least similarity of the best candidate (cosines of the E5 family lie between .7 and 1)."""
MARGIN = 0.01
"""Least lead over the second one."""
KNOWN = 0.004
"""How much being known adds to similarity, times the logarithm of sitelinks: a fourfold number is half the margin."""
UNDECIDED = frozenset(("not_linked_by_rules", "too_far", "ambiguous"))
"""Why the rules keep a name that may well mean one of its candidates. A model that keeps a name says that it means none."""


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
    ranked = sorted(naming.candidates, key=lambda one: (-_score(one), one["wikidata_id"]))
    best = ranked[0]
    if best.get("variant") not in SURE:
        return Choice(None, "not_linked_by_rules")
    if naming.kind == "property":
        return Choice(best["wikidata_id"], "picked")
    if naming.name_kind not in LINKED_KINDS or (naming.name_kind == "PER" and " " not in fold(naming.name)):
        return Choice(None, "not_linked_by_rules")
    if best["similarity"] < NEAR:
        return Choice(None, "too_far")
    if len(ranked) > 1 and not _leads(best, ranked[1]):
        return Choice(None, "ambiguous")
    return Choice(best["wikidata_id"], "picked")


def _score(candidate: dict) -> float:
    return candidate["similarity"] + KNOWN * math.log1p(candidate["sitelinks"])


def _leads(best: dict, second: dict) -> bool:
    """Of two of which one is not described, context says nothing: their cosines differ by chance."""
    described = best["description"] and second["description"]
    return bool(described) and _score(best) - _score(second) >= MARGIN
