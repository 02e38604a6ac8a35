"""The order in which questions of one type are taken: good ones first, and not more of the same while there is other.

Greedy, after maximal marginal relevance: every place goes to the question that is worth most beside those that have a place.

    worth = quality - 0.02 * entity - 0.02 * story - 0.002 * relation

*quality* is the mean of its screens' scores, 0 to 1. *entity* is how many of those taken share the entity of it that they
share most (answers, names in the question, bridge), *story* the same of its gold articles, *relation* of its relations. Gold
articles hold every reprint of a story, so questions of one story share one: no table of stories is needed. Before all worth
stands the *tier*: a multi-hop question over two stories comes before one over two articles of one story, and that before one
that a single article answers. Equals go by `qa_id`.

The order drops nothing but further questions over one bridge (MOST_PER_BRIDGE) or about one of two compared (MOST_COMPARED),
and of simple questions what is more than a third of one relation, for a day has far more posts to ask for than events: where
there are fewer questions than places, all others are taken. Penalties grow with every further question, so among questions of
equal quality none of k entities gets more than a k-th of the places, rounded up.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragon_pipeline.core.screening.judge import BEST

MILLION = 1_000_000
"""Worth is counted in millionths, in whole numbers: sums of fractions would depend on their order."""
PENALTIES = {"entity": 20_000, "story": 20_000, "relation": 2_000}
"""What each question before it that shares one costs. Questions that rules accept differ little in quality (standard deviation
.007 on three real days), so a second question about an entity stands behind a first about another, and a judge's 1 in place of
a 2, about .04, outweighs it. A relation costs less, since there are few of them and the frequent ones would hide the rest: on
the first of those days .002 takes «занимаемая должность» from 71 to 29 of 150 simple questions and the articles from 62 to 80,
for .004 of mean quality; with .01 it is 18, but one entity stands six times, not three.
"""
MOST_PER_BRIDGE = 3
"""Questions of one type that may hide, or ask for, one bridge in one day, and each answer once behind it: a reader who has
guessed a country once knows it the fourth time."""
MOST_COMPARED = 2
"""Comparisons of a day in which one may stand."""
TIER = 1_000 * MILLION * MILLION
GONE = -(2**62)
JUDGE = "judge_"
FEW = 9
"""Questions of a day up to which relations are not counted."""
SHARED_BY = 3
"""Relations that share the simple questions of a day at the least, see `_most`."""


@dataclass(frozen=True)
class Standing:
    """What a question's place came from."""

    qa_id: str
    tier: int
    quality: int
    """in millionths, as `worth`"""
    entity: int
    story: int
    relation: int
    worth: int

    def as_json(self) -> str:
        told = {
            "tier": self.tier, "quality": self.quality / MILLION, "entity": self.entity, "story": self.story,
            "relation": self.relation, "worth": self.worth / MILLION,
        }  # fmt: skip
        return json.dumps(told)


def quality(verdicts: Iterable[Mapping]) -> int:
    """Mean of the scores of the screens that a question passed, in millionths; 0 when none measured anything.

    A judge's rating of 0 to 2 is halved; every other score is 0 to 1, and more is better: so must a new screen's be, or it
    gives none. Screens that did not run, or measure nothing (standalone, duplicates), do not count.
    """
    scores = [
        min(max(row["score"] / (BEST if row["screen"].startswith(JUDGE) else 1), 0.0), 1.0)
        for row in verdicts
        if row["outcome"] == "passed" and row["score"] is not None
    ]
    return round(MILLION * sum(scores) / len(scores)) if scores else 0


def tier(qa: Mapping) -> int:
    """0 comes first: of multi-hop, facts of two stories; 1: of one story, but no article has both; 2: one article has both. Of
    conditional the other way round, 0 or 1: a post as the article of the act itself tells it is the post of that day."""
    if qa["type"] == "conditional":
        return 0 if qa["one_article"] else 1
    return 0 if qa["type"] != "multi_hop" or qa["cross_story"] else 2 if qa["one_article"] else 1


def shared(qa: Mapping) -> dict[str, set[str]]:
    """What a question may have in common with another, by kind: its entities, gold articles and relations."""
    edges = json.loads(qa["subgraph"])
    return {
        "entity": {*qa["answers"], *qa["given"], *([qa["bridge"]] if qa["bridge"] else [])},
        "story": set(qa["article_ids"]),
        "relation": {edge.get("relation_id") or edge.get("relation") or "" for edge in edges},
    }


