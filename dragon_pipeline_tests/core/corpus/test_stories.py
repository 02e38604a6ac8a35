import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.stories import THRESHOLD, candidates, cluster, jaccard, shingle, signature
from dragon_pipeline.core.records import ARTICLES, STORIES
from dragon_pipeline.demo.articles import read_stories

BRIDGE = [
    "В Каменске открыли после ремонта мост через реку Светлую.",
    "Движение по нему началось в понедельник в шесть часов утра.",
    "Работы продолжались два года и обошлись бюджету в 840 миллионов рублей.",
    "Подрядчик заменил пролётные строения и укрепил опоры сваями.",
    "По словам мэра Ильи Ворона, пропускная способность выросла вдвое.",
    "Первой по мосту проехала колонна автобусов городского парка.",
    "Жители правого берега добирались до центра в объезд через плотину.",
    "Ограничение скорости на мосту составит сорок километров в час.",
    "Пешеходные дорожки подсветили и отделили от проезжей части.",
    "Осенью специалисты проверят состояние опор после ледохода.",
]
REWORDED = [
    "Городские власти сообщили, что переправа снова принимает машины.",
    "Стоимость контракта чиновники ранее называли завышенной.",
    "Следующее обследование сооружения намечено на октябрь.",
]
SAME_TOPIC = [
    "Мост через реку Светлую в Каменске снова закроют на две недели.",
    "Причиной названы трещины в асфальте, которые заметили водители.",
    "Дорожники снимут верхний слой покрытия и уложат его заново по гарантии.",
    "Автобусы на это время пустят через плотину, расписание вывесят на остановках.",
    "Мэр Илья Ворон пообещал, что подрядчик оплатит работы сам.",
    "Депутаты потребовали объяснений и назначили заседание комиссии.",
    "Эксперты связывают дефект с морозами, пришедшими сразу после укладки.",
    "Торговцы на левом берегу жалуются, что покупателей стало меньше.",
]


def story_articles(*texts, outlets=None, urls=None, ids=None):
    rows = [
        dict.fromkeys(ARTICLES.columns)
        | {"article_id": ids[number] if ids else f"{number:02}", "url": urls[number] if urls else f"https://x.example/{number}"}
        | {"outlet": outlets[number] if outlets else f"o{number}", "version": 1, "change": "new", "title": "Мост", "text": text}
        for number, text in enumerate(texts)
    ]
    return ARTICLES.frame(rows).with_columns(day=pl.lit("2024-03-01"))


def groups(stories):
    return sorted(sorted(part["article_id"]) for _, part in stories.group_by("story_id"))


def test_a_reworded_reprint_is_the_same_story():
    reprint = [*BRIDGE[:4], REWORDED[0], *BRIDGE[4:7], REWORDED[1], REWORDED[2]]
    stories = cluster(story_articles(" ".join(BRIDGE), "\n".join(reprint)))
    assert groups(stories) == [["00", "01"]]
    assert stories["similarity"].to_list() == [1.0, pytest.approx(0.54, abs=0.05)]


def test_other_endings_letters_and_commas_do_not_hide_a_reprint():
    altered = " ".join(BRIDGE).replace("ё", "е").replace(".", " —").replace("ремонта", "ремонтов").upper()
    assert groups(cluster(story_articles(" ".join(BRIDGE), altered))) == [["00", "01"]]


def test_another_article_on_the_same_topic_is_another_story():
    assert groups(cluster(story_articles(" ".join(BRIDGE), " ".join(SAME_TOPIC)))) == [["00"], ["01"]]


def test_articles_of_one_form_on_different_things_are_different_stories():
    text = "Сегодня в городе {} ожидается {} погода, {} градусов, ветер {}. Днём местами возможен {}."
    texts = [
        text.format("Каменск", "ясная", "пять", "южный", "туман"),
        text.format("Светлый", "дождливая", "девять", "северный", "град"),
    ]
    assert len(groups(cluster(story_articles(*texts)))) == 2


def test_versions_of_a_page_are_one_story_however_they_differ():
    stories = cluster(story_articles(" ".join(BRIDGE), " ".join(SAME_TOPIC), urls=["https://x.example/1"] * 2))
    assert groups(stories) == [["00", "01"]]
    assert stories["similarity"][1] < THRESHOLD


