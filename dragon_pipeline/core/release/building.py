"""From accepted questions and the window's articles to the files of a release."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from dragon_pipeline.core.ids import sha256
from dragon_pipeline.core.published import RELEASE
from dragon_pipeline.core.records import ACCEPTED, ARTICLES, VERDICTS
from dragon_pipeline.core.release import gate, ids, manifest
from dragon_pipeline.core.release.card import render_card
from dragon_pipeline.core.release.files import FileStore
from dragon_pipeline.core.release.manifest import Contents, Provenance
from dragon_pipeline.core.release.tables import CARD_PATH, DATASETS, MANIFEST_PATH, PUBLIC, TABLE_PATH, to_parquet
from dragon_pipeline.core.settings import Settings

Rows = dict[str, list[dict]]


def build_release(  # noqa: PLR0913 (the contract's signature)
    accepted: pl.DataFrame,
    articles: pl.DataFrame,
    verdicts: pl.DataFrame,
    day: str,
    settings: Settings,
    key: bytes,
    provenance: Provenance,
    files: FileStore,
) -> pl.DataFrame:
    """The RELEASE files of a day, before they have a version; equal inputs and key give equal bytes.

    Args:
        accepted: ACCEPTED of the day.
        articles: ARTICLES of the window, with `day`.
        verdicts: VERDICTS of the day; a question without a passed verdict of every required screen is withheld.
        key: the home's release key, at least 16 random bytes.
        files: where the files are put.

    Returns:
        An empty frame when fewer than `settings.release.min_questions` questions may be released (see `gate.withhold`).

    Raises:
        Unreachable: an outage took more than `settings.models.lost_share` of a screen's verdicts.
    """
    accepted, articles, verdicts = ACCEPTED.check(accepted), ARTICLES.check(articles), VERDICTS.check(verdicts)
    gate.refuse_outage(verdicts, settings.models.lost_share)
    withheld = gate.withhold(accepted, articles, verdicts, settings.screens.required)
    released = accepted.filter(~pl.col("qa_id").is_in(list(withheld.reasons)))
    if released.height < settings.release.min_questions:
        return RELEASE.empty()
    key, texts = ids.release_key(key, day), gate.texts_of(articles)
    question_ids = ids.permutation(key, "question", released["qa_id"])
    text_ids = ids.permutation(key, "text", texts["article_id"])
    contents = Contents(
        day=day,
        types=_counts(released["type"]),
        outlets=_counts(texts["outlet"]),
        writers=tuple(sorted(released["writer"].unique())),
        screens=manifest.screens_of(verdicts, provenance),
        withheld=withheld.counts,
    )
    rows = {**_text_rows(texts, text_ids, key), **_question_rows(released, articles, question_ids, key)}
    public = manifest.public_manifest(contents, provenance, key, settings.seed)
    return _files(files, rows, public, manifest.private_part(key, settings.seed, question_ids, text_ids))


def _text_rows(texts: pl.DataFrame, text_ids: Mapping[str, int], key: bytes) -> Rows:
    by_place = sorted(texts.iter_rows(named=True), key=lambda row: text_ids[row["article_id"]])
    public = ("text", "title", "url", "published_at")
    return {
        "public_texts": [{"id": place, **{name: row[name] for name in public}} for place, row in enumerate(by_place)],
        "private_texts": [
            {"id": ids.private_id(key, row["article_id"]), "public_id": place} for place, row in enumerate(by_place)
        ],
    }


def _question_rows(released: pl.DataFrame, articles: pl.DataFrame, question_ids: Mapping[str, int], key: bytes) -> Rows:
    url_of = dict(articles.select("article_id", "url").iter_rows())
    current = dict(gate.texts_of(articles).select("url", "article_id").iter_rows())
    by_place = sorted(released.iter_rows(named=True), key=lambda row: question_ids[row["qa_id"]])
    private = []
    for place, row in enumerate(by_place):
        gold, _ = gate.gold_of(row, url_of, current)
        private.append(
            {
                "public_id": place,
                "question": row["question"],
                "answer": row["answer"],
                "answers": row["answers"],
                "type": row["type"],
                "text_ids": json.dumps(sorted(ids.private_id(key, id) for id in set(gold))),
                "subgraph": row["subgraph"],
            }
        )
    return {
        "public_questions": [{"id": row["public_id"], "question": row["question"]} for row in private],
        "private_qa": private,
    }


def _files(store: FileStore, rows: Rows, public: dict[str, Any], private: dict[str, Any]) -> pl.DataFrame:
    files: dict[str, dict[str, bytes]] = {}
    for dataset in DATASETS:
        table = to_parquet(dataset, rows[dataset])
        files[dataset] = {TABLE_PATH: table, CARD_PATH: render_card(dataset, public, len(rows[dataset]), sha256(table))}
    public["files"] = {dataset: {path: sha256(content) for path, content in named.items()} for dataset, named in files.items()}
    for dataset in DATASETS:
        told = public if dataset in PUBLIC else {**public, "private": private}
        files[dataset][MANIFEST_PATH] = manifest.dump(told)
    return RELEASE.frame(
        [
            {
                "dataset": dataset,
                "path": path,
                **asdict(store.add(partial(_write, content))),
                "rows": len(rows[dataset]) if path == TABLE_PATH else 0,
            }
            for dataset, named in files.items()
            for path, content in named.items()
        ]
    )


def _write(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def _counts(values: Iterable[str]) -> dict[str, int]:
    listed = sorted(values)
    return {value: listed.count(value) for value in dict.fromkeys(listed)}
