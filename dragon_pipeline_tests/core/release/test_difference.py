import json
from dataclasses import replace

import polars as pl
import pytest

from dragon_pipeline.adapters.hub.memory import MemoryHub
from dragon_pipeline.core.errors import PublicationFailed
from dragon_pipeline.core.release.difference import compare
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.settings import ReleaseSettings

SETTINGS = ReleaseSettings(min_questions=2)
TODAY = "2024-05-02"


@pytest.fixture
def hub() -> MemoryHub:
    return MemoryHub()


def test_a_version_differs_from_itself_in_nothing(hub, release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    found = compare(hub, "1.0.0", "1.0.0")
    assert found.is_none
    assert (found.texts_added, found.texts_removed, found.texts_changed, found.told) == ([], [], [], {})
    assert found.questions == {"all": (4, 4), "conditional": (1, 1), "set": (1, 1), "simple": (2, 2)}


def test_texts_and_questions_and_what_made_them_are_told(hub, day, release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    changed = pl.when(pl.col("url").str.ends_with("/sad")).then(pl.lit("Сад закрыт")).otherwise("title")
    new = day.articles.filter(pl.col("url").str.ends_with("/sad-2")).with_columns(
        url=pl.lit("https://vestnik.example/nov"), article_id=pl.lit("0" * 16)
    )
    articles = pl.concat([day.articles.with_columns(title=changed).filter(~pl.col("url").str.ends_with("/forum")), new])
    provenance = replace(day.provenance, engines={"writer": "a-model", "judge": "b"}, knowledge_base="wikidata-2")
    accepted = day.accepted.filter(pl.col("type") != "set").with_columns(writer=pl.lit("a-model"))
    later = day.vary(day="2024-05-03", articles=articles, accepted=accepted, provenance=provenance)
    publish(later.build(), None, "2024-05-03", hub, files, SETTINGS)
    found = compare(hub, "1.0.0", "1.1.0")
    assert not found.is_none
    assert found.texts_added == ["https://vestnik.example/nov"]
    assert found.texts_removed == ["https://vestnik.example/forum"]
    assert found.texts_changed == ["https://gavan.example/sad"]
    assert found.questions == {"all": (4, 3), "conditional": (1, 1), "set": (1, 0), "simple": (2, 2)}
    assert found.questions_kept == 3
    assert found.told == {
        "day": (TODAY, "2024-05-03"),
        "engines.judge": (None, "b"),
        "engines.writer": ("rules", "a-model"),
        "knowledge_base": ("none", "wikidata-2"),
        "ranking": (False, True),
        "writers": (["rules"], ["a-model"]),
    }
    assert json.loads(json.dumps(found.as_json()))["texts_added"] == found.texts_added
    back = compare(hub, "1.1.0", "1.0.0")
    assert (back.texts_added, back.texts_removed) == (found.texts_removed, found.texts_added)
    assert back.told["ranking"] == (True, False)


def test_screens_that_ran_otherwise_are_told(hub, day, release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    ran = day.verdicts.with_columns(outcome=pl.lit("passed"))
    publish(day.vary(verdicts=ran).build(), None, TODAY, hub, files, SETTINGS)
    was, now = compare(hub, "1.0.0", "1.1.0").told["screens.judge_fluency"]
    assert (was["state"], now["state"]) == ("not_run", "ran")


def test_a_licence_that_changed_is_told(hub, release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    held = hub.read("public_questions", "1.0.0")
    card = held["README.md"].replace(b"license: cc-by-4.0", b"license: cc0-1.0")
    commit = hub.commit("public_questions", {**held, "README.md": card}, "by hand", False, hub.head("public_questions"))
    hub.tag("public_questions", "1.1.0", commit)
    hub.tag("public_texts", "1.1.0", hub.tags("public_texts")["1.0.0"])
    assert compare(hub, "1.0.0", "1.1.0").told == {"licence.public_questions": ("cc-by-4.0", "cc0-1.0")}


def test_a_version_that_is_not_there_is_said(hub, release, files):
    publish(release, None, TODAY, hub, files, SETTINGS)
    with pytest.raises(PublicationFailed, match=r"1\.4\.0"):
        compare(hub, "1.0.0", "1.4.0")
