"""What is guessed from the window's other articles."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.records import MENTIONS
from dragon_pipeline.core.screening.closed_book import ClosedBookScreen
from dragon_pipeline.core.screening.popularity import Habits, Popularity, Wanted
from dragon_pipeline.languages.ru.guessing import wanted
from dragon_pipeline.languages.ru.lemmas import key, lemmas

PEOPLE = ["Анна Белова", "Пётр Королёв", "Олег Дымов", "Инна Соболь"]


def window(*articles):
    """Each article is the names that it holds."""
    return MENTIONS.frame(
        [
            {
                "article_id": f"a{number}", "kind": "PER" if " " in name else "LOC", "text": name, "start": place,
                "stop": place + 1, "normal": name, "lemmas": key(name),
            }
            for number, names in enumerate(articles)
            for place, name in enumerate(names)
        ]
    )  # fmt: skip


OFTEN = window(["Анна Белова", "Казань"], ["Анна Белова", "Казань"], ["Анна Белова"], ["Пётр Королёв"], ["Пётр Королёв"])


@pytest.fixture
def asked(case, fact):
    def made(question, answer="Анна Белова", articles=()):
        one = case("simple", question, [answer], [fact((answer, "возглавить", "Вектор"), kinds=("PER", "ORG"))])
        one.qa["article_ids"] = list(articles)
        return one

    return made


def guesses(mentions, one, **habits):
    return list(Popularity(mentions, lemmas, wanted, Habits(**{"least": 1, **habits})).guess(one))


def test_whom_everybody_tells_of_is_guessed(asked):
    assert guesses(OFTEN, asked("Кто возглавил «Вектор»?"), near=0, known=1) == ["Анна Белова"]


def test_whom_one_hears_of_with_a_name_in_the_question_comes_first(asked):
    told = window(["Анна Белова"], ["Анна Белова"], ["Пётр Королёв", "Казань"])
    assert guesses(told, asked("Кто построил завод в Казани?"), near=1, known=1) == ["Пётр Королёв", "Анна Белова"]


def test_the_articles_of_the_question_are_not_known_to_it(asked):
    one = asked("Кто возглавил «Вектор»?", articles=["a0", "a1", "a2"])
    assert guesses(OFTEN, one, near=0, known=1) == ["Пётр Королёв"]


def test_a_name_in_the_question_is_not_guessed(asked):
    assert "Анна Белова" not in guesses(OFTEN, asked("Кто сменил Анну Белову?"))


def test_what_is_no_name_is_not_guessed(asked):
    assert guesses(OFTEN, asked("В каком году Анна Белова возглавила «Вектор»?")) == []
    assert guesses(OFTEN, asked("Какую должность занимала Анна Белова?")) == []


def test_a_city_is_asked_for_by_its_noun(asked):
    assert guesses(OFTEN, asked("В каком городе Анна Белова построила завод?")) == ["Казань"]
    assert guesses(OFTEN, asked("В какой стране Анна Белова построила завод?")) == []


def test_a_name_of_few_articles_is_not_guessed(asked):
    assert guesses(OFTEN, asked("Кто возглавил «Вектор»?"), near=0, known=4, least=3) == ["Анна Белова"]


def test_a_guessed_question_is_out_and_the_guesses_are_its_evidence(asked):
    screen = ClosedBookScreen([], lemmas, guesser=Popularity(OFTEN, lemmas, wanted, Habits(near=0, known=1, least=1)))
    out, stays = screen.judge([asked("Кто возглавил «Вектор»?"), asked("Кто возглавил «Вектор»?", "Олег Дымов")])
    assert (out.outcome, out.reason) == ("failed", "answered_without_context: popularity")
    assert "Анна Белова" in (out.evidence or "")
    assert (stays.outcome, stays.score) == ("passed", None)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.lists(st.sampled_from(PEOPLE), max_size=4, unique=True), max_size=8), st.randoms(use_true_random=False))
def test_guesses_do_not_depend_on_the_order_of_the_mentions(articles, random):
    mentions = window(*articles)
    rows = mentions.to_dicts()
    random.shuffle(rows)
    habits, asks = Habits(least=1), lambda question: Wanted("PER")
    made = [Popularity(frame, lemmas, asks, habits) for frame in (mentions, pl.DataFrame(rows, schema=mentions.schema))]

    asked = Case({"question": "Кто сменил Анну Белову?", "article_ids": ["a0"]}, [], [], [])
    one, other = (popular.guess(asked) for popular in made)
    assert one == other
    assert len(one) == len(set(one)) <= habits.near + habits.known
