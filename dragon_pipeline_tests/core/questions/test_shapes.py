"""Simple and set: examples, then laws over generated windows against a plain enumeration."""

from collections import defaultdict

import pytest
from hypothesis import given

from dragon_pipeline.core.questions.candidates import Shape
from dragon_pipeline.core.questions.graph import Edge, Graph
from dragon_pipeline.core.questions.pairs import conditional, multi_hop
from dragon_pipeline.core.questions.shapes import sets, simple
from dragon_pipeline_tests.core.questions.drawn_facts import FACTS, QUICK

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"
PER = ("PER", "ORG")


def simples(graph: Graph) -> list[Shape]:
    return list(simple(graph).shapes(graph))


def groups(graph: Graph) -> list[Shape]:
    return list(sets(graph, (2, 10)).shapes(graph))


def asked(shapes) -> list[tuple[str, ...]]:
    return sorted(shape.asked for shape in shapes)


def test_a_fact_alone_is_asked_from_both_ends(fact, window):
    graph = window([fact("Полярис", "купить", "Маяк")]).graph()
    assert asked(simples(graph)) == [("Маяк",), ("Полярис",)]


def test_a_second_holder_kills_the_simple_question_for_that_end(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Вектор", "купить", "Маяк", novelty="known")]
    graph = window(facts).graph()
    assert asked(simples(graph)) == [("Маяк",)]
    assert simple(graph).left_out["not_unique"] == 1


def test_only_ends_that_have_a_question_are_asked(fact, window):
    graph = window([fact("Полярис", "купить", "Маяк", wording={"asks": ["tail"]})]).graph()
    assert asked(simples(graph)) == [("Маяк",)]


def test_what_was_stated_before_is_not_asked_alone(fact, window):
    graph = window([fact("Полярис", "купить", "Маяк", day=YESTERDAY)]).graph()
    assert simples(graph) == []
    assert simple(graph).left_out["not_new"] == 2


def test_something_with_itself_asks_nothing_but_counts_as_a_holder(fact, window):
    facts = [fact("Полярис", "купить", "Полярис"), fact("Полярис", "купить", "Маяк", "a2")]
    assert asked(simples(window(facts).graph())) == [("Полярис",)]


def test_a_fact_stands_only_in_the_shapes_that_its_wording_allows(fact, window):
    facts = [fact("Полярис", "купить", tail, wording={"shapes": ["set"]}) for tail in ("Маяк", "Лад")]
    graph = window(facts).graph()
    assert not simples(graph)
    assert not len(multi_hop(graph, 0))
    assert not len(conditional(graph, 0))
    assert asked(groups(graph)) == [("Лад", "Маяк")]


@pytest.mark.parametrize(("count", "asks"), [(1, False), (2, True), (10, True), (11, False)])
def test_a_set_has_two_to_ten_answers(fact, window, count, asks):
    facts = [fact("Полярис", "купить", f"Завод-{n:02}") for n in range(count)]
    found = [shape for shape in groups(window(facts).graph()) if shape.given == ("Полярис",)]
    assert [len(shape.asked) for shape in found] == ([count] if asks else [])


@pytest.mark.parametrize("reason", [{"novelty": "known"}, {"novelty": "unsure"}, {"held_back": "undated"}])
def test_a_set_with_an_answer_that_cannot_be_asked_for_is_no_set(fact, window, reason):
    facts = [fact("Полярис", "купить", tail) for tail in ("Маяк", "Лад")]
    assert asked(groups(window(facts).graph())) == [("Лад", "Маяк")]
    assert not groups(window([*facts, fact("Полярис", "купить", "Ока", **reason)]).graph())


def test_a_surname_of_somebody_who_is_in_the_set_is_no_further_answer(fact, window):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in ("Пётр Громов", "Анна Белова")]
    surname = fact("Громов", "купить", "Маяк", "a2", kinds=PER, held_back="no_wording")
    assert asked(groups(window([*facts, surname]).graph())) == [("Анна Белова", "Пётр Громов")]


def test_one_person_spelled_in_two_ways_is_not_two_answers(fact, window):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in ("Пётр Громов", "Петр А. Громов")]
    made = window(facts)
    assert not groups(made.graph())
    assert made.tally("set").left_out == {"one_person_twice": 1}


