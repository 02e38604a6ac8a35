import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.knowledge.occurrence import occurs, same_word, stands, words
from dragon_pipeline.languages.ru.lemmas import lemmas

TEXTS = st.text("абвг АБВГ,.-—«»()\n\u00ad", max_size=30)


def found(name: str, text: str) -> bool:
    return stands(words(name, lemmas), words(text, lemmas))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Банк Москвы", "Банка Москвы больше нет."),
        ("Объединённые Арабские Эмираты", "Он живёт в Объединенных Арабских Эмиратах."),
        ("генеральный директор компании «Полярис»", "Встретили генерального директора компании «Полярис»."),
        ("гендиректор «Полярис»", "Так сказал гендиректор компании «Полярис»."),
        ("победитель турнира", "Победителем первого турнира стал Громов."),
        ("глава МИД Турции", "Приехал глава МИД Турции."),
        ("Ладога Авто", "Кредит получила «Ладога-Авто»."),
        ("Ростов-на-Дону", "Поезд идёт до Ростова-на-Дону."),
        ("Дом, в котором", "Роман «Дом, в котором» вышел осенью."),
        ("Музей им. Пушкина", "Выставку открыл Музей им. Пушкина."),
        ("Маяк", "Проданы «Ма\u00adяк» и «Вымпел»."),
        ("Пу\u0301тин", "Приехал Путин."),
        ("3,1 млрд рублей", "Заняли 3,1 млрд рублей."),
        ("Эмираты", "Товар из Эмиратов дорожает."),
    ],
)
def test_a_name_stands_in_a_text_in_any_case_close_together_and_in_order(name: str, text: str):
    assert found(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Российский банк развития", "Банк Москвы сообщил о развитии российского рынка."),
        ("Российский банк развития", "Российский банк заявил о развитии."),
        ("Банк Север", "Сергей Северов закрыл банку."),
        ("Север", "Сергей Северов закрыл банку."),
        ("Север", "Встретили Северова."),
        ("Банк Москвы", "В отличие от банка, Москва растёт."),
        ("Банк Москвы", "Он открыл банк в Москве."),
        ("Банк Москвы", "Он ушёл из банка. Москва растёт."),
        ("Дон", "Поезд идёт до Ростова-на-Дону."),
        ("Санкт", "Поезд идёт до Санкт-Петербурга."),
        ("премьер Литвы", "Приехал премьер-министр Литвы."),
        ("победитель турнира", "Победитель второго крупного городского турнира приехал."),
        ("Новый Маяк", "Маяк новый."),
        ("—", "Маяк — завод."),
        ("", "Маяк."),
        ("Маяк", ""),
    ],
)
def test_words_that_are_scattered_turned_around_or_of_other_names_are_no_name(name: str, text: str):
    assert not found(name, text)


def test_a_clause_between_two_commas_may_be_left_out_of_a_long_phrase():
    text = "Льготные кредиты, о которых много спорят, остаются главным источником денег для небольших заводов."
    assert found("льготные кредиты остаются главным источником денег для небольших заводов", text)
    assert not found("льготные кредиты остаются главным источником", text)
    assert not found("кредиты остаются", text)


@given(TEXTS, TEXTS, TEXTS)
def test_a_name_stands_where_it_is_written(before: str, name: str, after: str):
    said = words(name, lemmas)
    assert found(name, f"{before} {name} {after}") is bool(said)


@given(TEXTS)
def test_words_are_where_they_start(text: str):
    for word in words(text, lemmas, 7):
        assert text[word.start - 7].lower() == word.form[0]


def test_all_lemmas_must_be_among_the_others():
    assert occurs(["банк", "север"], ["север", "и", "банк"])
    assert not occurs(["банк", "север"], ["банк"])
    assert not occurs([], ["слово"])
    assert not occurs(["слово"], [])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("белова", "белов", True),
        ("дюваль", "дюваля", True),
        ("казань", "казань", True),
        ("зелиньск", "зелиньский", True),
        ("марец", "марц", True),
        ("хуг", "хуга", True),
        ("ан", "он", False),
        ("кот", "код", False),
        ("пётр", "павел", False),
        ("москва", "мост", False),
        ("банкет", "банк", False),
        ("ленин", "лена", False),
        ("мин", "минами", False),
        ("1234567891", "1234567892", False),
        ("салтыков-щедрин", "салтыковым-щедриным", True),
        ("жан-поль", "жан-поля", True),
        ("салтыков-щедрин", "салтыковым", False),
        ("петров-водкин", "петров-островский", False),
    ],
)
def test_two_lemmas_are_of_one_word_when_only_their_endings_differ(one, other, same):
    assert same_word(one, other) is same is same_word(other, one)
