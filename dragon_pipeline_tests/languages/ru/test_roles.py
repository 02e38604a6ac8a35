import pytest

from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.roles import Role, roles

POST = "директор завода «Маяк»"


def found(text: str) -> list[Role]:
    return [role for sentence in parse(text).sentences for role in roles(sentence)]


@pytest.mark.parametrize(
    "text",
    [
        "Директор завода «Маяк» Пётр Громов подписал контракт с компанией «Север».",
        "Контракт подписал директор завода «Маяк» Пётр Громов.",
        "Журналисты поговорили с директором завода «Маяк» Петром Громовым о новом контракте.",
        "Журналисты увидели директора завода «Маяк» Петра Громова в Казани.",
        "Премию вручили директору завода «Маяк» Петру Громову в Казани.",
        "Газеты рассказали о директоре завода «Маяк» Петре Громове.",
        "Пётр Громов, директор завода «Маяк», подписал контракт с компанией «Север».",
    ],
)
def test_a_role_beside_a_name_in_any_case_has_its_nominative(text):
    (role,) = found(text)
    assert role.nominative == POST
    assert role.genitive == "директора завода «Маяк»"
    assert role.accusative == "директора завода «Маяк»"
    assert role.post
    assert role.specific


def test_adjectives_of_the_role_agree_with_it():
    (role,) = found("Журналисты поговорили с главным тренером сборной Франции Петром Громовым.")
    assert role.nominative.lower() == "главный тренер сборной франции"
    assert role.accusative.lower() == "главного тренера сборной франции"


def test_what_one_is_is_no_post():
    (role,) = found("Депутат Госдумы Олег Дымов открыл в Казани выставку «Север».")
    assert (role.nominative, role.post) == ("депутат Госдумы", False)


def test_a_role_that_many_hold_points_at_nobody():
    assert not any(role.specific for role in found("Инженер Мария Соколова открыла в Казани выставку «Север»."))


@pytest.mark.parametrize(
    "text",
    [
        "Бывший директор завода «Маяк» Пётр Громов открыл выставку.",
        "Экс-директор завода «Маяк» Пётр Громов открыл выставку.",
        "Будущий директор завода «Маяк» Пётр Громов открыл выставку.",
        "Директор нашего завода «Маяк» Пётр Громов открыл выставку.",
        "Директор этого завода Пётр Громов открыл выставку.",
    ],
)
def test_former_roles_and_those_that_point_outside_are_none(text):
    assert not found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Директор завода «Маяк» подписал контракт.",
        "Пётр Громов подписал контракт с заводом «Маяк».",
        "Завод «Маяк» и Пётр Громов подписали контракт.",
        "Брат Петра Громова подписал контракт.",
    ],
)
def test_without_a_role_noun_beside_a_name_there_is_no_role(text):
    assert not found(text)


def test_the_name_of_another_person_is_no_part_of_a_role():
    assert not found("Помощник Олега Дымова Пётр Громов открыл выставку.")


@pytest.mark.parametrize(
    ("text", "well_known"),
    [
        ("Президент Франции Клод Дюваль открыл в Берлине выставку «Север».", True),
        ("Премьер-министр Японии Кэндзи Ито открыл в Берлине выставку «Север».", True),
        ("Президент компании «Полярис» Клод Дюваль открыл в Берлине выставку «Север».", False),
    ],
)
def test_the_highest_office_of_a_country_is_well_known(text, well_known):
    assert found(text)[0].well_known is well_known


@pytest.mark.parametrize(
    "text",
    [
        "Судьбу матча решила канадка Анна Белова.",
        "Премию получила соотечественница Анна Белова.",
        "Неплохо продавалась гуашь Анны Беловой.",
        "На вопросы ответила бывшая жена Анна Белова.",
        "Скончался бывший президент и премьер-министр Франции Клод Дюваль.",
        "На выставку приехала вдова президента Франции Анна Белова.",
        "Журналисты увидели чемпионку мира хорватку Анну Белову.",
        "Сына назвали наследником богатейшего человека Франции Клода Дюваля.",
    ],
)
def test_nations_relations_and_half_inflected_phrases_are_no_roles(text):
    assert not found(text)


def test_a_role_is_found_where_the_parser_hangs_the_name_elsewhere():
    text = (
        "Об этом сообщил директор компании «Север» Пётр Громов, а глава банка «Юг» Иван Петров "
        "и министр Анна Белова посетили Казань."
    )
    assert {"директор компании «Север»", "глава банка «Юг»"} <= {role.nominative for role in found(text)}


def test_a_role_has_its_accusative_and_the_gender_that_a_relative_clause_agrees_with():
    (role,) = found("Французская певица Анна Белова приехала в Казань.")
    assert (role.accusative, role.gender, role.noun) == ("французскую певицу", "femn", "певица")


def test_a_team_without_its_sport_is_vague():
    (one,) = found("Главный тренер сборной Франции Пётр Громов приехал в Казань.")
    (other,) = found("Главный тренер сборной Франции по хоккею Пётр Громов приехал в Казань.")
    assert (one.vague, other.vague) == (True, False)


def test_an_office_is_known_also_with_the_country_as_an_adjective():
    (role,) = found("Глава российского МИД Пётр Громов приехал в Казань.")
    assert role.well_known


def test_an_abbreviation_that_nobody_reads_makes_a_role_unread():
    (one,) = found("Директор завода «Маяк» Пётр Громов приехал в Казань.")
    (other,) = found("Глава ПРГ Пётр Громов приехал в Казань.")
    assert (one.unread, other.unread) == (False, True)


def test_of_two_people_the_first_post_is_not_the_named_one_s():
    found_ = found("9 августа ангольский лидер и президент Кении Пётр Громов провели встречу, после которой уехали.")
    assert "ангольский лидер и президент Кении" not in [role.nominative for role in found_]
    (role,) = found("Актёр и режиссёр Пётр Громов приехал в Казань.")
    assert role.nominative == "актёр и режиссёр"


def test_a_second_noun_in_the_nominative_is_not_inflected_and_makes_no_role():
    found_ = found("Заместитель директора Центра северных экспертиз политолог Анна Белова приехала в Казань.")
    assert not [role for role in found_ if "политолог" in role.nominative and role.nominative != "политолог"]
