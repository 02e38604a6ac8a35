import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.health import Loss, lost, reasons_of, survey
from dragon_pipeline.core.records import CRAWL, OUTLETS


def row(number, outlet, reason=None, **values):
    status = "ok" if reason is None else "left_out" if reason in ("other_day", "unchanged") else "failed"
    given = {"url": f"https://{outlet}.example/{number}", "outlet": outlet, "fetch": 0, "status": status, "reason": reason}
    return dict.fromkeys(CRAWL.columns) | given | {"extractor": "none"} | values


def rows_of(outlet, *reasons):
    return [row(number, outlet, reason) for number, reason in enumerate(reasons)]


def test_only_what_the_network_took_is_lost():
    reasons = [None, "no_connection", "timeout", "http_503", "listing: http_5xx", "http_404", "no_body", "http_50", "bad_date"]
    crawled = CRAWL.frame(rows_of("vesti", *reasons) + rows_of("vesti-2"))
    assert lost(crawled) == Loss(9, 4, 4 / 9, 0, {"vesti": 4 / 9}, None)


def test_what_was_left_out_is_no_page_of_the_day():
    crawled = CRAWL.frame(rows_of("vesti", "timeout", None, "other_day", "other_day", "unchanged"))
    assert lost(crawled).share == 0.5


def test_an_empty_crawl_lost_nothing():
    assert lost(CRAWL.empty()) == Loss(0, 0, 0.0, 0.0, {}, None)


def test_the_worst_of_several_outlets_is_left_out():
    loss = lost(CRAWL.frame(rows_of("a", *["timeout"] * 9) + rows_of("b", None, None, None, "timeout")))
    assert (loss.spared, loss.share, loss.by_outlet) == ("a", 0.25, {"a": 1, "b": 0.25})


def test_outlets_that_are_cut_off_count_though_they_have_few_rows():
    gone = [row for outlet in "abc" for row in rows_of(outlet, "listing: no_connection")]
    loss = lost(CRAWL.frame(gone + rows_of("d", *[None] * 97)))
    assert loss.share == pytest.approx(2 / 99)
    assert loss.cut_off == pytest.approx(2 / 3)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5), st.integers(0, 9))
def test_one_outlet_s_loss_never_counts(sizes: list[int], failed: int):
    others = [one for number, size in enumerate(sizes) for one in rows_of(f"o{number}", *[None] * size)]
    loss = lost(CRAWL.frame(rows_of("hurt", *["timeout"] * failed) + others))
    assert (loss.share, loss.cut_off) == (0, 0)


def test_an_outlet_s_day_is_counted_by_address():
    crawled = CRAWL.frame(
        [
            row(1, "vesti", text="а" * 300, extractor="json_ld", raw_hash="r"),
            row(1, "vesti", text="а" * 320, extractor="json_ld", raw_hash="s", fetch=1),
            row(2, "vesti", text="а" * 100, extractor="trafilatura", raw_hash="t"),
            row(3, "vesti", "http_403"),
            row(4, "vesti", "no_body"),
            row(5, "vesti", "http_403"),
            row(6, "vesti", "other_day", raw_hash="u"),
            row(7, "vesti", "other_day"),
            row(8, "vesti", "listing: http_404"),
        ]
    )
    (told,) = survey(crawled, ["vesti"]).to_dicts()
    reasons = reasons_of(told)
    assert told == {
        **{"outlet": "vesti", "found": 7, "fetched": 3, "extracted": 2, "fallback": 1, "failed": 3, "left_out": 2},
        **{"listings_failed": 1, "median_length": 300.0, "reasons": told["reasons"]},
    }
    assert list(reasons.items()) == [("http_403", 2), ("other_day", 2), ("listing: http_404", 1), ("no_body", 1)]


def test_an_outlet_that_gave_nothing_has_a_row_of_zeros():
    told = survey(CRAWL.frame(rows_of("gazeta", None)), ["vesti", "gazeta"])
    OUTLETS.check(told)
    assert told["outlet"].to_list() == ["gazeta", "vesti"]
    assert told.filter(outlet="vesti").drop("outlet", "reasons", "median_length").row(0) == (0,) * 7
    assert survey(CRAWL.empty(), []).equals(OUTLETS.empty())


ROWS = st.builds(
    row,
    st.integers(0, 5),
    st.sampled_from(["a", "b"]),
    st.sampled_from([None, None, "http_404", "no_body", "other_day", "listing: timeout"]),
    text=st.sampled_from(["", "а", "аа"]),
    extractor=st.sampled_from(["json_ld", "trafilatura"]),
)


@given(st.lists(ROWS, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter_and_every_row_is_accounted_for(rows: list[dict], random):
    told = survey(pl.DataFrame(rows, schema=CRAWL.schema), ["a"])
    random.shuffle(rows)
    assert survey(pl.DataFrame(rows, schema=CRAWL.schema), ["a"]).equals(told)
    assert sum(sum(reasons_of(one).values()) for one in told.to_dicts()) == sum(row["status"] != "ok" for row in rows)
    for one in told.to_dicts():
        assert one["fallback"] <= one["extracted"] <= one["fetched"] <= one["found"]
        assert one["found"] <= one["extracted"] + one["failed"] + one["left_out"]
