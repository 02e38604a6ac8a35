import json
import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.questions.strata import Tally
from dragon_pipeline.core.questions.types import TYPES

TODAY, YESTERDAY = "2024-03-15", "2024-03-14"
PLACE = ("ORG", "LOC")


@pytest.fixture(scope="module")
def rich(fact):
    """Facts of two days, outlets and kinds that give all five shapes, with a reprint."""
    rows = []
    for n, name in enumerate(["Полярис", "Вектор", "Ока", "Кама", "Заря"]):
        rows.append(fact(name, "построить", f"Мост-{n}", f"b{n}", outlet="gazeta"))
        rows.append(fact(name, "открыть в", f"Город-{n}", f"c{n}", kinds=PLACE, day=YESTERDAY))
        rows.append(fact(name, "нанять", "Лад", f"d{n}"))
        rows.append(fact(name, "собрать", f"{n + 3} тонн", f"f{n}", kinds=("ORG", "NUMBER")))
        rows += [fact(name, "выпустить", f"Модель-{n}-{k}", f"e{n}") for k in range(3)]
    rows.append(fact("Полярис", "построить", "Мост-0", "z0", day=YESTERDAY))
    return rows


def test_all_five_types_are_drawn(rich, window):
    assert set(window(rich).sample()["type"]) == set(TYPES)


def test_the_order_of_every_frame_changes_nothing(rich, window):
    """Fault 13 of the reference: draws were unseeded and joined by row position."""
    made = window(rich, stories=[["b0", "z0"]])
    expected = made.sample()
    for seed in range(4):
        made.facts, made.articles, made.stories = (
            frame.sample(fraction=1, shuffle=True, seed=seed) for frame in (made.facts, made.articles, made.stories)
        )
        assert made.sample().equals(expected)


def test_another_seed_draws_others_of_the_same_number(rich, window):
    made = window(rich)
    one, other = (made.sample(seed=seed, sampled_per_type=4) for seed in (0, 1))
    assert Counter(one["type"]) == Counter(other["type"]) == dict.fromkeys(TYPES, 4)
    assert set(one["qa_id"]) != set(other["qa_id"])


@pytest.mark.parametrize("number", [1, 3, 7])
def test_no_more_of_a_type_are_drawn_than_wanted_and_exactly_that_many_when_there_are(rich, window, number):
    assert set(window(rich).sample(sampled_per_type=number).filter(type="simple")["type"].value_counts()["count"]) == {number}
    assert max(Counter(window(rich).sample(sampled_per_type=number)["type"]).values()) == number


def most_of_a_name(rows) -> int:
    """In how many questions the most asked of names stands."""
    names = Counter(name for row in rows for name in {*row["asked"], *row["given"], *filter(None, [row["bridge"]])})
    return max(names.values(), default=0)


@pytest.mark.parametrize(
    ("type_", "most"),
    [(type_, most) for type_ in TYPES for most in (1, 2) if (type_, most) != ("set", 1)],  # one set holds a name of each other
)
def test_no_entity_stands_in_more_questions_of_a_type_than_allowed_when_enough_are_left(rich, window, type_, most):
    limits = {"most_per_entity": most, "most_per_relation": 1, "sampled_per_type": 2}
    drawn = window(rich).drawn(type_, **limits)
    assert len(drawn) == 2
    assert 0 < most_of_a_name(drawn) <= most
    assert window(rich).tally(type_, **limits).raised == {}


def test_a_cap_is_raised_when_the_wanted_number_cannot_be_reached_otherwise_and_that_is_told(fact, window):
    rows = [fact("Полярис", f"глагол-{n}", f"Завод-{n}", f"a{n}", wording={"asks": ["tail"]}) for n in range(9)]
    made = window([*rows, fact("Ока", "снять", "Сад", wording={"asks": ["tail"]})])
    few, many = (made.sampled(sampled_per_type=number, most_per_entity=2) for number in (3, 6))
    assert most_of_a_name(few.subgraphs.filter(type="simple").to_dicts()) == 2
    assert few.tallies["simple"] == Tally(3, 3, 10, {"entity_cap": 7})
    assert most_of_a_name(many.subgraphs.filter(type="simple").to_dicts()) == 5
    assert many.tallies["simple"] == Tally(6, 6, 10, {"number_reached": 4}, {"entity": 6})


