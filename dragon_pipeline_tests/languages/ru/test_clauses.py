from datetime import date

import pytest

from dragon_pipeline.languages.ru.clause import Clause, Unfit
from dragon_pipeline.languages.ru.clauses import agrees, clauses
from dragon_pipeline.languages.ru.parsing import parse

FRIDAY = date(2024, 3, 15)


def said(text: str, published: date | None = FRIDAY) -> list[Clause | Unfit]:
    return [clause for sentence in parse(text).sentences for *_, clause in clauses(sentence, published)]


def one(text: str, published: date | None = FRIDAY) -> Clause:
    (clause,) = said(text, published)
    assert isinstance(clause, Clause), clause
    return clause


def test_the_verb_phrase_agrees_with_every_question_word():
    clause = one("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.")
    assert [clause.phrase(form) for form in ("masc", "femn", "neut", "plur")] == [
        f"{verb} автомобильный завод «Маяк» в 2019 году" for verb in ("купил", "купила", "купило", "купили")
    ]


def test_a_verb_of_the_future_differs_in_number_only():
    clause = one("Компания «Полярис» купит автомобильный завод «Маяк» в 2030 году.")
    assert {clause.phrase(form).split()[0] for form in ("masc", "femn", "neut")} == {"купит"}
    assert clause.phrase("plur").split()[0] == "купят"


def test_a_passive_verb_agrees_with_its_auxiliary():
    clause = one("Новый завод «Маяк» был построен в Казани компанией «Полярис».")
    assert clause.phrase("femn").startswith("была построена ")


def test_an_argument_leaves_its_place_open():
    clause = one("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.")
    slots = {clause.phrase("femn", block.root) for block in clause.blocks}
    assert slots == {"купила {T} в 2019 году", "купила автомобильный завод «Маяк» {T}"}


@pytest.mark.parametrize(
    "text",
    [
        "Компания «Полярис» не купила автомобильный завод «Маяк» в Казани.",
        "Компания «Полярис» так и не купила автомобильный завод «Маяк» в Казани.",
        "Компания «Полярис» купила бы автомобильный завод «Маяк» в Казани.",
    ],
)
def test_what_did_not_happen_is_no_fact(text):
    assert all(isinstance(clause, Unfit) for clause in said(text))


@pytest.mark.parametrize(
    "text",
    [
        "Купила ли компания «Полярис» автомобильный завод «Маяк» в Казани?",
        "Компания «Полярис» купила автомобильный завод «Маяк» в Казани?",
        "Компания «Полярис» купила автомобильный завод «Маяк» в Казани!",
        "— Компания «Полярис» купила автомобильный завод «Маяк» в Казани.",
        "Я купил автомобильный завод «Маяк» в Казани у компании «Полярис».",
        "Вы купили автомобильный завод «Маяк» в Казани у компании «Полярис».",
        "Купи автомобильный завод «Маяк» в Казани.",
        "Компания «Полярис» купила автомобильный завод «Маяк» в Казани…",
        "«Компания «Полярис» купила автомобильный завод «Маяк» в Казани.",
        "Компания «Полярис» купила автомобильный завод «Маяк» в Казани",
        "КОМПАНИЯ «ПОЛЯРИС» КУПИЛА АВТОМОБИЛЬНЫЙ ЗАВОД «МАЯК» В КАЗАНИ.",
    ],
)
def test_speech_questions_and_headlines_state_nothing(text):
    assert not [clause for clause in said(text) if isinstance(clause, Clause)]


def test_a_condition_is_no_fact():
    found = said("Если компания «Полярис» купит завод «Маяк» в Казани, рабочие получат премию.")
    assert not any(isinstance(clause, Clause) and "Маяк" in clause.phrase("masc") for clause in found)


@pytest.mark.parametrize(
    "text",
    [
        "Компания «Полярис» купила его завод в Казани.",
        "Компания «Полярис» купила этот завод в Казани.",
        "Компания «Полярис» купила там автомобильный завод «Маяк».",
        "Компания «Полярис» купила другой завод в Казани.",
    ],
)
def test_a_clause_that_points_outside_cannot_be_asked_about(text):
    assert all(isinstance(clause, Unfit) for clause in said(text))


