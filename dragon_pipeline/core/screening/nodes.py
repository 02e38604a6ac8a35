"""The nodes of a question's subgraph, with their roles and kinds."""

import re
from dataclasses import dataclass

from dragon_pipeline.core.ports import Case

NUMERIC_KINDS = frozenset({"YEAR", "DATE", "NUMBER"})
VALUE_KINDS = NUMERIC_KINDS | {"ROLE"}
"""Kinds that cannot be a named entity: a year, a number, a post."""
NAME_KINDS = frozenset({"PER", "LOC", "ORG"})


@dataclass(frozen=True)
class Node:
    name: str
    kind: str
    node_id: str

    @property
    def linked(self) -> bool:
        return bool(re.fullmatch(r"Q\d+", self.node_id))


def nodes(case: Case) -> list[Node]:
    """The distinct nodes of the facts in order of first appearance."""
    found: dict[str, Node] = {}
    for fact in case.facts:
        for end in ("head", "tail"):
            found.setdefault(fact[f"{end}_id"], Node(fact[end], fact[f"{end}_kind"], fact[f"{end}_id"]))
    return list(found.values())


def asked(case: Case) -> list[Node]:
    """The nodes that the answer must name: of `conditional` the bridge, of `comparison` the head of the first fact (it is given
    too), of all others what is neither given nor bridge."""
    if case.qa["type"] == "comparison":
        return nodes(case)[:1]
    kept = {*case.qa["given"], *([case.qa["bridge"]] if case.qa["type"] == "multi_hop" else [])}
    return [node for node in nodes(case) if node.name not in kept]


def given(case: Case) -> list[Node]:
    return [node for node in nodes(case) if node.name in set(case.qa["given"])]


def bridges(case: Case) -> list[Node]:
    return [node for node in nodes(case) if node.name == case.qa["bridge"]]
