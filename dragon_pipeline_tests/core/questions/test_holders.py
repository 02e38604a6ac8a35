from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.questions.holders import EXPANDED, Holders, share_one

TRIPLES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30, unique=True)


def made(triples) -> Holders:
    return Holders(*(np.array(column) for column in zip(*triples, strict=True)))


def members(triples) -> dict[tuple[int, int], set[int]]:
    found = defaultdict(set)
    for relation, other, member in triples:
        found[relation, other].add(member)
    return found


@given(TRIPLES)
def test_a_group_holds_every_member_of_its_relation_and_other_end(triples):
    holders, expected = made(triples), members(triples)
    for at, (relation, other, _) in enumerate(triples):
        group = int(holders.group[at])
        assert {triples[triple][2] for triple in holders.triples(group)} == expected[relation, other]
        assert holders.size_of(np.array([at])).tolist() == [len(expected[relation, other])]


@given(TRIPLES, TRIPLES)
def test_groups_share_one_when_no_second_member_is_in_both(ones, others):
    mine, theirs = made(ones), made(others)
    pairs = [(a, b) for a, one in enumerate(ones) for b, other in enumerate(others) if one[2] == other[2]]
    if pairs:
        at, to = (np.array(column) for column in zip(*pairs, strict=True))
        found = share_one((mine, mine.group[at]), (theirs, theirs.group[to]))
        expected = [len(members(ones)[ones[a][:2]] & members(others)[others[b][:2]]) == 1 for a, b in zip(at, to, strict=True)]
        assert found.tolist() == expected


def test_two_groups_too_large_to_look_through_are_taken_to_share_more():
    size = EXPANDED + 1
    holders = made([(0, 0, n) for n in range(size)] + [(1, 0, n) for n in range(size - 1, 2 * size)])
    groups = np.array([0]), np.array([1])
    assert share_one((holders, groups[0]), (holders, groups[1])).tolist() == [False]
    small = made([(0, 0, n) for n in range(size)] + [(1, 0, n) for n in range(size - 1, 2 * size - 2)])
    assert share_one((small, groups[0]), (small, groups[1])).tolist() == [True]
