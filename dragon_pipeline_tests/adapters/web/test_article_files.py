import csv
import gzip
import io
import json
from datetime import date

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.article_files import read_articles
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.records import CRAWL

GOOD = {"url": "https://vesti.example/most", "title": "Мост открыт", "text": "Движение по мосту началось утром."}


@pytest.fixture
def file(tmp_path):
    """Writes a file of this name and content; lists are written as JSONL."""

    def written(content, name="articles.jsonl"):
        if isinstance(content, list):
            content = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in content)
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


def faults(imported):
    return list(imported.bad.select("line", "reason", "kept").iter_rows())


def as_csv(rows, delimiter=","):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def test_jsonl_gives_rows_of_the_crawl(file):
    row = GOOD | {
        "outlet": "vesti",
        "lead": "Мост снова открыт.",
        "published_on": "2018-03-14",
        "day": "2024-03-01",
        "likes": [1],
    }
    imported = read_articles(file([row]))
    CRAWL.check(imported.rows)
    found = imported.rows.row(0, named=True)
    used = ("url", "outlet", "title", "lead", "text", "day")
    assert [found[name] for name in used] == [row[name] for name in used]
    assert (found["published_at"], found["status"], found["extractor"], found["fetch"]) == ("2018-03-14", "ok", "import", 0)
    assert imported.bad.is_empty()


def test_the_day_is_the_given_one_or_that_of_the_date_in_moscow_or_none(file):
    rows = [
        GOOD | {"url": "https://v.example/1", "published_on": "2018-03-14", "day": "2024-03-01"},
        GOOD | {"url": "https://v.example/2", "published_on": "2024-03-04T22:30:00Z"},
        GOOD | {"url": "https://v.example/3", "published_on": None},
        GOOD | {"url": "https://v.example/4", "day": "2024-03-02"},
    ]
    imported = read_articles(file(rows))
    assert imported.rows["day"].to_list() == ["2024-03-01", "2024-03-05", None, "2024-03-02"]
    assert imported.rows["published_at"].to_list() == ["2018-03-14", "2024-03-04T22:30:00+00:00", None, None]
    assert imported.bad.is_empty()


def test_without_an_outlet_the_host_is_it(file):
    assert (
        read_articles(file([GOOD | {"url": "https://www.vesti.example/1", "outlet": " "}])).rows["outlet"][0] == "vesti.example"
    )


def test_gzip_is_told_by_content_not_by_name(file):
    packed = gzip.compress((json.dumps(GOOD) + "\n").encode())
    for name in ("articles.jsonl.gz", "articles.jsonl", "articles"):
        assert read_articles(file(packed, name)).rows.height == 1


