import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.ports import Case
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


@pytest.fixture
def compared(case, fact):
    """«Вектор» sold 2139 and «Луч» 1850; who sold more?"""

    def make(question="Кто продал больше: «Вектор» или «Луч»?", answer="«Вектор»", direction="more", compare=None):
        wording = json.dumps({"compare": compare}) if compare else None
        facts = [
            fact((name, "продать", value), kinds=("ORG", "NUMBER"), wording=wording)
            for name, value in (("«Вектор»", "2139"), ("«Луч»", "1850"))
        ]
        made = case("comparison", question, ["«Вектор»"], facts, given=["«Вектор»", "«Луч»"])
        made.qa.update(answer=answer, direction=direction)
        return made

    return make


def test_a_comparison_shows_both_subjects_and_no_value(compared):
    assert verdict(compared()).outcome == "passed"
    assert verdict(compared("Кто продал больше 1850: «Вектор» или «Луч»?")).reason == "value_mentioned: 1850"
    assert verdict(compared(answer="«Вектор», 2139")).reason == "value_mentioned: 2139"
    assert verdict(compared("Кто продал больше: «Вектор» или «Заря»?")).reason == "subject_not_in_question: «Луч»"


def test_the_answer_of_a_comparison_names_the_one_subject_alone(compared):
    assert verdict(compared(answer="«Луч»")).reason == "subject_not_in_answer: «Вектор»"
    assert verdict(compared(answer="«Вектор», «Луч»")).reason == "other_subject_in_answer: «Луч»"


def test_a_comparison_asks_in_the_direction_of_its_subgraph(compared):
    openings = {"key": "продать", "more": "Кто продал больше", "less": "Кто продал меньше"}
    assert verdict(compared(compare=openings)).outcome == "passed"
    turned = compared("Кто продал меньше: «Вектор» или «Луч»?", compare=openings)
    assert word(verdict(turned)) == "direction_turned"
    otherwise = compared("Какая фирма продала машин меньше: «Вектор» или «Луч»?", compare=openings)
    assert word(verdict(otherwise)) == "direction_turned"
    assert verdict(compared("Чьи продажи выше: «Вектора» или «Луча»?", compare=openings)).outcome == "passed"


def test_a_synonym_turns_the_direction_too(compared):
    openings = {"key": "родиться", "more": "Кто старше", "less": "Кто моложе"}
    screen = CorrespondenceScreen(lemmas, synonyms={"младший": "молодой"})
    (found,) = screen.judge([compared("Кто младше: «Вектор» или «Луч»?", compare=openings)])
    assert found.reason == "direction_turned: молодой"


def test_a_subject_whose_name_holds_the_other_may_be_the_answer(case, fact):
    facts = [fact((name, "набрать", value)) for name, value in (("сборная России", "3"), ("Россия", "2"))]
    asked = case("comparison", "Кто набрал больше: сборная России или Россия?", ["сборная России"], facts)
    assert verdict(asked).outcome == "passed"


def test_a_given_name_in_the_answer_is_out_of_place(case, two_hops):
    question = "Какая компания, которую возглавил Пётр Королёв, открыла завод в Туле?"
    placed = case("conditional", question, ["«Вектор»"], two_hops, bridge="«Вектор»")
    placed.qa["answer"] = "«Вектор», Тула"
    assert verdict(placed).reason == "given_in_answer: Тула"


def test_a_given_name_inside_the_asked_one_is_in_place(case, fact):
    facts = [
        fact(("администрация Омска", "выпустить", "«Отчёт»")),
        fact(("администрация Омска", "находиться в", "Омск")),
    ]
    question = "Какая организация находится в Омске и выпустила «Отчёт»?"
    assert word(verdict(case("conditional", question, ["администрация Омска"], facts, ["Омск", "«Отчёт»"]))) is None


