"""Comparison: examples, then a law over generated windows against a plain enumeration."""

from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.questions.candidates import Shape
from dragon_pipeline.core.questions.comparisons import ALL_PAIRS, PARTNERS, VALUES_PER_RELATION, comparison
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.quantities import Quantity

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"
AMOUNT = ("ORG", "NUMBER")


@pytest.fixture(scope="module")
def made(fact):
    """A fact with a quantity."""
    return lambda head, tail, article=None, **changes: fact(
        head, changes.pop("relation", "собрать"), tail, article or f"{head}{tail}", kinds=AMOUNT, **changes
    )


@pytest.fixture
def compared(window, draw):
    def found(facts) -> list[Shape]:
        graph = window(facts).graph()
        return list(comparison(graph, draw).shapes(graph))

    return found


def told(shapes) -> set[tuple[str | None, tuple[str, ...]]]:
    return {(shape.direction, shape.asked) for shape in shapes}


def test_of_two_heads_one_has_more_and_the_other_less(compared, made):
    found = compared([made("Полярис", "12 тонн"), made("Вектор", "7 тонн")])
    assert told(found) == {("more", ("Полярис",)), ("less", ("Вектор",))}
    for shape in found:
        assert shape.given == ("Вектор", "Полярис"), "both in alphabetical order: the place tells nothing"
        assert (shape.edges[0].row["head"], shape.end) == (shape.asked[0], ("head", "other"))
        assert (shape.bridge, shape.cross_story) == (None, True)


@pytest.mark.parametrize(
    ("one", "other"),
    [("12 тонн", "12 тонн"), ("12 тонн", "7 метров"), ("10-12 тонн", "12-14 тонн"), ("12 тонн", "много"), ("много", "мало")],
)
def test_equal_other_overlapping_and_unread_quantities_are_not_compared(compared, made, one, other):
    assert not compared([made("Полярис", one), made("Вектор", other)])


def test_quantities_of_two_relations_are_not_compared(compared, made):
    assert not compared([made("Полярис", "12 тонн"), made("Вектор", "7 тонн", relation="купить")])


@pytest.mark.parametrize("change", [{"novelty": "known"}, {"novelty": "unsure"}, {"held_back": "undated"}, {}])
def test_a_head_with_two_values_is_not_compared_whatever_becomes_of_the_other(compared, made, change):
    both = [made("Полярис", "12 тонн"), made("Вектор", "7 тонн")]
    assert compared(both)
    assert not compared([*both, made("Полярис", "13 тонн", "z", **change)])
    assert not compared([*both, made("«ПОЛЯРИС»", "13 тонн", "z", head_id="Q9", **change)])


def test_a_reprint_is_no_second_value(compared, made):
    facts = [made("Полярис", "12 тонн"), made("Вектор", "7 тонн"), made("Полярис", "12 тонн", "z")]
    assert len(compared(facts)) == 2


@pytest.mark.parametrize(("one", "other"), [("Полярис", "Полярис-Юг"), ("завод Полярис", "Полярис"), ("Полярис", "ПОЛЯРИС")])
def test_heads_whose_names_hold_one_another_are_not_compared(compared, made, one, other):
    assert not compared([made(one, "12 тонн"), made(other, "7 тонн")])


def test_heads_of_two_kinds_are_not_compared(compared, made, fact):
    person = fact("Пётр Громов", "собрать", "7 тонн", kinds=("PER", "NUMBER"))
    assert not compared([made("Полярис", "12 тонн"), person])


def test_one_of_the_two_is_new(compared, made):
    old = [made("Полярис", "12 тонн", day=YESTERDAY), made("Вектор", "7 тонн", day=YESTERDAY)]
    assert not compared(old)
    assert len(compared([old[0], made("Вектор", "7 тонн")])) == 2


def worded(key: str | None, *openings: str) -> dict:
    return {"compare": {"key": key, **dict.fromkeys(openings, "Кто собрал")}} if key else {"asks": ["tail"]}


@pytest.mark.parametrize(
    ("openings", "directions"),
    [
        (("more", "less"), {"more", "less"}),
        (("more",), {"more"}),
        (("earlier",), {"less"}),
        (("later", "earlier"), {"more", "less"}),
    ],
)
def test_the_rules_compare_by_their_key_and_ask_what_they_have_an_opening_for(compared, made, openings, directions):
    one = made("Полярис", "12 тонн", relation="собрать", wording=worded("урожай", *openings))
    other = made("Вектор", "7 тонн", relation="убрать", wording=worded("урожай", *openings))
    assert {shape.direction for shape in compared([one, other])} == directions


