"""Named sets of measures. A judge's score belongs to three of them and is named as not available: it takes a judge model."""

from dataclasses import dataclass

from rag_bench.errors import UnknownMeasure


@dataclass(frozen=True)
class Profile:
    name: str
    meaning: str
    measures: tuple[str, ...]
    not_available: tuple[str, ...] = ()


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "standard",
            "what the pipeline reports of its baselines",
            (
                "hit@5",
                "recall@5",
                "ndcg@5",
                "precision@5",
                "mrr@5",
                "rouge_1",
                "rouge_2",
                "rouge_l",
                "exact",
                "substring",
                "set_f1",
            ),
            ("judge",),
        ),
        Profile(
            "paper",
            "what the paper reports (arXiv:2507.05713, §5.1), over its five chunks",
            ("hit@5", "mrr@5", "rouge_2", "rouge_l"),
            ("judge",),
        ),
        Profile(
            "card",
            "what the evaluation card dragon-rag-eval reports",
            ("hit@5", "recall@5", "ndcg@5", "rouge_l", "substring_any_length"),
            ("judge",),
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