def test_no_relation_has_more_than_its_share_when_enough_are_left(fact, window):
    rows = [fact(f"Ф-{n}", "купить", f"З-{n}", f"a{n}") for n in range(20)]
    rows += [fact(f"Г-{n}", f"глагол-{n}", f"Д-{n}", f"b{n}") for n in range(6)]
    made = window(rows)
    share = {"sampled_per_type": 10, "most_per_relation": 0.4, "most_per_entity": 1}
    drawn = made.drawn("simple", **share)
    assert Counter(json.loads(row["subgraph"])[0]["relation"] for row in drawn)["купить"] == 4
    assert made.tally("simple", **share) == Tally(10, 10, 52, {"entity_cap": 10, "relation_cap": 2 * (20 - 4)})


def test_a_tally_accounts_for_every_candidate(rich, window):
    for number in (1, 5, 400):
        for type_, tally in window(rich).sampled(sampled_per_type=number).tallies.items():
            assert tally.drawn + sum(tally.left_out.values()) == tally.candidates
            assert tally.drawn == len(window(rich).drawn(type_, sampled_per_type=number))
            assert tally.drawn == number or set(tally.left_out) <= {"not_new", "not_unique", "asked_twice", "incomplete"}


def test_every_subgraph_has_a_fact_of_the_day(rich, window):
    today = {row["fact_id"] for row in rich if row["day"] == TODAY}
    drawn = window(rich).sample()
    assert all(set(ids) & today for ids in drawn["fact_ids"])
    assert any(set(ids) - today for ids in drawn["fact_ids"])


def test_a_day_without_facts_asks_nothing(rich, window):
    assert window([row for row in rich if row["day"] == YESTERDAY]).sample().is_empty()
    assert window([]).sample().is_empty()


def test_every_outlet_and_kind_of_answer_comes_to_its_turn(fact, window):
    """Stratified: a loud outlet does not fill the draw."""
    rows = [fact(f"Ф-{n}", "купить", f"З-{n}", f"a{n}", wording={"asks": ["tail"]}) for n in range(50)]
    rows.append(fact("Тихий", "купить", "Склад", "q1", outlet="quiet", wording={"asks": ["tail"]}))
    rows.append(fact("Дальний", "открыть в", "Тверь", "q2", kinds=PLACE, wording={"asks": ["tail"]}))
    drawn = window(rows).drawn("simple", sampled_per_type=3)
    assert {"Склад", "Тверь"} <= {name for row in drawn for name in row["asked"]}


def test_every_topic_comes_to_its_turn(fact, window, article):
    rows = [fact(f"Ф-{n}", "купить", f"З-{n}", f"a{n}", wording={"asks": ["tail"]}) for n in range(30)]
    rows += [fact("Тихий", "купить", "Склад", "q1", wording={"asks": ["tail"]})]
    topics = {"q1": "Культура"}
    articles = [{**article(row["article_id"]), "section": topics.get(row["article_id"], "Экономика")} for row in rows]
    drawn = window(rows, articles=articles).drawn("simple", sampled_per_type=2)
    assert "Склад" in {name for row in drawn for name in row["asked"]}


def test_as_many_comparisons_ask_for_more_as_for_less(fact, window):
    rows = [fact(f"Ф-{n:02}", "собрать", f"{n} тонн", f"a{n}", kinds=("ORG", "NUMBER")) for n in range(40)]
    drawn = window(rows).drawn("comparison", sampled_per_type=20, most_per_entity=2)
    assert Counter(row["direction"] for row in drawn) == {"more": 10, "less": 10}


def test_multi_hops_over_different_stories_come_first_and_say_so(fact, window):
    """Fault 5 of the reference: pairs came from one article."""
    rows = [fact(f"Ф-{n}", verb, f"{verb}-{n}", f"a{n}") for n in range(6) for verb in ("купить", "нанять")]
    rows += [fact(f"Ф-{n}", "продать", f"продать-{n}", f"b{n}") for n in range(6)]
    made = window(rows)
    drawn = made.drawn("multi_hop", sampled_per_type=6)
    assert [row["cross_story"] for row in drawn] == [True] * 6
    assert {row["cross_story"] for row in made.drawn("multi_hop")} == {True, False}


def test_of_a_pair_of_facts_and_its_mirror_one_is_asked(fact, window):
    """The mirror would give the other's answer away, in its own question."""
    rows = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "нанять", "Лад", "a2")]
    assert len(window(rows).drawn("multi_hop")) == 1
    rows[0]["wording"] = json.dumps({"asks": ["head"]})
    assert [row["asked"] for row in window(rows).drawn("multi_hop")] == [["Лад"]]


