import pytest


def heads(reading) -> set[tuple[str, str, str | None]]:
    return {(row["head"], row["head_kind"], row["words"]["who"]) for row in reading.of("clause")}


@pytest.mark.parametrize(
    ("text", "head", "kind", "who"),
    [
        ("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.", "Полярис", "ORG", "Какая компания"),
        ("Издательство «Восход» выпустило в Казани роман «Белые ночи».", "Восход", "ORG", "Какое издательство"),
        ("Инженер Мария Соколова возглавила завод «Маяк» в 2019 году.", "Мария Соколова", "PER", "Кто"),
        ("Франция подписала в Берлине договор о новой железной дороге.", "Франция", "LOC", "Какая страна"),
    ],
)
def test_a_subject_has_the_question_word_that_asks_for_it(read, text, head, kind, who):
    assert heads(read(text)) == {(head, kind, who)}


def test_several_countries_are_several_subjects(read):
    reading = read("Россия и Турция подписали в Берлине договор о строительстве новой железной дороги.")
    assert {head for head, *_ in heads(reading)} == {"Россия", "Турция"}


def test_a_common_noun_stands_in_a_question_but_is_not_asked_for(read):
    (row,) = read("Выручка компании «Полярис» в Казани выросла за год на 15 процентов.").of("clause")
    assert row["words"]["subject"].startswith("выручка компании «Полярис»")
    assert row["words"]["who"] is None
    assert "head" not in row["words"]["asks"]


@pytest.mark.parametrize(
    "text",
    [
        "Он купил автомобильный завод «Маяк» в 2019 году.",
        "Громов купил автомобильный завод «Маяк» в 2019 году.",
        "Завод купил автомобильную компанию «Маяк» в 2019 году.",
        "Писатель Иван Петров и его друг купили автомобильный завод «Маяк» в 2019 году.",
    ],
)
def test_a_subject_without_a_usable_name_is_none(read, text):
    assert not heads(read(text))


def test_subjects_of_another_year_are_not_those_of_the_first(read):
    reading = read("В 1999 году к Северному союзу присоединились Венгрия и Польша, а в 2004-м — Литва и Румыния.")
    assert "Румыния" not in {row["head"] for row in reading.kept}
