import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.corpus.articles import increment
from dragon_pipeline.core.corpus.diff import LONGEST, Day, Diff, NewPage, Version, diff, moves, numbers, shared
from dragon_pipeline.core.corpus.ledger import build_ledger
from dragon_pipeline.core.records import CRAWL, LEDGER

BODY = "Мост через реку Светлую открыли после ремонта. Движение по нему началось утром. " * 4


def page(text=BODY, path="most", outlet="vesti", **values):
    row = {"url": f"https://{outlet}.example/{path}", "outlet": outlet, "fetch": 0, "status": "ok", "extractor": "json_ld"}
    return dict.fromkeys(CRAWL.columns) | row | {"title": "Мост открыт", "text": text} | values


def gone(reason="http_404", **values):
    return page(None, status="failed", reason=reason, title=None, **values)


def same(**values):
    return page(None, status="left_out", reason="unchanged", title=None, **values)


def diffs(*days: list[dict], names=None) -> list[Diff]:
    """Day by day, each against the days before; `names`: text → its names by lemmas."""
    ledgers: list[pl.DataFrame] = []
    versions: dict[str, Version] = {}
    told = []
    for number, pages in enumerate(days, start=1):
        crawled, day = CRAWL.frame(pages), f"2024-03-{number:02}"
        today = build_ledger(crawled, {})
        before = batches(ledgers)
        ledgers = [*ledgers, today.with_columns(day=pl.lit(day))]
        articles = increment(crawled, batches(ledgers), day, {}).articles
        moved = moves(Day(day, crawled, today, articles), before, {})
        for row in articles.iter_rows(named=True):
            versions[row["article_id"]] = Version(row["title"], row["text"], (names or {}).get(row["text"], {}))
        stood = {url: versions[at.article_id] for url, at in moved.standing.items() if at.article_id in versions}
        told.append(diff(moved, stood, {row["url"]: versions[row["article_id"]] for row in moved.changed}))
    return told


def batches(ledgers: list[pl.DataFrame]) -> Batches:
    return Batches(LEDGER, lambda columns: (rows.select(columns) for rows in ledgers))


def test_a_page_that_the_window_did_not_know_is_new():
    (first,) = diffs([page()])
    assert first == Diff("2024-03-01", (NewPage("https://vesti.example/most", "vesti", "Мост открыт", 1),), (), (), ())


def test_what_changed_is_told_by_title_numbers_names_and_text():
    before = BODY + "Ремонт стоил 4,2 млн рублей, сообщила Анна Ким."
    now = BODY + "Ремонт стоил 5,2 млн рублей, сообщил Пётр Лось."
    found = {before: {"анна ким": "Анна Ким"}, now: {"петр лось": "Пётр Лось"}}
    _, second = diffs([page(before)], [page(now, title="Мост открыт снова")], names=found)
    (told,) = second.changed
    assert (told.title_before, told.title, told.version, told.before) == ("Мост открыт", "Мост открыт снова", 2, "2024-03-01")
    assert (told.numbers_removed, told.numbers_added) == (("4200000",), ("5200000",))
    assert (told.names_removed, told.names_added) == (("Анна Ким",), ("Пётр Лось",))
    assert told.kept == pytest.approx(48 / 52, abs=0.03)


def test_a_number_that_is_only_written_otherwise_has_not_changed():
    _, second = diffs([page(BODY + "Стоил 1,5 млн рублей.")], [page(BODY + "Стоил 1 500 000 рублей.")])
    (told,) = second.changed
    assert (told.numbers_removed, told.numbers_added, told.title_before) == ((), (), None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Один из них пришёл", set()),
        ("Счёт 1:0, один гол", {"1", "0"}),
        ("Пятый дом, 12 %, 2024 год", {"5", "12", "2024"}),
        ("", set()),
    ],
)
def test_numbers_are_values_but_a_pronoun_is_none(text: str, found: set[str]):
    assert numbers(text) == found


def test_a_page_that_is_as_it_was_is_unchanged_whoever_says_so():
    _, second, third = diffs([page()], [page()], [same()])
    assert [[one.url for one in told.unchanged] for told in (second, third)] == [["https://vesti.example/most"]] * 2
    assert not second.new and not second.changed and not third.vanished