def test_the_footer_of_an_outlet_makes_no_story():
    footer = " ".join(SAME_TOPIC[:4])
    texts = [f"{sentence} {footer}" for sentence in BRIDGE]
    assert len(groups(cluster(story_articles(*texts, outlets=["vesti"] * len(texts))))) == len(texts)
    assert len(groups(cluster(story_articles(*texts)))) == 1


def test_a_chain_of_slowly_changing_texts_does_not_drift_into_one_story():
    words = [f"слово{number:03}" for number in range(700)]
    texts = [" ".join(words[start : start + 200]) for start in range(0, 500, 60)]
    assert all(jaccard(*shingle(texts[i : i + 2])) > THRESHOLD for i in range(len(texts) - 1))
    stories = cluster(story_articles(*texts))
    by_id = dict(stories.select("article_id", "story_id").iter_rows())
    assert by_id["00"] == by_id["01"]
    assert by_id["00"] != by_id["08"]


def test_the_order_of_rows_does_not_matter_and_a_story_has_its_smallest_id():
    articles = story_articles(
        " ".join(BRIDGE), " ".join(SAME_TOPIC), " ".join(BRIDGE[1:]), " ".join(SAME_TOPIC[1:]), ids=["d", "c", "b", "a"]
    )
    stories = cluster(articles)
    assert stories.equals(cluster(articles.reverse()))
    assert stories["story_id"].to_list() == ["a", "a", "b", "b"]


def test_a_window_without_articles_has_no_stories():
    assert cluster(story_articles()).equals(STORIES.empty())


def test_articles_without_words_stay_alone():
    assert groups(cluster(story_articles("…", "—", "да", "да да"))) == [["00"], ["01"], ["02"], ["03"]]


def test_a_crowd_of_equal_texts_is_one_story():
    assert len(groups(cluster(story_articles(*[" ".join(BRIDGE)] * 40)))) == 1


def test_a_crowded_bucket_proposes_few_pairs_a_small_one_all():
    (shingles,) = shingle([" ".join(BRIDGE)])
    assert len(candidates([shingles] * 4)) == 6
    assert len(candidates([shingles] * 40)) == 2 * 39 - 1


def test_the_share_of_equal_signature_values_estimates_jaccard():
    a, b = np.arange(0, 1000, dtype=np.uint64), np.arange(400, 1400, dtype=np.uint64)
    spread = [np.unique(values * np.uint64(0x9E3779B97F4A7C15)) for values in (a, b)]
    assert np.mean(signature(spread[0]) == signature(spread[1])) == pytest.approx(jaccard(*spread), abs=0.12)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.sampled_from([*BRIDGE, *SAME_TOPIC, *REWORDED]), min_size=1, max_size=6), max_size=8),
    st.integers(0, 5),
)
def test_stories_are_a_partition_and_their_first_members_are_similar_enough(sentences, seed):
    articles = story_articles(*(" ".join(some) for some in sentences))
    stories = cluster(articles)
    assert stories["article_id"].sort().to_list() == articles["article_id"].to_list()
    assert (stories["story_id"] <= stories["article_id"]).all()
    assert (stories.filter(pl.col("story_id") != pl.col("article_id"))["similarity"] >= THRESHOLD).all()
    assert stories.equals(cluster(articles.sample(fraction=1, shuffle=True, seed=seed)))


def test_in_the_bundled_newsroom_reprints_and_versions_are_the_only_stories():
    versions = [version for version in read_stories() if version.paragraphs]
    addresses = [f"{version.outlet}/{version.slug}" for version in versions]
    articles = story_articles(
        *("\n".join(version.paragraphs) for version in versions),
        outlets=[version.outlet for version in versions],
        urls=addresses,
        ids=[f"{number:03}" for number in range(len(versions))],
    )
    told = {address: version.reprint_of or address for address, version in zip(addresses, versions, strict=True)}
    assert len(set(told.values())) < len(set(addresses)) < len(addresses)
    found = cluster(articles).join(articles.select("article_id", "url"), on="article_id")
    merged = sorted(sorted(set(part["url"])) for _, part in found.group_by("story_id"))
    assert merged == sorted(sorted(a for a in told if told[a] == first) for first in set(told.values()))
