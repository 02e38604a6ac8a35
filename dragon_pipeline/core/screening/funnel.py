"""The yield of a day as a funnel: article → triplet → fact → subgraph → question → each screen → accepted.

Every stage counts one unit, says what came in, what went on and what was lost for which reason; the three always add up.

| stage | unit | goes on |
|---|---|---|
| articles | article of the day | it states a fact that may be asked |
| triplets | triplet found in them | kept |
| facts | kept triplet | it became a fact that may be asked: novel, not held back |
| subgraphs | such a fact | it stands in a subgraph, of the type or of any |
| questions | subgraph | a question was written from it |
| each screen | question | it was not rejected by this screen first |
| accepted | question that passed | it got one of the type's places |

Stages before the subgraphs know no types. A question that several screens failed is lost at the first of them; `failed` counts
it at each.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.errors import SchemaMismatch
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.records import FUNNEL
from dragon_pipeline.core.screening.screens import FAILED_EARLIER, NOT_APPLICABLE
from dragon_pipeline.core.screening.selection import QUOTA, WRITING

ALL = "all"
RAN, PARTLY, NOT_RUN, NONE_LEFT = "ran", "partly", "not_run", "none_left"
NO_SUCH = {"state": NOT_RUN, "failed": 0, "note": "no such screen"}
STAGES = ("articles", "triplets", "facts", "subgraphs", "questions")
"""Those before the screens."""
ACCEPTED_STAGE = "accepted"


@dataclass(frozen=True)
class Corpus:
    """Where a day's questions come from."""

    articles: pl.DataFrame
    """ARTICLES of the day"""
    triplets: pl.DataFrame
    """TRIPLETS of the day"""
    facts: pl.DataFrame
    """FACTS of the day"""


@dataclass(frozen=True)
class Screened:
    """What became of a day's questions."""

    subgraphs: pl.DataFrame
    """SUBGRAPHS, or what has their `qa_id`, `type` and `fact_ids`"""
    qa: pl.DataFrame
    verdicts: pl.DataFrame
    accepted: pl.DataFrame
    rejected: pl.DataFrame

    def of(self, type_: str) -> "Screened":
        """Of one question type, or of all."""
        if type_ == ALL:
            return self
        frames = (self.subgraphs, self.qa, self.accepted, self.rejected)
        subgraphs, qa, accepted, rejected = (frame.filter(type=type_) for frame in frames)
        verdicts = self.verdicts.join(qa.select("qa_id"), on="qa_id", how="semi", maintain_order="left")
        return Screened(subgraphs, qa, verdicts, accepted, rejected)


def build_funnel(corpus: Corpus, screened: Screened, per_type: int) -> pl.DataFrame:
    """FUNNEL of one day, from its tables.

    Raises:
        SchemaMismatch: `accepted` and `rejected` do not make up `qa`.
    """
    asked = askable(corpus.facts)
    rows = [_articles(corpus, asked), _triplets(corpus), _facts(corpus, asked)]
    rows += [_drawn(type_, asked, screened.of(type_).subgraphs) for type_ in (ALL, *TYPES)]
    numbered = [{**row, "order": STAGES.index(row["stage"])} for row in rows]
    return FUNNEL.frame([*numbered, *_questions(screened, per_type)])


def question_funnel(screened: Screened, per_type: int) -> pl.DataFrame:
    """The stages of FUNNEL from the questions on, which need no corpus.

    Raises:
        SchemaMismatch: `accepted` and `rejected` do not make up `qa`.
    """
    return FUNNEL.frame(list(_questions(screened, per_type)))


def askable(facts: pl.DataFrame) -> pl.DataFrame:
    """Those that may be asked."""
    return facts.filter((pl.col("novelty") == "novel") & pl.col("held_back").is_null())


def lost(row: Mapping) -> dict[str, int]:
    """Reason → how many, of one row of FUNNEL, most first."""
    return json.loads(row["lost"])


def _stage(stage: str, type_: str, unit: str, came: int, reasons: Counter[str]) -> dict:
    told = dict(sorted(reasons.items(), key=lambda item: (-item[1], item[0])))
    went = came - sum(told.values())
    if went < 0:
        raise SchemaMismatch(f"funnel: more was lost at {stage} of {type_} than came to it")
    return {
        "stage": stage, "type": type_, "unit": unit, "rows_in": came, "rows_out": went,
        "lost": json.dumps(told, ensure_ascii=False), "state": None, "failed": None, "note": None,
    }  # fmt: skip


def _articles(corpus: Corpus, asked_facts: pl.DataFrame) -> dict:
    found, kept = set(corpus.triplets["article_id"]), set(corpus.triplets.filter(status="kept")["article_id"])
    asked = set(asked_facts["article_id"])
    reasons = Counter(
        "nothing_found" if id not in found else "nothing_kept" if id not in kept else "nothing_to_ask"
        for id in corpus.articles["article_id"]
        if id not in asked
    )
    return _stage("articles", ALL, "article", corpus.articles.height, reasons)


def _triplets(corpus: Corpus) -> dict:
    gone = corpus.triplets.filter(pl.col("status") != "kept").select("status", "reason")
    reasons = Counter(_word(reason) if reason else status for status, reason in gone.iter_rows())
    return _stage("triplets", ALL, "triplet", corpus.triplets.height, reasons)