def rank(questions: Sequence[Mapping], qualities: Mapping[str, int], places: int) -> tuple[list[Standing], list[Standing]]:
    """Questions of one type → those that get one of the `places`, in order, and the rest with what they are worth after that.

    Time grows with questions times places, in vectors: 5,000 for 150 places take a twentieth of a second.

    Args:
        questions: rows of `qa`, in any order.
        qualities: `qa_id` → quality in millionths.
    """
    rows = sorted(questions, key=lambda row: row["qa_id"])
    common = [shared(row) for row in rows]
    counts = {kind: _Counts([one[kind] for one in common]) for kind in PENALTIES}
    base = np.array([qualities[row["qa_id"]] - TIER * tier(row) for row in rows], dtype=np.int64)

    def standing(place: int, worth: int) -> Standing:
        row = rows[place]
        most = {kind: int(counts[kind].most[place]) for kind in PENALTIES}
        return Standing(row["qa_id"], tier(row), qualities[row["qa_id"]], **most, worth=worth + TIER * tier(row))

    taken: list[Standing] = []
    open_, turns, most = base.copy(), _Turns(rows), _most(rows, counts["relation"], places)
    while len(taken) < places and (open_ != GONE).any():
        worth = _worth(open_, counts)
        place = int(worth.argmax())
        taken.append(standing(place, int(worth[place])))
        open_[place] = base[place] = GONE
        open_[turns.closed_by(place)] = GONE
        for kind in PENALTIES:
            counts[kind].add(common[place][kind])
        for name in common[place]["relation"]:
            if counts["relation"].taken[name] >= most.get(name, places):
                open_[counts["relation"].places[name]] = GONE
    worth = _worth(base, counts)
    left = sorted((place for place in range(len(rows)) if base[place] != GONE), key=lambda place: -worth[place])
    return taken, [standing(place, int(worth[place])) for place in left]


class _Turns:
    """Which questions share a bridge, or one of the two that they compare."""

    def __init__(self, rows: Sequence[Mapping]) -> None:
        self.rows = rows
        self.places: dict[str, list[int]] = defaultdict(list)
        for place, row in enumerate(rows):
            for name in self._names(row):
                self.places[name].append(place)
        self.taken = dict.fromkeys(self.places, 0)

    def closed_by(self, place: int) -> list[int]:
        """The questions that can no longer be taken once this one is."""
        row, closed = self.rows[place], []
        for name in self._names(row):
            self.taken[name] += 1
            beside = self.places[name]
            if self.taken[name] >= (MOST_COMPARED if row["type"] == "comparison" else MOST_PER_BRIDGE):
                closed += beside
            elif row["type"] == "multi_hop":
                closed += [other for other in beside if self.rows[other]["answers"] == row["answers"]]
            elif row["type"] == "conditional":  # the act, which stands behind the post, with whatever post
                closed += [other for other in beside if self.rows[other]["fact_ids"][-1] == row["fact_ids"][-1]]
        return closed

    def _names(self, row: Mapping) -> Sequence[str]:
        if row["type"] == "comparison":
            return row["given"]
        return [row["bridge"]] if row["bridge"] else []


def _most(rows: Sequence[Mapping], relations: "_Counts", places: int) -> dict[str, int]:
    """Of simple questions, how many each relation may have: a third of the places, and half as many as all others."""
    if len(rows) < FEW or rows[0]["type"] != "simple":
        return {}
    others = {name: len(rows) - len(at) for name, at in relations.places.items()}
    return {name: max(min(places, other + other // (SHARED_BY - 1)) // SHARED_BY, 1) for name, other in others.items() if other}


def _worth(base: np.ndarray, counts: Mapping[str, "_Counts"]) -> np.ndarray:
    return base - sum(PENALTIES[kind] * counts[kind].most for kind in PENALTIES)


class _Counts:
    """Of one kind: how often each was taken, and for every question the most that any of its own was."""

    def __init__(self, of: Sequence[set[str]]) -> None:
        places: dict[str, list[int]] = defaultdict(list)
        for place, names in enumerate(of):
            for name in names:
                places[name].append(place)
        self.places = {name: np.array(found) for name, found in places.items()}
        self.taken = dict.fromkeys(places, 0)
        self.most = np.zeros(len(of), dtype=np.int64)

    def add(self, names: Iterable[str]) -> None:
        for name in names:
            self.taken[name] += 1
            at = self.places[name]
            self.most[at] = np.maximum(self.most[at], self.taken[name])
