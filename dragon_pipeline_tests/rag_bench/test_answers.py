import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.answers import extractive_answer
from rag_bench.sentences import sentences

CHUNKS = [
    "Совет депутатов собрался в понедельник. Заседание длилось два часа.",
    "В Казани 12 марта 2024 года открылся завод «Волгасталь». Директором завода назначен Пётр Иванович Сомов. "
    "На предприятии работают 1 200 человек. Соглашение о поставках подписали компании «Рубин», «Заря» и «Дон».",
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Кто назначен директором завода «Волгасталь»?", "Пётр Иванович Сомов"),
        ("В каком городе открылся завод «Волгасталь»?", "Казани"),
        ("Когда открылся завод «Волгасталь»?", "12 марта 2024 года"),
        ("Сколько человек работает на предприятии?", "1 200"),
        ("Какой завод открылся в Казани?", "Волгасталь"),
        ("Какие компании подписали соглашение о поставках?", "Рубин, Заря, Дон"),
    ],
)
def test_the_span_that_is_asked_for_is_cut_out(question, answer):
    assert extractive_answer(question, CHUNKS) == answer


def test_without_a_fitting_span_the_rest_of_the_best_sentence_answers():
    assert extractive_answer("Чем занят цех?", ["Цех занят сборкой тракторов. Он стоит за рекой."]) == "сборкой тракторов"


def test_nothing_retrieved_is_answered_with_nothing():
    assert extractive_answer("Кто?", []) == extractive_answer("Кто?", ["  "]) == ""


@given(st.text(max_size=80), st.lists(st.text(max_size=200), max_size=4))
def test_an_answer_is_deterministic_and_comes_from_the_chunks(question, texts):
    answer = extractive_answer(question, texts)
    assert answer == extractive_answer(question, texts)
    assert all(letter in "".join(texts) or letter in " ,." for letter in answer)


def test_initials_and_abbreviations_do_not_end_a_sentence():
    text = "А. С. Сомов родился в 1970 г. в Твери. На ул. Мира живут 5 тыс. Новоселов!\nКонец"
    assert sentences(text) == ["А. С. Сомов родился в 1970 г. в Твери.", "На ул. Мира живут 5 тыс. Новоселов!", "Конец"]
