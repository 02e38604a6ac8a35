"""What was long over when its article appeared is no news."""

import pytest

from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru.long_ago import long_ago


def judged(question, tail="2006", text="Завод открыли в 2017 году.", published_at=None, type="simple", kind="YEAR"):
    fact = {"head": "Вектор", "head_id": "h", "head_kind": "ORG", "tail": tail, "tail_id": "t", "tail_kind": kind}
    article = {"text": text, "published_at": published_at}
    return long_ago(Case({"question": question, "given": ["Вектор"], "type": type, "bridge": None}, [fact], [article], []))


def test_a_year_far_behind_the_article_s_newest_is_an_encyclopaedia_s():
    assert judged("В каком году «Вектор» закрыл цех?") == "long_ago: 2006"
    assert judged("Кто закрыл цех «Вектора» в 2006 году?", "Вектор", kind="ORG") == "long_ago: 2006"


def test_a_late_year_is_news():
    assert judged("В каком году «Вектор» закрыл цех?", "2014") is None


def test_the_day_of_the_article_goes_before_its_text():
    assert judged("В каком году «Вектор» закрыл цех?", text="В 2017 году.", published_at="2007-05-01T00:00:00Z") is None


def test_plans_for_years_to_come_make_no_article_new():
    assert judged("В каком году «Вектор» закрыл цех?", "2014", text="В 2014 году цех закрыли до 2030 года.") is None


def test_an_old_article_tells_history():
    assert judged("В каком году «Вектор» закрыл цех?", "1942", text="В 1942 году цех закрыли.") == "long_ago: 1942"


@pytest.mark.parametrize(
    "question",
    ["В каком году родился пилот Олег Обремчук?", "Кто заявил, что цех закрыли в 2006 году?", "Кто закрыл цех «Вектора»?"],
)
def test_births_statements_and_what_has_no_year_are_left_alone(question):
    assert judged(question, "1985" if "родился" in question else "Вектор", kind="YEAR") is None


def test_a_death_that_is_long_ago_is_told_by_an_encyclopaedia():
    assert judged("В каком году умер пилот Олег Обремчук?", "1979") == "long_ago: 1979"
    assert judged("В каком году умер пилот Олег Обремчук?", "2016") is None


def test_how_an_organisation_began_is_asked_unless_it_stands_in_books():
    assert judged("В каком году был основан «Вектор»?", "1998") is None
    assert judged("В каком году был основан «Вектор»?", "1919") == "long_ago: 1919"


def test_only_simple_questions_are_judged():
    assert judged("В каком году «Вектор» закрыл цех?", type="multi_hop") is None


@pytest.mark.parametrize(
    "question",
    [
        "В каком году была основана компания «Вектор»?",
        "В каком году Олег Обремчук основал компанию «Вектор»?",
        "В каком году зарегистрировали фирму «Вектор»?",
        "В каком году был создан фонд «Вектор»?",
        "С какого года инженер Олег Обремчук руководит заводом «Вектор»?",
        "С какого года инженер Олег Обремчук возглавляет завод «Вектор»?",
        "С какого года инженер Олег Обремчук работает на заводе «Вектор»?",
    ],
)
def test_how_a_company_began_and_who_heads_it_since_when_no_encyclopaedia_tells(question):
    assert judged(question) is None


def test_what_is_no_organisation_was_created_in_history():
    fact = {"head": "Маяки", "head_id": "h", "head_kind": "WORK", "tail": "1962", "tail_id": "t", "tail_kind": "YEAR"}
    qa = {"question": "В каком году была создана картина «Маяки»?", "given": ["Маяки"], "type": "simple", "bridge": None}
    assert long_ago(Case(qa, [fact], [{"text": "В 2017 году.", "published_at": None}], [])) == "long_ago: 1962"
