import random

import pytest

from dragon_pipeline.adapters.embeddings.fake import FakeEmbedder
from dragon_pipeline.adapters.vectors.edge import EdgeIndex
from dragon_pipeline.adapters.vectors.fake import FakeIndex
from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.knowledge.candidates import KNOWN, MOST, find_candidates, fits
from dragon_pipeline.core.knowledge.names import Variant, fold, plain
from dragon_pipeline.core.ports import Entity
from dragon_pipeline.core.records import ARTICLES, TRIPLETS

KINDS = ("село", "завод", "газета", "фильм", "площадь", "театр", "река")
NAMESAKES = {f"Q{n}": [f"Победа {kind}", "Победа"] for n, kind in enumerate(KINDS)}
KB = FakeKnowledgeBase({**NAMESAKES, "Q90": ["Тверь"], "P1": ["построить в", "строить"]})
TEXT = "Победа построила театр в Твери."


def found(triplets, kb=KB, texts=None, variants=plain, index=None, article=None):
    ids = sorted({row["article_id"] for row in triplets})
    articles = [article(texts[a] if texts else TEXT, a) for a in ids]
    whole = [{**row, "start": 0, "stop": len(texts[row["article_id"]] if texts else TEXT)} for row in triplets]
    embedder = FakeEmbedder(dimensions=4096)
    return find_candidates(TRIPLETS.frame(whole), ARTICLES.frame(articles), kb, embedder, index or FakeIndex(), variants)


@pytest.fixture
def find(article):
    return lambda *arguments, **named: found(*arguments, **named, article=article)


def test_a_name_has_at_most_five_candidates_nearest_first(find, triplet):
    of_name = find([triplet("Победа", "построить театр в", "Тверь")]).filter(name="Победа")
    assert of_name["rank"].to_list() == list(range(1, MOST + 1)) == [1, 2, 3, 4, 5]
    assert of_name["similarity"].to_list() == sorted(of_name["similarity"], reverse=True)
    assert of_name["label"][0] == "Победа театр"


def test_the_sentence_decides_in_each_article(find, triplet):
    """One name, two articles: another thing is nearest in each."""
    texts = {"a1": "Победа вышла на большой экран: фильм снят в Твери.", "a2": "Победа сегодня больше не завод."}
    rows = [triplet("Победа", "строить", "Ока", a) for a in texts]
    first = find(rows, texts=texts).filter(name="Победа", rank=1)
    assert dict(first.select("article_id", "label").iter_rows()) == {"a1": "Победа фильм", "a2": "Победа завод"}


def test_the_first_sentence_of_a_name_is_its_context(article, triplet):
    text = "Победа идёт в кино: фильм хорош. Победа не завод."
    rows = [
        triplet("Победа", "строить", "Ока", start=33, stop=len(text)),
        triplet("Победа", "показать", "Ока", start=0, stop=32),
    ]
    frame = find_candidates(
        TRIPLETS.frame(rows), ARTICLES.frame([article(text)]), KB, FakeEmbedder(dimensions=4096), FakeIndex()
    )
    assert frame.filter(name="Победа", rank=1)["label"].to_list() == ["Победа фильм"]


def test_names_that_mean_nothing_have_no_rows(find, triplet):
    candidates = find([triplet("Полярис", "открыть в", "Тверь")])
    assert candidates["name"].to_list() == ["Тверь"]


def test_relations_are_looked_up_among_properties_only_and_once_for_all_articles(find, triplet):
    candidates = find([triplet("Тверь", "построить в", "построить в", a) for a in ("a1", "a2")])
    assert candidates.select("kind", "name", "name_kind", "article_id", "wikidata_id").rows() == [
        ("item", "Тверь", "ORG", "a1", "Q90"),
        ("item", "Тверь", "ORG", "a2", "Q90"),
        ("property", "построить в", "", "", "P1"),
    ]


@pytest.mark.parametrize("kind", ["YEAR", "DATE", "NUMBER"])
def test_values_are_not_looked_up(find, triplet, kind):
    kb = FakeKnowledgeBase({"Q2139": ["2139"]})
    assert find([triplet("Полярис", "выпустить", "2139", kinds=("ORG", kind))], kb).is_empty()
    assert ("2139", "item") not in kb.searched


def test_dropped_triplets_ask_for_nothing(find, triplet):
    kb = FakeKnowledgeBase({"Q90": ["Тверь"]})
    assert find([triplet("Тверь", "строить", "Тверь", status="dropped", reason="negated")], kb).is_empty()
    assert not kb.searched


def test_a_name_is_looked_up_once_however_often_it_stands(find, triplet):
    kb = FakeKnowledgeBase({"Q90": ["Тверь"]})
    find([triplet("Тверь", relation, "Полярис", article) for relation in ("купить", "продать") for article in "abc"], kb)
    assert kb.searched.count(("тверь", "item")) == 1


