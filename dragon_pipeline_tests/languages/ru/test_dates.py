import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.dates import IN_MONTH, MONTHS, WEEKDAYS, Relative, absolute, fault, say

FRIDAY = date(2024, 3, 15)
DAYS = st.dates(date(1990, 1, 1), date(2040, 12, 31))


def named(phrase: str) -> date:
    """The day that a phrase says in full."""
    match = re.search(rf"(\d+) ({'|'.join(MONTHS)}) (\d+) года", phrase)
    assert match, phrase
    return date(int(match[3]), MONTHS.index(match[2]) + 1, int(match[1]))


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("вчера", "14 марта 2024 года"),
        ("Сегодня утром", "15 марта 2024 года"),
        ("завтра", "16 марта 2024 года"),
        ("в четверг", "14 марта 2024 года"),
        ("во вторник вечером", "12 марта 2024 года"),
        ("в четверг, 14 марта", "14 марта 2024 года"),
        ("в пятницу, 15 марта 2024 года", "15 марта 2024 года"),
        ("5 марта", "5 марта 2024 года"),
        ("25 декабря", "25 декабря 2023 года"),
        ("в феврале", "в феврале 2024 года"),
        ("в декабре", "в декабре 2023 года"),
        ("в прошлом году", "в 2023 году"),
        ("в этом году", "в 2024 году"),
        ("позавчера", "13 марта 2024 года"),
        ("в прошлом месяце", "в феврале 2024 года"),
        ("в этом месяце", "в марте 2024 года"),
        ("в новом цехе", "в новом цехе"),
        ("в 2019 году", "в 2019 году"),
        ("5 марта 2023 г.", "5 марта 2023 г."),
    ],
)
def test_a_relative_date_of_the_past_becomes_the_day_it_means(phrase, said):
    assert absolute(phrase, FRIDAY) == said


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("в понедельник", "18 марта 2024 года"),
        ("25 декабря", "25 декабря 2024 года"),
        ("5 января", "5 января 2025 года"),
        ("в феврале", "в феврале 2025 года"),
        ("в декабре", "в декабре 2024 года"),
    ],
)
def test_with_a_verb_of_the_future_it_is_the_next_one(phrase, said):
    assert absolute(phrase, FRIDAY, past=False) == said


@pytest.mark.parametrize(
    "phrase", ["вчера", "в четверг", "5 марта", "в феврале", "в прошлом году", "в прошлом месяце", "Послезавтра"]
)
def test_without_a_date_of_the_article_nothing_relative_can_be_said(phrase):
    with pytest.raises(Relative, match="undated"):
        absolute(phrase, None)


@pytest.mark.parametrize("phrase", ["в Казани", "в 2019 году", "5 марта 2023 года", "5 марта 2023 г.", "в мае 2020 года"])
def test_what_is_absolute_needs_no_date_of_the_article(phrase):
    assert absolute(phrase, None) == phrase


@pytest.mark.parametrize(
    "phrase",
    ["на прошлой неделе", "накануне", "на днях", "два года назад", "в конце марта", "в мае прошлого года",
     "5 марта прошлого года", "до пятницы", "с понедельника", "в минувшую субботу", "этой весной"],
)  # fmt: skip
def test_what_names_no_certain_day_is_refused(phrase):
    with pytest.raises(Relative, match="vague_date"):
        absolute(phrase, FRIDAY)


@given(DAYS, DAYS | st.none(), st.booleans())
def test_an_absolute_day_stays_as_it_is(day, published, past):
    assert absolute(say(day), published, past) == say(day)


@given(st.sampled_from(WEEKDAYS), DAYS)
def test_a_weekday_of_the_past_is_the_last_one_and_never_in_the_future(weekday, published):
    day = named(absolute(f"в {weekday}", published))
    assert WEEKDAYS[day.weekday()] == weekday
    assert timedelta() <= published - day < timedelta(7)


@given(st.sampled_from(WEEKDAYS), DAYS)
def test_a_weekday_of_the_future_is_the_next_one_and_never_in_the_past(weekday, published):
    day = named(absolute(f"в {weekday}", published, past=False))
    assert WEEKDAYS[day.weekday()] == weekday
    assert timedelta() <= day - published < timedelta(7)


@given(DAYS, DAYS)
def test_a_day_without_a_year_is_the_last_such_day(day, published):
    phrase = f"{day.day} {MONTHS[day.month - 1]}"
    try:
        said = named(absolute(phrase, published))
    except Relative as why:
        assert (str(why), day.month, day.day) == ("vague_date", 2, 29)
        return
    assert (said.month, said.day) == (day.month, day.day)
    assert timedelta() <= published - said < timedelta(366)


@pytest.mark.parametrize(("published", "year"), [(date(2024, 3, 1), 2024), (date(2024, 2, 29), 2024), (date(2025, 2, 1), 2024)])
def test_29_february_is_that_of_the_leap_year(published, year):
    assert absolute("29 февраля", published) == f"29 февраля {year} года"


@pytest.mark.parametrize("published", [date(2023, 3, 1), date(2024, 2, 28), date(2025, 3, 1)])
def test_29_february_of_a_common_year_is_no_day(published):
    with pytest.raises(Relative, match="vague_date"):
        absolute("29 февраля", published)


@given(
    st.sampled_from(
        [
            "вчера",
            "сегодня",
            "завтра",
            "в прошлом году",
            "в этом году",
            *(f"в {m}" for m in IN_MONTH),
            *(f"в {w}" for w in WEEKDAYS),
        ]
    ),
    DAYS,
    DAYS,
    st.booleans(),
)
def test_what_was_made_absolute_means_the_same_on_every_other_day(phrase, published, later, past):
    said = absolute(phrase, published, past)
    assert absolute(said, later, past) == absolute(said, None, past) == said


@pytest.mark.parametrize(
    ("phrase", "undated", "dated"),
    [
        ("вчера", "undated", "relative_date"),
        ("в понедельник", "undated", "relative_date"),
        ("понедельник", "undated", "relative_date"),
        ("в прошлом году", "undated", "relative_date"),
        ("два года назад", "undated", "relative_date"),
        ("12 марта", "undated", None),
        ("в марте", "undated", None),
        ("12 марта 2024 года", None, None),
        ("2019", None, None),
        ("директор завода", None, None),
    ],
)
def test_a_phrase_that_is_no_date_by_itself_says_why(phrase: str, undated: str | None, dated: str | None):
    assert (fault(phrase, False), fault(phrase, True)) == (undated, dated)
