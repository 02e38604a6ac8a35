import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from dragon_pipeline.core.evaluation.proportions import Share


@st.composite
def shares(draw: st.DrawFn) -> Share:
    n = draw(st.integers(1, 2000))
    return Share(draw(st.integers(0, n)), n)


@given(shares())
def test_the_interval_holds_the_share_and_stays_within_0_and_1(share: Share):
    low, high = share.interval or (2.0, -1.0)
    assert 0 <= low <= (share.value or 0) <= high <= 1


@given(shares())
def test_the_interval_is_wilsons(share: Share):
    known = binomtest(share.hits, share.n).proportion_ci(method="wilson")
    assert share.interval == pytest.approx((known.low, known.high), abs=1e-9)


def test_of_nothing_there_is_no_share():
    share = Share(0, 0, "judge_passed_none")
    assert (share.value, share.interval) == (None, None)


def test_a_full_share_of_few_leaves_room_for_doubt():
    low, high = Share(5, 5).interval or (0, 0)
    assert low == pytest.approx(0.566, abs=0.001)
    assert high == 1
