"""Multi-hop and conditional: examples, then laws over generated windows against a plain enumeration."""

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given

from dragon_pipeline.core.questions import pairs
from dragon_pipeline.core.questions.candidates import Shape
from dragon_pipeline.core.questions.graph import Edge, Graph
from dragon_pipeline.core.questions.pairs import FACTS_PER_BRIDGE, PAIRS_PER_BRIDGE, conditional, multi_hop
from dragon_pipeline_tests.core.questions.drawn_facts import FACTS, QUICK

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"
PER = ("PER", "ORG")


def hops(graph: Graph) -> list[Shape]:
    return list(multi_hop(graph, 0).shapes(graph))


def conditions(graph: Graph) -> list[Shape]:
    return list(conditional(graph, 0).shapes(graph))


def asked(shapes) -> list[tuple[str, ...]]:
    return sorted(shape.asked for shape in shapes)


def test_a_multi_hop_describes_the_bridge_by_one_fact_and_asks_by_the_other(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "нанять", "Лад", "a2")]
    found = {(s.given, s.asked, s.bridge, s.cross_story) for s in hops(window(facts).graph())}
    assert found == {(("Маяк",), ("Лад",), "Полярис", True), (("Лад",), ("Маяк",), "Полярис", True)}


def test_the_other_direction_remains_when_one_cannot_be_asked(fact, window):
    """Fault 5 of the reference: the mirrored question was lost."""
    facts = [
        fact("Полярис", "купить", "Маяк", wording={"asks": ["head"]}),
        fact("Полярис", "нанять", "Лад", "a2"),
    ]
    assert asked(hops(window(facts).graph())) == [("Лад",)]


@pytest.mark.parametrize("ends", [("head", "head"), ("head", "tail"), ("tail", "head"), ("tail", "tail")])
def test_a_bridge_may_stand_at_any_end_of_both_facts(fact, window, ends):
    def at(end: str, verb: str, name: str, article: str) -> dict:
        return fact("Полярис", verb, name, article) if end == "head" else fact(name, verb, "Полярис", article)

    graph = window([at(ends[0], "купить", "Маяк", "a1"), at(ends[1], "нанять", "Лад", "a2")]).graph()
    through = {(s.given, s.asked) for s in hops(graph) if s.bridge == "Полярис"}
    assert through == {(("Маяк",), ("Лад",)), (("Лад",), ("Маяк",))}
    assert asked(conditions(graph)) == [("Полярис",)]


def test_a_fact_whose_other_end_tells_that_of_the_other_is_no_step(fact, window):
    facts = [
        fact("Пётр Громов", "возглавить", "«Маяк»", kinds=PER),
        fact("Пётр Громов", "занимать", "директор «Маяк»", "a2", kinds=("PER", "ROLE")),
    ]
    graph = window(facts).graph()
    assert not hops(graph)
    assert not conditions(graph)


def test_two_facts_of_one_sentence_are_no_multi_hop(fact, window):
    facts = [
        fact("Полярис", verb, tail, sentence="Общее предложение.") for verb, tail in (("купить", "Маяк"), ("нанять", "Лад"))
    ]
    reprinted = {**facts[1], "article_id": "a2", "url": "https://vestnik.example/a2"}
    for both in (facts, [facts[0], reprinted]):
        graph = window(both).graph()
        assert not hops(graph)
        assert not conditions(graph)


def test_a_post_may_stand_in_the_sentence_of_the_act_that_is_asked_with_it(fact, window):
    post = fact("Пётр Громов", "занимать", "директор", kinds=("PER", "ROLE"), sentence="Одно.", wording={"apposition": True})
    act = fact("Пётр Громов", "купить", "Маяк", kinds=PER, sentence="Одно.")
    assert asked(conditions(window([post, act]).graph())) == [("Пётр Громов",)]
    assert hops(window([post, act]).graph()) == []


def test_under_a_new_post_an_old_act_is_asked_no_second_time(fact, window):
    post = fact("Пётр Громов", "занимать", "директор", "a2", kinds=("PER", "ROLE"), wording={"apposition": True})
    act = fact("Пётр Громов", "купить", "Маяк", kinds=PER, day=YESTERDAY)
    assert conditions(window([post, act]).graph()) == []


def test_posts_of_two_people_in_one_place_are_a_path_and_two_of_one_person_none(fact, window):
    post = {"apposition": True, "named": True}
    ruler = fact("Анри Мартен", "президент", "Франция", kinds=("PER", "LOC"), wording=post)
    minister = fact("Клод Дюваль", "министр", "Франция", "a2", kinds=("PER", "LOC"), wording=post)
    assert asked(hops(window([ruler, minister]).graph())) == [("Анри Мартен",), ("Клод Дюваль",)]
    other = fact("Анри Мартен", "министр", "Италия", "a2", kinds=("PER", "LOC"), wording=post)
    assert hops(window([ruler, other]).graph()) == []


