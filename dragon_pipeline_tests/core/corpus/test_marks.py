import pytest

from dragon_pipeline.core.corpus.marks import Marks, marks

RATES = (
    "Официальный курс доллара на {} составил {} рубля, курс евро — {} рубля. Стоимость бивалютной корзины выросла до {} рубля, "
    "сообщили в Банке России. За неделю рубль ослаб к доллару на {} процента."
)
MONDAY = RATES.format("12 марта", "90,61", "99,17", "94,46", "0,4")
TUESDAY = RATES.format("13 марта", "91,02", "98,84", "94,54", "0,7")


def share(one, other):
    return Marks([one, other]).compare(0, 1).share


def test_numbers_are_marks_and_capital_letters_inside_a_sentence():
    numbers, names = marks("В Каменске доллар стоит 90,61 рубля. Илья Ворон: «Мост открыт в 6:15», — и Пётр согласен. Итог 2:1")
    assert numbers == {"90,61", "6:15", "2:1"}
    assert names == {"каменс", "ворон", "петр"}
    assert marks("\n— «Каменск» — это…\n\n«Тарск»") == (frozenset(), frozenset())


def test_a_bulletin_of_another_day_has_other_numbers_and_does_not_agree_whatever_its_names():
    assert share(MONDAY, TUESDAY) == 0
    assert share(MONDAY + " В Каменске, Тарске, Озёрске, Светлом", TUESDAY + " В Каменске, Тарске, Озёрске, Светлом") == 0


@pytest.mark.parametrize("other", [MONDAY, MONDAY.replace("сообщили", "уточнили"), "Курс доллара 12 марта 90,61, евро 99,17"])
def test_a_reprint_or_a_part_of_it_has_the_same(other):
    assert share(MONDAY, other) == 1


def test_one_number_corrected_is_one_mark_less():
    agreement = Marks([MONDAY, MONDAY.replace("0,4", "0,5")]).compare(0, 1)
    assert (agreement.numbers_shared, agreement.numbers_of, agreement.shared, agreement.of) == (4, 5, 6, 7)


def test_other_names_in_the_same_words_do_not_agree():
    match = "Вратарь {} спас команду, а {} забил после передачи {}. Тренер {} назвал игру трудной."
    assert (
        share(match.format("Лунин", "Ветров", "Саблина", "Громов"), match.format("Пак", "Ветров", "Дробота", "Чащин")) == 0.25
    )


def test_texts_with_few_marks_are_not_judged_by_them():
    assert share("Мост открыли 5 марта", "Мост открыли 6 марта") == 1
    assert share("", "Мост открыли в Каменске") == 1


def test_two_texts_begin_alike_if_their_first_sentences_are_nearly_the_same():
    one = "В Каменске открыли после ремонта мост через реку Светлую, движение началось в шесть часов утра."
    texts = Marks(
        [one, one.replace("шесть", "семь"), "В Светлом выпал снег, какого не было с начала наблюдений. " + one, "", ""]
    )
    assert texts.begin_alike(0, 1)
    assert not texts.begin_alike(0, 2)
    assert not texts.begin_alike(0, 3)
    assert texts.begin_alike(3, 4)
