"""Tokens that a day's models take, role by role.

    python benchmarks/model_cost.py news.jsonl.gz [--articles 100] [--characters 1500] [--triplets 1.0] [--per-day 2000]
                                    [--tokens llama3:tokenizer.model] [--python OTHER/bin/python]

The first articles of the file, taken for one day, go through the pipeline's own engines and prompts with the settings of the
`paper` profile; every request is kept instead of sent, and answered by stand_in.py. Tokens are counted by tokens.py, by default
in bytes; `--python` is an interpreter that has the tokenizer's package. `--characters` cuts articles at a sentence's end.

What is an estimate, and how: replies are as long as the stand-in's, with `--triplets` a sentence (the answers written by hand
in dragon_pipeline_tests/strong_model have 0.47, the prompt allows three). Every name is given five candidates. Every question
passes all cheaper screens, and the rules beside the judge refuse none. A day has `sampled_per_type` questions of each type.
All four are the most there can be, or near it.

Prefix: the messages with which all requests of a prompt begin, in whole blocks of 16 tokens, as vLLM caches them. A chat
template adds PER_MESSAGE tokens to each message. Repairs of unreadable replies and repeated requests are not counted.
"""

import argparse
import gzip
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import polars as pl
import stand_in
import yaml
from stand_in import Call, StandIn

from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.corpus.stories import cluster
from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.candidates import MOST, VALUES
from dragon_pipeline.core.knowledge.extraction import ModelExtractor
from dragon_pipeline.core.knowledge.facts import link
from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.model_normalising import ModelNormaliser
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.ports import Entity
from dragon_pipeline.core.questions.draw import Draw
from dragon_pipeline.core.questions.model_writer import ModelWriter
from dragon_pipeline.core.questions.subgraphs import sample
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.questions.writing import write
from dragon_pipeline.core.records import ARTICLES, CANDIDATES
from dragon_pipeline.core.screening.judge import CRITERIA, JudgeScreen
from dragon_pipeline.core.screening.model_judge import ModelJudge
from dragon_pipeline.core.screening.model_memory import ModelMemory
from dragon_pipeline.core.screening.screens import build_cases
from dragon_pipeline.core.settings import ModelsSettings, QuestionSettings
from dragon_pipeline.languages.ru import dates, prompts
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.parsing import sentences
from dragon_pipeline.languages.ru.quantities import quantity

DAY = "2024-03-01"
WINDOWS = {"extractor": 16_384, "normaliser": 16_384, "writer": 16_384, "closed_book": 4_096, "judge": 16_384}
"""of the servers in docker/models.yaml"""
PER_MESSAGE = 5
"""Llama 3: begin and end of the header, the role, a blank line, the end of the turn; Qwen the same. The reply's header too."""
BLOCK = 16
ANSWERS = {"normaliser": stand_in.normaliser, "writer": stand_in.writer, "closed_book": stand_in.closed_book,
           "judge": stand_in.judge}  # fmt: skip


@dataclass(frozen=True)
class Tokens:
    """Of some requests, on average or in all."""

    requests: float = 0
    prompt: float = 0
    prefix: float = 0
    """of the prompt tokens"""
    reply: float = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def __mul__(self, factor: float) -> "Tokens":
        return Tokens(*(getattr(self, name) * factor for name in self.__dataclass_fields__))


