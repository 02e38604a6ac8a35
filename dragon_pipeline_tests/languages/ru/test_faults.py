from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.faults import RULES, fault
from dragon_pipeline.languages.ru.grammar_rules import words


def test_the_form_is_looked_at_before_the_words():
    assert fault("Какую должность Белова о Москву") == "no_question_mark"


def test_what_stands_in_quotes_has_no_faults():
    assert fault("Кто снял фильм «Который о Москву в»?") is None


@given(st.text(max_size=60))
def test_any_text_is_judged(text):
    found = fault(text)
    assert found is None or found.split(":")[0].isidentifier()


@given(st.lists(st.sampled_from("кто в на и , который занимают новостях Белов иметь город ? - о к людей".split()), max_size=8))
def test_any_order_of_words_is_judged(said):
    for rule in RULES:
        found = rule(words(" ".join(said)))
        assert found is None or found.split(":")[0].isidentifier()
