import pytest

from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru.judging import answer_fault, answer_literacy, question_clarity
from dragon_pipeline.languages.ru.standalone import pointing


def clarity(question):
    return question_clarity(Case({"question": question}, [], [], []))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Кто открыл завод?", "length"),
        ("Кто " + "очень " * 40 + "хотел в Тулу?", "length"),
        ("Назовите завод, открытый в Туле компанией «Вектор».", "no_question_word"),
        ("Кто недавно открыл большой завод?", "nothing_named"),
    ],
)
def test_a_question_that_asks_or_names_nothing_is_not_clear(question, word):
    found = clarity(question)
    assert found.score == 0
    assert found.reason and found.reason.split(":")[0] == word


@pytest.mark.parametrize(
    "question",
    [
        "Кто открыл завод в Туле?",
        "Кого Анна Белова наградила за её книгу?",
        "Что рассказала Анна Белова о том, что видела в Туле?",
        "Кто в среду, 6 марта 2024 года, открыл завод в Туле?",
        "Сколько машин, в том числе новых, продал «Вектор»?",
        "Кто снял фильм «Вчера, сегодня, завтра»?",
        "Кому досталась первая премия в 2023 году?",
        "Верно ли, что «Вектор» открыл завод?",
    ],
)
def test_a_question_that_stands_alone_is_clear(question):
    assert clarity(question).score == 2


@pytest.mark.parametrize("question", ["Кто открыл там завод «Вектор»?", "Кто вчера открыл завод в Туле?"])
def test_what_points_outside_is_left_to_the_standalone_screen(question):
    assert clarity(question).score == 2
    assert pointing(question)


@pytest.mark.parametrize(
    ("answer", "kind", "fault"),
    [
        ("Анна Белова", "PER", None),
        ("Анной Беловой", "PER", "not_nominative"),
        ("Петру Белову", "PER", "not_nominative"),
        ("Александра Верховского", "PER", "not_nominative"),
        ("Илон Тцоуль", "PER", None),  # not many women called Илона
        ("Марьяна Беца", "PER", None),  # not of a man called Бец
        ("Бригитте Тцоуль", "PER", None),
        ("Ким Чен Нам", "PER", None),  # not to us
        ("вице-министр культуры Тулы", "ROLE", None),
        ("замдекана факультета", "ROLE", None),
        ("первый завкафедрой театра", "ROLE", None),
        ("вице-министра культуры", "ROLE", "not_nominative"),
        ("главы театра", "ROLE", "not_nominative"),  # not many of them
        ("Ашраф Гани", "PER", None),
        ("Тула", "LOC", None),
        ("Тулу", "LOC", "not_nominative"),
        ("Банк России", "ORG", None),
        ("Нижний Новгород", "LOC", None),
        ("США", "LOC", None),
        ("ООО «Вектор»", "ORG", None),
        ("«Вектор", "ORG", "unbalanced"),
        ("Вектор,", "ORG", "punctuation"),
        ("завод в", "OTHER", "dangling"),
        ("и Тула", "LOC", "dangling"),
        ("2139", "NUMBER", None),
        ("2023", "YEAR", None),
        ("Netflix", "ORG", None),
        ("", "ORG", "empty"),
    ],
)
def test_an_answer_stands_by_itself(answer, kind, fault):
    assert answer_fault(answer, kind) == fault


@pytest.mark.parametrize(
    ("answer", "kind", "fault"),
    [
        ("В Соединённые Штаты", "LOC", "dangling"),
        ("Александр Иванович", "PER", "no_surname"),
        ("Мари Йованович", "PER", None),
        ("«Северного братства»", "ORG", "not_nominative"),
        ("«Северное братство»", "ORG", None),
    ],
)
def test_half_an_answer_is_none(answer, kind, fault):
    assert answer_fault(answer, kind) == fault


@pytest.mark.parametrize(
    ("answer", "score"),
    [("Олег Обремчук", 2), ("пилот Олег Обремчук", 2), ("Олега Обремчука", 0), ("Пётр Дымов", 2)],
)
def test_a_person_is_named_as_its_fact_names_it(answer, score):
    fact = {"head": "Олег Обремчук", "head_id": "h", "head_kind": "PER", "tail": "Тула", "tail_id": "t", "tail_kind": "LOC"}
    qa = {"answers": [answer], "given": ["Тула"], "bridge": None, "type": "simple"}
    assert answer_literacy(Case(qa, [fact], [], [])).score == score