def test_a_page_that_goes_back_to_what_it_was_is_unchanged_and_what_follows_is_held_against_that():
    *_, third, fourth = diffs([page(BODY + "А.")], [page(BODY + "Б.")], [page(BODY + "А.")], [page(BODY + "А. Ещё.")])
    assert [one.url for one in third.unchanged] == ["https://vesti.example/most"]
    (told,) = fourth.changed
    assert (told.before, told.kept, told.version) == ("2024-03-03", 1.0, 3)


def test_a_page_that_is_gone_has_vanished_with_the_day_that_saw_it_last():
    _, _, third = diffs(
        [page(), page(path="x")], [page(), page(path="x")], [gone("http_410"), gone(path="never"), gone("timeout", path="x")]
    )
    (told,) = third.vanished
    assert (told.url, told.reason, told.seen, told.title) == (
        "https://vesti.example/most", "http_410", "2024-03-02", "Мост открыт",
    )  # fmt: skip


def test_a_page_that_is_gone_and_there_again_has_not_vanished():
    _, second = diffs([page()], [gone(), page(path="most/")])
    assert (second.vanished, len(second.unchanged)) == ((), 1)


def test_what_stood_before_may_no_longer_be_known():
    short = "Мост открыли."
    _, second, third = diffs([page(short)], [page()], [gone()])
    (told,) = second.changed
    assert (told.kept, told.fresh, told.title_before, told.numbers_removed, told.names_added) == (None, None, None, (), ())
    assert third.vanished[0].title == "Мост открыт"


def test_an_address_that_is_none_is_no_page():
    _, second = diffs([page()], [gone(url="about:blank"), same(url="mailto:x")])
    assert second == Diff("2024-03-02", (), (), (), ())


WORDS = st.lists(st.sampled_from(["мост", "река", "утро", "и", "5"]), max_size=30)


@given(WORDS, WORDS)
def test_shares_are_shares_and_all_of_an_equal_text_is_kept(before, now):
    kept, fresh = shared(before, now)
    assert 0 <= kept <= 1 and 0 <= fresh <= 1
    assert shared(before, before) == (1, 0)
    if now and before:
        assert kept * len(before) == pytest.approx((1 - fresh) * len(now)), "what is kept is what is not fresh"


@given(WORDS, WORDS)
def test_what_is_added_takes_nothing_away(before, more):
    assert shared(before, before + more)[0] == 1


def test_a_text_of_endless_length_is_compared_without_its_order():
    before = [str(number) for number in range(LONGEST + 1)]
    assert shared(before, before[::-1]) == (1, 0)
    assert shared(before[:100], before[:100][::-1])[0] == 0.01


def any_page(kind: str, content: int, **where) -> dict:
    return page(BODY[: 190 + 40 * content], **where) if kind == "page" else {"gone": gone, "same": same}[kind](**where)


PAGES = st.builds(
    any_page,
    st.sampled_from(["page", "page", "page", "gone", "same"]),
    st.integers(0, 3),
    path=st.sampled_from(["a", "amp/a", "b"]),
    outlet=st.sampled_from(["vesti", "gazeta"]),
)


@settings(max_examples=60)
@given(st.lists(st.lists(PAGES, max_size=6), min_size=1, max_size=4))
def test_a_page_is_in_one_place_only(days):
    for told in diffs(*days):
        places = [page.url for kind in (told.new, told.changed, told.unchanged, told.vanished) for page in kind]
        assert len(places) == len(set(places))


@given(st.lists(PAGES, max_size=6), st.lists(PAGES, max_size=6))
def test_one_outlet_s_diff_does_not_depend_on_another(first, second):
    both = diffs(first, second)[1]
    alone = diffs(*([row for row in rows if row["outlet"] == "vesti"] for rows in (first, second)))[1]
    for kind in ("new", "changed", "unchanged", "vanished"):
        assert tuple(page for page in getattr(both, kind) if page.outlet == "vesti") == getattr(alone, kind)
