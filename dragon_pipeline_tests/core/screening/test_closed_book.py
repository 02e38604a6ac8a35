import json

import pytest

from dragon_pipeline.core.screening.closed_book import ClosedBookScreen, Recall, turned
from dragon_pipeline.languages.ru.lemmas import lemmas


class Scripted:
    def __init__(self, name, reply):
        self.name, self.reply, self.asked = name, reply, []

    def answer(self, questions):
        self.asked = list(questions)
        replies = [self.reply(question) if callable(self.reply) else self.reply for question in questions]
        return [reply if isinstance(reply, Recall) else Recall(reply) for reply in replies]


@pytest.fixture
def one(case, fact):
    return case(
        "simple", "Где открыл завод «Вектор»?", ["Нижний Новгород"], [fact(("«Вектор»", "открыть завод в", "Нижний Новгород"))]
    )


def judged(one, *replies):
    models = [Scripted(f"m{number}", reply) for number, reply in enumerate(replies)]
    (found,) = ClosedBookScreen(models, lemmas).judge([one])
    return found.outcome, found.reason


def test_a_question_that_any_model_answers_is_out(one):
    assert judged(one, "Не знаю.", "Завод в Нижнем Новгороде.") == ("failed", "answered_without_context: m1")


def test_a_question_that_none_answers_passes(one):
    assert judged(one, "Не знаю.", "Новгород") == ("passed", None)


def test_a_silent_model_does_not_pass_it(one):
    away = Recall(None, "http_error: 503")
    assert judged(one, "Не знаю.", away) == ("not_run", "http_error: m1")
    assert judged(one, "Нижний Новгород", away)[0] == "failed"


def test_what_cannot_be_read_does_not_pass_it_and_is_searched_for_the_answer(one):
    """It is no outage: another run would get the same."""
    assert judged(one, Recall('{"answer": "Тула', "cut_off"), "Не знаю.") == ("failed", "unreadable_reply: m0")
    assert judged(one, Recall('{"answer": "Нижний Новгород', "cut_off")) == ("failed", "answered_without_context: m0")
    assert judged(one, Recall("", "empty"), Recall(None, "timeout")) == ("not_run", "timeout: m1")


def test_models_see_the_question_alone(one):
    model = Scripted("m", "Не знаю.")
    list(ClosedBookScreen([model], lemmas).judge([one]))
    assert model.asked == ["Где открыл завод «Вектор»?"]


def test_no_models_is_not_configured(one):
    (found,) = ClosedBookScreen([], lemmas).judge([one])
    assert (found.outcome, found.reason) == ("not_run", "not_configured")


def test_a_set_is_known_only_whole(case, fact):
    """Fault 12 of the reference: a list was compared as one string."""
    towns = ["Казань", "Самара"]
    pair = case("set", "Где открыл заводы «Вектор»?", towns, [fact(("«Вектор»", "открыть завод в", town)) for town in towns])
    assert judged(pair, "В Казани.") == ("passed", None)
    assert judged(pair, "В Самаре, а ещё в Казани.") == ("failed", "answered_without_context: m0")


def test_the_replies_are_kept(one):
    models = [Scripted("m0", "Не знаю."), Scripted("m1", Recall(None, "timeout")), Scripted("m2", "В Нижнем Новгороде")]
    (found,) = ClosedBookScreen(models, lemmas).judge([one])
    assert json.loads(found.evidence) == [
        {"model": "m0", "reply": "Не знаю.", "knew": False},
        {"model": "m1", "reply": "timeout", "knew": False},
        {"model": "m2", "reply": "В Нижнем Новгороде", "knew": True},
    ]
    (passed,) = ClosedBookScreen(models[:1], lemmas).judge([one])
    assert json.loads(passed.evidence)[0]["knew"] is False


COMPARED = "Какой завод выпустил больше насосов: «Гидромаш» или «Исток»?"


@pytest.fixture
def compared(case, fact):
    facts = [fact((name, "выпустить", number), kinds=("ORG", "NUMBER")) for name, number in (("Исток", "3"), ("Гидромаш", "2"))]
    return lambda question=COMPARED: case("comparison", question, ["Исток"], facts, given=["Гидромаш", "Исток"])


def first(question):
    return "«Гидромаш»" if question.index("Гидромаш") < question.index("Исток") else "«Исток»"


def last(question):
    return "«Исток»" if first(question) == "«Гидромаш»" else "«Гидромаш»"


def test_a_comparison_is_asked_with_its_names_in_either_order(compared, one):
    model = Scripted("m", "Не знаю.")
    list(ClosedBookScreen([model], lemmas).judge([one, compared(), one]))
    where = one.qa["question"]
    assert model.asked == [where, COMPARED, where, "Какой завод выпустил больше насосов: «Исток» или «Гидромаш»?"]


@pytest.mark.parametrize("guess", [first, last])
def test_who_always_takes_the_same_place_knew_nothing(compared, guess):
    """Half the time such a model is right about the question as it is written."""
    assert judged(compared(), guess) == ("passed", None)
    assert judged(compared("Какой завод выпустил больше насосов: «Исток» или «Гидромаш»?"), guess) == ("passed", None)


def test_who_names_the_right_one_in_both_orders_knew(compared):
    found = judged(compared(), "Не знаю.", "«Исток»")
    assert found == ("failed", "answered_without_context: m1")
    assert judged(compared(), "«Гидромаш»") == ("passed", None)


def test_both_replies_to_a_comparison_are_kept(compared):
    (found,) = ClosedBookScreen([Scripted("m", first)], lemmas).judge([compared()])
    assert json.loads(found.evidence) == [{"model": "m", "reply": "«Гидромаш»", "turned": "«Исток»", "knew": False}]


def test_a_comparison_half_of_whose_replies_was_lost_is_not_passed(compared):
    def half(question):
        return "«Исток»" if question == COMPARED else Recall(None, "timeout")

    assert judged(compared(), half) == ("not_run", "timeout: m0")


def test_names_that_cannot_change_places_are_asked_once_and_what_is_right_counts(compared):
    inflected = compared("У какого завода больше насосов: у «Гидромаша» или у «Истока»?")
    assert judged(inflected, "«Исток»") == ("failed", "answered_without_context: m0")
    assert judged(inflected, "«Гидромаш»") == ("passed", None)


@pytest.mark.parametrize(
    ("question", "names", "found"),
    [
        ("Кто старше: Анна Белова или Иван Орлов?", ["Анна Белова", "Иван Орлов"], "Кто старше: Иван Орлов или Анна Белова?"),
        ("Кто старше: Иван Орлов или Анна Белова?", ["Анна Белова", "Иван Орлов"], "Кто старше: Анна Белова или Иван Орлов?"),
        ("Что больше: «А» или «Б»?", ["А", "Б"], "Что больше: «Б» или «А»?"),
        ("Кто старше: Анна Белова или Ивана Орлова?", ["Анна Белова", "Иван Орлов"], None),
        ("На сколько Анна Белова лет старше, чем Иван Орлов?", ["Анна Белова", "Иван Орлов"], None),
        ("Кто старше: Белова или сын Беловой Орлов?", ["Белова", "Белова"], None),
        ("Кто старше: Анна Белова?", ["Анна Белова"], None),
    ],
)
def test_a_question_is_turned_only_when_nothing_else_changes(question, names, found):
    assert turned(question, names) == found
