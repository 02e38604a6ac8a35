"""Whole questions, from sentence to question mark."""

import json
import re

import pytest

from dragon_pipeline.core.ports import Sketch
from dragon_pipeline.languages.ru.stated import Fact
from dragon_pipeline.languages.ru.wording import RuleWriter

YEAR = "Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году."
MARIA = "Инженер Мария Соколова возглавила автомобильный завод «Маяк» в 2019 году."
HOUSE = "Издательство «Восход» выпустило в Казани роман «Белые ночи»."
MEETING = "Инженер Мария Соколова встретилась в Берлине в 2019 году с режиссёром Иваном Петровым."
MINISTER = "Министр культуры Франции Клод Дюваль открыл в Берлине выставку «Северное сияние»."
LEADERS = "Президент Франции встретился в Берлине с лидерами Италии, Испании и Австрии."
PLANTS = "Компания «Полярис» открыла в Казани и Самаре новые заводы электрических автобусов."
WRITERS = "Писатель Иван Петров и режиссёр Анна Белова получили литературную премию «Большая книга»."
HIRED = "Компания «Полярис» наняла для нового завода в Казани 200 инженеров."


@pytest.mark.parametrize(
    ("text", "tail", "asked", "said"),
    [
        (YEAR, "2019", "2019", "В каком году компания «Полярис» купила автомобильный завод «Маяк»?"),
        (YEAR, "2019", "Полярис", "Какая компания купила автомобильный завод «Маяк» в 2019 году?"),
        (MARIA, "2019", "Мария Соколова", "Кто возглавил автомобильный завод «Маяк» в 2019 году?"),
        (MARIA, "2019", "2019", "В каком году инженер Мария Соколова возглавила автомобильный завод «Маяк»?"),
        (HOUSE, "Казань", "Восход", "Какое издательство выпустило в Казани роман «Белые ночи»?"),
        (HOUSE, "Казань", "Казань", "В каком городе издательство «Восход» выпустило роман «Белые ночи»?"),
        (HOUSE, "Белые ночи", "Белые ночи", "Какой роман издательство «Восход» выпустило в Казани?"),
        (MEETING, "Иван Петров", "Иван Петров", "С кем инженер Мария Соколова встретилась в Берлине в 2019 году?"),
        (HIRED, "200 инженеров", "200 инженеров",
         "Сколько инженеров компания «Полярис» наняла для нового завода в Казани?"),
    ],
)  # fmt: skip
def test_the_question_word_the_case_and_the_verb_agree(read, question, text, tail, asked, said):
    assert question("simple", [read(text).tail(tail)], asked) == said


def test_who_takes_a_masculine_verb_also_for_a_woman(read, question):
    row = read(MARIA).tail("Маяк")
    assert question("simple", [row], "Мария Соколова").startswith("Кто возглавил ")


def test_a_post_is_asked_for_both_ways_with_the_month_of_its_article(read, question):
    row = {**read(MINISTER).tail("министр культуры Франции"), "published_at": "2024-03-15T09:00:00+03:00"}
    assert question("simple", [row], "Клод Дюваль") == "Кто в марте 2024 года занимал должность министра культуры Франции?"
    assert question("simple", [row], "министр культуры Франции") == "Какую должность в марте 2024 года занимал Клод Дюваль?"


def test_nobody_can_tell_who_held_a_post_when_the_article_has_no_date(read, written):
    row = read(MINISTER).tail("министр культуры Франции")
    assert written("simple", [row], "Клод Дюваль").reason == "undated_post"
    assert written("simple", [row], "министр культуры Франции").reason == "undated_post"


def test_an_act_without_a_year_a_number_or_a_title_may_be_of_any_day(read, written):
    row = read("Инженер Мария Соколова встретилась в Берлине с режиссёром Иваном Петровым.").tail("Иван Петров")
    assert written("simple", [row], "Иван Петров").reason == "undated_act"
    dated = {**row, "published_at": "2024-03-15T09:00:00+03:00"}
    said = written("simple", [dated], "Иван Петров").question
    assert said == "С кем, как сообщалось 15 марта 2024 года, инженер Мария Соколова встретилась в Берлине?"


def test_what_is_no_post_is_asked_for_only_where_nobody_loses_it(read, question, written):
    founder = "Основатель галереи «Волга» Олег Дымов открыл в Берлине выставку «Северное сияние»."
    row = read(founder).tail("основатель галереи «Волга»")
    assert question("simple", [row], "Олег Дымов") == "Как зовут основателя галереи «Волга»?"
    row = read(founder.replace("Основатель", "Владелец")).tail("владелец галереи «Волга»")
    assert written("simple", [row], "Олег Дымов").reason == "undated_role"


