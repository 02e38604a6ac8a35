import json
import re
from datetime import datetime

import pytest

import rag_bench
from dragon_pipeline_tests.rag_bench.portal_server import Said, serving
from rag_bench import results
from rag_bench.errors import BadRun, RagBenchError, Refused, Unreachable
from rag_bench.portal import Portal
from rag_bench.retrying import Retrying

TOKEN = "тайна-7f3a"
CONFIG = {"name": "Моя система", "llm": "qwen"}
WHOLE = {str(one): {"found_ids": [one], "model_answer": "Псков"} for one in range(3)}
DONE = Said(body={"id": 42})


@pytest.fixture
def path(tmp_path):
    results.save(WHOLE, tmp_path / "out" / "results.json")
    return tmp_path / "out" / "results.json"


def sending(path, server, waits=None, **how):
    """Submits to a portal that is asked again at once; `waits` keeps the seconds."""
    portal = Portal(server.address, TOKEN, retrying=Retrying(3, 1.0, (waits if waits is not None else []).append))
    return rag_bench.submit(path, CONFIG, version="1.1.0", portal=portal, **how)


def test_the_form_is_the_published_client_s(path):
    with serving(DONE) as server:
        id = results.submit(path, CONFIG, server.address, True, "17", "1.1.0", TOKEN)
    (asked,) = server.asked
    assert (id, asked.path) == ("42", "/submit/create")
    told = json.loads(asked.fields.pop("config"))
    assert re.fullmatch("[0-9a-f]{32}", told.pop("user_guid")) and told == {**CONFIG, "is_auto": True}
    assert asked.fields == {"submit_id": "17", "version": "1.1.0", "token": TOKEN, "filename": "results.json"}
    assert asked.files == {str(path): ("results.json", path.read_bytes())}
    assert CONFIG == {"name": "Моя система", "llm": "qwen"}


def test_the_receipt_lies_beside_the_file(path):
    with serving(DONE) as server:
        receipt = sending(path, server)
    kept = json.loads((path.parent / "results.receipt.json").read_bytes())
    assert (receipt.id, receipt.version, receipt.address) == ("42", "1.1.0", f"http://{server.address}")
    assert kept["sha256"] == receipt.sha256 and kept["id"] == "42" and datetime.fromisoformat(receipt.at).tzinfo
    assert TOKEN not in str(receipt) + repr(receipt) + json.dumps(kept, ensure_ascii=False)


def test_a_busy_portal_is_asked_again_under_one_key(path):
    waits: list[float] = []
    with serving(Said(429, {}, (("Retry-After", "7"),)), Said(503, {}), DONE) as server:
        assert sending(path, server, waits).id == "42"
    assert len({json.loads(asked.fields["config"])["user_guid"] for asked in server.asked}) == 1
    assert waits[0] == 7.0 and 1.6 <= waits[1] <= 2.4


def test_a_connection_that_breaks_is_made_again_with_the_whole_file(path):
    with serving(Said(), DONE) as server:
        assert sending(path, server).id == "42"
    assert [asked.files[str(path)][1] for asked in server.asked] == [path.read_bytes()] * 2


def test_a_submission_that_failed_goes_on_under_its_key_and_one_that_is_done_is_not_sent_again(path):
    with serving(Said(503, {})) as server:
        with pytest.raises(Unreachable, match=r"busy \(503\), at every attempt; try again later"):
            sending(path, server)
        server.answers = [DONE]
        first, second = sending(path, server), sending(path, server)
        assert first == second and len(server.asked) == 4
        assert len({json.loads(asked.fields["config"])["user_guid"] for asked in server.asked}) == 1
        results.save({**WHOLE, "0": {"found_ids": [1], "model_answer": "Тверь"}}, path)
        assert sending(path, server).user_guid != first.user_guid
        other = rag_bench.submit(path, {"name": "другая"}, server.address, version="1.1.0", token=TOKEN)
        assert other.user_guid != first.user_guid and len(server.asked) == 6


@pytest.mark.parametrize("kept", [b"{", b"[]", b"{}", b'{"id": 1}'])
def test_a_receipt_that_is_none_is_replaced(path, kept):
    (path.parent / "results.receipt.json").write_bytes(kept)
    with serving(DONE) as server:
        assert sending(path, server).id == "42"


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (Said(401, {"error": "no"}), r"says 401 \(the token is not accepted\): \{\"error\": \"no\"\}"),
        (Said(404, b"<html>"), r"says 404 \(there is no portal at this address\)"),
        (Said(400, b"bad token " + TOKEN.encode()), r"says 400: bad token \*\*\*"),
        (Said(400, b"x" * 100_000), "x{300}…$"),
        (Said(302, {}, (("Location", "https://other.example/"),)), r"sends to https://other\.example/ \(302\)"),
        (Said(200, b"<html>hello"), r"answers no JSON object: <html>hello; is it a portal\?"),
        (Said(200, [1]), "answers no JSON object"),
        (Said(200, {"error": f"{TOKEN} is unknown"}), r"gave no id of the submission: \*\*\* is unknown"),
        (Said(200, {"id": None}), "gave no id"),
        (Said(200, {"id": True}), "gave no id"),
    ],
)
def test_a_portal_that_says_no_is_asked_once_and_quoted(path, said, words):
    with serving(said) as server, pytest.raises(Refused, match=words) as refused:
        sending(path, server)
    assert len(server.asked) == 1 and TOKEN not in str(refused.value)


