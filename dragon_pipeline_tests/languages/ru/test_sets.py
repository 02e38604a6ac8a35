import pytest

DAY = "2024-03-15T10:00:00+03:00"


def asked(reading) -> dict[str, set[str]]:
    """Answers by question."""
    found: dict[str, set[str]] = {}
    for row in reading.of("list"):
        found.setdefault(row["words"]["question"], set()).add(row["tail"])
    return found


@pytest.mark.parametrize(
    ("text", "question", "answers"),
    [
        ("Иван Петров и Олег Дымов открыли в Казани выставку «Север» в 2016 году.",
         "Кто открыл в Казани выставку «Север» в 2016 году", {"Иван Петров", "Олег Дымов"}),
        ("Италия, Дания и Канада подписали в Вене договор о дорогах в 2016 году.",
         "Какие страны подписали в Вене договор о дорогах в 2016 году", {"Италия", "Дания", "Канада"}),
        ("Компания «Полярис» открыла в Казани и Самаре заводы автобусов в 2016 году.",
         "В каких городах компания «Полярис» открыла заводы автобусов в 2016 году", {"Казань", "Самара"}),
        ("В 2016 году министры культуры Италии и Дании подписали в Вене договор о музеях.",
         "Министры культуры каких стран подписали в Вене договор о музеях в 2016 году", {"Италия", "Дания"}),
        ("Французские режиссёры Клод Дюваль и Жан Морель сняли в Казани фильм «Север» в 2016 году.",
         "Какие французские режиссёры сняли в Казани фильм «Север» в 2016 году", {"Клод Дюваль", "Жан Морель"}),
        ("В 2016 году компания «Полярис» провела встречу с Иваном Петровым и Олегом Смирновым.",
         "С кем компания «Полярис» провела встречу в 2016 году", {"Иван Петров", "Олег Смирнов"}),
    ],
)  # fmt: skip
def test_a_list_is_asked_for_in_its_case(read, text, question, answers):
    assert asked(read(text)) == {question: answers}


@pytest.mark.parametrize(
    "text",
    [
        "Иван Петров и Олег Дымов заявили, что завод «Маяк» в Казани закрылся в 2016 году.",
        "Иван Петров и Олег Дымов приехали.",
        "Иван Петров и Олег Дымов не открыли в Казани выставку «Север» в 2016 году.",
        "Москва и Анкара подписали в Вене договор о дорогах в 2016 году.",
        "Он открыл в Казани и Самаре заводы автобусов в 2016 году.",
        "С начала 2017 года компания «Полярис» лишилась своих частот вещания в Казани и Самаре.",
        "Италия, Дания и ещё две страны подписали в Вене договор о дорогах в 2016 году.",
    ],
)
def test_speech_what_tells_little_governments_and_what_points_outside_are_not_asked_for(read, text):
    assert not asked(read(text))


def test_without_a_year_the_day_of_the_news_tells_the_time(read):
    text = "Иван Петров и Олег Дымов откроют в Казани выставку «Север» о жизни рыбаков."
    assert set(asked(read(text, published=DAY))) == {
        "Кто, как сообщалось 15 марта 2024 года, откроет в Казани выставку «Север» о жизни рыбаков"
    }
    assert not asked(read(text, published=None))


def test_an_undated_article_is_asked_of_what_is_over_and_named(read):
    assert asked(read("Иван Петров и Олег Дымов открыли в Казани выставку «Север» о жизни рыбаков.", published=None))
    assert not asked(read("Иван Петров и Олег Дымов открыли выставку картин о жизни рыбаков.", published=None))


def test_all_names_of_a_list_have_one_question_and_no_other(read, question, written):
    rows = read("Иван Петров и Олег Дымов открыли в Казани выставку «Север» в 2016 году.").of("list")
    assert question("set", rows, *(row["tail"] for row in rows)) == "Кто открыл в Казани выставку «Север» в 2016 году?"
    other = read("Анна Белова и Мария Соколова закрыли в Казани выставку «Юг» в 2017 году.").of("list")
    assert written("set", [rows[0], other[0]], rows[0]["tail"], other[0]["tail"]).reason == "not_of_one_list"
    assert {row["words"]["question"] for row in rows} == {rows[0]["words"]["question"]}
    assert all(row["words"]["asks"] == [] and row["words"]["shapes"] == ["set"] for row in rows)
