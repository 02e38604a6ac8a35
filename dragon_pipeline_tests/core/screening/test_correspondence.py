import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.screening.correspondence import CorrespondenceScreen, trim
from dragon_pipeline.languages.ru.lemmas import lemmas

SCREEN = CorrespondenceScreen(lemmas)
SCORES = st.lists(st.sampled_from([0.1, 0.5, 0.9, 0.95, 1.0]), max_size=60)


def verdict(case):
    (found,) = SCREEN.judge([case])
    return found


def word(found):
    return found.reason.split(":")[0] if found.reason else None


@pytest.fixture
def opened(fact):
    return fact(("«Вектор»", "открыть завод в", "Тула"), "Компания «Вектор» открыла завод в Туле.")


@pytest.fixture
def two_hops(fact, opened):
    led = fact(("Пётр Королёв", "возглавить", "«Вектор»"), "Пётр Королёв возглавил «Вектор».", kinds=("PER", "ORG"))
    return [led, opened]


def test_a_simple_question_names_each_end_once(case, opened):
    assert verdict(case("simple", "Где открыл завод «Вектор»?", ["Тула"], [opened])).outcome == "passed"


def test_a_simple_question_that_misses_an_end_fails(case, opened):
    assert word(verdict(case("simple", "Где открыл завод «Луч»?", ["Тула"], [opened]))) == "node_not_mentioned"


def test_an_answer_in_the_question_is_a_leak(case, opened):
    assert word(verdict(case("simple", "Какой завод в Туле открыл «Вектор»?", ["Тула"], [opened]))) == "answer_in_question"


def test_one_missing_answer_of_ten_fails_a_set(case, fact):
    towns = ["Тула", "Калуга", "Пермь", "Омск", "Курск", "Рязань", "Тверь", "Псков", "Самара", "Казань"]
    facts = [fact(("«Вектор»", "открыть завод в", town)) for town in towns]
    whole = case("set", "В каких городах открыл заводы «Вектор»?", towns, facts)
    assert verdict(whole).outcome == "passed"
    whole.qa["answer"] = ", ".join(towns[:-1])
    assert verdict(whole).reason == "asked_not_in_answer: Казань"


def test_a_conditional_question_names_both_given_ends(case, two_hops):
    asked = ["«Вектор»"]
    good = "Какая компания, которую возглавил Пётр Королёв, открыла завод в Туле?"
    assert verdict(case("conditional", good, asked, two_hops, bridge="«Вектор»")).outcome == "passed"
    half = case("conditional", "Какая компания открыла завод в Туле?", asked, two_hops, bridge="«Вектор»")
    assert verdict(half).reason == "given_not_in_question: Пётр Королёв"


@pytest.mark.parametrize(
    "question", ["Где открыл завод «Вектор» Петра Королёва?", "Где завод компании Вектора, чей глава Пётр Королёв?"]
)
def test_a_mentioned_bridge_is_a_violation(case, two_hops, question):
    assert word(verdict(case("multi_hop", question, ["Тула"], two_hops, bridge="«Вектор»"))) == "bridge_mentioned"


def test_a_hidden_bridge_passes(case, two_hops):
    question = "Где открыла завод компания, которую возглавил Пётр Королёв?"
    assert verdict(case("multi_hop", question, ["Тула"], two_hops, bridge="«Вектор»")).outcome == "passed"


def test_a_bridge_named_by_surname_is_mentioned(case, fact):
    facts = [
        fact(("Пётр Королёв", "возглавить", "«Вектор»"), kinds=("PER", "ORG")),
        fact(("Пётр Королёв", "родиться в", "Тула"), kinds=("PER", "LOC")),
    ]
    question = "Где родился Королёв, который возглавил «Вектор»?"
    assert word(verdict(case("multi_hop", question, ["Тула"], facts, bridge="Пётр Королёв"))) == "bridge_mentioned"


def test_a_firm_named_by_its_title_is_mentioned(case, fact):
    facts = [
        fact(("Пётр Королёв", "возглавить", "завод «Заря»"), kinds=("PER", "ORG")),
        fact(("завод «Заря»", "находиться в", "Тула")),
    ]
    question = "Где находится «Заря», которую возглавил Пётр Королёв?"
    assert word(verdict(case("multi_hop", question, ["Тула"], facts, bridge="завод «Заря»"))) == "bridge_mentioned"


def test_a_relative_of_the_bridge_may_be_named(case, fact):
    facts = [
        fact(("Анна Королёва", "сестра", "Пётр Королёв"), kinds=("PER", "PER")),
        fact(("Пётр Королёв", "родиться в", "Тула"), kinds=("PER", "LOC")),
    ]
    question = "Где родился брат, чья сестра — Анна Королёва?"
    assert verdict(case("multi_hop", question, ["Тула"], facts, bridge="Пётр Королёв")).outcome == "passed"


def test_a_comparison_shows_both_subjects_and_no_value(case, fact):
    facts = [
        fact(("«Вектор»", "продать", "2139"), kinds=("ORG", "NUMBER")),
        fact(("«Луч»", "продать", "1850"), kinds=("ORG", "NUMBER")),
    ]
    good = case("comparison", "Кто продал больше: «Вектор» или «Луч»?", ["«Вектор»"], facts, given=["«Вектор»", "«Луч»"])
    assert verdict(good).outcome == "passed"
    told = case("comparison", "Кто продал больше 1850: «Вектор» или «Луч»?", ["«Вектор»"], facts, given=["«Вектор»", "«Луч»"])
    assert verdict(told).reason == "value_mentioned: 1850"


def test_perfect_questions_are_never_trimmed(case, opened):
    batch = [case("simple", "Где открыл завод «Вектор»?", ["Тула"], [opened]) for _ in range(60)]
    assert {found.outcome for found in SCREEN.judge(batch)} == {"passed"}


def test_the_lowest_twentieth_of_a_batch_is_trimmed(case, opened, fact):
    worse = fact(("«Вектора»", "открыть завод в", "Тула"))
    batch = [case("simple", "Где открыл завод «Вектор»?", ["Тула"], [opened]) for _ in range(39)]
    found = SCREEN.judge([*batch, case("simple", "Где открыл завод «Вектур»?", ["Тула"], [worse])])
    assert [word(one) for one in found] == [None] * 39 + ["trimmed_low"]


@given(SCORES)
def test_trimming_cuts_at_most_a_twentieth_at_each_end(scores):
    low, high = trim(scores, 0.05)
    below = [score for score in scores if score < low]
    above = [score for score in scores if high < score < 1]
    assert len(below) <= len(scores) * 0.05
    assert len(above) <= len(scores) * 0.05
    assert 1.0 not in below + above