def test_gold_articles_are_those_of_all_facts_with_their_story_mates(fact, window):
    rows = [fact("Полярис", "купить", "Маяк", "a1"), fact("Полярис", "нанять", "Лад", "a2")]
    texts = {"a3": "Полярис нанять Лад.", "a4": "Полярис. Маяк. Лад."}
    (row,) = window(rows, texts, stories=[["a2", "a3"]]).drawn("multi_hop")
    assert row["article_ids"] == ["a1", "a2", "a3"]


@pytest.mark.parametrize("reprint", ["A0", "m", "zz", "0", "y7"])
def test_a_reprint_leaves_every_id_as_it_was(fact, window, reprint):
    """The reprint's facts have ids of their own, and may be the ones that are shown."""
    rows = []
    for n, (verb, tail) in enumerate([("купить", "Маяк"), ("нанять", "Лад"), ("снять", "Сад")]):
        row = fact("Полярис", verb, tail, "a1", sentence=f"предложение {n}", wording={"asks": ["head"], "many": []})
        rows.append({**row, "fact_id": f"a1-{n}"})
    again = [{**row, "article_id": reprint, "fact_id": f"{reprint}-{row['fact_id']}"} for row in rows]
    before = set(window(rows).sample()["qa_id"])
    assert len(before) == 6
    for reprinted in (again, again[:1], again[1:2], again[2:]):
        extra = [{**row, "url": f"https://gazeta.example/{reprint}"} for row in reprinted]
        assert set(window([*rows, *extra], stories=[["a1", reprint]]).sample()["qa_id"]) == before


def test_one_question_has_one_id(rich, window):
    drawn = window(rich).sample()
    assert drawn["qa_id"].n_unique() == drawn.height
    questions = [(row["type"], row["subgraph"]) for row in drawn.iter_rows(named=True)]
    assert len(set(questions)) == drawn.height


def test_the_subgraph_tells_what_is_asked(rich, window):
    for row in window(rich).sample().iter_rows(named=True):
        parts = json.loads(row["subgraph"])
        assert [part["fact_id"] for part in parts] == row["fact_ids"]
        for part in parts:
            if part["asked"] not in ("bridge", "other"):
                assert part[part["asked"]] in row["asked"]
        names = {part[end] for part in parts for end in ("head", "tail")}
        assert {*row["asked"], *row["given"]} <= names


def test_a_set_that_a_text_of_the_window_adds_to_is_not_asked(fact, window):
    rows = [fact("Полярис", "выпустить", tail, "a1") for tail in ("Маяк", "Лад")]
    assert window(rows).drawn("set")
    assert window(rows, {"a2": "Вчера Полярис выпустить и новый Большой Камень."}).drawn("set") == []


ROWS = st.lists(
    st.tuples(st.sampled_from("АБВГД"), st.sampled_from(["купить", "нанять", "снять"]), st.sampled_from("АБВГДЕЖ"),
              st.sampled_from([TODAY, YESTERDAY]), st.sampled_from(["a", "b"])),
    max_size=20, unique_by=lambda row: (row[:3], row[4]),
)  # fmt: skip


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, st.integers(1, 4), st.integers(1, 3), st.randoms(use_true_random=False))
def test_whatever_the_window_holds_limits_order_and_day_are_kept(fact, window, rows, number, most, shuffler: random.Random):
    facts = [fact(h, r, t, f"{a}{day}", day=day) for h, r, t, day, a in rows]
    limits = {"sampled_per_type": number, "most_per_entity": most}
    drawn, tallies = (made := window(facts).sampled(**limits)).subgraphs, made.tallies
    shuffler.shuffle(facts)
    assert window(facts).sample(**limits).equals(drawn)
    today = {row["fact_id"] for row in facts if row["day"] == TODAY}
    for type_ in TYPES:
        of_type = drawn.filter(type=type_).to_dicts()
        assert len(of_type) <= number
        assert most_of_a_name(of_type) <= tallies[type_].raised.get("entity", most)
        assert not tallies[type_].raised or len(of_type) > most
        for row in of_type:
            keys = {tuple(part[k] for k in ("head_id", "relation", "tail_id")) for part in json.loads(row["subgraph"])}
            assert any(
                row_["fact_id"] in today and (row_["head_id"], row_["relation"], row_["tail_id"]) in keys for row_ in facts
            )
