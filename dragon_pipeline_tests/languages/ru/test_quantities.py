"""Values of Russian texts as intervals with a unit."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.questions.quantities import Quantity
from dragon_pipeline.languages.ru.dates import say
from dragon_pipeline.languages.ru.quantities import quantity


def number(text):
    return quantity("NUMBER", text)


def ends(text, kind="NUMBER"):
    read = quantity(kind, text)
    assert read is not None, text
    return float(read.low), float(read.high), read.unit


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("2139 автомобилей", 2139, 2139, "автомобиль"),
        ("21 очко", 21, 21, "очко"),
        ("16 очков", 16, 16, "очко"),
        ("семь медалей", 7, 7, "медаль"),
        ("сто двадцать три экземпляра", 123, 123, "экземпляр"),
        ("1,4 млрд рублей", 1.35e9, 1.45e9, "рубль"),
        ("34 млн рублей", 33.5e6, 34.5e6, "рубль"),
        ("$5 млн", 4.5e6, 5.5e6, "доллар"),
        ("5 млн американских долларов", 4.5e6, 5.5e6, "доллар"),
        ("два с половиной миллиона", 2.25e6, 2.75e6, ""),
        ("38 тысяч тонн", 37.5e6, 38.5e6, "килограмм"),
        ("29,5 секунды", 29.45, 29.55, "секунда"),
        ("полтора часа", 4500, 6300, "секунда"),
        ("300 км", 299_500, 300_500, "метр"),
        ("4%", 3.5, 4.5, "процент"),
        ("6,5 кв. км", 6.45e6, 6.55e6, "квадратный метр"),
        ("4,5–5 тыс. мест", 4000, 5500, "место"),
        ("от 4 до 5 тысяч рублей", 3500, 5500, "рубль"),
        ("от 1 тысячи до 5 миллионов рублей", 500, 5.5e6, "рубль"),
        ("17 300 зрителей", 17_300, 17_300, "зритель"),
        ("17 000 зрителей", 16_500, 17_500, "зритель"),
        ("12 лет", 138, 150, "месяц"),
        ("2004", 2004, 2004, ""),
    ],
)  # fmt: skip
def test_a_number_is_read_with_its_unit_and_as_wide_as_it_is_rounded(text, low, high, unit):
    assert ends(text) == (low, high, unit)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2004", date(2004, 1, 1), date(2004, 12, 31)),
        ("в 2004 году", date(2004, 1, 1), date(2004, 12, 31)),
        ("1967-м", date(1967, 1, 1), date(1967, 12, 31)),
        ("февраль 2024 года", date(2024, 2, 1), date(2024, 2, 29)),
        ("в декабре 2017 года", date(2017, 12, 1), date(2017, 12, 31)),
        ("5 декабря 2017 года", date(2017, 12, 5), date(2017, 12, 5)),
        ("2025-11-12", date(2025, 11, 12), date(2025, 11, 12)),
    ],
)
def test_a_date_is_as_long_as_what_it_says(text, first, last):
    assert quantity("DATE", text) == Quantity(Decimal(first.toordinal()), Decimal(last.toordinal()), "day")


@pytest.mark.parametrize("kind", ["YEAR", "DATE"])
@pytest.mark.parametrize("text", ["5 декабря", "31 февраля 2017 года", "1990-е", "в декабре", "вчера", "с 2004 года", ""])
def test_a_date_without_a_year_or_that_never_was_is_none(kind, text):
    assert quantity(kind, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "51-й минуте", "160-тысячную", "3:1", "12:30", "5 из 7", "25 побед и 3 поражения", "тысячи людей",
        "007", "семь лет назад", "5 декабря", "двадцать двадцать", "несколько человек", "№ 5", "1990-х", "", "—", "миллионы",
        "300 г", "1500 г.",
    ],
)  # fmt: skip
def test_ordinals_scores_and_whatever_is_unsure_are_none(text):
    assert number(text) is None


def test_other_kinds_have_no_quantity():
    assert [quantity(kind, "5 км") for kind in ("PER", "LOC", "ORG", "WORK", "ROLE", "OTHER")] == [None] * 6


def test_an_open_end_is_never_surely_less():
    more, less, hundred, thousand = map(number, ("более 100 человек", "до 100 человек", "100 человек", "1001 человек"))
    assert more and less and hundred and thousand
    assert not thousand.exceeds(more) and not more.exceeds(hundred)
    assert more.exceeds(number("не более 99 человек"))
    assert not less.exceeds(number("1 человек")) and thousand.exceeds(less)


def test_about_is_a_tenth_to_either_side():
    assert ends("около 100 человек") == (90, 110, "человек")
    assert ends("почти 2 км") == (1500 - 250, 2500 + 250, "метр")


@pytest.mark.parametrize(
    ("larger", "smaller"),
    [
        ("3 км", "2400 метров"), ("2 часа", "80 минут"), ("3 тонны", "2 400 кг"), ("1 кв. км", "40 га"),
        ("2 года", "16 месяцев"), ("€2 млн", "1,4 млн евро"),
    ],
)  # fmt: skip
def test_units_convert(larger, smaller):
    one, other = number(larger), number(smaller)
    assert one and other and one.unit == other.unit
    assert one.exceeds(other) and not other.exceeds(one)


def test_rounded_values_that_may_be_equal_are_not_told_apart():
    one, other = number("1,4 млрд рублей"), number("1 440 000 000 рублей")
    assert one and other and not one.exceeds(other) and not other.exceeds(one)


def test_different_units_do_not_compare():
    roubles, dollars = number("5 млн рублей"), number("1 доллар")
    assert roubles and dollars and not roubles.exceeds(dollars)


UNITS = st.sampled_from(["", " рублей", " км", " кг", " секунд", " автомобилей", "%", " человек"])


@given(st.integers(0, 999_999_999), UNITS)
def test_a_formatted_number_is_read_back(value, unit):
    for said in (str(value), f"{value:,}".replace(",", " ")):
        read = number(said + unit)
        assert read is not None
        scale = 1000 if unit == " км" else 1
        assert read.low <= value * scale <= read.high
        assert read.high - read.low <= max(1000, scale)


@given(st.decimals(0, 999, places=1), st.sampled_from([("тыс.", 3), ("млн", 6), ("миллиардов", 9)]))
def test_a_rounded_number_holds_what_it_stands_for(value, multiplier):
    word, zeros = multiplier
    read = number(f"{str(value).replace('.', ',')} {word} рублей")
    assert read is not None and read.unit == "рубль"
    assert (read.low + read.high) / 2 == value * 10**zeros
    assert read.high - read.low == Decimal(10) ** (zeros - 1)


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_a_day_is_read_back_and_lies_in_its_year(day):
    read, year = quantity("DATE", say(day)), quantity("YEAR", str(day.year))
    assert read == Quantity(Decimal(day.toordinal()), Decimal(day.toordinal()), "day")
    assert year and year.low <= read.low <= year.high


@given(st.integers(1, 9999))
def test_kilometres_are_a_thousand_metres(value):
    far, near = number(f"{value} км"), number(f"{value} м")
    assert far and near
    assert (far.low, far.high, far.unit) == (near.low * 1000, near.high * 1000, near.unit)


@given(
    st.sampled_from(["NUMBER", "YEAR", "DATE"]),
    st.text("0123456789 ,.-–тысмлнлетгодаи%$км:/", max_size=20) | st.text(max_size=20),
)
def test_any_text_is_a_quantity_or_none(kind, text):
    read = quantity(kind, text)
    assert read is None or read.low <= read.high