class Counter:
    """Tokens of texts, by tokens.py in another process."""

    def __init__(self, python: str, tokenizer: str) -> None:
        program = Path(__file__).with_name("tokens.py")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([python, program, tokenizer], stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
        self._known: dict[str, int] = {}

    def __call__(self, texts: Sequence[str]) -> list[int]:
        missing = list(dict.fromkeys(text for text in texts if text not in self._known))
        if missing and self._process.stdin and self._process.stdout:
            self._process.stdin.write(json.dumps(missing) + "\n")
            self._process.stdin.flush()
            told = self._process.stdout.readline()
            if not told:
                raise SystemExit("tokens.py stopped: see above; --python names an interpreter that has the tokenizer's package")
            self._known.update(zip(missing, json.loads(told), strict=True))
        return [self._known[text] for text in texts]


class Newsday:
    """Everything that is asked for some articles, with the stand-in behind each role."""

    def __init__(self, articles: Sequence[dict], count: Counter, per_sentence: float) -> None:
        self.articles = list(articles)
        self.frame = ARTICLES.frame(self.articles)
        mentions = find_mentions(self.frame, NatashaEntities())
        rules = extract(self.frame, mentions, RuleExtractor())
        thoughts = stand_in.think(self.articles, mentions, rules, per_sentence)
        told = yaml.safe_load((files("dragon_pipeline.profiles") / "paper.yaml").read_text("utf-8"))
        paper = ModelsSettings.model_validate(told["models"])
        settings = {
            "closed_book": paper.closed_book[0],
            **{role: getattr(paper, role) for role in WINDOWS if role != "closed_book"},
        }
        answers = {"extractor": stand_in.extractor(thoughts), **ANSWERS}
        self.models = {
            role: StandIn(role, window, settings[role].max_tokens, count, answers[role]) for role, window in WINDOWS.items()
        }
        self.memories = len(paper.closed_book)
        self.subgraphs: dict[str, int] = {}
        self.questions: dict[str, int] = {}
        """those of the subgraphs that the stand-in could word"""
        self.triplets = self._knowledge(mentions)

    def _knowledge(self, mentions: pl.DataFrame) -> int:
        kb = WikidataIndex.bundled()
        extractor = ModelExtractor(self.models["extractor"], prompts.load("extractor"), sentences, lemmas, dates.fault)
        triplets = extract(self.frame, mentions, extractor).filter(status="kept")
        normaliser = ModelNormaliser(self.models["normaliser"], prompts.load("normaliser"))
        facts = link(triplets, five_each(triplets, kb), self.frame, kb, normaliser)
        self._ask(facts.with_columns(day=pl.lit(DAY)), self.frame.with_columns(day=pl.lit(DAY)), mentions)
        return triplets.height

    def _ask(self, facts: pl.DataFrame, articles: pl.DataFrame, mentions: pl.DataFrame) -> None:
        draw = Draw(0, lemmas, quantity)
        subgraphs = sample(facts, cluster(self.frame), articles, DAY, QuestionSettings(), draw).subgraphs
        writer = ModelWriter(self.models["writer"], {shape: prompts.load(f"writer_{shape}") for shape in TYPES}, lemmas)
        memory = ModelMemory(self.models["closed_book"], prompts.load("closed_book"))
        judge = ModelJudge(self.models["judge"], {name: prompts.load(f"judge_{name}") for name in CRITERIA})
        for type_ in TYPES:
            for model in self.models.values():
                model.label = type_
            qa = write(subgraphs.filter(type=type_), facts, writer)
            cases = build_cases(qa, facts, articles, mentions)
            memory.answer([case.qa["question"] for case in cases])
            for criterion in CRITERIA:
                list(JudgeScreen(criterion, judge).judge(cases))
            self.subgraphs[type_], self.questions[type_] = qa.height, len(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--articles", type=int, default=100)
    parser.add_argument("--characters", type=int)
    parser.add_argument("--triplets", type=float, default=1.0, help="of a sentence")
    parser.add_argument("--per-day", type=int, default=2000, help="articles")
    parser.add_argument("--tokens", default="bytes", help="a tokenizer, see tokens.py")
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    count = Counter(given.python, given.tokens)
    day = Newsday(read(given.file, given.articles, given.characters), count, given.triplets)
    sys.stdout.write("\n".join(report(day, count, given.per_day)) + "\n")


def read(path: Path, number: int, characters: int | None) -> list[dict]:
    """Rows of `articles`."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(text) for text, _ in zip(lines, range(number), strict=False)]
    return [
        {
            "article_id": content_id(row["url"]), "url": row["url"], "outlet": row["outlet"], "version": 1, "change": "new",
            "title": row["title"], "text": cut("\n".join(filter(None, (row["lead"], row["text"]))), characters), "author": None,
            "section": None, "published_at": row["published_on"],
        }
        for row in rows
    ]  # fmt: skip


def cut(text: str, characters: int | None) -> str:
    if characters is None or len(text) <= characters:
        return text
    return text[: max((stop for _, stop in sentences(text) if stop <= characters), default=characters)]


def five_each(triplets: pl.DataFrame, kb: WikidataIndex) -> pl.DataFrame:
    """Candidates: what the bundled index has for a name, filled up with others of its items under the name itself. A relation
    has what the index has."""
    rows = triplets.to_dicts()
    names = {("item", row[end], row[f"{end}_kind"], row["article_id"]): None for row in rows for end in ("head", "tail")}
    keys = [key for key in names if key[2] not in VALUES]
    relations = sorted({row["relation"] for row in rows})
    found = dict(zip(keys, kb.search([key[1] for key in keys], "item"), strict=True))
    pool = list({one.wikidata_id: one for entities in found.values() for one in entities if one.description}.values())
    for number, key in enumerate(keys):
        known = list(found[key])[:MOST]
        known += [pool[(number * MOST + i) % len(pool)] for i in range(MOST - len(known))]
        found[key] = list({one.wikidata_id: one for one in known}.values())
    stated = zip(relations, kb.search(relations, "property"), strict=True)
    found |= {("property", relation, "", ""): list(entities)[:MOST] for relation, entities in stated}
    return CANDIDATES.frame([_candidate(key, rank, one) for key, of in found.items() for rank, one in enumerate(of, start=1)])


def _candidate(key: tuple[str, str, str, str], rank: int, entity: Entity) -> dict:
    return {
        **dict(zip(("kind", "name", "name_kind", "article_id"), key, strict=True)), "rank": rank, "similarity": 0.8,
        "wikidata_id": entity.wikidata_id, "label": key[1] if key[0] == "item" else entity.label,
        "description": entity.description, "match": "label", "variant": None, "sitelinks": entity.sitelinks,
    }  # fmt: skip


def totals(calls: Sequence[Call], count: Counter) -> Tokens:
    found = Tokens()
    for call in calls:
        told = [tokens + PER_MESSAGE for tokens in count([message.content for message in call.request.messages])]
        (reply,) = count([call.reply])
        found += Tokens(1, sum(told) + PER_MESSAGE, sum(told[:-1]) // BLOCK * BLOCK, reply + 1)
    return found


def report(day: Newsday, count: Counter, per_day: int) -> list[str]:
    number, most = len(day.articles), QuestionSettings().sampled_per_type
    characters = sum(len(article["text"]) for article in day.articles) / number
    spoken = sum(len(sentences(article["text"])) for article in day.articles)
    tokens = sum(count([article["text"] for article in day.articles])) / number
    lines = [
        f"{number} articles of {characters:.0f} characters, {tokens:.0f} tokens, {spoken / number:.1f} sentences;"
        f" {day.triplets / spoken:.2f} kept triplets a sentence; questions: {day.questions}", "",
        "| role | per | requests | prompt | its prefix | reply | a day: requests | prompt, M | its prefix, M | reply, M |",
        "|" + "---|" * 10,
    ]  # fmt: skip
    whole = Tokens()
    for role, model in day.models.items():
        if role in ("extractor", "normaliser"):
            each = totals(model.calls, count) * (1 / number)
            total, unit = each * per_day, "article"
        else:
            each, unit = per_question(model.calls, count, day.subgraphs if role == "writer" else day.questions), "question"
            total = each * (most * len(TYPES)) * (day.memories if role == "closed_book" else 1)
        whole += total
        lines.append(row(role, unit, each, total))
    return [*lines, row("all", "", None, whole)]


def per_question(calls: Sequence[Call], count: Counter, questions: dict[str, int]) -> Tokens:
    """The mean over the types, each weighing the same, as in a day that has its most of each."""
    of: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        of[call.label].append(call)
    types = [type_ for type_ in questions if questions[type_]]
    return sum((totals(of[type_], count) * (1 / questions[type_]) for type_ in types), Tokens()) * (1 / len(types))


def row(role: str, unit: str, each: Tokens | None, total: Tokens) -> str:
    one = [f"{getattr(each, name):,.1f}" if name == "requests" else f"{getattr(each, name):,.0f}"
           for name in Tokens.__dataclass_fields__] if each else [""] * 4  # fmt: skip
    million = [f"{getattr(total, name) / 1e6:.1f}" for name in ("prompt", "prefix", "reply")]
    return f"| {' | '.join([role, unit, *one, f'{total.requests:,.0f}', *million])} |"


if __name__ == "__main__":
    main()
