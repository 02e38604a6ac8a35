from collections import Counter

import pytest

from dragon_pipeline.core.corpus.stories import cluster
from dragon_pipeline_tests.core.corpus.story_pairs import NEAR_MISSES, REWRITES, SAME, merged, read_story_pairs, window

PAIRS = read_story_pairs()
FOUND = {"reprint": 1.0, "light": 0.97, "medium": 0.66, "strong": 0.0}
"""Share of each class that is merged, as docs/quality.md states it."""


@pytest.fixture(scope="module")
def stories():
    return cluster(window(PAIRS))


@pytest.fixture(scope="module")
def found(stories):
    """Names of the pairs that one run over all their texts merges."""
    return merged(stories)


def test_three_hundred_pairs_are_written_a_third_reprints_a_third_rewrites_a_third_near_misses():
    kinds = Counter(pair.kind for pair in PAIRS)
    assert len(PAIRS) == 300
    assert kinds["reprint"] == sum(kinds[kind] for kind in REWRITES) == sum(kinds[kind] for kind in NEAR_MISSES) == 100
    assert min(kinds.values()) >= 15
    assert all(400 <= len(text) <= 1200 for pair in PAIRS for text in (pair.base, pair.other)), "characters"
    assert len({text for pair in PAIRS for text in (pair.base, pair.other)}) == 400


def test_of_the_merged_pairs_98_in_100_are_the_same_text(found):
    of_same = sum(pair.name in found for pair in PAIRS if pair.same)
    assert of_same >= 0.98 * len(found)


@pytest.mark.parametrize("kind", SAME)
def test_reprints_and_rewrites_are_found_as_stated(found, kind):
    names = [pair.name for pair in PAIRS if pair.kind == kind]
    assert sum(name in found for name in names) >= FOUND[kind] * len(names)


def test_texts_of_different_base_articles_are_never_one_story(stories):
    assert all(len({article_id[:3] for article_id in part["article_id"]}) == 1 for _, part in stories.group_by("story_id"))
