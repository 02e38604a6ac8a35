"""Named sets of measures. A judge's score belongs to three of them; it is there when its verdicts are given."""

from dataclasses import dataclass

from rag_bench.errors import UnknownMeasure


@dataclass(frozen=True)
class Profile:
    name: str
    meaning: str
    measures: tuple[str, ...]
    """computed here"""
    not_available: tuple[str, ...] = ()
    """not computed here: they take a judge's verdicts"""


_RANKING = ("Hit@5", "Recall@5", "nDCG@5", "Precision@5", "MRR@5")

PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "standard",
            "what the pipeline reports of its baselines",
            (*_RANKING, "ROUGE-1", "ROUGE-2", "ROUGE-L", "Exact", "Substring", "Set-F1"),
            ("Judge",),
        ),
        Profile(
            "paper",
            "what the paper reports (arXiv:2507.05713, §5.1), over its five chunks",
            ("Hit@5", "MRR@5", "ROUGE-2", "ROUGE-L"),
            ("Judge",),
        ),
        Profile(
            "card",
            "what the evaluation card dragon-rag-eval reports",
            ("Hit@5", "Recall@5", "nDCG@5", "ROUGE-L", "Substring"),
            ("Judge",),
        ),
        Profile(
            "peer",
            "the published client's own numbers (rag-bench 0.2.17); answered questions only, can be gamed",
            ("peer_hit_rate", "peer_mrr", "peer_precision", "peer_rouge1", "peer_rougeL", "peer_substr_match"),
        ),
    )
}


def find_profile(name: str) -> Profile:
    """The profile of this name.

    Raises:
        UnknownMeasure: there is none.
    """
    if name not in PROFILES:
        raise UnknownMeasure(f"no profile is called {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]
