import pytest


@pytest.mark.parametrize(
    ("text", "tail", "kind", "ask"),
    [
        ("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.", "2019", "YEAR", "В каком году"),
        ("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.", "Маяк", "ORG", "Какой завод"),
        ("Компания «Полярис» продала автомобильный завод «Маяк» компании «Вектор».", "Вектор", "ORG", "Какой компании"),
        ("Инженер Мария Соколова открыла в Казани выставку «Север».", "Казань", "LOC", "В каком городе"),
        ("Инженер Мария Соколова открыла в Казани выставку «Север».", "Север", "ORG", "Какую выставку"),
        ("Компания «Полярис» выпустила новый сериал «Зимний день» о жителях Казани.", "Зимний день", "WORK", "Какой сериал"),
        ("Инженер Мария Соколова встретилась в Берлине с режиссёром Иваном Петровым.", "Иван Петров", "PER", "С кем"),
        ("Компания «Полярис» увеличила выпуск новых электробусов в Казани на 15 процентов.", "15 процентов", "NUMBER",
         "На сколько процентов"),
    ],
)  # fmt: skip
def test_an_argument_has_its_kind_and_the_question_word_that_asks_for_it(read, text, tail, kind, ask):
    row = read(text).tail(tail)
    assert (row["tail_kind"], row["words"]["ask"]) == (kind, ask)


def test_leaders_of_countries_are_asked_for_by_their_countries(read):
    rows = read("Президент Франции встретился в Берлине с лидерами Италии, Испании и Австрии.").of("clause")
    assert {row["words"]["ask"] for row in rows if row["tail"] != "Берлин"} == {"С лидерами каких стран"}


def test_what_has_no_name_is_a_tail_in_the_nominative(read):
    row = next(row for row in read("Директор завода «Маяк» Пётр Громов подписал контракт с компанией «Вектор».").kept
               if row["relation"] == "подписать")  # fmt: skip
    assert (row["tail"], row["tail_kind"]) == ("контракт с компанией «Вектор»", "OTHER")


def test_a_counted_tail_stays_as_it_is_written(read):
    rows = read("Компания «Полярис» продала 2139 автомобилей марки «Вектор» в Казани.").kept
    assert not any("2139 автомобили " in row["tail"] for row in rows)


def test_a_person_by_surname_alone_is_no_tail(read):
    rows = read("Инженер Мария Соколова встретилась в Берлине с Петровым.").asked
    assert "Петров" not in {row["tail"] for row in rows}


def test_a_place_written_with_a_year_is_not_asked_for(read):
    row = read("Пётр Громов выступил в Сочи-2014 с докладом о новых заводах Казани.").tail("Сочи-2014")
    assert row["words"]["asks"] == ["head"]


def test_a_country_inside_a_long_phrase_is_not_asked_for(read):
    row = read("Мария Соколова выставила в Казани новую карикатуру на главный центр языка Франции.").tail("Франция")
    assert row["words"]["asks"] == ["head"]
    row = read("Мария Соколова встретилась в Казани с министром обороны Франции.").tail("Франция")
    assert row["words"]["ask"] == "С министром обороны какой страны"
