"""Invented news and questions about them, as many as are wanted, and runs on them: perfect, random, realistic.

Equal numbers and seeds give equal texts. Every sentence was written here.
"""

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rag_bench.runs import Answer

FIRST = "Анна Борис Вера Глеб Дарья Егор Зоя Игорь Кира Лев Мария Никита Ольга Павел Рита Степан Тимур Ульяна Фёдор Яна".split()
LAST = (
    "Дымов Ильин Котов Лаптев Мохов Носов Орлов Панин Рыбаков Серов Титов Уваров Фомин Цветков Чернов Шубин Щукин Юдин".split()
)
CITIES = [("Тверь", "Твери"), ("Казань", "Казани"), ("Псков", "Пскове"), ("Омск", "Омске"), ("Нижний Тагил", "Нижнем Тагиле")]
CITIES += [("Рязань", "Рязани"), ("Калуга", "Калуге"), ("Самара", "Самаре"), ("Елец", "Ельце"), ("Чита", "Чите")]
PLACES = ["музей", "театр", "мост", "парк", "завод", "вокзал", "стадион", "госпиталь"]
BEGINNINGS = "Бере Вере Гори Дале Звёзд Ладо Мира Новь Ольхо Поло Роси Сере Тума Ударо Хоро Ясе".split()
ENDINGS = "вань грань дар жск зор лад мир ний палье рощь свет тал хан чье шино яр".split()
MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря".split()
TYPES = ("simple", "set", "multi_hop", "conditional", "comparison")


@dataclass(frozen=True)
class Place:
    """One that the news tells of; its name is its own."""

    kind: str
    name: str
    city: int
    head: str
    guests: tuple[str, ...]
    cost: int
    day: str

    @property
    def title(self) -> str:
        return f"{self.kind} «{self.name}»"


@dataclass(frozen=True)
class Release:
    articles: list[str]
    questions: list[dict[str, Any]]
    """type, question, answers, articles (places in `articles`), subjects (what a comparison compares)"""

    @property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """The four tables; ids are shuffled."""
        order = random.Random(0).sample(range(len(self.articles)), len(self.articles))
        texts = [
            {"id": order[n], "text": text, "title": text[:20], "url": f"https://a.example/{n}", "published_at": None}
            for n, text in enumerate(self.articles)
        ]
        return {
            "public_texts": sorted(texts, key=lambda row: row["id"]),
            "public_questions": [{"id": n, "question": one["question"]} for n, one in enumerate(self.questions)],
            "private_texts": [{"id": f"{n:016x}", "public_id": order[n]} for n in range(len(self.articles))],
            "private_qa": [
                {
                    "public_id": n,
                    "question": one["question"],
                    "answer": ", ".join(one["answers"]),
                    "answers": one["answers"],
                    "type": one["type"],
                    "text_ids": json.dumps([f"{place:016x}" for place in one["articles"]]),
                }
                for n, one in enumerate(self.questions)
            ],
        }


def invent(questions: int, seed: int = 0) -> Release:
    """A release of so many questions, and twice as many texts."""
    draw = random.Random(seed)
    names = draw.sample([a + b for a in BEGINNINGS for b in ENDINGS], 2 * len(BEGINNINGS))
    places = [_place(draw, f"{names[n % len(names)]}-{n}") for n in range(2 * questions)]
    asked = [_ask(draw, TYPES[n % len(TYPES)], 2 * n, places) for n in range(questions)]
    draw.shuffle(asked)
    return Release([_article(place) for place in places], asked)


def perfect(tables: Mapping[str, Any]) -> dict[int, Answer]:
    public = {row["id"]: row["public_id"] for row in tables["private_texts"]}
    return {
        row["public_id"]: Answer(tuple(public[one] for one in json.loads(row["text_ids"])), row["answer"])
        for row in tables["private_qa"]
    }


def random_run(tables: Mapping[str, Any], seed: int = 0) -> dict[int, Answer]:
    """Any texts, and words of the news in any order; some questions are left out."""
    draw = random.Random(seed)
    words = " ".join(row["text"] for row in tables["public_texts"][:50]).split()
    texts = [row["id"] for row in tables["public_texts"]]
    return {
        row["id"]: Answer(
            tuple(draw.choices(texts, k=draw.randint(0, 8))), " ".join(draw.choices(words, k=draw.choice([0, 1, 3, 8, 20, 60])))
        )
        for row in tables["public_questions"]
        if draw.random() < 0.95
    }