def test_what_the_rules_cannot_compare_is_not_compared(compared, made):
    one, other = made("Полярис", "12 тонн"), made("Вектор", "7 тонн", wording=worded(None))
    assert not compared([one, other])


def test_a_value_without_a_key_of_the_same_relation_may_be_another_one(compared, made):
    """A fact that is held back for want of words has no key."""
    both = [
        made(name, value, wording=worded("урожай", "more")) for name, value in (("Полярис", "12 тонн"), ("Вектор", "7 тонн"))
    ]
    assert compared(both)
    assert not compared([*both, made("Полярис", "13 тонн", held_back="no_wording")])
    assert compared([*both, made("Полярис", "5 голов", wording=worded("стадо", "more"))])


def test_a_comparison_of_two_facts_of_one_story_says_so(window, draw, made):
    made_window = window([made("Полярис", "12 тонн", "a1"), made("Вектор", "7 тонн", "a2")], stories=[["a1", "a2"]])
    graph = made_window.graph()
    assert not any(shape.cross_story for shape in comparison(graph, draw).shapes(graph))


@pytest.mark.parametrize("number", [50, 400])
def test_the_pairs_of_a_relation_grow_as_its_values(window, draw, made, number):
    graph = window([made(f"Ф-{n:04}", f"{n} тонн") for n in range(number)]).graph()
    found = comparison(graph, draw)
    assert number <= len(found) <= 2 * 2 * PARTNERS * number
    larger = {shape.edges for shape in found.shapes(graph) if shape.direction == "more"}
    assert all(int(one.row["tail"].split()[0]) > int(other.row["tail"].split()[0]) for one, other in larger)


def test_no_more_values_of_a_relation_are_read_than_a_bounded_number(window, made):
    read = []

    def quantity(kind: str, text: str) -> Quantity | None:
        read.append(text)

    graph = window([made(f"Ф-{n:04}", f"{n} тонн", "a") for n in range(VALUES_PER_RELATION + 50)]).graph()
    assert len(comparison(graph, Draw(0, str.split, quantity))) == 0
    assert len(read) == VALUES_PER_RELATION


FACTS = st.lists(
    st.tuples(
        st.sampled_from(["А", "Б", "В", "Г", "АБ"]),
        st.sampled_from(["собрать", "убрать"]),
        st.sampled_from(["1 тонн", "2 тонн", "1-2 тонн", "4 тонн", "3 голов", "5 голов", "много"]),
        st.sampled_from(["novel", "novel", "novel", "novel", "known", "unsure"]),
        st.sampled_from([None, None, None, None, "undated"]),
        st.sampled_from([TODAY, YESTERDAY]),
    ),
    max_size=12,
    unique_by=lambda row: row[:3],
)


def bounds(text: str) -> tuple[int, int, str] | None:
    number, _, unit = text.partition(" ")
    parts = number.split("-")
    return (int(parts[0]), int(parts[-1]), unit) if unit else None


def every_comparison(rows) -> set[tuple]:
    """Direction, the answer's head and the other's, relation."""
    found = set()
    for one, other in permutations(rows, 2):
        alone = all(len({row[2] for row in rows if row[:2] == each[:2]}) == 1 for each in (one, other))
        may = all(each[3] == "novel" and each[4] is None for each in (one, other))
        apart = one[0] not in other[0] and other[0] not in one[0]
        if not (alone and may and apart and one[1] == other[1] and TODAY in (one[5], other[5])):
            continue
        value, than = bounds(one[2]), bounds(other[2])
        if value and than and value[2] == than[2] and value[0] > than[1]:
            found |= {("more", one[0], other[0], one[1]), ("less", other[0], one[0], one[1])}
    return found


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FACTS)
def test_every_two_single_values_that_surely_differ_are_compared_both_ways(compared, made, rows):
    assert len(rows) <= ALL_PAIRS
    shapes = compared(
        [made(h, t, f"{h}{t}{r}", relation=r, novelty=n, held_back=held, day=day) for h, r, t, n, held, day in rows]
    )
    found = [(s.direction, s.edges[0].row["head"], s.edges[1].row["head"], s.edges[0].relation) for s in shapes]
    assert len(set(found)) == len(found)
    assert set(found) == every_comparison(rows)
    assert all(shape.asked == (shape.edges[0].row["head"],) for shape in shapes)
