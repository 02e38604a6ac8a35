from dragon_pipeline.core.ports import Verdict
from dragon_pipeline.core.screening.standalone import StandaloneScreen


def by_word(question):
    return "no_referent: там" if "там" in question else None


def test_a_question_that_points_outside_itself_fails_with_the_word(case, fact):
    opened = fact(("«Вектор»", "открыть завод в", "Тула"))
    asked = [
        case("simple", question, ["Тула"], [opened]) for question in ("Кто там открыл завод?", "Где «Вектор» открыл завод?")
    ]
    assert list(StandaloneScreen(by_word).judge(asked)) == [Verdict("failed", None, "no_referent: там"), Verdict("passed")]


def test_it_is_judged_whatever_else_is_wrong():
    assert StandaloneScreen(by_word).cheap
    assert StandaloneScreen(by_word).name == "standalone"
