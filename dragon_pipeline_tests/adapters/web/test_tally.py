import pytest
from scrapy.exceptions import DownloadCancelledError, DownloadConnectionRefusedError, DownloadTimeoutError, IgnoreRequest

from dragon_pipeline.adapters.web.tally import Refused, Tally, failure_reason, status_reason


def test_an_address_is_asked_for_once():
    tally = Tally()
    assert [tally.ask("a"), tally.ask("a")] == [True, False]


def test_what_is_open_when_time_is_over_fails_and_late_answers_change_nothing():
    tally = Tally()
    for url in ("done", "failed", "open"):
        tally.ask(url)
    tally.settle("done")
    tally.fail("failed", "http_404")
    tally.give_up("timeout")
    tally.settle("open")
    tally.fail("open", "no_connection")
    assert {url: outcome.reason for url, outcome in tally.outcomes.items()} == {"failed": "http_404", "open": "timeout"}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Refused("other_host"), "other_host"),
        (IgnoreRequest("Forbidden by robots.txt"), "robots"),
        (IgnoreRequest("max redirections reached"), "redirects"),
        (DownloadTimeoutError(), "timeout"),
        (DownloadCancelledError(), "too_large"),
        (DownloadConnectionRefusedError(), "no_connection"),
        (ValueError("odd"), "fetch_error"),
    ],
)
def test_every_error_has_its_word(error, reason):
    assert failure_reason(error) == reason


@pytest.mark.parametrize(
    ("status", "reason"), [(200, None), (204, None), (304, "http_304"), (404, "http_404"), (502, "http_5xx")]
)
def test_a_status_is_a_page_or_a_reason(status, reason):
    assert status_reason(status) == reason
