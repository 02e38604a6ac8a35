"""Numbers in every form that Russian writes them: one number is one key, and two numbers are two."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rag_bench.numerals import in_digits, numeral, read_digits, read_number, read_roman
from rag_bench.words import LEMMAS, read_words

UNITS = ["", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять"]
UNITS += ["одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать", "шестнадцать"]
UNITS += ["семнадцать", "восемнадцать", "девятнадцать"]
TENS = ["", "", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто"]
HUNDREDS = ["", "сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот"]
POWERS = [
    (9, ("миллиард", "миллиарда", "миллиардов")),
    (6, ("миллион", "миллиона", "миллионов")),
    (3, ("тысяча", "тысячи", "тысяч")),
]


def plural(number: int, forms: tuple[str, str, str]) -> str:
    if number % 100 in range(11, 15):
        return forms[2]
    return forms[0] if number % 10 == 1 else forms[1] if number % 10 in (2, 3, 4) else forms[2]


def below_a_thousand(number: int, feminine: bool) -> list[str]:
    rest = number % 100
    words = [HUNDREDS[number // 100], *([UNITS[rest]] if rest < 20 else [TENS[rest // 10], UNITS[rest % 10]])]
    return [{"один": "одна", "два": "две"}.get(word, word) if feminine else word for word in words if word]


def in_words(number: int) -> str:
    words: list[str] = []
    for power, forms in POWERS:
        group, number = divmod(number, 10**power)
        if group:
            words += [*below_a_thousand(group, feminine=power == 3), plural(group, forms)]
    return " ".join([*words, *below_a_thousand(number, feminine=False)]) or "ноль"


def grouped(number: int, space: str) -> str:
    return f"{number:,}".replace(",", space)


NUMBERS = (
    st.integers(0, 999_999_999_999)
    | st.integers(0, 3000)
    | st.builds(lambda n, p: n * 10**p, st.integers(1, 999), st.integers(0, 9))
)
SPACES = st.sampled_from([" ", "\u00a0", "\u202f", "\u2009", "'"])


@st.composite
def written(draw, number: int) -> str:
    """The number in one of its forms."""
    forms = [str(number), grouped(number, draw(SPACES)), in_words(number), f"{number},0", in_words(number).upper()]
    if number >= 1_000_000:
        forms.append(grouped(number, draw(st.sampled_from([",", "."]))))
    for power, names in ((3, "тыс. тысяч"), (6, "млн миллиона"), (9, "млрд миллиардов")):
        if number >= 10**power and number % 10 ** (power - 3) == 0:
            share = format(Decimal(number).scaleb(-power).normalize(), "f")
            for name in names.split():
                forms += [f"{share.replace('.', ',')} {name}", f"{share} {name}", f"{share.replace('.', ',')}{name.strip('.')}"]
    return draw(st.sampled_from(forms))


@given(number=NUMBERS, data=st.data())
def test_every_form_of_a_number_is_that_number(number, data):
    form = data.draw(written(number))
    assert read_words(form).keys == (str(number),), form
    assert read_words(f"выделили {form} рублей").keys == ("выдел", str(number), "рубл"), form


@given(one=NUMBERS, other=NUMBERS, data=st.data())
def test_two_numbers_are_never_one(one, other, data):
    assume(one != other)
    assert read_words(data.draw(written(one))).keys != read_words(data.draw(written(other))).keys


@given(number=st.decimals(0, 10**6, places=3), data=st.data())
def test_decimals_have_a_comma_or_a_point(number, data):
    plain = format(number, "f")
    assume(not plain.endswith(".000"))
    key = read_words(plain).keys
    assert read_words(plain.replace(".", ",")).keys == key == (plain.rstrip("0").rstrip("."),)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,5 млн", "1.5 миллиона"),
        ("1,5 млн", "1 500 000"),
        ("полтора миллиона", "1 500 000"),
        ("полмиллиона", "500 тысяч"),
        ("два с половиной миллиона", "2,5 млн"),
        ("2 млн 300 тыс.", "2 300 000"),
        ("миллион рублей", "1 млн руб."),
        ("пятью", "5"),
        ("двоих", "2"),
        ("1-й", "первый"),
        ("5-го", "пятого"),
        ("двадцать первая", "21-я"),
        ("XXI век", "21-й век"),
        ("ХХ веке", "двадцатого века"),  # with Cyrillic letters, as people type it
        ("Пётр I", "Пётр Первый"),
        ("50%", "50 процентов"),
        ("50 %", "пятьдесят проц."),
        ("5 км", "5 километров"),
        ("5км", "5 километров"),
        ("$5 млн", "5 млн долларов"),
        ("10 ₽", "10 рублей"),
        ("минус 5 градусов", "-5°"),
        ("−5", "-5"),
        ("15,000 рублей", "15 000 рублей"),
        ("1990-е годы", "1990-х годов"),
    ],
)
def test_one_number_in_two_forms(one, other):
    assert read_words(one).keys == read_words(other).keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,5 млн", "1,5 млрд"),
        ("1,5 млн", "15 млн"),
        ("2139", "213,9"),
        ("007", "7"),
        ("5 км", "5 м"),
        ("5%", "5"),
        ("-5", "5"),
        ("15,000", "15"),
        ("1990-е годы", "1990 год"),
        ("2020", "2020-е"),
        ("третий", "треть"),
        ("пять десятых", "пятьдесят"),
        ("двадцать, пять", "25"),
        ("2 млн 2024", "2 002 024"),
        ("тысячи людей", "1000 людей"),
        ("1.2.3", "1.2"),
        ("Сорока", "40"),
        ("3D", "3"),
        ("10 руб.", "10 долл."),
        ("V", "5"),
    ],
)
def test_different_numbers_stay_different(one, other):
    assert read_words(one).keys != read_words(other).keys


def test_a_number_too_long_to_be_counted_with_stays_as_written():
    assert read_words("1" * 5_000).keys == ("1" * 5_000,)
    assert read_digits("1" * 19) is None


def test_numbers_that_stand_apart_stay_apart():
    assert read_words("5 и 6, семь; 8").keys == ("5", "и", "6", "7", "8")
    assert read_words("в 2024 300 человек").keys == ("в", "2024", "300", "человек")
    assert read_words("версия 1.2.3").keys == ("верс", "1", "2", "3")


def test_list_numbers_are_not_read_but_years_are():
    assert read_words("1. Казань\n2. Тверь").keys == ("казан", "твер")
    assert read_words("2024. Так решили.\nПотом").keys[0] == "2024"
    assert read_words("3. Казань\n5. Тверь").keys == ("3", "казан", "5", "твер")


def test_lemmas_have_the_same_numbers():
    assert read_words("двумя миллионами рублей", LEMMAS).keys == read_words("2 млн рублей", LEMMAS).keys


@pytest.mark.parametrize(
    ("roman", "digits"), [("I", "1"), ("IV", "4"), ("IX", "9"), ("XIX", "19"), ("XXI", "21"), ("XXXIX", "39")]
)
def test_roman_numerals(roman, digits):
    assert read_roman(roman) == digits


@pytest.mark.parametrize("no", ["", "IIX", "VX", "IIII", "XL", "i", "MIX"])
def test_what_is_no_roman_numeral(no):
    assert read_roman(no) is None


def test_a_power_alone_is_no_number():
    assert read_number([numeral("миллионов")]) == ("", 0)
    assert read_number([numeral("миллион")]) == ("1000000", 1)
    assert read_number([in_digits("2"), numeral("миллионов"), None]) == ("2000000", 2)
