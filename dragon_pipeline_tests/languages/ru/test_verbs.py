import pytest

from dragon_pipeline.languages.ru.clause import Unfit
from dragon_pipeline.languages.ru.parsing import Token, parse
from dragon_pipeline.languages.ru.verbs import FORMS, own_subject, verb_forms


def verb(text: str, **feats: str) -> Token:
    return Token(0, text, 0, len(text), text, "VERB", "root", -1, feats)


@pytest.mark.parametrize(
    ("token", "forms"),
    [
        (verb("купила", Tense="Past"), ("купил", "купила", "купило", "купили")),
        (verb("Купило", Tense="Past"), ("купил", "купила", "купило", "купили")),
        (verb("купит", Tense="Fut"), ("купит", "купит", "купит", "купят")),
        (verb("купят", Tense="Fut"), ("купит", "купит", "купит", "купят")),
        (verb("построен", Variant="Short", Gender="Masc"), ("построен", "построена", "построено", "построены")),
        (verb("встретились", Tense="Past"), ("встретился", "встретилась", "встретилось", "встретились")),
    ],
)
def test_a_verb_has_a_form_for_every_question_word(token, forms):
    assert tuple(verb_forms(token, [])[name] for name in FORMS) == forms


def test_the_auxiliary_agrees_too():
    forms = verb_forms(verb("построен", Variant="Short", Gender="Masc"), [verb("был", Tense="Past")])
    assert forms["femn"] == "была построена"


def test_a_verb_that_the_dictionary_does_not_know_is_unfit():
    with pytest.raises(Unfit, match=r"^verb_form$"):
        verb_forms(verb("2139"), [])


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Завод купила компания «Полярис».", "компания"),
        ("Завод купили вчера.", None),
        ("Завода не стало в марте.", None),
    ],
)
def test_a_verb_has_the_one_subject_in_the_nominative(text, subject):
    (sentence,) = parse(text).sentences
    root = next(token.i for token in sentence.tokens if token.rel == "root")
    found = own_subject(sentence, root)
    assert (sentence.tokens[found].text if found is not None else None) == subject
