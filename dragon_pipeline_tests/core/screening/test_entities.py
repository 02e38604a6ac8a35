import pytest

from dragon_pipeline.core.screening.entities import EntityScreen
from dragon_pipeline.languages.ru.lemmas import lemmas

SCREEN = EntityScreen(lemmas)


def verdict(case):
    (found,) = SCREEN.judge([case])
    return found


@pytest.mark.parametrize(
    "question", ["Кто встретился с Анной Беловой?", "Кому Анна Белова вручила приз?", "За что Анну Белову наградили?"]
)
def test_a_name_of_several_words_matches_in_any_case(case, fact, question):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    assert verdict(case("simple", question, ["Пётр Королёв"], [met])).outcome == "passed"


def test_names_of_other_articles_do_not_count(case, fact):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    found = verdict(case("simple", "Кто встретился с Олегом Громовым?", ["Пётр Королёв"], [met]))
    assert (found.outcome, found.reason) == ("failed", "no_entity_in_question")


def test_words_of_a_name_apart_are_not_the_name(case, fact):
    met = fact(("Пётр Королёв", "встретиться с", "Анна Белова"), kinds=("PER", "PER"))
    assert verdict(case("simple", "Какая Анна видела дом Беловой?", ["Пётр Королёв"], [met])).outcome == "failed"


def test_an_answer_without_an_entity_fails(case, fact):
    built = fact(("«Вектор»", "построить", "большой дом"), kinds=("ORG", "OTHER"))
    made = case("simple", "Что построил «Вектор»?", ["большой дом"], [built])
    made = type(made)(made.qa, made.facts, made.articles, [one for one in made.mentions if one["text"] != "большой дом"])
    assert verdict(made).reason == "no_entity_in_answer: большой дом"


@pytest.mark.parametrize(("answer", "outcome"), [("2139", "passed"), ("2140", "failed"), ("007", "failed")])
def test_a_value_counts_when_it_stands_in_the_evidence(case, fact, answer, outcome):
    sold = fact(("«Вектор»", "продать", "2139"), "«Вектор» продал 2139 машин.", kinds=("ORG", "NUMBER"))
    assert verdict(case("simple", "Сколько машин продал «Вектор»?", [answer], [sold], given=["«Вектор»"])).outcome == outcome


def test_a_linked_name_counts_though_the_article_writes_it_otherwise(case, fact):
    visited = fact(("Анна Белова", "посетить", "Россия"), "Анна Белова посетила РФ.", kinds=("PER", "LOC"), tail_id="Q159")
    made = case("simple", "Какую страну посетила Анна Белова?", ["Россия"], [visited])
    made = type(made)(made.qa, made.facts, made.articles, [one for one in made.mentions if one["text"] != "Россия"])
    assert verdict(made).outcome == "passed"


@pytest.fixture
def staged(case, fact):
    """A director and a play that stands in the article's text alone: no mention, no node of the facts."""

    def make(question, answers, text="В Туле поставили спектакль «Чайка». Режиссёр Анна Белова показала «Тихий Дон»."):
        built = fact(("Анна Белова", "поставить", "спектакль"), kinds=("PER", "OTHER"))
        made = case("simple", question, answers, [built])
        article = {**made.articles[0], "title": "«Вишнёвый сад» вернулся", "text": text}
        mentions = [one for one in made.mentions if one["text"] == "Анна Белова"]
        return type(made)(made.qa, made.facts, [article], mentions)

    return make


@pytest.mark.parametrize(
    "question",
    [
        "Кто поставил «Чайку»?",
        "Кто поставил Чайку?",
        "Кто работал над «Тихим Доном»?",
        "Чей спектакль «Вишнёвый сад» вернулся?",
        'Кто поставил "Чайку"?',
    ],
)
def test_a_title_that_stands_only_in_the_text_is_an_entity(staged, question):
    assert verdict(staged(question, ["Анна Белова"])).outcome == "passed"


@pytest.mark.parametrize("answer", ["Чайка", "«Чайка»", "спектакль «Чайка»", "Тихий Дон"])
def test_a_title_may_be_the_answer(staged, answer):
    assert verdict(staged("Какой спектакль поставила Анна Белова?", [answer])).outcome == "passed"


@pytest.mark.parametrize(
    "question",
    [
        "Где видели чайку над заводом?",
        "Кто поставил «Дядю Ваню»?",
        "Кто поставил «Чайку на берегу»?",
        "Чей Дон тихий?",
        "Где сад вишнёвый?",
    ],
)
def test_the_word_of_a_title_is_not_the_title(staged, question):
    """Nor is a longer title, or one whose words stand in another order: they are compared as sequences (fault 7)."""
    assert verdict(staged(question, ["Анна Белова"])).reason == "no_entity_in_question"


def test_what_somebody_said_is_no_title(staged):
    text = "Анна Белова сказала: «да». И ещё: «Мы долго и очень трудно шли к этому большому и светлому дню вместе»."
    assert verdict(staged("Кто сказал «да»?", ["Анна Белова"], text)).reason == "no_entity_in_question"
    long = "Кто сказал: «Мы долго и очень трудно шли к этому большому и светлому дню вместе»?"
    assert verdict(staged(long, ["Анна Белова"], text)).reason == "no_entity_in_question"


@pytest.mark.parametrize(
    ("question", "outcome"),
    [("Какие страны строят станцию Lunar Gate 2?", "passed"), ("Какие страны строят станцию Solar Gate?", "failed")],
)
def test_a_latin_name_in_a_cyrillic_question_is_an_entity_when_the_article_has_it(staged, question, outcome):
    made = staged(question, ["Анна Белова"], "Станцию Lunar Gate 2 строят в Туле.")
    assert verdict(made).outcome == outcome


def test_words_of_a_latin_question_are_no_names_by_their_capitals(staged):
    assert verdict(staged("Which Country builds it?", ["Анна Белова"], "Which Country builds it")).outcome == "failed"


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("Что вступило во Всемирную рыбную палату?", "passed"),
        ("Что вступило во Всемирную лесную палату?", "failed"),
        ("Всемирная рыбная палата?", "failed"),
        ("Что вступило во всемирную рыбную палату?", "failed"),
    ],
)
def test_a_name_in_words_counts_where_the_finder_saw_none(case, fact, question, outcome):
    joined = fact(("«Вектор»", "вступить", "палата"), kinds=("ORG", "OTHER"))
    made = case("simple", question, ["«Вектор»"], [joined], given=["палата"])
    article = {**made.articles[0], "text": "«Вектор» вступил во Всемирную рыбную палату."}
    named = [mention for mention in made.mentions if mention["text"] != "палата"]
    assert verdict(type(made)(made.qa, made.facts, [article], named)).outcome == outcome