def test_a_set_of_places_is_asked_for_in_the_plural(read, question):
    rows = [row for row in read(PLANTS).of("list") if row["tail"] in ("Казань", "Самара")]
    said = question("set", rows, "Казань", "Самара")
    told = "как сообщалось 15 марта 2024 года"
    assert said == f"В каких городах, {told}, компания «Полярис» открыла новые заводы электрических автобусов?"


def test_a_set_of_people_is_asked_for_by_who(read, question):
    rows = read(WRITERS).of("list")
    said = question("set", rows, *(row["tail"] for row in rows))
    assert said.endswith("получил литературную премию «Большая книга»?")


def test_a_multi_hop_describes_the_bridge_and_does_not_name_it(read, question):
    rows = [read(MINISTER).tail("министр культуры Франции"), read(MINISTER).tail("Берлин")]
    said = question("multi_hop", rows, "Берлин")
    assert said == "В каком городе министр культуры Франции открыл выставку «Северное сияние»?"
    described = question("multi_hop", [read(YEAR).tail("2019"), read(PLANTS).tail("Казань")], "Казань")
    assert "Полярис" not in described
    assert "компания, которая купила автомобильный завод «Маяк» в 2019 году" in described


def test_a_conditional_says_both_facts_of_the_one_it_asks_for(read, question):
    rows = [read(YEAR).tail("2019"), read(PLANTS).tail("Казань")]
    said = question("conditional", rows, "Полярис")
    assert said.startswith("Какая компания ")
    assert said.count("?") == 1
    assert " и открыла " in said or " и купила " in said
    assert "Полярис" not in said
    rows = [read(MINISTER).tail("министр культуры Франции"), read(MINISTER).tail("Северное сияние")]
    said = question("conditional", rows, "Клод Дюваль")
    assert said == "Как зовут министра культуры Франции, который открыл в Берлине выставку «Северное сияние»?"


@pytest.mark.parametrize(
    "text", [YEAR, MARIA, HOUSE, MEETING, MINISTER, LEADERS, PLANTS, WRITERS, HIRED]
)  # fmt: skip
def test_every_simple_question_is_one_clean_sentence_without_its_answer(read, written, text):
    clean = 0
    for row in read(text).asked:
        for end in row["words"]["asks"]:
            if "simple" not in row["words"].get("shapes", ["simple"]):
                continue
            told = written("simple", [row], row[end])
            if told.question is None:
                assert told.reason.isidentifier()
                continue
            clean += 1
            said = told.question
            assert said[0].isupper()
            assert said.endswith("?")
            assert said.count("?") == 1
            assert "  " not in said
            assert "{" not in said
            assert said.count("«") == said.count("»")
            assert row[end] not in said
    assert clean or text in (LEADERS, WRITERS)


def test_a_fact_without_wording_cannot_be_said(read, written):
    row = {**read(YEAR).tail("2019"), "wording": None}
    assert written("simple", [row], "2019").reason == "no_wording"


def test_an_end_without_a_question_word_cannot_be_asked_for(read, written):
    row = read(YEAR).tail("2019")
    row = {**row, "wording": json.dumps({**row["words"], "ask": None})}
    assert re.fullmatch(r"[a-z_]+", written("simple", [row], "2019").reason)
    assert re.fullmatch(r"[a-z_]+", written("set", [row, {**row, "tail": "2020"}], "2019", "2020").reason)


@pytest.mark.parametrize("type_", ["multi_hop", "conditional"])
def test_facts_that_meet_at_no_subject_are_refused(read, written, type_):
    rows = [read(YEAR).tail("2019"), read(HOUSE).tail("Казань")]
    assert written(type_, rows, "Казань").reason == "bridge_is_no_subject"


def test_two_roles_make_no_question(read, written):
    row = read(MINISTER).tail("министр культуры Франции")
    assert written("conditional", [row, row], "Клод Дюваль").reason == "two_roles"


def test_an_unknown_type_is_refused(read, written):
    assert written("riddle", [read(YEAR).tail("2019")], "2019").reason == "unknown_type"


def test_every_sketch_has_its_answer_in_its_place(read):
    row = read(YEAR).tail("2019")
    sketches = [Sketch("simple", [row], ["2019"]), Sketch("riddle", [row], ["2019"]), Sketch("simple", [row], ["Полярис"])]
    year, riddle, buyer = RuleWriter().write(sketches)
    assert (year.question or "").startswith("В каком году")
    assert (riddle.question, riddle.reason) == (None, "unknown_type")
    assert (buyer.question or "").startswith("Какая компания")


