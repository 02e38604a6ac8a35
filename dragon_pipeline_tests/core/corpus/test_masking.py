import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.masking import MOST_TURNS, find, mask, tokens
from dragon_pipeline_tests.core.corpus.masking_cases import ALL, MARKED, Case, cases, score

PHONE, MAIL = tokens()["phone"], tokens()["mail"]
TEXTS = [case.text for part in ("seen", "held_out") for case in cases(part)]
PIECES = [
    *(
        "тел. ",
        "карта ",
        "паспорт ",
        "ИНН ",
        "счёт ",
        "проживает по адресу ",
        "ул. Лесная, ",
        "д. 5, ",
        "кв. 7",
        "номер ",
        "полис ",
    ),
    *(
        "+7",
        "8",
        "(495)",
        " 123",
        "-45",
        "-67",
        ", ",
        " ",
        "4508",
        "123456",
        "4276 9458 0730 2158",
        "@",
        "a.b",
        ".example",
        "доб. 5",
    ),
    *("[телефон]", "[", "]", "№", "Telegram ", "@sedov", "собака", "\n", "0" * 12, "40817810099910004312", "А123ВС77", "т"),
]


def test_there_are_two_hundred_cases_and_nothing_is_masked_in_ninety_of_them():
    assert (len(cases("seen")), len(cases("held_out"))) == (120, 80)
    assert sum(not case.spans for part in ("seen", "held_out") for case in cases(part)) >= 90
    assert len(set(TEXTS)) == 200
    assert not [text for text in TEXTS if MARKED.search(text)]


@pytest.mark.parametrize("part", ["seen", "held_out"])
def test_the_written_cases_are_masked_exactly(part: str):
    wrong = {kind: one.wrong for kind, one in score(cases(part)).items() if one.wrong and kind != ALL}
    assert wrong == {}


@pytest.mark.parametrize("case", cases("seen") + cases("held_out"), ids=lambda case: case.text[:30])
def test_only_the_marked_characters_change(case: Case):
    masked, number = mask(case.text)
    around = re.split("|".join(map(re.escape, tokens().values())), masked)
    assert number == len(case.spans)
    assert [case.text[one:other] for one, other in zip(_stops(case), _starts(case), strict=True)] == around


def _stops(case: Case) -> list[int]:
    return [0, *(span.stop for span in case.spans)]


def _starts(case: Case) -> list[int]:
    return [*(span.start for span in case.spans), len(case.text)]


@pytest.mark.parametrize(
    "phone",
    [
        *("+7 (495) 123-45-67", "+7 495 123 45 67", "+74951234567", "8 (800) 555-35-35", "8-800-555-35-35", "8 916 123 45 67"),
        *("8(4922)12-34-56", "+375 (29) 123-45-67", "+380 44 123 45 67", "(495) 123-45-67", "+7-916-123-45-67"),
    ],
)
def test_phones_are_masked(phone):
    assert mask(f"Справки: {phone}, спросить Анну.") == (f"Справки: {PHONE}, спросить Анну.", 1)


@pytest.mark.parametrize(
    "phone", ["89021 69 35 40", "911-351-26-80", "8 (800) 2000-112", "8 (8212) 29-99-99", "7-902-169-35-40"]
)
def test_phones_are_masked_however_they_are_grouped_after_a_word_for_them(phone: str):
    assert mask(f"Звоните по телефонам 41-24-44, {phone} или 02.")[0] == f"Звоните по телефонам {PHONE}, {PHONE} или 02."


def test_short_and_bare_numbers_are_phones_only_after_a_word_that_says_so():
    assert mask("телефон 12-34-56; тел.: 89161234567") == (f"телефон {PHONE}; тел.: {PHONE}", 2)
    assert mask("счёт 12-34-56; код 89161234567")[1] == 0


@pytest.mark.parametrize("address", ["anna.petrova@vesti.example", "a-b+c@mail.vesti.example", "анна@вести.рф"])
def test_mails_are_masked(address):
    assert mask(f"Пишите на {address}.") == (f"Пишите на {MAIL}.", 1)


@pytest.mark.parametrize(
    ("before", "number", "token"),
    [
        ("паспорт ", "45 08 123456", "document"),
        ("паспорт серии ", "4508 № 123456", "document"),
        ("Паспорт гражданина: ", "4508 123456", "document"),
        ("СНИЛС ", "123-456-789 01", "document"),
        ("ИНН ", "770123456789", "document"),
        ("картой ", "4276 1234 5678 9012", "card"),
        ("на карту ", "4276123456789012", "card"),
        ("номер ", "5536-3640-5622-4159", "card"),
        ("расчётный счёт ", "40817810099910004312", "account"),
    ],
)
def test_numbers_of_documents_cards_and_accounts_are_masked(before: str, number: str, token: str):
    assert mask(f"Указан {before}{number}.") == (f"Указан {before}{tokens()[token]}.", 1)


@pytest.mark.parametrize("number", ["5536-3640-5622-4158", "1536-3640-5622-4159", "5536-3640-56224159"])
def test_a_number_without_a_word_or_right_check_digit_or_form_is_no_card(number: str):
    assert mask(f"номер {number}")[1] == 0


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


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=5))
def test_sums_are_never_masked(sums):
    text = "Выделены суммы: " + "; ".join(f"{value:,}".replace(",", " ") + " рублей" for value in sums)
    assert mask(text) == (text, 0)


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from(TEXTS) | st.text(max_size=5), max_size=12).map("".join))
def test_masking_what_is_masked_changes_nothing(text: str):
    once, _ = mask(text)
    assert mask(once) == (once, 0)


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from(TEXTS), max_size=12).map("".join))
def test_spans_are_in_order_and_apart(text: str):
    spans = find(text)
    assert all(0 <= span.start < span.stop <= len(text) and span.kind in tokens() for span in spans)
    assert all(one.stop <= other.start for one, other in pairwise(spans))


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map("".join))
def test_masking_takes_characters_away_and_adds_tokens_only(text: str):
    masked, _ = mask(text)
    left = iter(text)
    assert all(character in left for character in re.sub("|".join(map(re.escape, tokens().values())), "", masked))


def test_a_firm_s_registered_office_is_no_home():
    told = "Компания зарегистрирована по адресу: Тверь, ул. Садовая, д. 5."
    assert mask(told) == (told, 0)


def test_a_name_in_front_of_an_address_stays():
    assert mask("Здесь проживает Седов, ул. Садовая, д. 5, кв. 3.")[0] == "Здесь проживает Седов, [адрес]."


def test_numbers_one_after_another_are_masked_at_once():
    for one in ("4276945807302158", "8 (495) 123-45-67", "8 800 555-35-35"):
        text = " ".join([one] * 50)
        assert len(find(text)) == 50, one


def test_a_number_next_to_a_cued_one_is_masked_too():
    assert mask("тел.: 12-34-56, 12-34-57 и 12-34-58")[0] == "тел.: [телефон], [телефон] и [телефон]"


def test_a_chain_in_which_each_number_uncovers_the_next_ends():
    assert mask("паспорт а@1234567890" * 1_000)[1] == MOST_TURNS
