import pytest

from dragon_pipeline.core.corpus.places import Places, words

RATES = (
    "Официальный курс доллара на {} составил {} рубля, курс евро — {} рубля. Стоимость бивалютной корзины выросла до {} рубля, "
    "сообщили в Банке России. За неделю рубль ослаб к доллару на {} процента."
)
MONDAY = RATES.format("12 марта", "90,61", "99,17", "94,46", "0,4")
TUESDAY = RATES.format("13 марта", "91,02", "98,84", "94,54", "0,7")


def agree(one, other):
    return Places([one, other]).agree(0, 1)


def test_numbers_are_marked_and_names_only_inside_a_sentence():
    assert words("В Каменске 90,61 рубля. Илья Ворон: «Мост открыт»") == [
        ("в", ""), ("каменс", "@"), ("90,61", "#"), ("рубля", ""), ("илья", ""), ("ворон", "@"), ("мост", ""), ("открыт", "")
    ]  # fmt: skip


def test_a_bulletin_of_another_day_differs_in_the_places_it_shares():
    assert not agree(MONDAY, TUESDAY)


@pytest.mark.parametrize("other", [MONDAY, MONDAY.replace("0,4", "0,5"), MONDAY.replace("сообщили", "уточнили").upper()])
def test_a_reprint_agrees_even_with_a_number_corrected(other):
    assert agree(MONDAY, other)


def test_other_teams_in_the_same_words_do_not_agree():
    match = "Вратарь {} спас команду, а {} забил после передачи {}. Тренер {} назвал игру трудной, судья {} показал карточку."
    names = ["Лунин", "Ветров", "Саблина", "Громов", "Хвостов"]
    assert not agree(match.format(*names), match.format("Пак", "Юрьев", "Дробот", "Чащин", "Осин"))
    assert agree(match.format(*names), match.format(*names))


def test_texts_that_share_few_places_are_not_judged_by_them():
    assert agree("Мост открыли 5 марта", "Мост открыли 6 марта")
    assert agree("", "Мост открыли")


def test_two_texts_begin_alike_if_their_first_sentences_are_nearly_the_same():
    one = "В Каменске открыли после ремонта мост через реку Светлую, движение началось в шесть часов утра."
    texts = Places([one, one.replace("шесть", "семь"), "В Светлом выпал снег, какого не было с начала наблюдений. " + one])
    assert texts.begin_alike(0, 1)
    assert not texts.begin_alike(0, 2)
