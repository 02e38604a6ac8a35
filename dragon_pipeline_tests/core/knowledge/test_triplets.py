import random
from collections.abc import Iterator, Mapping, Sequence

import pytest

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.records import ARTICLES, MENTIONS


class ToldExtractor:
    """Gives the triplets that it was told, with the whole text as their sentence."""

    name = "told"
    models = ()
    prompts = ()

    def __init__(self, *told: tuple[str, str, str, str, str]) -> None:
        self.told = told
        self.asked: list[tuple[str, int]] = []

    def extract(self, articles: Sequence[dict], mentions: Mapping[str, Sequence[dict]]) -> Iterator[dict]:
        for article in articles:
            self.asked.append((article["article_id"], len(mentions.get(article["article_id"], ()))))
            for head, head_kind, relation, tail, tail_kind in self.told:
                yield {
                    "triplet_id": content_id(article["article_id"], head, relation, tail),
                    "article_id": article["article_id"], "head": head, "head_kind": head_kind, "relation": relation,
                    "tail": tail, "tail_kind": tail_kind, "start": 0, "stop": len(article["text"]), "wording": None,
                    "status": "kept", "reason": None, "raw": None,
                }  # fmt: skip

    def lemmas(self, text: str) -> list[str]:
        return [word.strip(".,«»").lower() for word in text.split() if word.strip(".,«»")]


def outcome(text: str, head: str, tail: str, kinds: tuple[str, str] = ("ORG", "ORG"), make=None) -> tuple[str, str | None]:
    (row,) = run([make(text)], (head, kinds[0], "купить", tail, kinds[1])).to_dicts()
    return row["status"], row["reason"]


def run(articles: list[dict], *told: tuple[str, str, str, str, str]):
    return extract(ARTICLES.frame(articles), MENTIONS.empty(), ToldExtractor(*told))


@pytest.mark.parametrize(
    ("head", "tail", "reason"),
    [
        ("Полярис", "Маяк", None),
        ("Вектор", "Маяк", "head_not_in_sentence"),
        ("Полярис", "Вектор", "tail_not_in_sentence"),
        ("Полярис", "Новый Маяк", "tail_not_in_sentence"),
        ("", "Маяк", "empty_head"),
        ("Полярис", "  ", "empty_tail"),
        ("—", "Маяк", "head_not_in_sentence"),
    ],
)
def test_a_triplet_whose_sentence_lacks_an_end_is_dropped_with_that_reason(article, head, tail, reason):
    got = outcome("Компания «Полярис» купила «Маяк».", head, tail, make=article)
    assert got == ("dropped" if reason else "kept", reason)


def test_the_dropped_are_kept_in_the_table(article):
    frame = run([article("Полярис купил Маяк.")], *[(h, "ORG", "купить", "Маяк", "ORG") for h in ("Полярис", "Вектор")])
    assert dict(frame.select("head", "status").iter_rows()) == {"Полярис": "kept", "Вектор": "dropped"}


@pytest.mark.parametrize(
    ("value", "sentence", "status"),
    [
        ("2139", "Полярис выпустил 2139 машин.", "kept"),
        ("007", "Полярис снял фильм 007.", "kept"),
        ("7", "Полярис снял фильм 007.", "dropped"),
        ("213", "Полярис выпустил 2139 машин.", "dropped"),
        ("2 139", "Полярис выпустил 2139 машин.", "dropped"),
        ("15 %", "Полярис вырос на 15 %.", "kept"),
    ],
)
def test_a_value_must_stand_in_the_sentence_as_it_is_and_whole(article, value, sentence, status):
    assert outcome(sentence, "Полярис", value, ("ORG", "NUMBER"), make=article)[0] == status


def test_values_keep_their_digits_in_one_string(article):
    frame = run([article("Полярис выпустил 2139 машин серии 007.")], ("Полярис", "ORG", "a", "2139", "NUMBER"),
                ("Полярис", "ORG", "b", "007", "NUMBER"))  # fmt: skip
    assert sorted(frame["tail"]) == ["007", "2139"]


def test_of_a_person_the_surname_in_the_sentence_is_enough_where_the_article_gives_the_full_name(article):
    def told(title: str, *full: str) -> tuple[str, str | None]:
        mentions = [
            {"article_id": "a1", "kind": "PER", "text": name, "start": n, "stop": n + 1, "normal": name, "lemmas": name.lower()}
            for n, name in enumerate(full)
        ]
        articles = ARTICLES.frame([article("Громов купил Маяк.", title=title)])
        told = ToldExtractor(("Пётр Громов", "PER", "купить", "Маяк", "ORG"))
        (row,) = extract(articles, MENTIONS.frame(mentions), told).to_dicts()
        return row["status"], row["reason"]

    assert told("Сделка года") == ("dropped", "head_not_in_sentence")
    assert told("Сделка года", "Иван Громов") == ("dropped", "head_not_in_sentence")
    assert told("Сделка года", "Иван Громов", "Пётр Громов") == ("kept", None)
    assert told("Пётр Громов купил Маяк") == ("kept", None)
    assert outcome("Пётр купил Маяк.", "Пётр Громов", "Маяк", ("PER", "ORG"), make=article)[0] == "dropped"


def test_an_article_without_mentions_is_still_read(article):
    told = ToldExtractor(("Полярис", "ORG", "купить", "Маяк", "ORG"))
    mention = {
        "article_id": "a2", "kind": "ORG", "text": "Полярис", "start": 0, "stop": 7, "normal": "Полярис", "lemmas": "полярис"
    }  # fmt: skip
    articles = ARTICLES.frame([article("Полярис купил Маяк.", a) for a in ("a1", "a2")])
    assert extract(articles, MENTIONS.frame([mention]), told).height == 2
    assert sorted(told.asked) == [("a1", 0), ("a2", 1)]


def test_a_triplet_told_twice_is_one_row(article):
    told = ("Полярис", "ORG", "купить", "Маяк", "ORG")
    assert run([article("Полярис купил Маяк.")], told, told).height == 1


def test_the_order_of_articles_changes_nothing(article):
    articles = [article(f"Полярис купил Маяк {n}.", f"a{n}") for n in range(6)]
    told = ("Полярис", "ORG", "купить", "Маяк", "ORG")
    expected = run(articles, told)
    random.Random(0).shuffle(articles)
    assert run(articles, told).equals(expected)


def test_no_articles_give_no_triplets():
    assert run([], ("а", "ORG", "б", "в", "ORG")).is_empty()
