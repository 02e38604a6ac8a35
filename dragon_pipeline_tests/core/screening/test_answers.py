import pytest

from dragon_pipeline.core.screening.answers import AnswerMatch
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.quantities import quantity

MATCH = AnswerMatch(lemmas, quantity)


def gives(case, fact, reply, answers, kind):
    facts = [fact(("«Вектор»", "быть", answer), kinds=("ORG", kind)) for answer in answers]
    return MATCH.gives(reply, case("set" if len(answers) > 1 else "simple", "Что?", answers, facts))


@pytest.mark.parametrize(
    ("reply", "answer", "kind"),
    [
        ("Королёв", "Пётр Королёв", "PER"),
        ("Это Королев Петр, я думаю", "Пётр Королёв", "PER"),
        ("С Петром Королёвым.", "Пётр Королёв", "PER"),
        ("Анну Белову", "Анна Белова", "PER"),
        ("в Нижнем Новгороде", "Нижний Новгород", "LOC"),
        ("Новгород Нижний", "Нижний Новгород", "LOC"),
        ("Завод Вектор", "компания «Вектор»", "ORG"),
        ("продали 2 139 машин", "2139", "NUMBER"),
        ("1.4 млрд рублей", "1,4 млрд рублей", "NUMBER"),
        ("в 2011-м году", "2011", "YEAR"),
        ("12 марта 2024 г.", "12 марта 2024", "DATE"),
        ("Музей Дом набережная", "Дом на набережной", "ORG"),
        ("агент 007", "007", "NUMBER"),
        ("Netflix, конечно", "Netflix", "ORG"),
        ("24 марта 2018", "24 марта 2018 года", "DATE"),
        ("24.03.2018", "24 марта 2018 года", "DATE"),
        ("Это было 24.03.2018.", "24 марта 2018 года", "DATE"),
        ("в 2018", "2018 год", "YEAR"),
        ("2018 г.", "2018 год", "YEAR"),
        ("12", "12 лет", "NUMBER"),
        ("12 000 человек", "12 тысяч человек", "NUMBER"),
        ("5 миллионов рублей", "5 млн рублей", "NUMBER"),
        ("Около пяти, нет: 5 000 000 рублей", "5 млн рублей", "NUMBER"),
        ("семь", "7 человек", "NUMBER"),
    ],
)
def test_an_answer_is_given_however_it_is_worded(case, fact, reply, answer, kind):
    assert gives(case, fact, reply, [answer], kind)


@pytest.mark.parametrize(
    ("reply", "answer", "kind"),
    [
        ("Пётр", "Пётр Королёв", "PER"),
        ("Пётр Иванов", "Пётр Королёв", "PER"),
        ("Новгород", "Нижний Новгород", "LOC"),
        ("Великий Новгород", "Нижний Новгород", "LOC"),
        ("21 39", "2139", "NUMBER"),
        ("213", "2139", "NUMBER"),
        ("7", "007", "NUMBER"),
        ("14 млрд рублей", "1,4 млрд рублей", "NUMBER"),
        ("1 рубль 4 млрд", "1,4 млрд рублей", "NUMBER"),
        ("12 апреля 2024", "12 марта 2024", "DATE"),
        ("2018", "24 марта 2018 года", "DATE"),
        ("март 2018 года", "24 марта 2018 года", "DATE"),
        ("25.03.2018", "24 марта 2018 года", "DATE"),
        ("2017", "2018 год", "YEAR"),
        ("13", "12 лет", "NUMBER"),
        ("12 месяцев", "12 лет", "NUMBER"),
        ("5 тысяч рублей", "5 млн рублей", "NUMBER"),
        ("5 млн долларов", "5 млн рублей", "NUMBER"),
        ("восемь", "7 человек", "NUMBER"),
        ("1, 2 или 3", "2 человека", "NUMBER"),
        ("не знаю", "Тула", "LOC"),
        ("", "Тула", "LOC"),
        (None, "Тула", "LOC"),
        ("Тула", "", "LOC"),
    ],
)
def test_another_answer_or_none_is_not_given(case, fact, reply, answer, kind):
    assert not gives(case, fact, reply, [answer], kind)


def test_every_answer_of_a_set_is_needed_in_any_order(case, fact):
    """Fault 12 of the reference: a list was compared as one string."""
    assert gives(case, fact, "В Омске, Самаре и Туле", ["Тула", "Самара", "Омск"], "LOC")
    assert not gives(case, fact, "В Омске и Туле", ["Тула", "Самара", "Омск"], "LOC")


@pytest.mark.parametrize(
    ("reply", "given"),
    [
        ("«Исток»", True),
        ("Завод «Исток» выпустил больше, чем «Гидромаш»", True),
        ("«Гидромаш»", False),
        ("Больше выпустил «Гидромаш», «Исток» меньше", False),
        ("не знаю", False),
    ],
)
def test_of_a_comparison_the_name_that_comes_first_is_the_reply(case, fact, reply, given):
    facts = [fact((name, "выпустить", number), kinds=("ORG", "NUMBER")) for name, number in (("Исток", "3"), ("Гидромаш", "2"))]
    question = "Какой завод выпустил больше насосов: «Гидромаш» или «Исток»?"
    assert MATCH.gives(reply, case("comparison", question, ["Исток"], facts, given=["Гидромаш", "Исток"])) is given


def test_names_that_share_a_word_are_told_apart(case, fact):
    names = ["Анна Белова", "Ольга Белова"]
    facts = [fact((name, "родиться", year), kinds=("PER", "YEAR")) for name, year in zip(names, ("1980", "1990"), strict=True)]
    one = case("comparison", "Кто старше: Анна Белова или Ольга Белова?", names[:1], facts, given=names)
    assert MATCH.gives("Анна Белова", one)
    assert not MATCH.gives("Ольга Белова", one)
    assert not MATCH.gives("Белова", one)