def test_what_tells_too_little_to_describe_can_still_be_asked_about(fact, window):
    facts = [
        fact("Полярис", "купить", "Маяк", wording={"describes": []}),
        fact("Полярис", "нанять", "Лад", "a2"),
    ]
    assert asked(hops(window(facts).graph())) == [("Маяк",)]


def test_two_facts_of_one_story_make_a_multi_hop_that_says_so(fact, window):
    facts = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "нанять", "Лад", "a2")]
    found = hops(window(facts, stories=[["a1", "a2"]]).graph())
    assert found
    assert not any(shape.cross_story for shape in found)


@pytest.mark.parametrize("name", ["Громов", "П. Громов", "П. А. Громов"])
def test_a_person_of_one_word_or_initials_bridges_nothing(fact, window, name):
    facts = [fact(name, "купить", "Маяк", kinds=PER), fact(name, "нанять", "Лад", "a2", kinds=PER)]
    graph = window(facts).graph()
    assert not [*hops(graph), *conditions(graph)]


def test_a_person_of_full_name_bridges(fact, window):
    facts = [fact("Пётр Громов", "купить", "Маяк", kinds=PER), fact("Пётр Громов", "нанять", "Лад", kinds=PER)]
    assert hops(window(facts).graph())


def test_one_name_in_two_stories_is_one_person_when_they_have_something_else_in_common(fact, window):
    """A tennis player and an official who bear one name were asked for as one."""
    facts = [fact("Пётр Громов", "купить", "Маяк", kinds=PER), fact("Пётр Громов", "нанять", "Лад", "a2", kinds=PER)]
    assert not [*hops(window(facts).graph()), *conditions(window(facts).graph())]
    shared = [fact("Вектор", "строить", "Мост"), fact("Вектор", "продать", "Порт", "a2")]
    graph = window([*facts, *shared]).graph()
    assert [shape for shape in hops(graph) if shape.bridge == "Пётр Громов"]
    assert [shape for shape in conditions(graph) if shape.bridge == "Пётр Громов"]


def test_what_much_of_the_news_names_makes_no_two_one_and_who_is_in_much_of_it_is_one(fact, window):
    facts = [fact("Пётр Громов", "купить", "Маяк", kinds=PER), fact("Пётр Громов", "нанять", "Лад", "a2", kinds=PER)]
    often = [fact("Вектор", "строить", f"Мост {n}", f"a{n}") for n in range(1, 8)]
    assert not [shape for shape in hops(window([*facts, *often]).graph()) if shape.bridge == "Пётр Громов"]
    famous = [fact("Пётр Громов", "посетить", f"Город {n}", f"a{n}", kinds=PER) for n in range(3, 8)]
    assert [shape for shape in hops(window([*facts, *famous]).graph()) if shape.asked == ("Лад",)]


def test_a_linked_person_is_one_in_all_stories(fact, window):
    one = fact("Пётр Громов", "купить", "Маяк", kinds=PER, head_id="Q7")
    assert hops(window([one, fact("Пётр Громов", "нанять", "Лад", "a2", kinds=PER, head_id="Q7")]).graph())


def test_both_given_ends_together_determine_the_bridge_of_a_conditional(fact, window):
    facts = [
        fact("Полярис", "купить", "Маяк", "a1"),
        fact("Полярис", "нанять", "Лад", "a2"),
        fact("Вектор", "купить", "Маяк", "a3"),
    ]
    (shape,) = conditions(window(facts).graph())
    assert (shape.asked, sorted(shape.given)) == (("Полярис",), ["Лад", "Маяк"])
    assert not conditions(window([*facts, fact("Вектор", "нанять", "Лад", "a4")]).graph())
    namesake = fact("Вектор", "нанять", "Лад", "a4", head_id="Q5")
    assert not conditions(window([*facts, namesake]).graph()), "to a reader it is one that meets both"


def test_what_a_namesake_of_the_bridge_did_is_another_answer(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "нанять", "Лад", "a2")]
    assert asked(hops(window(facts).graph())) == [("Лад",), ("Маяк",)]
    assert asked(hops(window([*facts, fact("Полярис", "нанять", "Сад", "a3", head_id="Q5")]).graph())) == [("Маяк",)]


@pytest.mark.parametrize("known", [{"novelty": "known"}, {"novelty": "unsure"}, {"held_back": "undated"}])
def test_somebody_else_who_meets_both_conditions_is_seen_even_where_he_is_not_asked_for(fact, window, known):
    facts = [fact(name, verb, tail, f"{name}{verb}") for name in "АБ" for verb, tail in (("купить", "Маяк"), ("нанять", "Лад"))]
    facts[2].update(known)
    facts[3].update(known)
    assert not conditions(window(facts).graph())


def test_two_conditions_that_many_meet_are_looked_through(fact, window):
    """Fifty meet each of the two, one meets both."""
    facts = [fact(f"Ф-{n}", "купить", "Маяк", f"a{n}") for n in range(50)]
    facts += [fact(f"Ф-{n}", "нанять", "Лад", f"b{n}") for n in range(49, 99)]
    assert asked(conditions(window(facts).graph())) == [("Ф-49",)]
    assert not conditions(window([*facts, fact("Ф-50", "купить", "Маяк", "c")]).graph())


