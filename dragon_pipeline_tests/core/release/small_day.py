"""A small day: six pages (one edited later), four questions, made here and nowhere else."""

import json
from dataclasses import dataclass, replace

import polars as pl
from upath import UPath

from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.records import ARTICLES, VERDICTS
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY

PAGES = [
    ("gavan", "/most", 1, "2024-05-01", "Мост закрыли", "Мост через реку Каменку закрыл на ремонт подрядчик Олег Дымов."),
    ("gavan", "/sad", 1, "2024-05-01", "Сад открыт", "Ботанический сад в Ярославле открыла директор Анна Лещинская."),
    ("gavan", "/most", 2, "2024-05-02", "Мост закрыли до осени", "Мост через реку Каменку закрыл до осени Олег Дымов."),
    ("vestnik", "/sad-2", 1, "2024-05-02", "В Ярославле открыт сад", "Сад в Ярославле открыла Анна Лещинская, директор."),
    ("vestnik", "/zavod", 1, "2024-05-02", "Завод продан", "Завод «Верхняя Тула» купил холдинг «Сталь и Свет»."),
    ("vestnik", "/forum", 1, "2024-05-02", "Форум", "Форум в Казани провели Ирина Шведова и Пётр Сомов."),
]


def article(page: int) -> dict:
    outlet, path, version, day, title, text = PAGES[page]
    return {
        "article_id": content_id("article", page),
        "url": f"https://{outlet}.example{path}",
        "outlet": outlet,
        "version": version,
        "change": "new" if version == 1 else "changed",
        "title": title,
        "text": text,
        "author": None,
        "section": None,
        "published_at": f"{day}T09:00:00+03:00" if page else None,
        DAY: day,
    }


def question(number: int, type: str, question: str, answers: list[str], pages: list[int]) -> dict:
    fact = content_id("fact", number)
    return {
        "qa_id": content_id("qa", number),
        "type": type,
        "question": question,
        "answer": ", ".join(answers),
        "answers": answers,
        "given": [],
        "bridge": None,
        "fact_ids": [fact],
        "article_ids": sorted(content_id("article", page) for page in pages),
        "direction": None,
        "cross_story": False,
        "one_article": True,
        "subgraph": json.dumps([{"fact_id": fact, "head": answers[0]}], ensure_ascii=False),
        "writer": "rules",
        "reason": None,
        "raw": None,
        "rank": number,
        "score": 0.9,
        "standing": "{}",
    }


QUESTIONS = [
    question(1, "simple", "Кто закрыл мост через реку Каменку?", ["Олег Дымов"], [2, 0]),
    question(2, "simple", "Кто открыл ботанический сад в Ярославле?", ["Анна Лещинская"], [1, 3]),
    question(3, "set", "Кто провёл форум в Казани?", ["Ирина Шведова", "Пётр Сомов"], [5]),
    question(4, "conditional", "Какой холдинг купил завод в Туле?", ["Сталь и Свет"], [4]),
]


SETTINGS = Settings.model_validate({"release": {"min_questions": 2}, "screens": {"required": ["grammar"]}})
FILES = ReleaseFiles(UPath("memory://release-tests"))
PROVENANCE = Provenance("c0ffee", {"writer": "rules"}, {"closed_book": "no model"})


@dataclass(frozen=True)
class Day:
    """Inputs of build_release; `replace(day, …)` varies them."""

    accepted: pl.DataFrame
    articles: pl.DataFrame
    verdicts: pl.DataFrame
    day: str = "2024-05-02"
    settings: Settings = SETTINGS
    key: bytes = bytes(range(32))
    provenance: Provenance = PROVENANCE
    files: FileStore = FILES

    def build(self) -> pl.DataFrame:
        return build_release(
            self.accepted, self.window, self.verdicts, self.day, self.settings, self.key, self.provenance, self.files
        )

    @property
    def window(self) -> Batches:
        """Articles two at a time, as they come from a store."""
        return Batches(ARTICLES, lambda columns: self.articles.select(columns).iter_slices(2))

    def vary(self, **changes: object) -> "Day":
        return replace(self, **changes)  # type: ignore[arg-type]


def verdicts_of(accepted: pl.DataFrame) -> pl.DataFrame:
    screens = [("grammar", "passed"), ("judge_fluency", "not_run")]
    return VERDICTS.frame(
        [
            {"qa_id": id, "order": order, "screen": screen, "outcome": outcome, "score": None, "reason": None}
            for id in accepted["qa_id"]
            for order, (screen, outcome) in enumerate(screens)
        ]
    )


def many_texts(day: Day) -> Day:
    """The same day with as many texts as need two pieces: 5,999."""
    many = pl.concat([day.articles] * 1000).with_row_index("n").with_columns(pl.col("n").cast(pl.String))
    named = many.with_columns(
        article_id=pl.when(pl.col("n").cast(pl.Int64) < 6).then("article_id").otherwise(pl.lit("x") + pl.col("n")),
        url=pl.when(pl.col("n").cast(pl.Int64) < 6).then("url").otherwise(pl.col("url") + "/" + pl.col("n")),
    )
    return day.vary(articles=named.drop("n"))
