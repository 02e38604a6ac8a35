"""Every subgraph of small windows of all kinds, held against what the facts say, read in plain loops."""

import json
import random

import pytest
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
        st.sampled_from([None] * 6 + ["Q1", "Q2"]),
        st.sampled_from([None] * 6 + ["Q1", "Q2"]),
    ),
    max_size=24,
    unique_by=lambda row: (row[:2], row[4:6]),
).map(lambda rows: [(head, *said, *rest, None if said[1] in VALUES else tail) for head, said, *rest, tail in rows])
MATES = st.sampled_from([[], [["a", "b"]], [["a", "b", "c"]], [["a", "c"], ["b", "d"]]])


def told(rows) -> list[dict]:
    """The rows as an outsider sees them: article, triple by ids, names at its ends, day, whether it may be asked."""
    return [
        {"key": (head_id or h, r, tail_id or t), "names": (h, r, t), "may": novelty == "novel", "held": held is not None,
         "day": day, "article": f"{a}{day[-2:]}"}
        for h, r, t, novelty, held, day, a, _, head_id, tail_id in rows
    ]  # fmt: skip


def node(part: dict, end: str) -> str:
    """Its id; of an unlinked one the name stands for it."""
    return part[end] if part[f"{end}_id"].startswith("local:") else part[f"{end}_id"]


class Oracle:
    def __init__(self, rows, mates) -> None:
        self.rows = told(rows)
        members = [{f"{a}{day[-2:]}" for a in story} for story in mates for day in (TODAY, YESTERDAY)]
        self.story = {article: frozenset(story) for story in members for article in story}
        self.known_as = {(row["key"][end], row["names"][end]) for row in self.rows for end in (0, 2)}

    def same(self, node) -> set[str]:
        """The ids that a reader may take for this one: over shared names, as far as they lead."""
        found, before = {node}, set()
        while found != before:
            before = set(found)
            names = {name for id, name in self.known_as if id in found}
            found |= {id for id, name in self.known_as if name in names}
        return found

    def of(self, key) -> list[dict]:
        return [row for row in self.rows if row["key"] == key]

    def askable(self, key) -> bool:
        loop = key[2] in self.same(key[0])
        return not loop and all(row["may"] for row in self.of(key)) and not all(row["held"] for row in self.of(key))

    def new(self, key) -> bool:
        return all(row["day"] == TODAY for row in self.of(key))

    def gold(self, key) -> set[str]:
        known = {row["article"] for row in self.rows}
        return {m for row in self.of(key) for m in self.story.get(row["article"], {row["article"]})} & known

    def at(self, end: str, key) -> set[tuple[str, str]]:
        """Everything that stands where this triple has its head or tail, by id and name, whoever of those that a reader takes
        for the same stands at its other end."""
        place, other = (0, 2) if end == "head" else (2, 0)
        return {
            (row["key"][place], row["names"][place])
            for row in self.rows
            if row["key"][1] == key[1] and row["key"][other] in self.same(key[other])
        }

    def one(self, end: str, key, name) -> bool:
        """Whether that is one node, or nodes of one name, and the name is among them."""
        found = self.at(end, key)
        ids, names = ({one[part] for one in found} for part in (0, 1))
        return name in names and 1 in (len(ids), len(names))

    def faults(self, row: dict) -> list[str]:
        parts = json.loads(row["subgraph"])
        names = [(part["head"], part["relation"], part["tail"]) for part in parts]
        keys = [(node(part, "head"), part["relation"], node(part, "tail")) for part in parts]
        ends = [part["asked"] for part in parts]
        gold = [self.gold(key) for key in keys]
        common = set.intersection(*gold)
        checks = {
            "askable": all(map(self.askable, keys)),
            "new": any(map(self.new, keys)),
            "gold": set(row["article_ids"]) == set.union(*gold),
            "one_article": row["one_article"] == bool(common),
            "cross": row["cross_story"] == (not common),
            row["type"]: getattr(self, row["type"])(row, keys, ends, names),
        }
        return [name for name, holds in checks.items() if not holds]

    def simple(self, row, keys, ends, names) -> bool:
        return self.one(ends[0], keys[0], row["asked"][0]) and len(row["asked"]) == 1

    def set(self, row, keys, ends, names) -> bool:
        place, other = (0, 2) if ends[0] == "head" else (2, 0)
        answers = [key[place] for key in keys]
        return (
            2 <= len(row["asked"]) <= 10
            and len({(key[1], key[other]) for key in keys}) == 1
            and all(id in answers or name in row["asked"] for id, name in self.at(ends[0], keys[0]))
            and sorted(row["asked"]) == sorted({name[place] for name in names})
            and not any(one in self.same(two) for at, one in enumerate(answers) for two in answers[:at])
        )

    def multi_hop(self, row, keys, ends, names) -> bool:
        end, place = ("head", 0) if names[0][0] == row["bridge"] else ("tail", 2)
        asked = 0 if ends[1] == "head" else 2
        return (
            self.one(end, keys[0], row["bridge"])
            and self.one(ends[1], keys[1], row["asked"][0])
            and keys[0][place] == keys[1][2 - asked]
            and [names[0][2 - place]] == row["given"]
            and [names[1][asked]] == row["asked"]
            and row["bridge"] not in (*row["asked"], *row["given"])
        )

    def conditional(self, row, keys, ends, names) -> bool:
        ids = [{id for id, _ in self.at(end, key)} for end, key in zip(ends, keys, strict=True)]
        (bridge,) = {key[0 if end == "head" else 2] for end, key in zip(ends, keys, strict=True)}
        readers = [{same for id in found for same in self.same(id)} for found in ids]
        return ids[0] & ids[1] == {bridge} and readers[0] & readers[1] == self.same(bridge) and [row["bridge"]] == row["asked"]

    def comparison(self, row, keys, ends, names) -> bool:
        (one, relation, value), (other, other_relation, other_value) = names
        larger = VALUES[value] > VALUES[other_value] if row["direction"] == "more" else VALUES[value] < VALUES[other_value]
        alone = {name for _, name in self.at("tail", keys[0])} == {value}
        alone &= {name for _, name in self.at("tail", keys[1])} == {other_value}
        return (
            larger and alone and relation == other_relation and [one] == row["asked"] and sorted((one, other)) == row["given"]
        )


@pytest.mark.slow
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, MATES, st.sampled_from([(400, 8), (3, 1)]), st.randoms(use_true_random=False))
def test_every_subgraph_is_right_and_the_order_of_rows_changes_none(fact, window, rows, mates, limits, shuffler: random.Random):
    facts = [
        fact(h, r, t, f"{a}{day[-2:]}", kinds=("ORG", "NUMBER" if t in VALUES else "ORG"), novelty=novelty, held_back=held,
             day=day, outlet=outlet, **{end: id for end, id in (("head_id", head_id), ("tail_id", tail_id)) if id})
        for h, r, t, novelty, held, day, a, outlet, head_id, tail_id in rows
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