@pytest.mark.parametrize("facts_of_the_bridge", [200, 2000])
def test_the_pairs_tried_at_one_bridge_do_not_grow_with_its_facts(fact, window, facts_of_the_bridge):
    facts = [fact("Полярис", f"глагол-{n}", f"Завод-{n}", f"a{n}") for n in range(facts_of_the_bridge)]
    graph = window(facts).graph()
    for bit, found in (("multi_hop", multi_hop(graph, 0)), ("conditional", conditional(graph, 0))):
        assert len(found) == PAIRS_PER_BRIDGE, bit
    every = pairs.incidences(graph, [graph.column("joins_head"), graph.column("joins_tail")], 0)
    hub = every.filter(node=int(graph.end(0)[0]))
    assert hub.height == FACTS_PER_BRIDGE


def test_a_bridge_of_old_facts_is_not_lost_among_them(fact, window):
    """Of many facts, those new that day come to their turn beside the older ones."""
    facts = [fact("Полярис", f"глагол-{n}", f"Завод-{n}", f"a{n}", day=YESTERDAY) for n in range(200)]
    found = hops(window([*facts, fact("Полярис", "снять", "Сад", "b")]).graph())
    assert found
    assert all(any(edge.relation == "снять" for edge in shape.edges) for shape in found)


Triple = tuple[str, str, str]


def holders(rows, end: str, relation: str, other: str) -> set[str]:
    """Everything that stands at that end, whatever its novelty."""
    at = ("head", "tail").index(end)
    return {(row[0], row[2])[at] for row in rows if row[1] == relation and (row[0], row[2])[1 - at] == other}


def askable(rows) -> list[Triple]:
    return [
        key
        for key in sorted({row[:3] for row in rows})
        if key[0] != key[2]
        and all(row[3] == "novel" for row in rows if row[:3] == key)
        and any(row[4] is None for row in rows if row[:3] == key)
    ]


def is_new(rows, key: Triple) -> bool:
    return all(row[5] == TODAY for row in rows if row[:3] == key)


def every_pair(rows):
    """Bridge, first fact, its end there, second fact, its end there: of two relations, to two other ends, one of them new."""
    can = askable(rows)
    for one, other, end, other_end in product(can, can, ("head", "tail"), ("head", "tail")):
        bridge = one[0] if end == "head" else one[2]
        same = bridge == (other[0] if other_end == "head" else other[2])
        far = one[2] if end == "head" else one[0], other[2] if other_end == "head" else other[0]
        if one != other and same and one[1] != other[1] and far[0] != far[1] and (is_new(rows, one) or is_new(rows, other)):
            yield bridge, one, end, other, other_end, far


def every_hop(rows) -> set[tuple[Triple, Triple, str]]:
    return {
        (one, other, bridge)
        for bridge, one, end, other, other_end, far in every_pair(rows)
        if holders(rows, end, one[1], far[0]) == {bridge}
        and holders(rows, "tail" if other_end == "head" else "head", other[1], bridge) == {far[1]}
    }


def every_condition(rows) -> set[tuple[frozenset[Triple], str]]:
    return {
        (frozenset((one, other)), bridge)
        for bridge, one, end, other, other_end, far in every_pair(rows)
        if holders(rows, end, one[1], far[0]) & holders(rows, other_end, other[1], far[1]) == {bridge}
    }


def triple(edge: Edge) -> Triple:
    return edge.row["head"], edge.relation, edge.row["tail"]


def of_bridges(found) -> dict[str, int]:
    numbers: dict[str, int] = defaultdict(int)
    for *_, bridge in found:
        numbers[bridge] += 1
    return numbers


def agrees(found: set, every: set) -> None:
    """All that was found is right, and of every bridge all is found, or as much as may be kept."""
    assert found <= every
    wanted, got = of_bridges(every), of_bridges(found)
    for bridge, number in wanted.items():
        assert got[bridge] == min(number, PAIRS_PER_BRIDGE)


@QUICK
@given(FACTS)
def test_a_multi_hop_is_two_determined_steps_over_a_bridge_that_it_does_not_name(drawn_window, rows):
    shapes = hops(drawn_window(rows).graph())
    agrees({(*map(triple, shape.edges), shape.bridge) for shape in shapes}, every_hop(rows))
    for shape in shapes:
        assert shape.bridge not in (*shape.asked, *shape.given)
        assert shape.asked != shape.given
        assert shape.new


@QUICK
@given(FACTS)
def test_a_conditional_is_determined_by_its_two_given_ends(drawn_window, rows):
    shapes = conditions(drawn_window(rows).graph())
    agrees({(frozenset(map(triple, shape.edges)), shape.bridge) for shape in shapes}, every_condition(rows))
    for shape in shapes:
        assert shape.asked == (shape.bridge,)
        assert shape.bridge not in shape.given
        assert shape.new
