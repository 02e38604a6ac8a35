"""Who is the same to a reader: examples, then a law against a plain closure."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.questions.graph import HEAD
from dragon_pipeline.core.questions.namesakes import components, fold, folded, spelled
from dragon_pipeline.core.questions.shapes import simple

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@pytest.mark.parametrize("name", ["ООО «Маяк»", 'ооо "маяк"', "ООО  Маяк "])
def test_case_quotes_and_spaces_make_no_other_name(name):
    assert folded(name) == "ооо маяк"


@given(st.text())
def test_a_column_is_folded_as_a_name_is(name):
    name = name.replace("İ", "")  # its two lower cases are no name of any language here
    assert fold(pl.Series([name])).to_list()[0].split() == folded(name).split()


@pytest.mark.parametrize(("one", "other"), [("Крейвен", "Крэйвен"), ("Уильям", "Уилльям"), ("Алексеи", "Алексей")])
def test_a_person_s_name_is_the_same_in_two_spellings(one, other):
    assert spelled(one) == spelled(other)


@given(PAIRS)
def test_nodes_are_the_same_when_shared_names_lead_from_one_to_the_other(pairs):
    found = components(*(np.array([pair[at] for pair in pairs], np.int64) for at in (0, 1)), count=8)
    for node in range(8):
        same, before = {node}, set()
        while same != before:
            before = set(same)
            names = {name for id, name in pairs if id in same}
            same |= {id for id, name in pairs if name in names}
        assert found[node] == min(same)


@pytest.mark.parametrize("other", [{"head_id": "Q5"}, {"kinds": ("OTHER", "ORG")}])
@pytest.mark.parametrize("name", ["Завод «Перёд»", "завод перед"])
def test_two_nodes_of_one_name_leave_no_single_answer(fact, window, other, name):
    facts = [fact("Завод «Перёд»", "купить", "Маяк"), fact(name, "купить", "Заря", "a2", **other)]
    graph = window(facts).graph()
    assert sorted(shape.asked for shape in simple(graph).shapes(graph)) == [("Завод «Перёд»",), (name,)]


def test_a_name_leads_on_over_an_id_with_two_names(fact, window):
    facts = [fact("США", "купить", "Маяк", head_id="Q30"), fact("Штаты", "ждать", "Лад", "a2", head_id="Q30")]
    facts.append(fact("Штаты", "купить", "Заря", "a3"))
    assert {shape["given"][0] for shape in window(facts).drawn("simple")} >= {"Маяк", "Заря"}
    assert not [shape for shape in window(facts).drawn("simple") if shape["asked"] in (["Маяк"], ["Заря"])]


def test_two_nodes_of_one_name_are_one_answer_and_are_asked_once(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "купить", "Маяк", "a2", head_id="Q9")]
    made = window(facts)
    assert made.graph().determined(HEAD).tolist() == [True, True]
    assert [row["asked"] for row in made.drawn("simple")] in ([["Полярис"]], [["Маяк"]])
    assert made.tally("simple").left_out == {"asked_twice": 3}


def test_one_relation_linked_in_one_article_alone_and_in_two_cases_is_one(fact, window):
    facts = [fact("Полярис", "купить", "Маяк"), fact("Полярис", "Купить", "Заря", "a2", relation_id="P1")]
    assert {tuple(row["asked"]) for row in window(facts).drawn("simple")} == {("Полярис",)}


def test_a_second_post_under_another_relation_leaves_the_post_undetermined(fact, window):
    kinds = ("PER", "ROLE")
    facts = [
        fact("Анна Белова", "должность", "министр", kinds=kinds),
        fact("Анна Белова", "занятие", "врач", "a2", kinds=kinds),
    ]
    assert {tuple(row["asked"]) for row in window(facts).drawn("simple")} == {("Анна Белова",)}


def test_a_post_under_two_relations_has_the_holders_of_both(fact, window):
    kinds = ("PER", "ROLE")
    facts = [fact("Анна Белова", "должность", "врач", kinds=kinds), fact("Пётр Громов", "занятие", "врач", "a2", kinds=kinds)]
    made = window(facts)
    assert {tuple(row["asked"]) for row in made.drawn("simple")} == {("врач",)}
    assert made.tally("set").left_out == {"not_one_subject": 1}
