import pytest

from dragon_pipeline.core.screening.closed_book import ClosedBookScreen, Recall
from dragon_pipeline.languages.ru.lemmas import lemmas


class Scripted:
    def __init__(self, name, reply):
        self.name, self.reply, self.asked = name, reply, []

    def answer(self, questions):
        self.asked = list(questions)
        recall = self.reply if isinstance(self.reply, Recall) else Recall(self.reply)
        return [recall for _ in questions]


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
