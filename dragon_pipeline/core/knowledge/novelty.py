"""Whether Wikidata, at the pinned revision, states a fact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from dragon_pipeline.core.ports import Stated

INVERSE_PROPERTY = "P1696"
PAIRS = (
    ("P36", "P1376"), ("P131", "P150"), ("P361", "P527"), ("P355", "P749"), ("P127", "P1830"), ("P155", "P156"),
    ("P1365", "P1366"), ("P22", "P40"), ("P25", "P40"), ("P802", "P1066"), ("P184", "P185"),
)  # fmt: skip
"""Properties of which one says the other backwards, for a knowledge base that does not state them (P1696, inverse property)."""
SYMMETRIC = ("P26", "P47", "P190", "P451", "P460", "P461", "P530", "P1327", "P3373")
"""Properties that say the same backwards."""


@dataclass(frozen=True)
class Novelty:
    novelty: str
    """`novel`, `known` or `unsure`"""
    why: str
    statement_id: str | None = None


def judge(head: str, relation: str | None, tail: str, stated: Mapping[str, Stated]) -> Novelty:
    """Novel when an end is unlinked or the statement is absent, known when it is there, directly or by the inverse property;
    unsure when both ends are linked, something is stated between them, and the relation is unlinked.

    `stated`: what is stated about both ends, and about the property.
    """
    for end, name in ((head, "head"), (tail, "tail")):
        if not is_linked(end):
            return Novelty("novel", f"unlinked_{name}")
    between = [s for s in stated[head].statements if s.object == tail]
    back = [s for s in stated[tail].statements if s.object == head]
    if relation is None:
        return (
            Novelty("unsure", "relation_unlinked", (between or back)[0].statement_id)
            if between or back
            else Novelty("novel", "no_statement")
        )
    for statement in between:
        if statement.property == relation:
            return Novelty("known", "stated", statement.statement_id)
    inverses = inverse_of(relation) | {s.object for s in stated[relation].statements if s.property == INVERSE_PROPERTY}
    for statement in back:
        if statement.property in inverses:
            return Novelty("known", "stated_inverse", statement.statement_id)
    return Novelty("novel", "no_statement")


def suspect(heads: Sequence[str], relation: str | None, tails: Sequence[str], stated: Mapping[str, Stated]) -> Novelty | None:
    """Unsure when Wikidata states the fact of items that its ends may mean (with an unlinked relation, when it states anything
    between them), with the first such statement; else None.

    `heads`, `tails`: the items that each end may mean, the likeliest first; `stated`: about these, and about the property.
    """
    for head, tail in product(heads, tails):
        judged = judge(head, relation, tail, stated)
        if judged.novelty != "novel":
            return Novelty("unsure", "possibly_known", judged.statement_id)
    return None


def inverse_of(relation: str) -> set[str]:
    """The properties that are known here to say it backwards."""
    found = {two if one == relation else one for one, two in PAIRS if relation in (one, two)}
    return found | ({relation} & set(SYMMETRIC))


def is_linked(node_id: str) -> bool:
    return not node_id.startswith("local:")
