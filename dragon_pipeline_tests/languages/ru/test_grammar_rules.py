import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.grammar_rules import fault


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Кто открыл None?", "placeholder"),
        ("Кто открыл завод в nan?", "placeholder"),
        ("Кто открыл {tail}?", "placeholder"),
        ("Кто открыл завод", "no_question_mark"),
        ("Кто открыл завод.", "no_question_mark"),
        ("Кто? Открыл завод?", "question_marks"),
        ("кто открыл завод?", "no_capital"),
        ("Кто открыл «Вектор?", "unbalanced"),
        ("Кто открыл Вектор»?", "unbalanced"),
        ('Кто открыл "Вектор?', "unbalanced"),
        ("Кто открыл „Вектор?", "unbalanced"),
        ("Кто открыл Вектор“?", "unbalanced"),
        ("Кто открыл (в Туле завод?", "unbalanced"),
        ("Кто открыл завод в в Туле?", "doubled_word"),
        ("Кто Кто открыл завод?", "doubled_word"),
        ("Кто oткрыл завод?", "mixed_alphabet"),
        ("Кто открыл завод ?", "spacing"),
        ("Кто  открыл завод?", "spacing"),
        ("Кто открыл завод —?", "open_dash"),
        ("Кто рассказал о Москву?", "preposition_case"),
        ("К какой город приехал Белов?", "preposition_case"),
        ("Для какой компанию работает Белова?", "preposition_case"),
        ("Какие город посетил Белов?", "agreement"),
        ("Кто открыл новую заводу?", "agreement"),
        ("Кто возглавила завод?", "subject_verb"),
        ("Кто возглавили завод?", "subject_verb"),
        ("Какая компания построил завод?", "subject_verb"),
        ("Какой министр посетила завод?", "subject_verb"),
        ("Кто возглавил компания «Север»?", "object_case"),
        ("В какой город родился Белов?", "place_case"),
        ("Кто возглавил завод в 2019 год?", "place_case"),
        ("В каком году компания основать завод?", "infinitive"),
        ("С кого встретился президент?", "company_case"),
        ("Со кого обсудил договор министр?", "company_case"),
    ],
)
def test_a_fault_is_named(question, word):
    found = fault(question)
    assert found is not None and found.split(":")[0] == word


@pytest.mark.parametrize(
    "question",
    [
        "Кто открыл завод «Кто там?» в Туле?",
        "Кто стала чемпионкой мира?",
        "Кто из министров посетил Тулу?",
        "Что за компания открыла завод?",
        "Что такое «Вектор»?",
        "Какой город посетил министр?",
        "Какой завод построила компания «Вектор»?",
        "Какой стране принадлежит остров?",
        "Какие два больших завода открыл «Вектор»?",
        "Кого избрали в депутаты?",
        "В какой город переехала редакция?",
        "В какой день состоялась встреча?",
        "Кто подписал договор с компанией VK-Tech и СМС-центром?",
        "Какая компания, которую основал Белов, открыла завод?",
        "Кем стал для Тулы Пётр Белов?",
        "С кого начал проверку министр?",
        "Кто открыл «завод „Вектор“ в Туле»?",
        "Кто открыл “Вектор”?",
        "С кем встретился президент?",
        "2139 машин продал какой завод?",
        "«Вектор» открыл завод в каком городе?",
        "С какими двух- и трёхэтажными домами граничит завод?",
    ],
)
def test_a_sound_question_has_no_fault(question):
    assert fault(question) is None


@given(st.text(max_size=60))
def test_any_text_is_judged(text):
    found = fault(text)
    assert found is None or found.split(":")[0].isidentifier()