def test_nobody_there_is_said(path):
    with serving(DONE) as server:
        pass
    with pytest.raises(Unreachable, match=r"gives no answer: .*; try again later"):
        sending(path, server)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("portal.example", "https://portal.example"),
        ("portal.example:8443", "https://portal.example:8443"),
        ("https://portal.example/bench/", "https://portal.example/bench"),
        ("localhost:80", "http://localhost:80"),
        ("127.0.0.1:5000", "http://127.0.0.1:5000"),
        ("[::1]:5000", "http://[::1]:5000"),
        ("https://localhost", "https://localhost"),
        ("localhost.portal.example", "https://localhost.portal.example"),
    ],
)
def test_an_address_is_encrypted_unless_it_is_this_machine(address, url):
    assert Portal(address).url == url


@pytest.mark.parametrize(
    "address",
    [
        "",
        "ftp://portal.example",
        "https://",
        "a:b",
        "user@portal.example",
        "portal.example?x=1",
        "a..b",
        "portal example",
        "[::1",
        "h/\x1b",
    ],
)
def test_what_is_no_address_is_said(address):
    with pytest.raises(RagBenchError, match="is no address of a portal"):
        Portal(address)


def test_a_token_is_sent_unencrypted_only_when_one_insists():
    with pytest.raises(RagBenchError, match="would send the token unencrypted"):
        Portal("http://portal.example", TOKEN)
    assert Portal("http://portal.example", TOKEN, allow_http=True).url == "http://portal.example"
    assert TOKEN not in repr(Portal("portal.example", TOKEN))


def test_a_run_with_faults_is_not_sent(path, release):
    results.save({"0": WHOLE["0"], "1": {"found_ids": [1, 99], "model_answer": "да"}}, path)
    with serving(DONE) as server:
        with pytest.raises(BadRun, match=r"question 1: found_ids names texts that the release does not have: 99"):
            sending(path, server, release=release, incomplete=True)
        results.save({"0": WHOLE["0"], "1": {"found_ids": [1], "model_answer": ""}}, path)
        with pytest.raises(BadRun, match=r"incomplete=True, or --incomplete, sends it all the same"):
            sending(path, server, release=release)
        results.save({"0": {"found_ids": ["1"], "model_answer": "да"}}, path)
        with pytest.raises(BadRun, match=r"found_ids\[0\] must be a whole number"):
            sending(path, server)
        with pytest.raises(BadRun, match="the file cannot be read: No such file"):
            sending(path.with_name("none.json"), server)
        assert server.asked == []
        results.save({"0": WHOLE["0"]}, path)
        assert sending(path, server, release=release, incomplete=True).id == "42"


def test_a_version_must_be_said_and_the_config_be_json(path, release):
    with serving(DONE) as server:
        with pytest.raises(RagBenchError, match="config must be a mapping"):
            rag_bench.submit(path, "My system", server.address, version="1.1.0", token=TOKEN)  # type: ignore[arg-type]
        with pytest.raises(RagBenchError, match="say which version the run answers"):
            rag_bench.submit(path, CONFIG, server.address)
        with pytest.raises(RagBenchError, match="config cannot be written as JSON"):
            rag_bench.submit(path, {"temperature": float("nan")}, server.address, release=release)
        assert server.asked == []
        assert rag_bench.submit(path, CONFIG, server.address, release=release).version == release.version


def test_a_judge_fetches_downloads_and_gives_back(path, tmp_path):
    items = [{"submit_id": "42", "version": "1.1.0"}]
    with serving(Said(body={"items": items}), Said(body=path.read_bytes()), Said(body={"ok": True})) as server:
        assert results.fetch_judge_requests(server.address, TOKEN) == items
        results.download_for_judge("42", "1.1.0", tmp_path / "judge" / "42.json", server.address, TOKEN)
        results.add_judge_results("42", "1.1.0", {"Полнота": 1.5}, server.address, TOKEN)
    assert results.load(tmp_path / "judge" / "42.json") == WHOLE
    assert [(asked.path, asked.fields) for asked in server.asked] == [
        ("/submit/fetch_judge_requests", {"token": TOKEN}),
        ("/submit/get_gen_output", {"token": TOKEN, "submit_id": "42", "version": "1.1.0"}),
        (
            "/submit/add_judge_results",
            {
                "token": TOKEN,
                "submit_id": "42",
                "version": "1.1.0",
                "judge_results": json.dumps({"Полнота": 1.5}),
                "is_auto": "False",
            },
        ),
    ]


def test_a_judge_s_download_that_is_refused_leaves_no_file(tmp_path):
    with serving(Said(403, {})) as server, pytest.raises(Refused, match="the token may not do this"):
        results.download_for_judge("42", "1.1.0", tmp_path / "42.json", server.address, TOKEN)
    assert list(tmp_path.iterdir()) == []