def test_two_ends_of_one_statement_make_no_conditional(read, written):
    rows = [read(YEAR).tail("2019"), read(YEAR).tail("Маяк")]
    assert written("conditional", rows, "Полярис").reason == "one_phrase_twice"


COACH = "Хоккейный тренер Пётр Громов скончался в Самаре после долгой болезни."
YOUTH = "Пётр Громов в 1999 году привёл к победе на чемпионате мира молодёжную сборную Франции."


CLUB = "Хоккейный тренер Пётр Громов основал в Самаре детский клуб «Маяк»."


def of_tail(rows, tail):
    return next(row for row in rows.of("clause") if row["tail"] == tail)


def test_a_description_says_what_the_person_is_and_stands_before_a_long_phrase(read, question):
    rows = read(f"{CLUB}\n{YOUTH}")
    said = question("multi_hop", [of_tail(rows, "Маяк"), of_tail(rows, "1999")], "1999")
    assert said == (
        "В каком году тренер, который основал в Самаре детский клуб «Маяк», "
        "привёл к победе на чемпионате мира молодёжную сборную Франции?"
    )


def test_a_description_follows_a_short_phrase(read, question):
    rows = read(f"{COACH}\n{YOUTH}")
    said = question("multi_hop", [of_tail(rows, "1999"), of_tail(rows, "Самара")], "Самара")
    assert said.startswith("В каком городе скончался после долгой болезни тренер, который привёл к победе ")


def test_a_description_does_not_say_the_role_that_it_asks_for(read, question):
    rows = read(f"{COACH}\n{YOUTH}")
    role = next(row for row in read("Депутат Госдумы Пётр Громов приехал в Казань.").asked if row["words"]["form"] == "role")
    said = question("multi_hop", [of_tail(rows, "1999"), role], role["tail"])
    assert said.startswith("Кем является человек, который привёл к победе ")


def test_a_role_that_many_hold_or_that_everybody_knows_describes_nobody(read, written):
    for text in ("Депутат Госдумы Олег Дымов открыл в Берлине выставку «Север».",
                 "Президент Франции Клод Дюваль открыл в Берлине выставку «Север»."):  # fmt: skip
        rows = read(text)
        role = next(row for row in rows.kept if row["words"].get("form") == "role")
        assert written("multi_hop", [role, of_tail(rows, "Берлин")], "Берлин").reason in ("role_of_many", "role_known_to_all")


def test_two_phrases_of_one_question_are_of_fitting_tenses_and_of_two_things(read, written):
    first = "Мария Соколова возглавила автомобильный завод «Маяк» в 2019 году."
    later = "Мария Соколова руководит в Казани обществом «Северное сияние»."
    past, present = of_tail(read(first), "2019"), of_tail(read(later), "Казань")
    assert written("conditional", [past, present], "Мария Соколова").reason == "undated_present"
    future = of_tail(read("Мария Соколова откроет в Казани выставку «Северное сияние»."), "Северное сияние")
    assert written("conditional", [past, future], "Мария Соколова").reason == "two_tenses"
    again = of_tail(read("Мария Соколова возглавила в Казани общество «Северное сияние»."), "Казань")
    assert written("conditional", [past, again], "Мария Соколова").reason == "one_thing_twice"


def test_a_quotation_is_asked_for_by_itself_or_beside_a_post(read):
    text = "«Новый завод в Казани выпустит тысячу автобусов до конца года», — заявила директор Мария Соколова."
    (row,) = [row for row in read(text).asked if row["words"]["form"] == "clause"]
    assert row["words"]["shapes"] == ["simple", "conditional"]


def test_a_country_of_every_second_news_is_no_answer_by_itself(read):
    row = of_tail(read("Россия открыла в Казани выставку «Северное сияние»."), "Казань")
    assert "head" not in row["words"]["asks"]
    row = of_tail(read("Франция открыла в Казани выставку «Северное сияние»."), "Казань")
    assert "head" in row["words"]["asks"]


def test_a_unit_cut_short_is_said_in_full(read, question):
    row = of_tail(read("Компания «Полярис» в 2013 году оштрафовала завод «Маяк» на 20 млн руб."), "2013")
    assert question("simple", [row], "Полярис").endswith("на 20 млн рублей в 2013 году?")


def test_what_is_still_to_come_describes_nobody(read, written):
    future = of_tail(read("Мария Соколова откроет в Казани выставку «Северное сияние»."), "Северное сияние")
    past = of_tail(read("Мария Соколова возглавила автомобильный завод «Маяк» в 2019 году."), "2019")
    assert written("multi_hop", [future, past], "2019").reason == "future_description"
    role = next(
        row for row in read("Депутат Госдумы Мария Соколова приехала в Казань.").asked if row["words"]["form"] == "role"
    )
    assert written("conditional", [role, future], "Мария Соколова").reason == "future_description"


