"""The local sites against a client that is not ours."""

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from dragon_pipeline_tests.local_sites.faults import Fault
from dragon_pipeline_tests.local_sites.fixtures import WrongFixture, read_site
from dragon_pipeline_tests.local_sites.server import DAY_HEADER, LocalSites

GOOD = """
answers:
  - {url: "https://vestnik.example/", file: front.html, encoding: windows-1251}
  - {url: "https://vestnik.example/rss", text: old}
  - {url: "https://vestnik.example/rss", text: new, day: 2025-07-17, headers: {Last-Modified: yesterday}}
  - {url: "https://vestnik.example/old", status: 301, headers: {Location: /}}
  - {url: "https://vestnik.example/list.gz", text: list, gzip: true, type: application/gzip}
  - {url: "http://plain.example/?page=2", text: plain, type: ""}
crawls:
  - {day: 2025-07-17, failed: {"https://vestnik.example/old": redirects}}
"""


@pytest.fixture
def site(tmp_path: Path) -> Callable[[str], Path]:
    def written(text: str) -> Path:
        folder = tmp_path / "vestnik"
        folder.mkdir()
        (folder / "front.html").write_text("<h1>Ёлка €</h1>", "utf-8")
        (folder / "site.yaml").write_text(text, "utf-8")
        return folder

    return written


@pytest.fixture
def sites(site) -> Iterator[LocalSites]:
    with LocalSites([read_site(site(GOOD))]) as serving:
        yield serving


@pytest.fixture
def client(sites: LocalSites) -> Iterator[httpx2.Client]:
    trust = ssl.create_default_context(cafile=sites.ca_file)
    with httpx2.Client(proxy=sites.address, verify=trust) as asking:
        yield asking


def test_https_and_http_are_served_to_who_trusts_the_authority(client, sites):
    page = client.get("https://vestnik.example/")
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=windows-1251")
    assert page.content == "<h1>Ёлка €</h1>".encode("windows-1251")
    plain = client.get("http://plain.example/?page=2")
    assert (plain.text, plain.headers.get("content-type")) == ("plain", None)
    assert sites.urls == ["https://vestnik.example/", "http://plain.example/?page=2"]


def test_who_does_not_trust_the_authority_gets_nothing(sites):
    with httpx2.Client(proxy=sites.address) as asking, pytest.raises(httpx2.ConnectError, match=r"(?i)certificate"):
        asking.get("https://vestnik.example/")
    assert sites.requests == []


def test_the_asked_day_chooses_the_answer(client, sites):
    answers = [
        client.get("https://vestnik.example/rss", headers={DAY_HEADER: day}).text for day in ("2025-07-17", "2025-07-18")
    ]
    assert answers == ["new", "old"]
    assert [asked.day.isoformat() for asked in sites.requests] == ["2025-07-17", "2025-07-18"]


@pytest.mark.parametrize("by", [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")])
def test_who_holds_the_answer_is_told_that_it_is_unchanged(client, sites, by):
    day = {DAY_HEADER: "2025-07-17"}
    first = client.get("https://vestnik.example/rss", headers=day)
    again = client.get("https://vestnik.example/rss", headers={**day, by[1]: first.headers[by[0]]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("https://vestnik.example/rss", headers={by[1]: first.headers[by[0]]})
    assert other.text == "old"
    assert [bool(asked.etag or asked.since) for asked in sites.requests] == [False, True, True]


def test_redirects_files_and_strangers(client, sites):
    moved = client.get("https://vestnik.example/old")
    assert (moved.status_code, moved.headers["location"]) == (301, "/")
    assert client.get("https://vestnik.example/list.gz").content.startswith(b"\x1f\x8b")
    assert client.get("https://vestnik.example/robots.txt").status_code == 404
    assert sites.strangers == ["https://vestnik.example/robots.txt"]


def test_it_fails_as_it_is_told(client, sites):
    url = "https://vestnik.example/rss"
    sites.faults[url] = Fault("status", status=403)
    assert client.get(url).status_code == 403
    assert client.get("https://vestnik.example/").status_code == 200
    sites.faults["vestnik.example"] = Fault("garbage")
    sites.faults.pop(url)
    assert client.get(url).content == client.get(url).content != b"old"
    sites.faults[url] = Fault("drop")
    with pytest.raises(httpx2.RemoteProtocolError):
        client.get(url)
    sites.faults[url] = Fault("hang")
    with pytest.raises(httpx2.ReadTimeout):
        client.get(url, timeout=0.2)
    sites.faults[url] = Fault("bomb", size=5_000_000)
    packed = client.get(url)
    assert int(packed.headers["content-length"]) < 20_000
    assert len(packed.content) >= 5_000_000
    sites.faults[url] = Fault("slow", seconds=0.01)
    assert client.get(url).text == "old"
    sites.faults["vestnik.example"] = Fault("redirects")
    assert (
        client.get("https://vestnik.example/").headers["location"] != client.get("https://vestnik.example/").headers["location"]
    )


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("file: front.html", "fiel: front.html", "answers.0.fiel"),
        ("text: new,", "text: new, file: front.html,", "answers.2.*either a file or a text"),
        ("text: old", "status: 200", "answers.1.*a file or a text is needed"),
        ("file: front.html", "file: back.html", "no file back.html; .*nothing answers with the file front.html"),
        ("day: 2025-07-17, headers", "headers", "rss twice"),
        ("day: 2025-07-17, failed", "day: 2025-07-32, failed", "crawls.0.day"),
        ('failed: {"https://vestnik.example/old"', 'failed: {"https://vestnik.example/new"', "nothing answers for .*/new"),
        ("failed: {", 'failed: {"https://vestnik.example/old": x, ', "the key https://vestnik.example/old twice"),
        ("https://vestnik.example/rss", "vestnik.example/rss", "answers.1.url"),
        ("answers:", "- answers:", "expected <block end>"),
    ],
)
def test_a_wrong_fixture_is_an_error_that_names_file_and_key(site, old, new, says):
    assert old in GOOD
    with pytest.raises(WrongFixture, match=rf"(?s)vestnik/site\.yaml: .*{says}"):
        read_site(site(GOOD.replace(old, new)))


def test_a_missing_fixture_names_the_file(tmp_path):
    with pytest.raises(WrongFixture, match=r"site\.yaml"):
        read_site(tmp_path / "none")
