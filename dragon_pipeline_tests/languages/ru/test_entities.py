import pytest

from dragon_pipeline.languages.ru.entities import NatashaEntities, clean, is_full, stem
from dragon_pipeline.languages.ru.lemmas import key

HEADS = "Пётр Громов возглавил автомобильный завод «Маяк» в Казани. "


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (HEADS + "Громов рассказал журналистам о планах.", "Пётр Громов"),
        (HEADS + "По словам Громова, цех уже готов.", "Пётр Громов"),
        (HEADS + "С Громовым поговорили журналисты.", "Пётр Громов"),
        ("Анна Белова возглавила завод «Маяк» в Казани. С Беловой поговорили журналисты.", "Анна Белова"),
        ("Мария Римская-Корсакова открыла завод «Маяк». С Римской-Корсаковой поговорили журналисты.",
         "Мария Римская-Корсакова"),
        ("Завод «Маяк» открыл Михаил Салтыков-Щедрин. О Салтыкове-Щедрине рассказали газеты.", "Михаил Салтыков-Щедрин"),
    ],
)  # fmt: skip
def test_a_surname_resolves_to_the_full_name_that_the_article_gives(normal, text, name):
    people = [found for found in normal(text) if found not in ("Маяк", "Казань")]
    assert people == [name, name]


def test_a_surname_of_two_namesakes_resolves_to_neither(normal):
    text = HEADS + "Сергей Громов возглавил завод «Полюс» в Самаре. Громов рассказал журналистам о планах."
    assert normal(text)[-1] == "Громов"


def test_a_woman_and_a_man_of_one_surname_are_told_apart_by_its_form(normal):
    text = HEADS + "Анна Громова возглавила завод «Полюс» в Самаре. "
    assert normal(text + "Громов рассказал журналистам о планах.")[-1] == "Пётр Громов"


def test_a_surname_resolves_in_its_own_article_only(normal):
    assert normal("Громов рассказал журналистам о планах.") == ["Громов"]


@pytest.mark.parametrize(
    "text",
    [
        "Встреча прошла у директора Петра Громова дома. Завод открыл Пётр Громов.",
        "Премию вручили инженеру Петру Громову. Пётр Громов возглавил завод.",
        "Журналисты поговорили с инженером Петром Громовым. Пётр Громов возглавил завод.",
        "Газеты написали о Петре Громове. Пётр Громов возглавил завод.",
    ],
)
def test_a_person_in_any_case_has_the_nominative_that_the_article_shows(normal, text):
    assert set(normal(text)) == {"Пётр Громов"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Организаторы поблагодарили министра культуры Франции Анну Белову.", "Анна Белова"),
        ("Журналисты увидели Анну Белову в Казани.", "Анна Белова"),
        ("С Марией Соколовой поговорили журналисты.", "Мария Соколова"),
        ("Газеты рассказали об инженере Петре Громове.", "Пётр Громов"),
        ("Журналисты увидели Петра Громова в Казани.", "Пётр Громов"),
    ],
)
def test_a_guessed_nominative_has_the_gender_of_the_given_name(normal, text, name):
    assert name in [found.replace("Петр", "Пётр") for found in normal(text)]


def test_a_nominative_that_the_article_shows_beats_a_guess(normal):
    text = "О выставке рассказали министру Клоду Дювалю. Клод Дюваль открыл в Берлине новую выставку."
    assert normal(text)[:2] == ["Клод Дюваль", "Клод Дюваль"]


def test_initials_stay_and_are_no_full_name(normal):
    (name,) = normal("Завод по чертежам построил инженер А. В. Смирнов.")
    assert name == "А. В. Смирнов"
    assert not is_full(name)


@pytest.mark.parametrize(
    ("name", "full"),
    [("Пётр Громов", True), ("Громов", False), ("П. Громов", False), ("П.А. Громов", False), ("Салтыков-Щедрин", False),
     ("Луис Инасиу Лула да Силва", True), ("J. Smith", False), ("Брюно Ле", False)],
)  # fmt: skip
def test_a_full_name_has_a_given_name_and_a_surname(name, full):
    assert is_full(name) is full


def test_places_and_organisations_have_nominatives(normal):
    assert normal("Завод «Маяк» построят в Казани.")[-1] == "Казань"
    found = normal("Директор Московского института космических исследований открыл выставку.")
    assert found == ["Московский институт космических исследований"]


def test_rows_tell_where_the_name_stands_and_how_it_is_compared():
    text = HEADS + "По словам Громова, цех уже готов."
    rows = list(NatashaEntities().find([{"article_id": "a7", "text": text}]))
    assert {row["article_id"] for row in rows} == {"a7"}
    assert all(text[row["start"] : row["stop"]] == row["text"] for row in rows)
    assert all(row["lemmas"] == key(row["normal"]) for row in rows)
    assert [row["start"] for row in rows] == sorted({row["start"] for row in rows})
    assert {row["kind"] for row in rows} <= {"PER", "LOC", "ORG"}


@pytest.mark.parametrize(
    ("name", "said"),
    [("«Маяк»", "Маяк"), ("Завод «Маяк", "Завод «Маяк»"), ("Завод «Маяк»", "Завод «Маяк»"), ('Завод "Маяк', 'Завод "Маяк"'),
     ("  Новая \n Заря ,", "Новая Заря"), ("„Маяк“", "Маяк")],
)  # fmt: skip
def test_a_name_loses_its_outer_quotation_marks_and_keeps_pairs(name, said):
    assert clean(name) == said


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Дюваль", "Дювалю", True), ("Римская-Корсакова", "Римской-Корсаковой", True), ("Громов", "Громыко", False),
     ("Салтыков", "Салтыков-Щедрин", False), ("Анна Белова", "Анной Беловой", True)],
)  # fmt: skip
def test_the_cases_of_a_name_share_a_stem(one, other, same):
    assert (stem(one) == stem(other)) is same


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Газета миллиардера Джеффа Блумерса закрылась.", "Джефф Блумерс"),
        ("Премию вручили генералу Эрику Шинсеки в Казани.", "Эрик Шинсеки"),
        ("Компанией владеет Марк Гордон (Mark Gordon) из Казани.", "Марк Гордон"),
    ],
)
def test_foreign_surnames_have_a_nominative(normal, text, name):
    assert normal(text)[0] == name
