"""Who stands at one end: the members of every relation and other end."""

import numpy as np

EXPANDED = 64
"""Members that are held one by one against those of another group; two larger groups are taken to share more than one."""


class Holders:
    """Triples grouped by two of their parts; the third are the members.

    Args:
        relation, other, member: codes of each triple.
    """

    def __init__(self, relation: np.ndarray, other: np.ndarray, member: np.ndarray) -> None:
        order = np.lexsort((member, other, relation))
        relation, other, member = relation[order], other[order], member[order]
        self.order = order
        """triples, those of a group side by side, by member"""
        changes = np.ones(len(order), bool)
        changes[1:] = (relation[1:] != relation[:-1]) | (other[1:] != other[:-1])
        self.spans = np.append(np.flatnonzero(changes), len(order))
        """where the triples of each group begin"""
        group = np.cumsum(changes) - 1
        self.group = np.empty(len(order), np.int64)
        """of each triple"""
        self.group[order] = group
        first = changes.copy()
        first[1:] |= member[1:] != member[:-1]
        self.members = member[first]
        """of each group every one once"""
        self.starts = np.append(0, np.cumsum(np.bincount(group[first], minlength=len(self.spans) - 1)))
        """where the members of each group begin"""
        self.sizes = np.diff(self.starts)
        self.width = int(member.max(initial=0)) + 1
        self.packed = group[first] * self.width + self.members
        """group and member as one number, sorted"""

    def size_of(self, triples: np.ndarray) -> np.ndarray:
        """How many members the groups of these triples have."""
        return self.sizes[self.group[triples]]

    def triples(self, group: int) -> np.ndarray:
        return self.order[self.spans[group] : self.spans[group + 1]]


def share_one(one: tuple[Holders, np.ndarray], other: tuple[Holders, np.ndarray]) -> np.ndarray:
    """Of pairs of groups that share a member: whether they share no other.

    Args:
        one, other: where the groups are of, and their numbers.
    """
    (holders, groups), (others, other_groups) = one, other
    sizes, other_sizes = holders.sizes[groups], others.sizes[other_groups]
    sole = (sizes == 1) | (other_sizes == 1)
    for few, many, at in (
        (one, other, np.flatnonzero(~sole & (sizes <= other_sizes) & (sizes <= EXPANDED))),
        (other, one, np.flatnonzero(~sole & (sizes > other_sizes) & (other_sizes <= EXPANDED))),
    ):
        if len(at):
            sole[at] = _shared((few[0], few[1][at]), (many[0], many[1][at])) == 1
    return sole


def _shared(few: tuple[Holders, np.ndarray], many: tuple[Holders, np.ndarray]) -> np.ndarray:
    """How many members the groups of each pair share."""
    pairs, back = np.unique(np.stack([few[1], many[1]]), axis=1, return_inverse=True)
    sizes = few[0].sizes[pairs[0]]
    pair = np.repeat(np.arange(pairs.shape[1]), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    member = few[0].members[few[0].starts[pairs[0]][pair] + within]
    many_holders = many[0]
    known, wanted = many_holders.packed, pairs[1][pair] * many_holders.width + member
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.bincount(pair, (known[at] == wanted) & (member < many_holders.width), pairs.shape[1]).astype(int)[
        back.reshape(-1)
    ]
