from collections.abc import Iterator, Sequence

from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.records import ARTICLES, MENTIONS


class CapitalFinder:
    """Every word with a capital is an organisation."""

    name = "capitals"

    def find(self, articles: Sequence[dict]) -> Iterator[dict]:
        for article in articles:
            start = 0
            for word in article["text"].split(" "):
                if word[:1].isupper():
                    yield {
                        "article_id": article["article_id"], "kind": "ORG", "text": word, "start": start,
                        "stop": start + len(word), "normal": word, "lemmas": word.lower(),
                    }  # fmt: skip
                start += len(word) + 1


def test_mentions_of_all_articles_are_one_table_in_order(article):
    articles = ARTICLES.frame([article("вот Ока и Кама", "a2"), article("Волга", "a1")])
    found = find_mentions(articles, CapitalFinder())
    assert found.select("article_id", "text").rows() == [("a1", "Волга"), ("a2", "Ока"), ("a2", "Кама")]
    assert found.schema == MENTIONS.schema


def test_an_article_without_names_adds_nothing(article):
    assert find_mentions(ARTICLES.frame([article("снег")]), CapitalFinder()).is_empty()
    assert find_mentions(ARTICLES.empty(), CapitalFinder()).is_empty()
