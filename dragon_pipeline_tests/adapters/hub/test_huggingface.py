"""What the Hub does that no other hub here does: it is busy, loses answers, and knows who asks. test_hub.py has the rest."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest
from huggingface_hub.errors import HfHubHTTPError
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.hub.huggingface import HuggingFaceHub
from dragon_pipeline.adapters.hub.waiting import asked_for
from dragon_pipeline.core.errors import BadInput, PublicationConflict, PublicationFailed
from dragon_pipeline.core.hub import Content
from dragon_pipeline_tests.local_hub.answers import READ, WRITE
from dragon_pipeline_tests.local_hub.server import LocalHub

FILES: dict[str, Content] = {"README.md": b"# texts", "data/train.parquet": b"PAR1" * 100}


@pytest.fixture
def hub(local_hub: LocalHub) -> HuggingFaceHub:
    return HuggingFaceHub("bench", WRITE, local_hub.url, patience=30)


def put(hub: HuggingFaceHub, files: dict[str, Content] = FILES, private: bool = False) -> str:
    return hub.commit("texts", files, "message", private, hub.head("texts"))


def asked(local_hub: LocalHub, route: str) -> int:
    return sum(request.route == route for request in local_hub.requests)


@pytest.mark.parametrize("answer", [429, 503, 500, 502, 504, "reset"])
@pytest.mark.parametrize("route", ["refs", "create", "info", "tree", "commit", "resolve", "tag"])
def test_a_busy_hub_is_waited_for(hub, local_hub, route, answer):
    local_hub.fail(route, answer, retry_after="0")
    commit = put(hub)
    hub.tag("texts", "1.0.0", commit)
    assert hub.read("texts", "1.0.0") == FILES
    assert len(local_hub.repositories["bench/texts"].commits) == 2  # the Hub's own first one, and this


@pytest.mark.slow
@pytest.mark.parametrize(("route", "answer"), [("preupload", 429), ("batch", 503), ("upload", 503), ("upload", "reset")])
def test_uploads_to_a_busy_hub_are_waited_for(hub, local_hub, route, answer):
    """With the waits that huggingface_hub makes itself, of a second and more."""
    local_hub.fail(route, answer, times=7, retry_after="0")
    commit = put(hub)
    assert hub.read("texts", commit) == FILES


def test_who_waits_is_told_why(hub, local_hub, caplog):
    local_hub.fail("refs", 503, retry_after="0")
    local_hub.fail("refs", "reset")
    hub.head("texts")
    told = [record.getMessage() for record in caplog.records if "asked again" in record.getMessage()]
    assert told[0] == "the hub is busy (503); asked again in 0 s"
    assert told[1].startswith("the hub gives no answer (") and "None" not in told[1]


def test_another_commit_in_progress_is_waited_for(hub, local_hub):
    first = put(hub)
    local_hub.fail("commit", 409, retry_after="0")
    assert hub.commit("texts", {"x": b"x"}, "message", False, first) == hub.head("texts")


@pytest.mark.parametrize("answer", ["lost", 500, 502, 409])
def test_a_commit_that_was_made_and_whose_answer_was_lost_is_known_as_our_own(hub, local_hub, answer):
    first = put(hub, {**FILES, "gone": b"x"})  # a deletion is refused when it is sent again: nothing here is done twice
    local_hub.fail("commit", answer, retry_after="0", acts=True)
    made = hub.commit("texts", {"README.md": b"new", "data/train.parquet": None}, "message", False, first)
    assert made == hub.head("texts") != first
    assert asked(local_hub, "commit") == 2
    assert [
        one.id for one in local_hub.repositories["bench/texts"].history(local_hub.repositories["bench/texts"].find("main"))
    ][1] == first


def test_a_commit_of_another_publisher_is_not_taken_for_our_own(hub, local_hub):
    first = put(hub)
    local_hub.fail("commit", 503, retry_after="0")

    def intrude(number: int, route: str, done: bool) -> None:
        if route == "commit" and done:
            local_hub.watch = None
            repository = local_hub.repositories["bench/texts"]
            repository.add({**repository.commits[first].files, "other": local_hub.blobs.keep(b"other")}, "by hand")

    local_hub.watch = intrude
    with pytest.raises(PublicationConflict, match="another publisher has committed meanwhile"):
        hub.commit("texts", {"mine": b"mine"}, "message", False, first)
    assert "mine" not in hub.paths("texts", "main")


def test_the_same_change_by_another_publisher_is_not_taken_for_our_own(hub, local_hub):
    """huggingface_hub sends no commit whose changes the newest one has already, whatever else is in that."""
    first = put(hub)

    def intrude(number: int, route: str, done: bool) -> None:
        if route == "preupload" and not done:
            local_hub.watch = None
            added = {name: local_hub.blobs.keep(name.encode()) for name in ("mine", "other")}
            repository = local_hub.repositories["bench/texts"]
            repository.add({**repository.commits[first].files, **added}, "by hand")

    local_hub.watch = intrude
    with pytest.raises(PublicationConflict, match="another publisher has committed meanwhile"):
        hub.commit("texts", {**dict.fromkeys(FILES), "mine": b"mine"}, "message", False, first)


@pytest.mark.parametrize("route", ["create", "tag"])
def test_what_was_made_and_whose_answer_was_lost_is_not_made_twice(hub, local_hub, route):
    local_hub.fail(route, "lost")
    commit = put(hub)
    hub.tag("texts", "1.0.0", commit)
    assert asked(local_hub, route) == 2
    assert hub.tags("texts") == {"1.0.0": commit}


def test_a_hub_that_stays_busy_is_given_up_with_a_sentence(local_hub):
    hub = HuggingFaceHub("bench", WRITE, local_hub.url, patience=0)
    local_hub.fail("refs", 503, times=100)
    with pytest.raises(PublicationFailed, match=r"answers 503 for bench/texts, for longer than 0 s \(release\.patience\)"):
        hub.head("texts")
    assert asked(local_hub, "refs") == 1


def test_a_wait_that_is_longer_than_patience_is_not_begun(hub, local_hub):
    local_hub.fail("refs", 429, retry_after="3600")
    with pytest.raises(PublicationFailed, match="answers 429"):
        hub.head("texts")
    assert asked(local_hub, "refs") == 1


def test_a_hub_that_is_not_there_is_said():
    with pytest.raises(PublicationFailed, match="gives no answer"):
        HuggingFaceHub("bench", WRITE, "http://127.0.0.1:9", patience=0).head("texts")


def test_a_token_that_the_hub_does_not_know_is_said_with_its_variable(local_hub):
    hub = HuggingFaceHub("bench", "hf_mistyped", local_hub.url, 0, "BENCH_TOKEN")
    put(HuggingFaceHub("bench", WRITE, local_hub.url))
    for ask in (lambda: hub.head("texts"), lambda: put(hub), lambda: hub.examine()):
        with pytest.raises(PublicationFailed, match="does not know the token in BENCH_TOKEN"):
            ask()


def test_a_token_that_may_not_write_is_said_with_what_to_do(local_hub):
    first = put(HuggingFaceHub("bench", WRITE, local_hub.url))
    reader = HuggingFaceHub("bench", READ, local_hub.url, 0)
    stranger = HuggingFaceHub("others", WRITE, local_hub.url, 0)
    for ask in (lambda: put(reader, {"x": b"x"}), lambda: reader.tag("texts", "1.0.0", first), lambda: put(stranger)):
        with pytest.raises(
            PublicationFailed, match=r"token in HF_TOKEN may not do this .* give it write access to (bench|others)"
        ):
            ask()
    for hub in (reader, stranger):
        with pytest.raises(PublicationFailed, match="give it write access"):
            hub.examine()


def test_without_a_token_public_data_is_read_and_private_data_is_said_to_need_one(hub, local_hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", WRITE)  # of somebody else on this machine: not ours to use
    commit = put(hub)
    hub.commit("qa", FILES, "message", True, None)
    anyone = HuggingFaceHub("bench", None, local_hub.url, 0)
    local_hub.requests.clear()
    assert anyone.read("texts", commit) == FILES
    with pytest.raises(PublicationFailed, match="set HF_TOKEN to a token"):
        anyone.head("qa")
    with pytest.raises(PublicationFailed, match="HF_TOKEN"):
        anyone.examine()
    assert {request.token for request in local_hub.requests} == {None}


def test_no_secret_is_sent_to_a_dataset_that_was_opened_up(hub, local_hub):
    put(hub, private=True)
    local_hub.repositories["bench/texts"].private = False
    local_hub.requests.clear()
    with pytest.raises(PublicationFailed, match="texts is public on the hub and must be private: nothing was committed"):
        put(hub, {"secret": b"x", "data/secret.parquet": b"x"}, private=True)
    assert not {"preupload", "batch", "upload", "commit"} & {request.route for request in local_hub.requests}


def test_what_the_hub_has_already_is_not_sent_again(hub, local_hub, tmp_path):
    (tmp_path / "table").write_bytes(b"PAR1" * 100)
    commit = put(hub)
    local_hub.requests.clear()
    files: dict[str, Content] = {"README.md": b"# other", "data/train.parquet": tmp_path / "table"}
    hub.commit("texts", files, "message", False, commit)
    assert not {"batch", "upload"} & {request.route for request in local_hub.requests}
    assert hub.read("texts", "main", ["README.md"]) == {"README.md": b"# other"}


def test_a_repository_that_a_killed_run_left_empty_is_filled(hub, local_hub):
    hub.head("texts")
    local_hub.fail("commit", 403)
    with pytest.raises(PublicationFailed):
        put(hub)
    assert hub.paths("texts", "main") == []
    assert hub.read("texts", put(hub)) == FILES


def test_who_publishes_is_told(hub, local_hub):
    assert hub.examine() == f"{local_hub.url}/bench, written to as maker"


@pytest.mark.parametrize("endpoint", ["huggingface.co", "ftp://huggingface.co", ""])
def test_an_endpoint_that_is_no_address_is_refused(endpoint):
    with pytest.raises(BadInput, match=r"release\.endpoint"):
        HuggingFaceHub("bench", WRITE, endpoint)


@contextmanager
def answering(body: bytes) -> Iterator[str]:
    """A server that is no Hub: whatever it is asked, it answers this."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    "body", [b"<html>Sign in to the guest network", b"null", b"7", b'{"branches": 7}', b'{"branches": [{}]}']
)
def test_a_server_that_is_no_hub_is_said(body):
    with answering(body) as url:
        hub = HuggingFaceHub("bench", WRITE, url, 0)
        for ask in (lambda: hub.head("texts"), lambda: hub.paths("texts", "main"), hub.examine):
            with pytest.raises(PublicationFailed, match="did not do what was asked for"):
                ask()


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def busy(**headers: str) -> HfHubHTTPError:
    request = httpx2.Request("GET", "https://hub.example")
    return HfHubHTTPError("busy", response=httpx2.Response(429, headers=headers, request=request))


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "17"}, 17),
        ({"Retry-After": format_datetime(NOW + timedelta(seconds=90))}, 90),
        ({"Retry-After": format_datetime(NOW - timedelta(seconds=90))}, 0),
        ({"RateLimit": '"api";r=0;t=55', "RateLimit-Policy": '"fixed window";"api";q=500;w=300'}, 55),
        ({"RateLimit": '"api";r=0;t=999999'}, 300),
        ({"RateLimit": '"api";r=3;t=55'}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_that_the_hub_asks_for(headers, seconds):
    assert asked_for(busy(**headers), NOW) == seconds


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_no_header_breaks_the_waiting(text):
    found = asked_for(busy(**{"Retry-After": text}), NOW)
    assert found is None or found >= 0
