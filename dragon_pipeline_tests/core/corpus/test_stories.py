import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.shingles import shingle
from dragon_pipeline.core.corpus.stories import LEAST, NEIGHBOURS, candidates, cluster, in_order, sign, similarity
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


def story_articles(*texts, outlets=None, urls=None, ids=None, days=None, times=None):
    rows = [
        dict.fromkeys(ARTICLES.columns)
        | {"article_id": ids[number] if ids else f"{number:02}", "url": urls[number] if urls else f"https://x.example/{number}"}
        | {"outlet": outlets[number] if outlets else f"o{number}", "version": 1, "change": "new", "title": "Мост", "text": text}
        | {"published_at": times[number] if times else None}
        for number, text in enumerate(texts)
    ]
    return ARTICLES.frame(rows).with_columns(day=pl.Series(days or ["2024-03-01"] * len(rows), dtype=pl.String))


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
    assert stories["similarity"][1] < LEAST


def test_the_footer_of_an_outlet_makes_no_story():
    footer = " ".join(SAME_TOPIC[:4])
    texts = [f"{sentence} {footer}" for sentence in BRIDGE]
    assert len(groups(cluster(story_articles(*texts, outlets=["vesti"] * len(texts))))) == len(texts)
    assert len(groups(cluster(story_articles(*texts)))) == 1


def test_a_chain_of_slowly_changing_texts_does_not_drift_into_one_story():
    words = [f"слово{number:03}" for number in range(700)]
    texts = [" ".join(words[start : start + 200]) for start in range(0, 500, 60)]
    assert all(similarity(*shingle(texts[i : i + 2])) > LEAST for i in range(len(texts) - 1))
    stories = cluster(story_articles(*texts))
    by_id = dict(stories.select("article_id", "story_id").iter_rows())
    assert by_id["00"] == by_id["01"]
    assert by_id["00"] != by_id["08"]


def test_a_story_has_the_id_of_its_first_article_whatever_the_order_of_rows():
    times = ["2024-03-01T12:00:00+03:00", "2024-03-01T12:00:00+03:00", "2024-03-01T11:00:00+05:00", "2024-03-01T07:00:00+00:00"]
    texts = [" ".join(part) for part in (BRIDGE, SAME_TOPIC, BRIDGE[1:], SAME_TOPIC[1:])]
    articles = story_articles(*texts, ids=["a", "b", "c", "d"], times=times)
    stories = cluster(articles)
    assert stories.equals(cluster(articles.reverse()))
    assert dict(stories.select("article_id", "story_id").iter_rows()) == {"a": "c", "b": "d", "c": "c", "d": "d"}


def test_days_come_before_times_and_articles_without_a_time_stand_last_in_their_day():
    times = ["2024-03-03", None, "2024-03-02T10:00:00+03:00", "2024-03-02T09:00:00+03:00"]
    articles = story_articles(
        *[" ".join(BRIDGE)] * 4,
        ids=["b", "a", "c", "d"],
        times=times,
        days=["2024-03-02", "2024-03-02", "2024-03-02", "2024-03-03"],
    )
    assert in_order(articles)["article_id"].to_list() == ["c", "a", "b", "d"]


def test_an_article_between_two_stories_joins_the_one_it_is_most_like_and_leaves_them_two():
    both = [*BRIDGE[:6], *SAME_TOPIC[:3]]
    stories = cluster(story_articles(" ".join(SAME_TOPIC[:4]), " ".join(BRIDGE[:6]), " ".join(both)))
    assert stories["story_id"].to_list() == ["00", "01", "01"]


def test_a_short_reprint_of_a_long_text_is_the_same_story():
    assert groups(cluster(story_articles(" ".join(BRIDGE + SAME_TOPIC[:4]), " ".join(BRIDGE[:3])))) == [["00", "01"]]


def test_a_window_without_articles_has_no_stories():
    assert cluster(story_articles()).equals(STORIES.empty())


def test_articles_without_words_stay_alone():
    assert groups(cluster(story_articles("…", "—", "да", "да да"))) == [["00"], ["01"], ["02"], ["03"]]


def test_a_crowd_of_equal_texts_is_one_story():
    assert len(groups(cluster(story_articles(*[" ".join(BRIDGE)] * 40)))) == 1


def test_in_a_crowd_each_is_compared_with_the_first_ones_and_with_those_before_it():
    (shingles,) = shingle([" ".join(BRIDGE)])
    assert len(candidates([shingles] * 4)) == 6
    pairs = candidates([shingles] * 40)
    assert pairs[pairs[:, 1] == 39, 0].tolist() == [*range(NEIGHBOURS), *range(39 - NEIGHBOURS, 39)]


def test_the_share_of_equal_signature_values_estimates_jaccard():
    a, b = np.arange(0, 1000, dtype=np.uint64), np.arange(400, 1400, dtype=np.uint64)
    spread = [np.unique(values * np.uint64(0x9E3779B97F4A7C15)) for values in (a, b)]
    one, other = sign(spread)
    assert np.mean(one == other) == pytest.approx(similarity(*spread), abs=0.12)


SOME_TEXTS = st.lists(
    st.lists(st.sampled_from([*BRIDGE, *SAME_TOPIC, *REWORDED]), min_size=1, max_size=6).map(" ".join), max_size=12
)


@settings(max_examples=30, deadline=None)
@given(SOME_TEXTS, st.integers(0, 5))
def test_stories_are_a_partition_and_each_article_is_like_the_first_of_its_story(texts, seed):
    articles = story_articles(*texts, outlets=[f"o{number % 3}" for number in range(len(texts))])
    stories = cluster(articles)
    assert stories["article_id"].sort().to_list() == articles["article_id"].to_list()
    assert (stories["story_id"] <= stories["article_id"]).all()
    joined = stories.filter(pl.col("story_id") != pl.col("article_id"))
    assert (joined["similarity"] >= LEAST).all()
    first = stories.filter(pl.col("story_id") == pl.col("article_id"))
    assert (first["similarity"] == 1).all()
    assert set(joined["story_id"]) <= set(first["article_id"])
    assert stories.equals(cluster(articles.sample(fraction=1, shuffle=True, seed=seed)))


@settings(max_examples=30, deadline=None)
@given(SOME_TEXTS, st.data())
def test_what_comes_later_changes_nothing(texts, data):
    addresses = [f"https://x.example/{data.draw(st.integers(0, 8))}" for _ in texts]
    articles = story_articles(*texts, outlets=[address[-1] for address in addresses], urls=addresses)
    stories = cluster(articles)
    until = data.draw(st.integers(0, len(texts)))
    assert cluster(articles.head(until)).equals(stories.filter(pl.col("article_id") < f"{until:02}"))


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