def test_a_gzip_that_breaks_off_gives_the_rows_before_the_break(file):
    rows = [GOOD | {"url": f"https://v.example/{n}", "text": f"Текст {n} {n**9}"} for n in range(3000)]
    packed = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
    imported = read_articles(file(packed[: len(packed) // 2]))
    assert 500 < imported.rows.height < 2500
    assert imported.bad["reason"].to_list() == ["not_json", "broken_gzip"]
    few = gzip.compress("".join(json.dumps(row) + "\n" for row in rows[:400]).encode())
    assert read_articles(file(few[:-100])).rows.height > 350
    with pytest.raises(BadInput, match="broken gzip"):
        read_articles(file(packed[:20]))


def test_parquet_is_read_with_numbers_and_dates_as_strings(tmp_path):
    path = tmp_path / "articles.parquet"
    row = GOOD | {"title": 2139, "published_on": date(2024, 3, 4), "day": "2024-03-05", "other": [1, 2]}
    pl.DataFrame([row, row | {"url": "https://v.example/2", "text": None}]).write_parquet(path)
    imported = read_articles(path)
    assert imported.rows.select("title", "published_at", "day").row(0) == ("2139", "2024-03-04", "2024-03-05")
    assert faults(imported) == [(2, "no_text", False)]
    assert imported.encoding is None


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize(("encoding", "said"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1251", "windows-1251")])
def test_csv_is_read_with_any_delimiter_and_encoding(file, delimiter, encoding, said):
    rows = [
        GOOD | {"outlet": "vesti", "text": 'Мост, «Светлый»; он\n"открыт"\tутром', "published_on": "31.12.2023"},
        GOOD | {"outlet": "vesti", "text": "007", "published_on": ""},
    ]
    imported = read_articles(file(as_csv(rows, delimiter).encode(encoding), "articles.csv"))
    assert set(imported.rows.select("text", "published_at").iter_rows()) == {(rows[0]["text"], "2023-12-31"), ("007", None)}
    assert (imported.encoding, imported.bad.height) == (said, 0)


def test_csv_is_told_by_its_header_when_the_name_says_nothing(file):
    assert read_articles(file(as_csv([GOOD]), "articles.txt")).rows.height == 1


def test_csv_lines_are_those_of_the_file(file):
    text = as_csv([GOOD | {"text": "две\nстроки"}, GOOD | {"url": "мост"}]) + 'a,b\n"https://v.example/9",x,y\n'
    imported = read_articles(file(text, "articles.csv"))
    assert faults(imported) == [(4, "bad_url", False), (5, "wrong_columns", False)]
    assert imported.rows.height == 2


def test_a_csv_row_with_broken_bytes_is_the_only_one_lost(file):
    rows = as_csv([GOOD | {"url": f"https://v.example/{n}"} for n in range(5)]).encode().split(b"\n")
    rows[2] = rows[2].replace("утром".encode(), b"\xff\xfe")
    imported = read_articles(file(b"\n".join(rows), "articles.csv"))
    assert (faults(imported), imported.rows.height, imported.encoding) == ([(3, "undecodable", False)], 4, "utf-8")


BAD_LINES = {
    "not_json": "{'url': 1}\n",
    "not_an_object": '["https://v.example/1"]\n',
    "no_url": {"title": "а", "text": "б"},
    "no_title": GOOD | {"title": None},
    "no_text": GOOD | {"text": " \n"},
    "not_text": GOOD | {"text": ["а"]},
    "too_long": GOOD | {"text": "а" * 5_000_000},
    "nul_byte": GOOD | {"text": "а\0б"},
    "lone_surrogate": GOOD | {"title": "а\ud800б"},
    "bad_url": GOOD | {"url": "ftp://vesti.example/most"},
    "duplicate": GOOD,
}


@pytest.mark.parametrize("reason", BAD_LINES)
def test_a_bad_row_is_kept_aside_with_line_and_reason_and_the_good_ones_are_read(file, reason):
    imported = read_articles(file([GOOD, "\n", BAD_LINES[reason], GOOD | {"url": "https://v.example/2"}]))
    assert faults(imported) == [(3, reason, False)]
    assert imported.rows["url"].to_list() == ["https://v.example/2", "https://vesti.example/most"]
    sample = imported.bad["sample"][0]
    assert len(sample) <= 80
    assert sample.isprintable()
    sample.encode()


def test_raw_nul_bytes_undecodable_bytes_and_deep_nests_are_bad_rows(file):
    good = json.dumps(GOOD).encode()
    lines = [good, good.replace(b"text", b"te\0xt"), good.replace(b"title", b"\xff\xfe"), b"[" * 100_000, b'{"url": 1e999']
    imported = read_articles(file(b"\n".join(lines)))
    assert [reason for _, reason, _ in faults(imported)] == ["nul_byte", "undecodable", "not_json", "not_json"]
    assert imported.rows.height == 1


def test_one_line_beyond_all_measure_is_skipped_to_its_end(file):
    endless = b'{"url": "' + b"a" * (40 * 1024 * 1024) + b'"}\n'
    imported = read_articles(file(endless + json.dumps(GOOD).encode()))
    assert (faults(imported), imported.rows.height) == ([(1, "too_long", False)], 1)


@pytest.mark.parametrize(
    "broken", ["2024-02-30", "вчера", 0, 1e99, "", "1970-01-01", "2024-13-01T00:00", "31.02.2023", "null", -5]
)
def test_a_broken_date_does_not_lose_the_row(file, broken):
    imported = read_articles(file([GOOD | {"published_on": broken}]))
    assert imported.rows.select("published_at", "day").row(0) == (None, None)
    assert faults(imported) == [(1, "bad_date", True)]


@pytest.mark.parametrize("broken", ["01.03.2024", "2024-3-1", "2024-02-30", "", 20240301])
def test_a_broken_day_gives_way_to_the_date(file, broken):
    imported = read_articles(file([GOOD | {"day": broken, "published_on": "2024-03-04"}]))
    assert imported.rows["day"].to_list() == ["2024-03-04"]
    assert faults(imported) == [(1, "bad_day", True)]


@pytest.mark.parametrize("stated", ["31.12.2023", "1704000000", 1704000000, 1704000000000, "2023-12-31T08:20:00+03:00"])
def test_dates_that_can_be_read_are(file, stated):
    imported = read_articles(file([GOOD | {"published_on": stated}]))
    assert imported.rows["day"].to_list() == ["2023-12-31"]
    assert imported.bad.is_empty()


def test_numbers_stay_as_written(file):
    line = '{"url": "https://v.example/1", "title": 2139, "text": 7.10, "lead": 1e5}\n'
    assert read_articles(file([line])).rows.select("title", "text", "lead").row(0) == ("2139", "7.10", "1e5")


def test_versions_of_a_page_are_told_apart_by_fetch(file):
    imported = read_articles(file([GOOD, GOOD | {"text": "Движение закрыто."}, GOOD | {"day": "2024-03-01"}]))
    assert sorted(imported.rows.select("day", "fetch").iter_rows(), key=str) == [("2024-03-01", 0), (None, 0), (None, 1)]
    assert imported.bad.is_empty()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", "", "is empty"),
        ("a.jsonl", "\ufeff \n\n", "is empty"),
        ("a.jsonl.gz", gzip.compress(b""), "is empty"),
        ("a.jsonl", "<!DOCTYPE html><html></html>", "line 1: this is HTML"),
        ("a.csv", "\n <html lang='ru'>", "line 1: this is HTML"),
        ("a.jsonl", "просто текст\nещё\n", r"line 1: not_json \(просто текст\).*not_json 2"),
        ("a.txt", "просто текст\nещё\n", "line 1: neither JSON nor a CSV header"),
        (
            "a.jsonl",
            "\n" + json.dumps({"url": "https://v.example", "headline": "б"}),
            "line 2: no_title .its fields: url, headline",
        ),
        ("a.jsonl", json.dumps([GOOD]), "one JSON array"),
        ("a.json", json.dumps([GOOD], indent=1), "one JSON array"),
        ("a.csv", "адрес;текст\nа;б\n", "line 1: a CSV header with url, title, text is needed; found: адрес;текст"),
        ("a.csv", "url,title,text\n", "holds no articles"),
        ("a.jsonl", bytes(range(256)) * 50, "binary"),
        ("a.parquet", b"\x89PNG\r\n\x1a\n\0\0\0\0", "binary"),
        ("a.parquet", "none", "no Parquet"),
        ("a.parquet", b"PAR1 broken PAR1", "broken Parquet"),
        ("a.jsonl", "текст".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_file_that_cannot_be_used_says_what_where_and_what_to_do(file, name, content, said):
    path = file(content, name)
    with pytest.raises(BadInput, match=said) as refusal:
        read_articles(path)
    assert str(path) in str(refusal.value)


def test_a_missing_file_and_a_folder_say_so(tmp_path):
    with pytest.raises(BadInput, match="does not exist"):
        read_articles(tmp_path / "none.jsonl")
    with pytest.raises(BadInput, match="is a folder"):
        read_articles(tmp_path)


def test_parquet_without_the_needed_columns_names_them(tmp_path):
    path = tmp_path / "articles.parquet"
    pl.DataFrame({"url": ["https://v.example"], "body": ["а"]}).write_parquet(path)
    with pytest.raises(BadInput, match="lacks the columns title, text; it has url, body"):
        read_articles(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["a.jsonl", "a.csv", "a", "a.parquet", "a.jsonl.gz"]))
def test_no_bytes_whatever_break_the_reader(file, noise, name):
    head = b"url,title,text\n" if name == "a.csv" else b""
    tail = b"\n" + json.dumps(GOOD).encode() + b"\n"
    try:
        imported = read_articles(file(head + noise + tail, name))
    except BadInput:
        return
    assert imported.rows.height >= 1


def test_the_real_articles_are_all_read(shared_data):
    imported = read_articles(shared_data / "news" / "news.jsonl.gz")
    assert (imported.rows.height, imported.bad.height) == (3000, 0)
    assert imported.rows["published_at"].null_count() == 2347
    assert imported.rows["day"].n_unique() == 30