def test_the_reason_is_a_snake_case_word():
    texts = ["Компания «Полярис» не купила завод.", "Компания «Полярис» купила.", "Компания «Полярис» купила клуб."]
    reasons = [str(clause) for text in texts for clause in said(text)]
    assert len(reasons) == 3
    assert all(reason.isidentifier() and reason.islower() for reason in reasons)


def test_a_relative_date_of_an_undated_article_marks_the_clause():
    text = "Вчера компания «Полярис» купила автомобильный завод «Маяк» в Казани."
    assert one(text, None).undated
    dated = one(text)
    assert not dated.undated
    assert "14 марта 2024 года" in dated.phrase("femn")
    assert "вчера" not in dated.phrase("femn").lower()


def test_an_absolute_date_of_an_undated_article_does_not():
    assert not one("Компания «Полярис» купила автомобильный завод «Маяк» 5 марта 2023 года.", None).undated


def test_a_date_that_cannot_be_told_makes_the_clause_unfit():
    (clause,) = said("Компания «Полярис» купила автомобильный завод «Маяк» на прошлой неделе.")
    assert isinstance(clause, Unfit)


def test_two_verbs_of_one_subject_are_two_clauses():
    found = said("Инженер Пётр Громов построил в Казани новый автомобильный завод и открыл в Самаре новый магазин «Север».")
    assert [type(clause) for clause in found] == [Clause, Clause]
    assert {clause.phrase("femn").split()[0] for clause in found if isinstance(clause, Clause)} == {"построила", "открыла"}


def test_a_denied_second_verb_leaves_the_first():
    found = said("Компания «Полярис» купила завод «Маяк» в Казани, но не открыла новый цех завода.")
    assert {type(clause) for clause in found} == {Clause, Unfit}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Пётр Громов в Казани стал чемпионом, получив 66 баллов, против прежних рекордов.", "behind_converb"),
        ("Пётр Громов опубликовал серию записей, в которых обвинил Олега Дымова.", "clause_cut"),
    ],
)
def test_what_a_clause_that_is_left_out_leaves_behind_is_no_statement(text, reason):
    (found,) = said(text)
    assert (str(found) if isinstance(found, Unfit) else None) == reason


def test_a_subject_that_does_not_agree_with_the_verb_is_no_subject():
    (sentence,) = parse("Запреты отменили в Казани, и завод перешёл на новое сырьё.").sentences
    subject = next(t.i for t in sentence.tokens if t.text == "Запреты")
    verb = next(t for t in sentence.tokens if t.text == "перешёл")
    assert not agrees(sentence, subject, verb)
    assert agrees(sentence, next(t.i for t in sentence.tokens if t.text == "завод"), verb)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Инженер Пётр Громов построил новый завод «Маяк» после чего в Казани.", "anaphora"),
        ("Инженер Пётр Громов построил завод в соседней Калужской области для компании «Маяк».", "anaphora"),
        ("Пётр Громов вернулся в Казань победитель конкурса «Маяк» в 2016 году.", "nominative"),
    ],
)
def test_what_hangs_in_the_air_is_not_said(text, reason):
    assert [str(why) for why in said(text)] == [reason]


def test_words_that_the_parser_hangs_over_the_verb_on_the_subject_make_gaps():
    text = (
        "Глава комитета Северной палаты по новым делам Анна Белова выступила с предложением объединить силы завода "
        "с силами работающей в Туле Особой северной миссии «Маяка»."
    )
    assert [str(why) for why in said(text)] == ["gaps"]


def test_still_is_left_out_before_a_date():
    clause = one("Компания «Полярис» ещё в 2019 году купила автомобильный завод «Маяк».")
    assert "ещё" not in clause.phrase("femn")


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Пётр Громов через пять лет открыл в Казани автомобильный завод «Маяк».",
         "открыл в Казани автомобильный завод «Маяк»"),
        ("Пётр Громов открыл автомобильный завод «Маяк» по прошествии 35 лет.", "открыл автомобильный завод «Маяк»"),
        ("Пётр Громов открыл завод «Маяк» через два дня после пожара в Казани.",
         "открыл завод «Маяк» через два дня после пожара в Казани"),
    ],
)  # fmt: skip
def test_what_is_counted_from_an_untold_day_is_left_out(text, phrase):
    assert one(text).phrase("masc") == phrase
