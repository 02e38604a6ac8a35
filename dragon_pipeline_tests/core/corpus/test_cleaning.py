import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.cleaning import DOCUMENT, MAIL, PHONE, clean, mask, tidy


def test_lead_opens_the_text():
    assert clean("Мост", "Мост открыт.", "Движение начнётся завтра.").text == "Мост открыт.\nДвижение начнётся завтра."


@pytest.mark.parametrize("lead", [None, "", "Мост открыт", "мост открыт…", "«Мост» открыт"])
def test_lead_is_not_said_twice(lead):
    assert clean("Событие", lead, "Мост открыт. Движение начнётся завтра.").text == "Мост открыт. Движение начнётся завтра."


def test_lead_that_repeats_the_title_is_left_out():
    assert clean("Мост открыт", "Мост открыт.", "Движение начнётся завтра.").text == "Движение начнётся завтра."


@pytest.mark.parametrize(
    ("raw", "tidied"),
    [
        ("и\u0306од", "йод"),
        ("за\u0301мок", "замок"),
        ("10\u00a0000\u202fруб\u00adлей", "10 000 рублей"),
        ("\ufeffнуль\u200bевой\u2060", "нульевой"),
        ("а\r\nб\r\r\n\n \t\nв\u2028г", "а\nб\nв\nг"),
        ("R&amp;D &laquo;Луч&raquo; &#8212; &amp;nbsp;да", "R&D «Луч» — да"),
        ("AT&T и Q&A; знак & один", "AT&T и Q&A; знак & один"),
        ("нуль\x00 и звонок\x07", "нуль и звонок"),
        ("  два   пробела  ", "два пробела"),
        ("одинокий \ud800суррогат", "одинокий суррогат"),
    ],
)
def test_text_is_put_in_order(raw, tidied):
    assert tidy(raw) == tidied


@pytest.mark.parametrize(
    "phone",
    [
        *("+7 (495) 123-45-67", "+7 495 123 45 67", "+74951234567", "8 (800) 555-35-35", "8-800-555-35-35", "8 916 123 45 67"),
        *("8(4922)12-34-56", "+375 (29) 123-45-67", "+380 44 123 45 67", "(495) 123-45-67", "+7-916-123-45-67"),
    ],
)
def test_phones_are_masked(phone):
    assert mask(f"Справки: {phone}, спросить Анну.") == (f"Справки: {PHONE}, спросить Анну.", 1)


def test_short_and_bare_numbers_are_phones_only_after_a_word_that_says_so():
    assert mask("телефон 12-34-56; тел.: 89161234567") == (f"телефон {PHONE}; тел.: {PHONE}", 2)
    assert mask("счёт 12-34-56; код 89161234567")[1] == 0


@pytest.mark.parametrize("address", ["anna.petrova@vesti.example", "a-b+c@mail.vesti.example", "анна@вести.рф"])
def test_mails_are_masked(address):
    assert mask(f"Пишите на {address}.") == (f"Пишите на {MAIL}.", 1)


@pytest.mark.parametrize(
    "document",
    [
        *(
            "паспорт {45 08 123456}",
            "паспорт серии {4508 № 123456}",
            "Паспорт гражданина: {4508 123456}",
            "СНИЛС {123-456-789 01}",
        ),
        *("картой {4276 1234 5678 9012}", "номер {5536-9137-0000-1111}", "ИНН {770123456789}", "на карту {4276123456789012}"),
        "расчётный счёт {40817810099910004312}",
    ],
)
def test_document_numbers_are_masked(document):
    before, number, after = document.partition("{")[0], document[document.index("{") + 1 : -1], ""
    assert mask(f"Указан {before}{number}{after}.") == (f"Указан {before}{DOCUMENT}.", 1)


@pytest.mark.parametrize(
    "plain",
    [
        *("В 1941-1945 годах", "счёт 3:2 и 10:8", "1 234 567 890 рублей", "+10 000 000 000 рублей", "8 800 555 350 рублей"),
        *(
            "в 2018, 2019, 2020 и 2021 годах",
            "2018 2019 2020 2021",
            "1941-1945-2020-2021",
            "рост на +7 процентов",
            "температура +15…+17",
        ),
        *(
            "ст. 105 УК РФ",
            "12345678901 человек",
            "ISBN 978-5-17-118366-6",
            "рейс 8-800",
            "сезон 2023-24",
            "14.03.2024 в 10:15",
        ),
        *(
            "https://vesti.example/news/84951234567",
            "№ 1234-5678",
            "Паспорт получили 123456 человек",
            "@vesti_channel",
            "цена 5@10",
        ),
        *("на 8 916 123 рубля", "дом 8 (корпус 2)", "1234567890123456", "документ № 12 от 2024 года", "полис за 1500 рублей"),
        *("2 500-3 000-4 500", "+1 000 000", "+7 123 456 789 рублей", "звонили 112", "8 495 123 456 789 тенге"),
    ],
)
def test_plain_numbers_stay(plain):
    assert mask(plain) == (plain, 0)


def test_masked_contacts_are_counted_over_title_and_text():
    cleaned = clean("Пишите a@b.example", "Звоните +7 495 123-45-67", "Текст новости без контактов.")
    assert (cleaned.title, cleaned.masked) == (f"Пишите {MAIL}", 2)
    assert cleaned.text.startswith(f"Звоните {PHONE}\n")


@given(
    st.text(max_size=40) | st.none(),
    st.text(max_size=40) | st.none(),
    st.text() | st.text("&amp;#x20nbsp\u00ad\u0301аё\n\t 0123456789+()-@.[]телпаскр", max_size=200),
)
def test_cleaning_what_is_clean_changes_nothing(title, lead, text):
    once = clean(title, lead, text)
    again = clean(once.title, None, once.text)
    assert (again.title, again.text, again.masked) == (once.title, once.text, 0)
    once.text.encode()


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=5))
def test_sums_are_never_masked(sums):
    text = "Выделены суммы: " + "; ".join(f"{value:,}".replace(",", " ") + " рублей" for value in sums)
    assert mask(text) == (text, 0)
