from dragon_pipeline.core.ports import Grammar
from dragon_pipeline.core.screening.grammar import GrammarScreen


class Told:
    name = "told"

    def __init__(self, acceptable, fault=None):
        self.grammar = Grammar(acceptable, fault)

    def check(self, questions):
        return [self.grammar for _ in questions]


def verdict(case, fact, check):
    one = case("simple", "Где «Вектор»?", ["Тула"], [fact(("«Вектор»", "быть в", "Тула"))])
    (found,) = GrammarScreen(check, 0.7).judge([one])
    return found.outcome, found.score, found.reason


def test_the_threshold_itself_passes(case, fact):
    assert verdict(case, fact, Told(0.7)) == ("passed", 0.7, None)


def test_below_the_threshold_fails_and_keeps_the_score(case, fact):
    assert verdict(case, fact, Told(0.69)) == ("failed", 0.69, "unacceptable: below 0.7")


def test_a_hard_fault_fails_whatever_the_score(case, fact):
    assert verdict(case, fact, Told(0.99, "no_question_mark")) == ("failed", 0.99, "no_question_mark")


def test_no_check_is_not_configured(case, fact):
    assert verdict(case, fact, None) == ("not_run", None, "not_configured")
