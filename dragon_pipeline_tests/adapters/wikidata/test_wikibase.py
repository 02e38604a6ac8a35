"""What the server may do instead of answering, and that pywikibot stays a quiet guest."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from dragon_pipeline.adapters.wikidata.wikibase import NoSuchEntity, Wikibase
from dragon_pipeline.adapters.wikidata.wikibase_session import told_wait
from dragon_pipeline.adapters.wikidata.wikibase_site import WikibaseSite
from dragon_pipeline.core.errors import BadInput, Unreachable
from dragon_pipeline_tests.adapters.wikidata.wikibase import Reply, WikibaseServer, entity, error, lagged

Serve = Callable[..., WikibaseServer]
BUSY_429 = Reply(b"Too many requests", 429, {"Retry-After": "0.3"}, "text/plain")
BUSY_503 = Reply(b"<html><h1>Our servers are currently under maintenance", 503, {"Retry-After": "0.3"}, "text/html")
HTML = Reply(b"<!DOCTYPE html><title>Wikimedia Error</title>", 200, {}, "text/html")
CUT_JSON = Reply(b'{"entities": {"Q1": {"id": "Q1", "labels"')
CUT_BODY = Reply(b'{"entities": {', cut=1000)


def open_wikibase(
    url: str, folder: Path, patience: float = 20, timeout: float = 20, contact: str = "a@example.org"
) -> Wikibase:
    return Wikibase(WikibaseSite(url, contact, folder, timeout), 5, patience, first_wait=0.1)


def ask(wikibase: Wikibase, ids: str = "Q1") -> dict:
    return wikibase.ask("wbgetentities", ids=ids, props="info", languages="ru", redirects="yes")["entities"]


@pytest.mark.parametrize(
    "busy",
    [
        pytest.param([lagged("0.3"), lagged("0.3")], id="maxlag twice"),
        pytest.param([BUSY_429], id="429"),
        pytest.param([BUSY_503], id="503"),
        pytest.param([error("ratelimited", "Slow down.", "0.3")], id="ratelimited"),
        pytest.param([error("internal_api_error_DBQueryError", "[x] Caught exception")], id="internal error"),
        pytest.param([error("cirrussearch-too-busy-error", "Search is currently too busy.")], id="search too busy"),
        pytest.param([Reply(b"", 500), Reply(b"", 502)], id="500 and 502"),
        pytest.param([HTML], id="HTML"),
        pytest.param([CUT_JSON], id="cut JSON"),
        pytest.param([CUT_BODY], id="cut body"),
        pytest.param([Reply(b"[]")], id="no object"),
    ],
)
def test_what_passes_is_waited_for(serve: Serve, tmp_path, busy):
    server = serve(entity("Q1", "Ока"))
    server.script.extend(busy)
    assert ask(open_wikibase(server.url, tmp_path))["Q1"]["lastrevid"] == 1001
    assert len(server.asked) == len(busy) + 1
    told = [float(reply.headers.get("Retry-After", 0.1)) for reply in busy]
    assert all(later - at >= wait for at, later, wait in zip(server.at, server.at[1:], told, strict=False))


@pytest.mark.parametrize("busy", [lagged("1"), Reply(b"", 429, {"Retry-After": "1"}), Reply(b"", 503, {"Retry-After": "1"})])
def test_the_server_says_how_long_to_wait(serve: Serve, tmp_path, busy):
    server = serve(entity("Q1", "Ока"))
    server.script.append(busy)
    ask(open_wikibase(server.url, tmp_path))
    assert server.at[1] - server.at[0] >= 1


@pytest.mark.parametrize("busy", [lagged("3600"), Reply(b"", 429, {"Retry-After": "3600"}), lagged(None)])
def test_a_wait_beyond_patience_is_not_begun(serve: Serve, tmp_path, busy):
    server = serve(entity("Q1", "Ока"))
    server.script.append(busy)
    begun = time.monotonic()
    with pytest.raises(Unreachable, match="3600 s" if busy.headers.get("Retry-After") else "5 s"):
        ask(open_wikibase(server.url, tmp_path, patience=4))
    assert time.monotonic() - begun < 3
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (lagged("0.3"), "3.45 seconds lagged"),
        (BUSY_429, "429"),
        (BUSY_503, "503"),
        (HTML, "text/html that is no JSON object: '<!DOCTYPE html>"),
        (CUT_JSON, "no JSON object"),
        (CUT_BODY, "broke"),
        (Reply(b""), "no JSON object"),
        (Reply(b"[]"), "no JSON object"),
        (Reply(b"\xff\xfe\x00"), "no JSON object"),
    ],
)
def test_what_does_not_pass_in_time_is_an_outage_that_names_the_server(serve: Serve, tmp_path, reply, said):
    server = serve(entity("Q1", "Ока"))
    server.script.extend([reply] * 9)
    with pytest.raises(Unreachable) as raised:
        ask(open_wikibase(server.url, tmp_path, patience=0.5))
    told = str(raised.value)
    assert server.url in told
    assert said in told
    assert "run it again later" in told
    assert 2 <= len(server.asked) <= 5


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(b"Please set a user agent", 403, {}, "text/plain"), "403"),
        (Reply(b"", 404), "404"),
        (error("param-invalid", "Bad language"), "param-invalid: Bad language"),
        (error("toomanyvalues", "Too many values"), "toomanyvalues"),
        (error("assertuserfailed", "You are no longer logged in"), "assertuserfailed"),
        (error("mysterylimit", "Over the limit"), "mysterylimit"),
        (Reply({"error": "odd"}), "odd"),
    ],
)
def test_what_will_not_pass_is_said_at_once(serve: Serve, tmp_path, reply, said):
    server = serve(entity("Q1", "Ока"))
    server.script.append(reply)
    with pytest.raises(Unreachable, match=said) as raised:
        ask(open_wikibase(server.url, tmp_path))
    assert server.url in str(raised.value)
    assert len(server.asked) == 1


def test_an_impossible_id_is_no_outage(serve: Serve, tmp_path):
    with pytest.raises(NoSuchEntity):
        ask(open_wikibase(serve().url, tmp_path), "Q0")


def test_a_hanging_server_is_given_up(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока"))
    server.script.extend([Reply(b"{}", delay=1.0)] * 9)
    begun = time.monotonic()
    with pytest.raises(Unreachable, match="does not answer in time"):
        ask(open_wikibase(server.url, tmp_path, patience=1, timeout=0.2))
    assert time.monotonic() - begun < 6
    assert 2 <= len(server.asked) <= 5


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/w/api.php", "http://no-such-host.invalid/w/api.php"])
def test_a_server_that_is_not_there_is_named(tmp_path, url):
    with pytest.raises(Unreachable, match="cannot be reached") as raised:
        ask(open_wikibase(url, tmp_path, patience=0.2))
    assert url in str(raised.value)


def test_a_server_that_comes_back_is_used(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока"))
    wikibase = open_wikibase(server.url, tmp_path)
    ask(wikibase)
    server.script.append(Reply(b"", 503))
    assert "Q1" in ask(wikibase)


@pytest.mark.parametrize(
    "url", ["", "www.wikidata.org", "ftp://www.wikidata.org/w/api.php", "https://www.wikidata.org/wiki", "https:///w/api.php"]
)
def test_what_is_no_api_is_refused(tmp_path, url):
    with pytest.raises(BadInput, match=r"wikidata\.api"):
        open_wikibase(url, tmp_path)


@pytest.mark.parametrize("contact", [None, "", "  ", "почта@пример.рф", "a@example.org\r\nX: y", "{pwb}@example.org", "me}"])
def test_without_a_contact_nothing_is_asked(serve: Serve, tmp_path, contact):
    with pytest.raises(BadInput, match=r"wikidata\.contact"):
        WikibaseSite(serve().url, contact, tmp_path, 20)


@pytest.mark.parametrize("contact", ["https://example.org/a?b=c&d=%20", "a@example.org; (x)"])
def test_a_contact_of_any_signs_is_sent_as_it_is(serve: Serve, tmp_path, contact):
    server = serve(entity("Q1", "Ока"))
    wikibase = open_wikibase(server.url, tmp_path, contact=contact)
    ask(wikibase)
    assert contact in server.asked[0]["user-agent"]
    assert wikibase.site.user_agent == server.asked[0]["user-agent"]


def test_two_servers_in_one_process_are_kept_apart(serve: Serve, tmp_path):
    servers = {name: serve(entity("Q1", "Ока", lastrevid=number)) for number, name in enumerate("ab")}
    opened = {
        name: open_wikibase(server.url, tmp_path / name, contact=f"{name}@example.org") for name, server in servers.items()
    }
    told: dict[str, list[int]] = {name: [] for name in opened}

    def keep_asking(name: str) -> None:
        for _ in range(5):
            told[name].append(ask(opened[name])["Q1"]["lastrevid"])

    threads = [threading.Thread(target=keep_asking, args=[name]) for name in opened]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {"a": [0] * 5, "b": [1] * 5}
    for name, server in servers.items():
        assert {asked["user-agent"].split("(")[1].split(")")[0] for asked in server.asked} == {f"{name}@example.org"}


@pytest.mark.parametrize(
    ("told", "seconds"), [("7", 7), ("0", 0), ("-3", None), ("1.5", 1.5), ("soon", None), ("", None), ("nan", None)]
)
def test_retry_after_in_seconds(told, seconds):
    assert told_wait({"Retry-After": told}) == seconds


def test_retry_after_as_a_date():
    then = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    waiting = told_wait({"Retry-After": then})
    assert waiting is not None
    assert 25 < waiting <= 30
    assert told_wait({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0


GUEST = """
import logging, os, sys, warnings
import requests  # which has filters of its own
warnings.simplefilter("error")
before = warnings.showwarning, list(warnings.filters), list(sys.argv), dict(os.environ), logging.root.handlers[:]
from pathlib import Path
from dragon_pipeline.adapters.wikidata.wikibase import Wikibase
from dragon_pipeline.adapters.wikidata.wikibase_site import WikibaseSite
from dragon_pipeline.core.errors import Unreachable
url, folder = sys.argv[1:3]
wikibase = Wikibase(WikibaseSite(url, "a@example.org", Path(folder), 20), 5, 1.5)
wikibase.ask("wbgetentities", ids="Q1", props="info", languages="ru", redirects="yes")
try:
    wikibase.ask("wbgetentities", ids="Q1", props="info", languages="ru", redirects="yes")