def realistic(tables: Mapping[str, Any], seed: int = 0) -> dict[int, Answer]:
    """What BM25 finds, and answers as a model gives them: right or wrong, short or in a sentence, with slips."""
    return next(realistic_runs(tables, seed))


def realistic_runs(tables: Mapping[str, Any], seed: int = 0) -> Iterator[dict[int, Answer]]:
    """One after another, each as `realistic` with the next seed; texts are searched once."""
    from rag_bench.baseline import answer_questions
    from rag_bench.bm25 import Bm25

    found = answer_questions(tables["public_questions"], tables["public_texts"], Bm25)
    while True:
        yield _answered(tables, found, random.Random(seed))
        seed += 1


def _answered(tables: Mapping[str, Any], found: Mapping[int, Answer], draw: random.Random) -> dict[int, Answer]:
    gold = {row["public_id"]: row["answers"] for row in tables["private_qa"]}
    return {n: Answer(answer.found_ids, _said(draw, gold[n], answer.model_answer)) for n, answer in found.items()}


def _place(draw: random.Random, name: str) -> Place:
    people = [f"{draw.choice(FIRST)} {draw.choice(LAST)}" for _ in range(5)]
    day = f"{draw.randint(1, 28)} {draw.choice(MONTHS)} {draw.randint(2010, 2025)} года"
    cost = draw.randint(11, 999) * draw.choice([1_000, 100_000])
    guests = tuple(dict.fromkeys(people[1 : draw.randint(3, 5)]))
    return Place(draw.choice(PLACES), name, draw.randrange(len(CITIES)), people[0], guests, cost, day)


def _article(place: Place) -> str:
    cost = f"{place.cost:,}".replace(",", " ")
    return (
        f"В {CITIES[place.city][1]} {place.day} открыли {place.title}. На работы потратили {cost} рублей. "
        f"Возглавила учреждение {place.head}: назначение объявили в тот же день. На открытие {place.title} "
        f"приехали {', '.join(place.guests[:-1])} и {place.guests[-1]}. По словам строителей, сроки сдвигали дважды."
    )


def _ask(draw: random.Random, type: str, n: int, places: list[Place]) -> dict[str, Any]:
    one, other = places[n], places[n + 1]
    articles = [n]
    if type == "set":
        question, answers = f"Кто приехал на открытие {one.title}?", list(one.guests)
    elif type == "multi_hop":
        question = f"В каком городе открыли учреждение, на открытие которого приехал {one.guests[0]}, а возглавила {one.head}?"
        answers = [CITIES[one.city][0]]
    elif type == "conditional":
        question, answers = f"Кто возглавил {one.title}, открытый в {CITIES[one.city][1]}?", [one.head]
    elif type == "comparison":
        question = f"Что обошлось дороже: {one.title} или {other.title}?"
        answers, articles = [max(one, other, key=lambda place: place.cost).title], [n, n + 1]
    else:
        cost = f"{one.cost:,}".replace(",", " ")
        question, answers = draw.choice(
            [(f"Когда открыли {one.title}?", [one.day]), (f"Сколько потратили на {one.title}?", [f"{cost} рублей"])]
        )
    subjects = [one.title, other.title] if type == "comparison" else [answers[0]]
    return {"type": type, "question": question, "answers": answers, "articles": articles, "subjects": subjects}


def _said(draw: random.Random, gold: list[str], extracted: str) -> str:
    right = ", ".join(draw.sample(gold, max(1, len(gold) - draw.choice([0, 0, 1]))))
    kind = draw.random()
    if kind < 0.35:
        return right
    if kind < 0.55:
        return f"По данным статьи, верный ответ на этот вопрос такой: {right}. Об этом сообщили в день открытия."
    if kind < 0.65:
        return right.upper() if draw.random() < 0.5 else right.replace("е", "ё", 1)
    return "не знаю" if kind > 0.95 else extracted
