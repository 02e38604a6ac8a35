"""What a question leaves out of what it tells."""

import pytest

from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru.hollow import hollow


def found(question):
    return hollow(Case({"question": question, "type": "simple"}, [], [], []))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Кто осудил решение Громова в эфире «Волги»?", None),
        ("Кто осудил решение Громова закрыть завод?", None),
        ("Кто поддержал решение о закрытии завода «Вектор»?", None),
        ("Кто назвал решение Громова ошибкой?", "решение"),
        ("Кто заявил, что решение Громова идёт вразрез с уставом «Вектора»?", "решение"),
        ("Кто назвал предложение Обремчука оторванным от жизни?", "предложение"),
        ("Кто направил письмо директору Петру Обремчуку?", "письмо"),
        ("Кто направил письмо Петру Обремчуку с просьбой открыть мост?", None),
        ("Когда завод «Вектор» отправил результаты своего исследования?", "своего исследования"),
        ("Когда завод «Вектор» отправил результаты своего исследования о рыбах?", None),
        ("Когда Пётр Обремчук объявил об уходе с поста?", "поста"),
        ("В каком году Тульская область продала на 15% больше мяса?", "больше"),
    ],
)
def test_an_act_of_which_nobody_says_what_it_was(question, word):
    assert found(question) == (f"unsaid: {word}" if word else None)


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("Кто сообщил, что у завода «Вектор» также есть долги?", "no_referent: также"),
        ("Кто сообщил, что завод «Вектор» весной откроют снова?", "relative_date: весной"),
        ("Кто сообщил, что завод «Вектор» весной 2017 года откроют снова?", None),
        ("Кто сообщил, что в последнее время завод «Вектор» разоряется?", "relative_date: последнее время"),
        ("Кто сообщил, что к маю завод «Вектор» откроют?", "relative_date: маю"),
        ("Кто сказал: «Однако завод в Туле откроют для всех желающих»?", "no_referent: однако"),
    ],
)
def test_a_statement_that_joins_another_or_has_its_day_s_time(question, hint):
    assert found(question) == hint


@pytest.mark.parametrize(
    "question",
    [
        "Кто полагает, что Москва разрабатывает новое оружие?",
        "Какая страна ввела санкции против Соединённых Штатов?",
        "Кто вступился за Киев?",
    ],
)
def test_what_many_say_and_do_says_little(question):
    assert found(question).startswith("says_little")


@pytest.mark.parametrize(
    "question",
    [
        "Кто полагает, что Москва разрабатывает снаряд «Волна»?",
        "Кто вступился за Обремчука?",
        "Кто заявил, что ремонт моста в Киеве разорит владельцев речных прогулочных теплоходов?",
    ],
)
def test_a_name_a_title_or_many_words_say_enough(question):
    assert found(question) is None


def test_the_capital_that_opens_somebody_s_words_is_no_name():
    assert found("Кто утверждает: «Страны могут переосмыслить свою роль в НАТО»?").startswith("says_little")