def _facts(corpus: Corpus, asked_facts: pl.DataFrame) -> dict:
    why = {
        row["triplet_id"]: row["novelty"] if row["novelty"] != "novel" else _word(row["held_back"] or "")
        for row in corpus.facts.select("triplet_id", "novelty", "held_back").iter_rows(named=True)
    }
    asked = set(asked_facts["triplet_id"])
    kept = corpus.triplets.filter(status="kept")["triplet_id"].to_list()
    reasons = Counter(why.get(id, "said_before_in_the_article") for id in kept if id not in asked)
    return _stage("facts", ALL, "triplet", len(kept), reasons)


def _drawn(type_: str, asked_facts: pl.DataFrame, subgraphs: pl.DataFrame) -> dict:
    """What another of the day's facts says too stands in a subgraph only once."""
    drawn = set(subgraphs["fact_ids"].explode().drop_nulls())
    said = {row["fact_id"]: _says(row) for row in asked_facts.iter_rows(named=True)}
    in_other_words = {said[id] for id in drawn if id in said}
    reasons = Counter(
        "same_as_drawn" if says in in_other_words else "not_drawn" for id, says in said.items() if id not in drawn
    )
    return _stage("subgraphs", type_, "fact", len(said), reasons)


def _says(fact: dict) -> tuple[str, str, str]:
    return fact["head_id"], fact["relation_id"] or fact["relation"], fact["tail_id"]


def _questions(screened: Screened, per_type: int) -> Iterator[dict]:
    if sorted(screened.qa["qa_id"]) != sorted([*screened.accepted["qa_id"], *screened.rejected["qa_id"]]):
        raise SchemaMismatch("funnel: accepted and rejected do not make up qa: materialise both again")
    there = screened.verdicts.sort("order")["screen"].unique(maintain_order=True).to_list()
    missing = {*screened.rejected["screen"]} - {*there, WRITING, QUOTA}
    screens = {**dict.fromkeys(there, True), **dict.fromkeys(sorted(missing), False)}
    for type_ in (ALL, *TYPES):
        flow = _flow(type_, screened.of(type_), screens)
        if type_ != ALL:
            flow[-1]["note"] = why_short(flow, per_type)
        yield from ({**row, "order": place} for place, row in enumerate(flow, len(STAGES) - 1))


def _flow(type_: str, screened: Screened, screens: Mapping[str, bool]) -> list[dict]:
    """From the subgraphs to the accepted questions; `screens`: whether each, in cost order, gave verdicts."""
    because: dict[str, Counter[str]] = defaultdict(Counter)
    for screen, reason in screened.rejected.select("screen", "because").iter_rows():
        because[screen][_word(reason)] += 1
    because[WRITING]["no_row"] += screened.subgraphs.height - screened.qa.height
    flow = [_stage(STAGES[-1], type_, "question", screened.subgraphs.height, +because[WRITING])]
    for screen, there in screens.items():
        row = _stage(screen, type_, "question", flow[-1]["rows_out"], because[screen])
        told = _judged(screened.verdicts.filter(screen=screen)) if there else NO_SUCH
        flow.append({**row, **told})
    flow.append(_stage(ACCEPTED_STAGE, type_, "question", flow[-1]["rows_out"], because[QUOTA]))
    if flow[-1]["rows_out"] != screened.accepted.height:
        raise SchemaMismatch(f"funnel: of {type_}, {screened.accepted.height} are accepted, {flow[-1]['rows_out']} are left")
    return flow


def _judged(verdicts: pl.DataFrame) -> dict:
    """State, failures and note of one screen."""
    counts: Counter[str] = Counter()
    absent: Counter[str] = Counter()
    for outcome, reason in verdicts.select("outcome", "reason").iter_rows():
        if reason == FAILED_EARLIER:
            continue
        counts[NOT_APPLICABLE if reason == NOT_APPLICABLE else outcome] += 1
        if outcome == NOT_RUN:
            absent[_word(reason or "")] += 1
    judged = counts["passed"] + counts["failed"]
    state = NOT_RUN if counts[NOT_RUN] else NOT_APPLICABLE if counts[NOT_APPLICABLE] else NONE_LEFT
    if judged:
        state = PARTLY if counts[NOT_RUN] else RAN
    return {"state": state, "failed": counts["failed"], "note": _listed(absent) or None}


def why_short(flow: Sequence[dict], per_type: int) -> str | None:
    """Why the last of these stages of one type let fewer than `per_type` through; None when it did not."""
    have = flow[-1]["rows_out"]
    if have >= per_type:
        return None
    short = flow[0]["rows_in"]
    losses = Counter({row["stage"]: row["rows_in"] - row["rows_out"] for row in flow})
    if short < per_type:
        told = f"only {short} drawn" if short else "none drawn"
    else:
        where = next(row for row in flow if row["rows_out"] < per_type)
        told = f"{short} drawn, too few from {where['stage']} on"
    return f"{have} of {per_type}: {told}" + (f"; lost: {_listed(+losses)}" if +losses else "")


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _word(reason: str) -> str:
    """A reason without its details."""
    return reason.split(":")[0] or "unknown"
