"""The shapes of paper §4.2: examples, then laws over generated windows against a plain enumeration."""

from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.questions.graph import Edge, Graph
from dragon_pipeline.core.questions.shapes import PAIRS_PER_BRIDGE, Shape, conditional, multi_hop, sets, simple

YESTERDAY = "2024-03-14"
PER = ("PER", "ORG")


def asked(shapes) -> list[tuple[str, ...]]:
    return sorted(shape.asked for shape in shapes)


def test_a_fact_alone_is_asked_from_both_ends(fact, window):
    graph = window([fact("Полярис", "купить", "Маяк")]).graph()
    assert asked(simple(graph)) == [("Маяк",), ("Полярис",)]


def test_a_second_holder_kills_the_simple_question_for_that_end(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Вектор", "купить", "Маяк", novelty="known")]
    assert asked(simple(window(facts).graph())) == [("Маяк",)]


def test_only_ends_that_have_a_question_are_asked(fact, window):
    graph = window([fact("Полярис", "купить", "Маяк", wording={"asks": ["tail"]})]).graph()
    assert asked(simple(graph)) == [("Маяк",)]


def test_a_fact_stands_only_in_the_shapes_that_its_wording_allows(fact, window):
    facts = [fact("Полярис", "купить", tail, wording={"shapes": ["set"]}) for tail in ("Маяк", "Лад")]
    graph = window(facts).graph()
    assert [*simple(graph), *multi_hop(graph, 0), *conditional(graph, 0)] == []
    assert asked(sets(graph, (2, 10))) == [("Лад", "Маяк")]


@pytest.mark.parametrize(("count", "asks"), [(1, False), (2, True), (10, True), (11, False)])
def test_a_set_has_two_to_ten_answers(fact, window, count, asks):
    facts = [fact("Полярис", "купить", f"Завод-{n:02}") for n in range(count)]
    found = [shape for shape in sets(window(facts).graph(), (2, 10)) if shape.given == ("Полярис",)]
    assert [len(shape.asked) for shape in found] == ([count] if asks else [])


@pytest.mark.parametrize("reason", [{"novelty": "known"}, {"novelty": "unsure"}, {"held_back": "undated"}])
def test_a_set_with_an_answer_that_cannot_be_asked_for_is_no_set(fact, window, reason):
    facts = [fact("Полярис", "купить", tail) for tail in ("Маяк", "Лад")]
    assert asked(sets(window(facts).graph(), (2, 10))) == [("Лад", "Маяк")]
    assert not list(sets(window([*facts, fact("Полярис", "купить", "Ока", **reason)]).graph(), (2, 10)))


def test_a_surname_of_somebody_who_is_in_the_set_is_no_further_answer(fact, window):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in ("Пётр Громов", "Анна Белова")]
    surname = fact("Громов", "купить", "Маяк", "a2", kinds=PER, held_back="no_wording")
    assert asked(sets(window([*facts, surname]).graph(), (2, 10))) == [("Анна Белова", "Пётр Громов")]


def test_one_person_spelled_in_two_ways_is_not_two_answers(fact, window):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in ("Пётр Громов", "Петр А. Громов")]
    assert not list(sets(window(facts).graph(), (2, 10)))


def test_a_multi_hop_describes_the_bridge_by_one_fact_and_asks_by_the_other(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "нанять", "Лад", "a2")]
    found = {(s.given, s.asked, s.bridge, s.cross_story) for s in multi_hop(window(facts).graph(), 0)}
    assert found == {(("Маяк",), ("Лад",), "Полярис", True), (("Лад",), ("Маяк",), "Полярис", True)}


def test_the_other_direction_remains_when_one_cannot_be_asked(fact, window):
    """Fault 5 of the reference: the mirrored question was lost."""
    facts = [
        fact("Полярис", "купить", "Маяк", wording={"asks": ["head"]}),
        fact("Полярис", "нанять", "Лад", "a2"),
    ]
    assert asked(multi_hop(window(facts).graph(), 0)) == [("Лад",)]


def test_two_facts_of_one_sentence_are_no_multi_hop(fact, window):
    facts = [
        fact("Полярис", verb, tail, sentence="Общее предложение.") for verb, tail in (("купить", "Маяк"), ("нанять", "Лад"))
    ]
    graph = window(facts).graph()
    assert not list(multi_hop(graph, 0))
    assert not list(conditional(graph, 0))


def test_two_facts_of_one_story_make_a_multi_hop_that_says_so(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "нанять", "Лад", "a2")]
    found = list(multi_hop(window(facts, stories=[["a1", "a2"]]).graph(), 0))
    assert found
    assert not any(shape.cross_story for shape in found)


@pytest.mark.parametrize("name", ["Громов", "П. Громов", "П. А. Громов"])
def test_a_person_of_one_word_or_initials_bridges_nothing(fact, window, name):
    facts = [fact(name, "купить", "Маяк", kinds=PER), fact(name, "нанять", "Лад", "a2", kinds=PER)]
    graph = window(facts).graph()
    assert not [*multi_hop(graph, 0), *conditional(graph, 0)]


def test_a_person_of_full_name_bridges(fact, window):
    facts = [fact("Пётр Громов", "купить", "Маяк", kinds=PER), fact("Пётр Громов", "нанять", "Лад", "a2", kinds=PER)]
    assert list(multi_hop(window(facts).graph(), 0))