def test_equally_near_candidates_come_in_id_order(find, triplet):
    kb = FakeKnowledgeBase({"Q30": ["Победа"], "Q20": ["Победа"], "Q10": ["Победа"]})
    assert find([triplet("Победа", "строить", "Ока")], kb)["wikidata_id"].to_list() == ["Q10", "Q20", "Q30"]


def test_the_order_of_rows_changes_nothing(find, triplet):
    rows = [triplet("Победа", f"построить {noun} в", "Тверь", f"a{n}") for n, noun in enumerate(["театр", "завод", "село"])]
    expected = find(rows)
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        assert find(rows).equals(expected)


def test_no_triplets_give_no_candidates(find):
    assert find([]).is_empty()


def test_every_vector_engine_gives_the_same_table(find, triplet):
    rows = [triplet("Победа", f"построить {kind} в", "Тверь", f"a{n}") for n, kind in enumerate(KINDS)]
    edge = EdgeIndex()
    edge_table = find(rows, index=edge)
    edge.close()
    assert edge_table.equals(find(rows))


def test_what_an_index_holds_of_other_days_changes_nothing(find, triplet):
    """A server's collection is shared: the same item was put there with another description."""
    index = FakeIndex()
    rows = [triplet("Победа", "строить", "Ока")]
    expected = find(rows)
    find(rows, FakeKnowledgeBase({f"Q{n}": [f"Победа {kind}а", "Победа"] for n, kind in enumerate(KINDS)}), index=index)
    assert find(rows, index=index).equals(expected)


def test_a_later_variant_is_asked_for_only_when_no_earlier_one_is_known(find, triplet):
    def variants(name: str, kind: str) -> list[Variant]:
        return [Variant(fold(name), "name"), *([Variant("тверь", "without_class")] if kind == "LOC" else [])]

    kb = FakeKnowledgeBase({"Q90": ["Тверь"], "Q91": ["город Казань"], "Q92": ["Казань"]})
    rows = [triplet("Полярис", "строить", name) for name in ("город Тверь", "город Казань")]
    candidates = find(rows, kb, variants=variants)
    assert candidates.select("name", "wikidata_id", "variant").rows() == [
        ("город Казань", "Q91", "name"),
        ("город Тверь", "Q90", "without_class"),
    ]
    assert kb.searched.count(("тверь", "item")) == 1


def test_a_person_by_initial_is_only_one_whose_name_begins_with_it(find, triplet):
    def variants(name: str, kind: str) -> list[Variant]:
        return [Variant("обама", "surname", ("обама", "б"))]

    kb = FakeKnowledgeBase({"Q76": ["Барак Обама", "Обама"], "Q13133": ["Мишель Обама", "Обама"]})
    assert find([triplet("Б. Обама", "строить", "x", kinds=("PER", "YEAR"))], kb, variants=variants)[
        "wikidata_id"
    ].to_list() == ["Q76"]


def test_what_fits_a_variant_is_of_its_kind_and_holds_what_it_needs():
    person = Entity("Q1", "Пётр Громов", "", "label", 0, ("Q5",))
    assert fits(person, "PER", Variant("громов", "surname", ("громов", "п")))
    assert not fits(person, "PER", Variant("громов", "surname", ("громов", "и")))
    assert not fits(person, "LOC", Variant("громов", "name"))


def test_a_family_name_never_stands_for_a_person_who_bears_it(find, triplet):
    kb = FakeKnowledgeBase({"Q1": ["Громов"], "Q2": ["Пётр Громов", "Громов"]}, [("Q1", "P31", "Q101352"), ("Q2", "P31", "Q5")])
    assert find([triplet("Громов", "строить", "1", kinds=("PER", "NUMBER"))], kb)["wikidata_id"].to_list() == ["Q2"]


def test_of_many_namesakes_the_best_known_are_compared(find, triplet):
    class Known(FakeKnowledgeBase):
        def search(self, names, kind):
            return [
                [Entity(f"Q{n}", "Иван Иванов", "", "label", sitelinks=n) for n in range(1, 501)] if name == "ива" else []
                for name in names
            ]

    embedder_rows = find([triplet("Ива", "строить", "1", kinds=("PER", "NUMBER"))], Known({}))
    least = min(int(wikidata_id[1:]) for wikidata_id in embedder_rows["wikidata_id"])
    assert least > 500 - KNOWN


def test_an_outage_of_the_knowledge_base_is_raised(find, triplet):
    class Down(FakeKnowledgeBase):
        def search(self, names, kind):
            raise Unreachable("Wikidata does not answer")

    with pytest.raises(Unreachable, match="Wikidata"):
        find([triplet("Победа", "строить", "Ока")], Down({}))