def test_an_answer_named_by_surname_is_a_leak_but_a_relative_is_none(case, fact):
    led = fact(("Пётр Королёв", "возглавить", "«Вектор»"), kinds=("PER", "ORG"))
    told = case("simple", "Кто возглавил «Вектор» после выборов Королёва?", ["Пётр Королёв"], [led])
    assert verdict(told).reason == "answer_in_question: Пётр Королёв"
    sister = fact(("Анна Королёва", "сестра", "Пётр Королёв"), kinds=("PER", "PER"))
    assert verdict(case("simple", "Кто сестра Петра Королёва?", ["Анна Королёва"], [sister])).outcome == "passed"


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Где 3 марта 2024 года открыл завод «Вектор»?", None),
        ("Где 4 марта 2024 года открыл завод «Вектор»?", "number_not_in_facts: 4"),
        ("Где 3 марта 2023 года открыл завод «Вектор»?", "number_not_in_facts: 2023"),
        ("Где за 2,4 млн открыл завод «Вектор»?", None),
        ("Где за 2,5 млн открыл завод «Вектор»?", "number_not_in_facts: 2.5"),
    ],
)
def test_one_wrong_number_is_no_number_of_the_facts(case, fact, question, reason):
    wording = json.dumps({"phrase": "открыл завод 3 марта 2024 года"}, ensure_ascii=False)
    sentence = "Вчера «Вектор» открыл завод за 2,4 млн в Туле."
    facts = [fact(("«Вектор»", "открыть завод в", "Тула"), sentence, wording=wording)]
    assert verdict(case("simple", question, ["Тула"], facts)).reason == reason


def test_a_model_may_say_yesterday_as_a_date(case, fact):
    facts = [fact(("«Вектор»", "открыть завод в", "Тула"), "Вчера «Вектор» открыл завод в Туле.")]
    assert verdict(case("simple", "Где 29 февраля 2024 года открыл завод «Вектор»?", ["Тула"], facts)).outcome == "passed"
    late = case("simple", "Где 15 февраля 2024 года открыл завод «Вектор»?", ["Тула"], facts)
    assert verdict(late).reason == "number_not_in_facts: 15"


def test_a_wrong_number_in_a_name_is_another_name(case, fact):
    won = fact(("«Вектор»", "выиграть", "Кубок 2023 года"))
    asked = case("simple", "Кто выиграл Кубок 2024 года?", ["«Вектор»"], [won])
    assert verdict(asked).reason == "node_not_mentioned: Кубок 2023 года"


def test_another_answer_than_the_end_fails_a_multi_hop(case, two_hops):
    question = "Где открыла завод компания, которую возглавил Пётр Королёв?"
    made = case("multi_hop", question, ["Тула"], two_hops, bridge="«Вектор»")
    made.qa["answer"] = "Калуга"
    assert verdict(made).reason == "node_not_mentioned: Тула"


def test_ends_of_a_multi_hop_are_trimmed_like_a_simple_question(case, two_hops, fact):
    question = "Где открыла завод компания, которую возглавил Пётр Королёв?"
    whole = [case("multi_hop", question, ["Тула"], two_hops, bridge="«Вектор»") for _ in range(39)]
    led = fact(("Пётр Королевич", "возглавить", "«Вектор»"), kinds=("PER", "ORG"))
    worse = case("multi_hop", question, ["Тула"], [led, two_hops[1]], bridge="«Вектор»")
    assert [word(found) for found in SCREEN.judge([*whole, worse])] == [None] * 39 + ["trimmed_low"]


@given(st.permutations(range(41)))
def test_verdicts_do_not_depend_on_the_order_of_the_batch(order):
    names = ["«Вектор»"] * 30 + ["«Вектора»"] * 8 + ["«Вектуру»", "«Векторы»", "«Луч»"]
    batch = [make_simple(name) for name in names]
    expected = list(SCREEN.judge(batch))
    assert list(SCREEN.judge([batch[place] for place in order])) == [expected[place] for place in order]


def make_simple(name):
    question = {"type": "simple", "question": "Где открыл завод «Вектор»?", "answer": "Тула", "answers": ["Тула"]}
    ends = {"head": name, "head_id": "local:1", "head_kind": "ORG", "tail": "Тула", "tail_id": "local:2", "tail_kind": "LOC"}
    qa = {**question, "given": [name], "bridge": None, "direction": None}
    return Case(qa, [{**ends, "relation": "открыть завод в", "sentence": "", "wording": None}], [], [])


def test_sets_are_never_trimmed(case, fact):
    towns = ["Тула", "Пермь"]
    whole = [fact(("«Вектор»", "открыть завод в", town)) for town in towns]
    worse = [fact(("«Вектора»", "открыть завод в", town)) for town in towns]
    batch = [case("set", "В каких городах открыл заводы «Вектор»?", towns, whole) for _ in range(39)]
    batch.append(case("set", "В каких городах открыл заводы «Вектор»?", towns, worse))
    assert {found.outcome for found in SCREEN.judge(batch)} == {"passed"}


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
