from pathlib import Path

import pytest

from dragon_pipeline.adapters.web.scrapy_settings import scrapy_settings, user_agent
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import NewsroomSettings


@pytest.mark.parametrize("delay", [0, 0.5, 1, 60])
def test_a_delay_is_where_autothrottle_starts_and_what_it_never_goes_below(delay: float):
    made = scrapy_settings(NewsroomSettings(delay=delay))
    assert made["AUTOTHROTTLE_ENABLED"] is (delay > 0)
    assert made["AUTOTHROTTLE_START_DELAY"] == made["DOWNLOAD_DELAY"] == delay
    assert made["AUTOTHROTTLE_MAX_DELAY"] >= delay


@pytest.mark.parametrize(
    ("given", "agent"),
    [
        ({}, "DragonPipeline/0.1 (news benchmark crawler; set newsroom.contact)"),
        ({"contact": "a@b.example"}, "DragonPipeline/0.1 (news benchmark crawler; a@b.example)"),
        ({"contact": "a@b.example", "user_agent": "Bot/2"}, "Bot/2 (a@b.example)"),
        ({"contact": "a@b.example", "user_agent": "Bot/2 (a@b.example)"}, "Bot/2 (a@b.example)"),
    ],
)
def test_who_asks_names_whom_to_write_to(given: dict, agent: str):
    assert user_agent(NewsroomSettings(**given)) == agent


def test_robots_txt_and_certificates_are_not_up_to_settings():
    made = scrapy_settings(NewsroomSettings())
    assert made["ROBOTSTXT_OBEY"] and made["DOWNLOAD_VERIFY_CERTIFICATES"]
    assert made["ROBOTSTXT_USER_AGENT"] == "DragonPipeline"


def test_an_authority_that_is_none_is_named(tmp_path: Path):
    (tmp_path / "ca.pem").write_text("no certificate")
    for path in (tmp_path / "ca.pem", tmp_path / "nowhere.pem", tmp_path):
        with pytest.raises(BadInput, match="ca_file"):
            scrapy_settings(NewsroomSettings(ca_file=str(path)))
