"""Every subgraph of small windows of all kinds, held against what the facts say, read in plain loops."""

import json
import random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.questions.types import TYPES

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"
VALUES = {"1 тонн": 1, "2 тонн": 2, "4 тонн": 4}
AMOUNTS = [("собрать", tail) for tail in VALUES] * 2
ROWS = st.lists(
    st.tuples(
        st.sampled_from("АБВГ"),
        st.sampled_from([("купить", tail) for tail in "АБВГДЕ"] + [("нанять", tail) for tail in "АБВГДЕ"] + AMOUNTS),
        st.sampled_from(["novel"] * 5 + ["known", "unsure"]),
        st.sampled_from([None] * 5 + ["undated"]),
        st.sampled_from([TODAY, TODAY, YESTERDAY]),
        st.sampled_from(["a", "b", "c", "d"]),
        st.sampled_from(["vestnik", "gazeta"]),
    ),
    max_size=24,
    unique_by=lambda row: (row[:2], row[4:6]),
).map(lambda rows: [(head, *said, *rest) for head, said, *rest in rows])
MATES = st.sampled_from([[], [["a", "b"]], [["a", "b", "c"]], [["a", "c"], ["b", "d"]]])


def told(rows) -> list[dict]:
    """The rows as an outsider sees them: article, triple, day, whether it may be asked, value."""
    return [
        {"key": (h, r, t), "may": novelty == "novel", "held": held is not None, "day": day, "article": f"{a}{day[-2:]}"}
        for h, r, t, novelty, held, day, a, _ in rows
    ]


class Oracle:
    def __init__(self, rows, mates) -> None:
        self.rows = told(rows)
        members = [{f"{a}{day[-2:]}" for a in story} for story in mates for day in (TODAY, YESTERDAY)]
        self.story = {article: frozenset(story) for story in members for article in story}

    def of(self, key) -> list[dict]:
        return [row for row in self.rows if row["key"] == key]

    def askable(self, key) -> bool:
        return key[0] != key[2] and all(row["may"] for row in self.of(key)) and not all(row["held"] for row in self.of(key))

    def new(self, key) -> bool:
        return all(row["day"] == TODAY for row in self.of(key))

    def gold(self, key) -> set[str]:
        known = {row["article"] for row in self.rows}
        return {m for row in self.of(key) for m in self.story.get(row["article"], {row["article"]})} & known

    def at(self, end: str, key) -> set[str]:
        """Everything that stands where this triple has its head or tail."""
        place, other = (0, 2) if end == "head" else (2, 0)
        return {row["key"][place] for row in self.rows if row["key"][1] == key[1] and row["key"][other] == key[other]}

    def faults(self, row: dict) -> list[str]:
        parts = json.loads(row["subgraph"])
        keys = [(part["head"], part["relation"], part["tail"]) for part in parts]
        ends = [part["asked"] for part in parts]
        gold = [self.gold(key) for key in keys]
        checks = {
            "askable": all(map(self.askable, keys)),
            "new": any(map(self.new, keys)),
            "gold": set(row["article_ids"]) == set.union(*gold),
            "one_article": row["one_article"] == bool(set.intersection(*gold)),
            "cross": row["cross_story"] == any(gold[0].isdisjoint(other) for other in gold[1:]) or row["type"] == "set",
            row["type"]: getattr(self, row["type"])(row, keys, ends),
        }
        return [name for name, holds in checks.items() if not holds]

    def simple(self, row, keys, ends) -> bool:
        return self.at(ends[0], keys[0]) == set(row["asked"])

    def set(self, row, keys, ends) -> bool:
        return 2 <= len(row["asked"]) <= 10 and self.at(ends[0], keys[0]) == set(row["asked"])

    def multi_hop(self, row, keys, ends) -> bool:
        end = "head" if keys[0][0] == row["bridge"] else "tail"
        asked = keys[1][0] if ends[1] == "head" else keys[1][2]
        far = keys[0][2] if end == "head" else keys[0][0]
        return (
            self.at(end, keys[0]) == {row["bridge"]}
            and self.at(ends[1], keys[1]) == {asked} == set(row["asked"])
            and [far] == row["given"]
            and row["bridge"] not in (asked, far)
        )

    def conditional(self, row, keys, ends) -> bool:
        return self.at(ends[0], keys[0]) & self.at(ends[1], keys[1]) == {row["bridge"]} == set(row["asked"])

    def comparison(self, row, keys, ends) -> bool:
        (one, relation, value), (other, other_relation, other_value) = keys
        larger = VALUES[value] > VALUES[other_value] if row["direction"] == "more" else VALUES[value] < VALUES[other_value]
        alone = self.at("tail", keys[0]) == {value} and self.at("tail", keys[1]) == {other_value}
        return (
            larger and alone and relation == other_relation and [one] == row["asked"] and sorted((one, other)) == row["given"]
        )


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, MATES, st.sampled_from([(400, 8), (3, 1)]), st.randoms(use_true_random=False))
def test_every_subgraph_is_right_and_the_order_of_rows_changes_none(fact, window, rows, mates, limits, shuffler: random.Random):
    facts = [
        fact(h, r, t, f"{a}{day[-2:]}", kinds=("ORG", "NUMBER" if t in VALUES else "ORG"), novelty=novelty, held_back=held,
             day=day, outlet=outlet)
        for h, r, t, novelty, held, day, a, outlet in rows
    ]  # fmt: skip
    stories = [[f"{a}{day[-2:]}" for a in story] for story in mates for day in (TODAY, YESTERDAY)]
    made = window(facts, stories=stories)
    how = {"sampled_per_type": limits[0], "most_per_entity": limits[1]}
    drawn = made.sampled(**how)
    oracle = Oracle(rows, mates)
    wrong = [(row["type"], row["subgraph"], faults) for row in drawn.subgraphs.to_dicts() if (faults := oracle.faults(row))]
    assert wrong == []
    for type_ in TYPES:
        tally = drawn.tallies[type_]
        assert tally.drawn == drawn.subgraphs.filter(type=type_).height == tally.candidates - sum(tally.left_out.values())
    for name in ("facts", "articles", "stories"):
        frame = getattr(made, name)
        setattr(made, name, frame[shuffler.sample(range(frame.height), frame.height)])
    again = made.sampled(**how)
    assert again.subgraphs.equals(drawn.subgraphs)
    assert again.tallies == drawn.tallies