except Unreachable:
    pass
else:
    sys.exit("answered")
after = warnings.showwarning, list(warnings.filters), list(sys.argv), dict(os.environ), logging.root.handlers[:]
sys.exit(0 if before == after else "changed")
"""


@pytest.mark.parametrize("setting", [{}, {"PYWIKIBOT_NO_USER_CONFIG": "1"}, {"PYWIKIBOT_NO_USER_CONFIG": "0"}])
def test_pywikibot_is_a_quiet_guest(serve: Serve, tmp_path, setting):
    """Whatever the command was called with and whatever its user has configured: nothing printed, nothing left elsewhere."""
    server = serve(entity("Q1", "Ока"))
    server.script.extend([Reply(b'{"entities": {}, "warnings": {"main": {"*": "Unrecognized parameter: x."}}}'), *[HTML] * 9])
    home, work, folder = tmp_path / "user", tmp_path / "work", tmp_path / "home" / "pywikibot"
    for place in (home, work):
        place.mkdir()
    (work / "user-config.py").write_text("raise SystemExit('read')")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYWIKIBOT_DIR": str(work), **setting}
    command = [sys.executable, "-c", GUEST, server.url, str(folder), "-v", "-dir:.", "-config:other", "-simulate"]
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(home.iterdir()) == []
    assert [path.name for path in work.iterdir()] == ["user-config.py"]
    assert [path.name for path in folder.iterdir()] == ["user-config.py"]


MISSING = """
import sys
sys.modules["pywikibot"] = None
from pathlib import Path
from dragon_pipeline.adapters.wikidata.wikibase_site import WikibaseSite
from dragon_pipeline.core.errors import BadInput
try:
    WikibaseSite("http://127.0.0.1:1/w/api.php", "a@example.org", Path(sys.argv[1]), 20).submit({"action": "wbgetentities"})
except BadInput as error:
    print(error)
"""


def test_without_pywikibot_it_is_said_what_to_install(tmp_path):
    done = subprocess.run([sys.executable, "-c", MISSING, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pip install 'dragon-pipeline[wikidata]'" in done.stdout
