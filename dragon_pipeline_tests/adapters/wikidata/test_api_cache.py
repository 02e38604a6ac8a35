"""What the API answered is kept for the day, over runs and processes; outages are not."""

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta

import pytest

from dragon_pipeline.adapters.wikidata.api import WikidataApi
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline_tests.adapters.wikidata.wikibase import TODAY, Reply, WikibaseServer, entity, ids, open_api, statement

Serve = Callable[..., WikibaseServer]


def test_a_day_run_again_asks_nothing_and_needs_no_server(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока", statements=(statement("Q1", "P31", "Q4022"),), sitelinks=4), entity("P1", "приток"))
    names, subjects = ["Ока", "Нет такой", "«Ока»"], ["Q1", "Q2", "P1"]

    def look(kb: WikidataApi) -> tuple:
        return kb.search(names, "item"), kb.search(["приток"], "property"), kb.stated(subjects)

    first = look(open_api(server.url, tmp_path))
    asked = len(server.asked)
    assert look(open_api(server.url, tmp_path)) == first
    assert len(server.asked) == asked
    server.close()
    assert look(open_api(server.url, tmp_path)) == first
    with pytest.raises(Unreachable):
        open_api(server.url, tmp_path).stated(["Q3"])


def test_the_next_day_asks_again_unless_answers_hold_longer(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока", lastrevid=1))
    assert open_api(server.url, tmp_path).stated(["Q1"])["Q1"].revision == "1"
    server.entities["Q1"] = entity("Q1", "Ока", lastrevid=2)
    tomorrow = TODAY + timedelta(days=1)
    assert open_api(server.url, tmp_path, tomorrow, max_age_days=2).stated(["Q1"])["Q1"].revision == "1"
    assert open_api(server.url, tmp_path, tomorrow).stated(["Q1"])["Q1"].revision == "2"


def test_a_name_that_was_new_yesterday_is_looked_up_today(serve: Serve, tmp_path):
    server = serve()
    assert ids(open_api(server.url, tmp_path).search(["Новичок"], "item")) == [[]]
    server.entities["Q1"] = entity("Q1", "Новичок")
    assert ids(open_api(server.url, tmp_path, TODAY + timedelta(days=1)).search(["Новичок"], "item")) == [["Q1"]]


def test_what_is_too_old_is_forgotten(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока"), entity("Q42", "Дуглас Адамс"))
    open_api(server.url, tmp_path).stated(["Q1", "Q2", "Q3"])
    later = open_api(server.url, tmp_path, TODAY + timedelta(days=2), max_age_days=2)
    assert "3 answers" in later.examine()
    later.stated(["Q4"])
    assert "1 answers" in later.examine()


def test_an_outage_is_never_kept(serve: Serve, tmp_path):
    server = serve(entity("Q1", "Ока", statements=(statement("Q1", "P1", "Q2"),)))
    server.script.extend([Reply(b"", 503), Reply(b"", 503)])
    kb = open_api(server.url, tmp_path)
    for look in (lambda: kb.search(["Ока"], "item"), lambda: kb.stated(["Q1"])):
        with pytest.raises(Unreachable):
            look()
    assert ids(kb.search(["Ока"], "item")) == [["Q1"]]
    assert len(kb.stated(["Q1"])["Q1"].statements) == 1


def test_what_was_answered_before_an_outage_is_kept(serve: Serve, tmp_path):
    server = serve(*(entity(f"Q{number}", "А") for number in range(1, 61)))
    subjects = [f"Q{number}" for number in range(1, 61)]
    served = server.reply
    server.reply = lambda asked: served(asked) if len(server.asked) < 1 else Reply(b"", 500)
    with pytest.raises(Unreachable):
        open_api(server.url, tmp_path).stated(subjects)
    server.reply = served
    open_api(server.url, tmp_path).stated(subjects)
    assert [len(asked["ids"].split("|")) for asked in server.asked] == [50, 10]


def test_servers_and_kinds_do_not_share_answers(serve: Serve, tmp_path):
    one, other = serve(entity("Q1", "Ока"), entity("P1", "Ока")), serve()
    assert ids(open_api(one.url, tmp_path).search(["Ока"], "item")) == [["Q1"]]
    assert ids(open_api(other.url, tmp_path).search(["Ока"], "item")) == [[]]
    assert ids(open_api(one.url, tmp_path).search(["Ока"], "property")) == [["P1"]]


PROCESS = """
import json, sys
from datetime import date
from pathlib import Path
from dragon_pipeline.adapters.wikidata.api import WikidataApi
from dragon_pipeline.core.settings import WikidataSettings
url, folder, first = sys.argv[1:]
settings = WikidataSettings(source="api", api=url, contact="a@example.org", patience=0.5)
kb = WikidataApi(settings, "ru", Path(folder), lambda: date(2026, 11, 30))
names = [f"Имя {number}" for number in range(int(first), int(first) + 30)]
found = [[one.wikidata_id for one in of_name] for of_name in kb.search(names, "item")]
stated = kb.stated(sorted({one for of_name in found for one in of_name}))
print(json.dumps([found, {one: told.revision for one, told in sorted(stated.items())}]))
"""


def test_processes_share_one_cache(serve: Serve, tmp_path):
    server = serve(*(entity(f"Q{number}", f"Имя {number}") for number in range(1, 51)))

    def start(first: int) -> subprocess.Popen:
        command = [sys.executable, "-c", PROCESS, server.url, str(tmp_path), str(first)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    told = []
    for process, first in [(start(first), first) for first in (1, 21)]:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        found, revisions = json.loads(out)
        assert found == [[f"Q{number}"] for number in range(first, first + 30)]
        told.append(revisions)
    server.close()
    names = [f"Имя {number}" for number in range(1, 51)]
    kb = open_api(server.url, tmp_path)
    assert ids(kb.search(names, "item")) == [[f"Q{number}"] for number in range(1, 51)]
    assert {one: stated.revision for one, stated in kb.stated([f"Q{n}" for n in range(1, 51)]).items()} == {
        one: revision for revisions in told for one, revision in revisions.items()
    }
