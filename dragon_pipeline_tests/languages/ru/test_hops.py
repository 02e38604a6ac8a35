"""Questions over two facts; what describes somebody, and what does not, is in test_pointing.py."""

from dragon_pipeline.languages.ru.hops import _is_inflected

PUBLISHED = "2024-03-15T10:00:00+03:00"
ACT = "Франция запретила ввоз яблок из Италии и Испании самолётами."
MINISTER = "Министр обороны Франции Клод Дюваль сообщил о новых заводах в Казани."
PRESIDENT = "Президент Франции Анри Мартен сообщил о новых школах в Самаре."
MAYOR = "Мэр Риги Пётр Громов открыл в Казани выставку «Север»."


def office(rows):
    return next(row for row in rows.kept if row["words"].get("form") == "office")


def clause(rows, tail):
    return next(row for row in rows.of("clause") if row["tail"] == tail)


def test_who_has_an_office_in_a_country_that_another_tells(read, question):
    rows = [{**office(read(text)), "published_at": PUBLISHED} for text in (PRESIDENT, MINISTER)]
    assert question("multi_hop", rows, "Клод Дюваль") == (
        "Кто в марте 2024 года был министром обороны страны, президентом которой был Анри Мартен?"
    )


def test_which_town_is_the_mayors_who_did_something(read, question):
    rows = read(MAYOR)
    said = question("multi_hop", [clause(rows, "Казань"), office(rows)], office(rows)["tail"])
    assert said == "Мэром какого города был политик, который открыл в Казани выставку «Север»?"


def test_a_country_that_acted_is_described_by_its_act(read, question):
    act = next(row for row in read(ACT).of("clause") if row["head"] == "Франция")
    said = question("multi_hop", [act, {**office(read(MINISTER)), "published_at": PUBLISHED}], "Клод Дюваль")
    assert said.startswith("Кто в марте 2024 года был министром обороны страны, которая запретила ")


def test_a_post_alone_answers_nothing_that_all_know(read, written):
    rows = read("Президент Франции Анри Мартен открыл в Казани выставку «Север».")
    role = next(row for row in rows.kept if row["words"].get("form") == "role")
    assert written("conditional", [role, clause(rows, "Казань")], "Анри Мартен").reason == "role_known_to_all"


def test_an_adjective_hides_nobody_whom_all_know(read, written):
    rows = read("Непопулярный президент США Дональд Трамп открыл в Казани выставку «Север» летом 2016 года.")
    role = next(row for row in rows.kept if row["words"].get("form") == "role")
    assert written("multi_hop", [role, clause(rows, "Казань")], "Казань").reason == "role_known_to_all"


def test_who_is_guessed_anyway_is_not_asked_for(read, written):
    rows = read("Дональд Трамп открыл в Казани выставку «Север».\nДональд Трамп основал в Самаре клуб «Маяк».")
    asked = [clause(rows, "Казань"), clause(rows, "Маяк")]
    assert written("conditional", asked, "Дональд Трамп").reason == "everybody_guesses"


def test_of_an_undated_article_nobody_knows_who_had_the_office_then(read, written):
    act = next(
        row for row in read("Франция открыла в Казани выставку «Север» в 1982 году.").of("clause") if row["head"] == "Франция"
    )
    assert written("multi_hop", [act, {**office(read(MINISTER)), "published_at": None}], "Клод Дюваль").reason == "two_times"


def test_an_office_of_an_undated_article_is_not_asked_for(read, written):
    act = next(row for row in read(ACT).of("clause") if row["head"] == "Франция")
    minister = {**office(read(MINISTER)), "published_at": None}
    assert written("multi_hop", [act, minister], "Клод Дюваль").reason == "two_times"


def test_two_are_in_office_together_only_by_articles_of_one_month(read, written):
    president, minister = (office(read(text)) for text in (PRESIDENT, MINISTER))
    minister["published_at"] = PUBLISHED
    for when, reason in ((None, "two_times"), ("2023-12-01T10:00:00+03:00", "two_times"), ("2024-02-20T10:00:00+03:00", None)):
        assert written("multi_hop", [{**president, "published_at": when}, minister], "Клод Дюваль").reason == reason


def test_a_title_that_was_inflected_is_no_answer():
    assert _is_inflected("«единого дорожного знака»")
    assert not _is_inflected("«единый дорожный знак»")
    assert not _is_inflected("Северное сияние")


def test_a_country_is_described_by_who_has_an_office_in_it(read, question, written):
    rows = read("Пётр Громов открыл во Франции выставку «Север».")
    asked = [office(read(PRESIDENT)), clause(rows, "Франция")]
    said = question("multi_hop", asked, "Пётр Громов")
    assert said == "Кто открыл выставку «Север» в стране, президентом которой был Анри Мартен?"
    of_old = read("В 1982 году Пётр Громов открыл во Франции выставку «Север».")
    told = written("multi_hop", [office(read(PRESIDENT)), clause(of_old, "Франция")], "Пётр Громов")
    assert told.reason == "two_times", "its president was another then"


def test_what_a_country_did_is_asked_of_one_that_is_described(read, question):
    act = clause(read("Франция открыла в Казани в 2021 году выставку «Север»."), "Казань")
    said = question("multi_hop", [office(read(PRESIDENT)), act], "Казань")
    assert said == "В каком городе страна, президентом которой был Анри Мартен, открыла в 2021 году выставку «Север»?"


def test_one_office_goes_by_one_name(read):
    head = office(read("Глава МИД Франции Клод Дюваль сообщил о новых заводах в Казани."))
    minister = office(read("Министр иностранных дел Франции Клод Дюваль сообщил о новых заводах в Казани."))
    assert head["relation"] == minister["relation"] == "министр иностранных дел"
    assert head["words"]["instrumental"] == "министром иностранных дел"


def test_a_role_that_many_have_needs_an_act_that_tells_who_is_meant(read, question, written):
    founded = "Итальянский теннисист Пётр Громов основал в Самаре детский клуб «Маяк»."
    rows = read(f"{founded}\nПётр Громов посетил Казань летом 2016 года.")
    role = next(row for row in rows.asked if row["words"]["form"] == "role")
    said = question("conditional", [role, clause(rows, "Маяк")], "Пётр Громов")
    assert said == "Как зовут итальянского теннисиста, который основал в Самаре детский клуб «Маяк»?"
    assert written("conditional", [role, clause(rows, "Казань")], "Пётр Громов").reason == "common_act"


def test_a_post_that_names_what_was_done_is_no_second_step(read, written):
    rows = read("Наставник «Маяка» Пётр Громов занял пост исполняющего обязанности тренера «Маяка» 5 августа 2016 года.")
    role = next(row for row in rows.kept if row["words"].get("form") == "role")
    day = next(row for row in rows.of("clause") if row["tail_kind"] == "DATE")
    assert written("multi_hop", [role, day], day["tail"]).reason == "one_name_twice"


def test_whose_head_a_head_was_is_guessed(read, written):
    rows = read("Президент Анголы Пётр Громов открыл в Казани выставку «Север».")
    asked = office(rows)
    assert written("multi_hop", [clause(rows, "Казань"), asked], asked["tail"]).reason == "everybody_guesses"