def test_both_given_ends_together_determine_the_bridge_of_a_conditional(fact, window):
    facts = [
        fact("Полярис", "купить", "Маяк", "a1"),
        fact("Полярис", "нанять", "Лад", "a2"),
        fact("Вектор", "купить", "Маяк", "a3"),
    ]
    (shape,) = conditional(window(facts).graph(), 0)
    assert (shape.asked, sorted(shape.given)) == (("Полярис",), ["Лад", "Маяк"])
    assert not list(conditional(window([*facts, fact("Вектор", "нанять", "Лад", "a4")]).graph(), 0))


class CountingGraph(Graph):
    """Counts how often two facts are held against each other."""

    compared = 0

    def different_stories(self, one: Edge, other: Edge) -> bool:
        self.compared += 1
        return super().different_stories(one, other)


@pytest.mark.parametrize("facts_of_the_bridge", [200, 2000])
def test_the_pairs_tried_at_one_bridge_do_not_grow_with_its_facts(fact, window, facts_of_the_bridge):
    facts = [fact("Полярис", f"глагол-{n}", f"Завод-{n}", f"a{n}") for n in range(facts_of_the_bridge)]
    graph = window(facts).graph(CountingGraph)
    found = [*multi_hop(graph, 0), *conditional(graph, 0)]
    assert 0 < len(found) <= 4 * PAIRS_PER_BRIDGE
    assert graph.compared <= 2 * (2 * PAIRS_PER_BRIDGE) ** 2 + len(found)


NAMES = st.sampled_from(list("АБВГДЕ"))
FACTS = st.lists(
    st.tuples(
        NAMES,
        st.sampled_from(["купить", "нанять", "продать"]),
        NAMES,
        st.sampled_from(["novel", "novel", "novel", "known", "unsure"]),
        st.sampled_from([None, None, None, "undated"]),
        st.sampled_from(["2024-03-15", YESTERDAY]),
        st.sampled_from(["a1", "a2", "a3", "a4"]),
    ),
    max_size=25,
    unique_by=lambda row: (row[:3], row[6]),
)
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def drawn_window(fact, window):
    def make(rows):
        return window(
            [
                fact(h, r, t, f"{a}-{day}", kinds=("ORG", "ORG"), novelty=novelty, held_back=held, day=day)
                for h, r, t, novelty, held, day, a in rows
            ]
        )

    return make


def holders(rows) -> dict[tuple[str, str, str], set[str]]:
    """(end, relation, other end) → everything that stands at that end, whatever its novelty."""
    found = defaultdict(set)
    for h, r, t, *_ in rows:
        found["head", r, t].add(h)
        found["tail", r, h].add(t)
    return found


def askable(rows) -> set[tuple[str, str, str]]:
    triples = {row[:3] for row in rows}
    return {
        key
        for key in triples
        if key[0] != key[2]
        and all(row[3] == "novel" for row in rows if row[:3] == key)
        and any(row[4] is None for row in rows if row[:3] == key)
    }


def triple(edge: Edge) -> tuple[str, str, str]:
    return edge.row["head"], edge.relation, edge.row["tail"]


def of_end(shape: Shape, i: int, end: str) -> tuple[str, str, str]:
    h, r, t = triple(shape.edges[i])
    return (end, r, t if end == "head" else h)


@QUICK
@given(FACTS)
def test_simple_is_every_askable_fact_whose_relation_and_one_end_leave_one_answer(drawn_window, rows):
    holding = holders(rows)
    expected = {
        (*key, end)
        for key in askable(rows)
        for end, other in (("head", key[2]), ("tail", key[0]))
        if len(holding[end, key[1], other]) == 1
    }
    assert {(*triple(s.edges[0]), s.end[0]) for s in simple(drawn_window(rows).graph())} == expected


@QUICK
@given(FACTS)
def test_a_set_holds_everything_that_stands_at_its_end(drawn_window, rows):
    holding, can = holders(rows), askable(rows)
    expected = set()
    for (end, relation, other), names in holding.items():
        triples = {(n, relation, other) if end == "head" else (other, relation, n) for n in names}
        if 2 <= len(names) <= 10 and triples <= can:
            expected.add((end, relation, other, *sorted(names)))
    found = {(s.end[0], s.edges[0].relation, s.given[0], *s.asked) for s in sets(drawn_window(rows).graph(), (2, 10))}
    assert found == expected


@QUICK
@given(FACTS)
def test_a_multi_hop_is_two_determined_steps_over_a_bridge_that_it_does_not_name(drawn_window, rows):
    holding, can = holders(rows), askable(rows)
    for shape in multi_hop(drawn_window(rows).graph(), 0):
        first, second = shape.edges
        assert {triple(first), triple(second)} <= can
        assert shape.bridge not in (*shape.asked, *shape.given)
        assert shape.asked != shape.given
        end = "head" if triple(first)[0] == shape.bridge else "tail"
        assert holding[of_end(shape, 0, end)] == {shape.bridge}
        assert holding[of_end(shape, 1, shape.end[1])] == set(shape.asked)
        assert shape.new
        assert (first.row["article_id"], first.row["start"]) != (second.row["article_id"], second.row["start"])


@QUICK
@given(FACTS)
def test_a_conditional_is_determined_by_its_two_given_ends(drawn_window, rows):
    holding, can = holders(rows), askable(rows)
    for shape in conditional(drawn_window(rows).graph(), 0):
        assert {triple(edge) for edge in shape.edges} <= can
        assert shape.asked == (shape.bridge,)
        assert shape.bridge not in shape.given
        assert holding[of_end(shape, 0, shape.end[0])] & holding[of_end(shape, 1, shape.end[1])] == {shape.bridge}
        assert shape.new