def test_a_phrase_that_names_only_a_country_of_every_second_news_asks_for_nobody(read):
    assert not any("head" in row["words"]["asks"] for row in read("Пётр Громов прожил остаток жизни в США.").of("clause"))
    assert any("head" in row["words"]["asks"] for row in read("Пётр Громов прожил остаток жизни в Казани.").of("clause"))


def test_a_death_comes_last(read, question):
    rows = read(f"{COACH}\n{YOUTH}")
    said = question("conditional", [of_tail(rows, "Самара"), of_tail(rows, "1999")], "Пётр Громов")
    assert said == (
        "Кто привёл к победе на чемпионате мира молодёжную сборную Франции в 1999 году "
        "и скончался в Самаре после долгой болезни?"
    )


def test_a_description_that_holds_the_place_of_the_question_is_none(read, written):
    one = of_tail(read("Пётр Громов в 2007 году выступил в Мюнхене с докладом о новых заводах."), "2007")
    other = of_tail(read("Пётр Громов открыл в Мюнхене выставку «Северное сияние»."), "Северное сияние")
    assert written("multi_hop", [other, one], "2007").reason == "one_thing_twice"


def test_a_title_in_the_answer_has_its_quotation_marks(read):
    text = "Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году."
    row = {**read(text).tail("Маяк"), "sentence": text}
    (written,) = RuleWriter().write([Sketch("simple", [row], ["Маяк"], ["Полярис"])])
    assert written.answers == ["«Маяк»"]


def test_a_common_name_has_its_role_in_the_question(read, question):
    row = read("Скрипач Андрей Петров купил автомобильный завод «Маяк» в 2019 году.").tail("2019")
    assert question("simple", [row], "2019") == "В каком году скрипач Андрей Петров купил автомобильный завод «Маяк»?"


def test_a_state_without_a_year_is_no_simple_question(read):
    rows = read("Инженер Мария Соколова возглавляет в Казани автомобильный завод «Маяк».").asked
    written = RuleWriter().write([Sketch("simple", [row], [row["head"]]) for row in rows if row["relation"] == "возглавлять"])
    assert written and {one.reason for one in written} == {"undated_present"}


def test_a_role_that_tells_the_answer_is_left_out(read, question):
    text = "Директор завода «Маяк» Андрей Петров возглавил автомобильный завод «Маяк» в 2019 году."
    row = next(row for row in read(text).of("clause") if row["tail"] == "Маяк")
    assert "иректор" not in question("simple", [row], "Маяк")


def test_only_the_capital_of_a_sentence_s_first_word_goes(read, question):
    text = "Тему новых заводов поднял на форуме «Волга» инженер Олег Дымов."
    rows = [{**row, "sentence": text} for row in read(text).of("clause") if "head" in row["words"]["asks"]]
    assert all("Тему" not in question("simple", [row], row["head"]) for row in rows)


@pytest.mark.parametrize(
    ("text", "tail", "asked", "reason"),
    [
        ("Завод «Маяк» в 2019 году одобрил смету цеха «Юг» на 2020 год.", "2019", "2019", "two_years"),
        ("Аналитики банка «Маяк» в 2019 году прогнозируют рост цен на хлеб в Казани.", "2019", "2019", "year_of_a_state"),
    ],
)
def test_what_a_year_may_not_be_asked_of_and_what_is_too_open(read, written, text, tail, asked, reason):
    assert written("simple", [read(text).tail(tail)], asked).reason == reason


def test_a_padded_act_is_not_asked(read, written):
    rows = read("Инженер Пётр Громов построил ещё один автомобильный завод «Маяк» в 2019 году.").of("clause")
    (row,) = [row for row in rows if row["head"] == "Пётр Громов" and row["tail"] == "2019"]
    assert written("simple", [row], "Пётр Громов").reason == "padded_phrase"


def test_what_many_did_is_no_news_of_its_day(read, written):
    (row,) = read("Инженер Пётр Громов окончил философский факультет и аспирантуру университета в Казани.").of("clause")
    assert written("simple", [row | {"published_at": "2018-02-05T10:00:00+03:00"}], "Пётр Громов").reason == "anybodys_life"


def test_what_somebody_did_in_a_year_is_too_open_a_question(read):
    row = read(YEAR).tail("Маяк")
    words = row["words"] | {"ask": "Что", "phrase": {"masc": "инициировал {T} в 2019 году"}}
    assert Fact({**row, "wording": json.dumps(words)}).open_question() == "vague_question"
    words["phrase"] = {"masc": "инициировал {T} в 2019 году в Казани"}
    assert Fact({**row, "wording": json.dumps(words)}).open_question() is None