@pytest.mark.parametrize("reason", [{"novelty": "known"}, {"held_back": "undated"}])
def test_a_firm_whose_name_begins_another_s_is_a_further_answer(fact, window, reason):
    facts = [fact("Полярис", "купить", tail) for tail in ("Газпром нефть", "Лукойл")]
    assert asked(groups(window(facts).graph())) == [("Газпром нефть", "Лукойл")]
    assert not groups(window([*facts, fact("Полярис", "купить", "Газпром", "a2", **reason)]).graph())


@pytest.mark.parametrize(
    ("one", "other"),
    [("Филип Крейвен", "Филип Крэйвен"), ("Уильям Хилл", "Уилльям Хил"), ("Джо Кокс", "Джо Коукс"), ("Ли Эн Ко", "Эн Ко")],
)
def test_one_person_in_two_spellings_is_not_two_answers(fact, window, one, other):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in (one, other)]
    assert window(facts).tally("set").left_out == {"one_person_twice": 1}


def test_people_of_one_given_name_are_two_answers(fact, window):
    facts = [fact(name, "купить", "Маяк", kinds=PER) for name in ("Анна Белова", "Анна Громова")]
    assert asked(groups(window(facts).graph())) == [("Анна Белова", "Анна Громова")]


def test_answers_beside_two_nodes_of_one_name_are_no_set(fact, window):
    facts = [fact("Полярис", "купить", tail, tail) for tail in ("Маяк", "Чайка")]
    made = window([*facts, fact("Полярис", "купить", "Сокол", "a3", head_id="Q9")])
    assert made.tally("set").left_out == {"not_one_subject": 1}


def test_two_answers_that_go_by_one_name_elsewhere_are_no_set(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "купить", "Заря", "a2", tail_id="Q7")]
    facts.append(fact("Маяк", "нанять", "Лад", "a3", head_id="Q7"))
    tally = window(facts).tally("set")
    assert (tally.drawn, tally.left_out["one_name_twice"]) == (0, 1)


def test_facts_that_one_story_states_are_of_one_story_though_another_reprints_one(fact, window):
    facts = [fact("Полярис", "купить", tail, "a1") for tail in ("Маяк", "Лад")] + [fact("Полярис", "купить", "Лад", "a2")]
    (row,) = window(facts).drawn("set")
    assert (row["cross_story"], row["one_article"]) == (False, True)


def test_a_set_over_two_stories_says_so(fact, window):
    facts = [fact("Полярис", "купить", tail, article) for tail, article in (("Маяк", "a1"), ("Лад", "a2"))]
    (apart,) = groups(window(facts).graph())
    (together,) = groups(window(facts, stories=[["a1", "a2"]]).graph())
    assert (apart.cross_story, together.cross_story) == (True, False)


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


def first_today(rows) -> set[tuple[str, str, str]]:
    return {row[:3] for row in rows} - {row[:3] for row in rows if row[5] != TODAY}


def triple(edge: Edge) -> tuple[str, str, str]:
    return edge.row["head"], edge.relation, edge.row["tail"]


@QUICK
@given(FACTS)
def test_simple_is_every_new_askable_fact_whose_relation_and_one_end_leave_one_answer(drawn_window, rows):
    holding = holders(rows)
    expected = {
        (*key, end)
        for key in askable(rows) & first_today(rows)
        for end, other in (("head", key[2]), ("tail", key[0]))
        if len(holding[end, key[1], other]) == 1
    }
    assert {(*triple(s.edges[0]), s.end[0]) for s in simples(drawn_window(rows).graph())} == expected


@QUICK
@given(FACTS)
def test_a_set_holds_everything_that_stands_at_its_end(drawn_window, rows):
    holding, can = holders(rows), askable(rows)
    expected = set()
    for (end, relation, other), names in holding.items():
        triples = {(n, relation, other) if end == "head" else (other, relation, n) for n in names}
        if 2 <= len(names) <= 10 and triples <= can and triples & first_today(rows):
            expected.add((end, relation, other, *sorted(names)))
    found = {(s.end[0], s.edges[0].relation, s.given[0], *s.asked) for s in groups(drawn_window(rows).graph())}
    assert found == expected
