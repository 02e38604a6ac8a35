"""What may be released: the window's texts, and the questions whose gold is among them."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.language_model import is_lost
from dragon_pipeline.core.screening.screens import lost_verdicts
from dragon_pipeline.core.table import DAY
from rag_bench import tokens

WORD = re.compile(r"\w+")
LOST = "verdict_lost"
KEPT_FIRST = ("multi_hop", "set", "comparison", "conditional", "simple")
"""of two questions that cannot both be released: the type that is harder to come by"""


@dataclass(frozen=True)
class Withheld:
    """Accepted questions that stay out, by reason.

    `not_screened`: no verdict says that it passed a required screen, or one says that it failed any. `verdict_lost`: an outage
    took the verdict of a screen. `gold_replaced`: a later version of a gold article's page is among the texts instead.
    `gold_missing`: a gold article is not in the window. `answer_in_question`: see `told_answer`. `answer_in_another`: see
    `given_away`.
    """

    reasons: Mapping[str, str]
    """qa_id → reason"""

    @property
    def counts(self) -> dict[str, int]:
        found = list(self.reasons.values())
        return {reason: found.count(reason) for reason in sorted(set(found))}


def texts_of(articles: pl.DataFrame) -> pl.DataFrame:
    """The texts of a window: the latest version of every URL, one row each."""
    order = [DAY, "version", "article_id"] if DAY in articles.columns else ["version", "article_id"]
    return articles.sort(order).unique("url", keep="last", maintain_order=True).sort("article_id")


def gold_of(qa: dict, url_of: Mapping[str, str], texts: Mapping[str, str]) -> tuple[list[str], str | None]:
    """The gold articles among the texts, and why there is a gap if there is one.

    An older version of a page whose latest version is gold too (they are one story) leaves no gap.

    Args:
        qa: a row of `accepted`.
        url_of: article_id → URL, of every version in the window.
        texts: URL → article_id of the version that is a text.
    """
    gold = [id for id in qa["article_ids"] if texts.get(url_of.get(id, "")) == id]
    for id in qa["article_ids"]:
        if id not in url_of:
            return gold, "gold_missing"
        if texts[url_of[id]] not in gold:
            return gold, "gold_replaced"
    return gold, None if gold else "gold_missing"


def withhold(accepted: pl.DataFrame, articles: pl.DataFrame, verdicts: pl.DataFrame, required: Collection[str]) -> Withheld:
    """Tests once more what must hold of a released question: a blocking check upstream stops only its own run."""
    url_of = dict(articles.select("article_id", "url").iter_rows())
    texts = dict(texts_of(articles).select("url", "article_id").iter_rows())
    outcomes: dict[str, dict[str, str]] = {}
    for id, screen, outcome, why in verdicts.select("qa_id", "screen", "outcome", "reason").iter_rows():
        outcomes.setdefault(id, {})[screen] = LOST if outcome == "not_run" and is_lost(why) else outcome
    reasons = {}
    for qa in accepted.iter_rows(named=True):
        found = outcomes.get(qa["qa_id"], {})
        if "failed" in found.values() or any(found.get(screen) != "passed" for screen in required):
            reason = "not_screened"
        elif LOST in found.values():
            reason = LOST
        elif told_answer(qa):
            reason = "answer_in_question"
        else:
            reason = gold_of(qa, url_of, texts)[1]
        if reason:
            reasons[qa["qa_id"]] = reason
    left = [qa for qa in accepted.iter_rows(named=True) if qa["qa_id"] not in reasons]
    return Withheld({**reasons, **dict.fromkeys(given_away(left), "answer_in_another")})


def refuse_outage(verdicts: pl.DataFrame, allowed: float) -> None:
    """Nothing of a day may be released when a screen's model was away for more than the `allowed` share of its questions.

    What it could not judge would be missing from the release, or stand in it unjudged. Replies that cannot be read are no
    outage: they fail their question, and too few questions are nothing to publish.

    Raises:
        Unreachable: names the first such screen, the share and the reasons.
    """
    for screen, lost in lost_verdicts(verdicts).items():
        if lost.share > allowed:
            reasons = ", ".join(f"{reason} {number}" for reason, number in lost.reasons.items())
            raise Unreachable(
                f"screen {screen} got no verdict for {lost.share:.1%} of its {lost.asked} questions, allowed are {allowed:.1%} "
                f"({reasons}): nothing is released. Once its model answers, run the day again: only these are asked again."
            )


def given_away(accepted: Iterable[Mapping[str, Any]]) -> list[str]:
    """`qa_id` of the questions that must go so that no other question of the release tells an answer.

    Of two about one fact, one may name what the other asks for: who did it in 2015, and in which year did she do it. One of
    the type that comes first in KEPT_FIRST stays, else the better ranked. A comparison tells its candidates itself.
    """
    kept: dict[str, list[Mapping[str, Any]]] = {}
    gone = []
    for qa in sorted(accepted, key=lambda qa: (KEPT_FIRST.index(qa["type"]), qa["rank"])):
        others = [other for fact in qa["fact_ids"] for other in kept.get(fact, [])]
        if any(_answers(other, qa) or _answers(qa, other) for other in others):
            gone.append(qa["qa_id"])
            continue
        for fact in qa["fact_ids"]:
            kept.setdefault(fact, []).append(qa)
    return gone


def _answers(telling: Mapping[str, Any], asking: Mapping[str, Any]) -> bool:
    return asking["type"] != "comparison" and any(_tells(telling["question"], answer) for answer in asking["answers"])


def told_answer(qa: Mapping[str, Any]) -> str | None:
    """The answer that a question itself tells, also in another case or number; none: None.

    A comparison names what it compares, and the answer is among that: it tells nothing as long as it names all of it.

    Args:
        qa: `type`, `question`, `answer`, `answers` and `subgraph` of it.
    """
    said = [answer for answer in dict.fromkeys((qa["answer"], *qa["answers"])) if _tells(qa["question"], answer)]
    if said and qa["type"] == "comparison":
        subjects = _subjects(qa["subgraph"])
        if all(_tells(qa["question"], subject) for subject in subjects):
            said = [answer for answer in said if not any(_tells(answer, one) or _tells(one, answer) for one in subjects)]
    return said[0] if said else None


def says(text: str, answer: str) -> bool:
    """The answer's words stand in the text, in a row; case folded, ё as е."""
    words = folded(answer)
    return bool(words) and f" {words} " in f" {folded(text)} "


def folded(text: str) -> str:
    """The words of a text for comparison, a space between two."""
    return " ".join(WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")))


def _tells(text: str, answer: str) -> bool:
    stems = " ".join(tokens.stems(answer))
    return says(text, answer) or (bool(stems) and f" {stems} " in f" {' '.join(tokens.stems(text))} ")


def _subjects(subgraph: str) -> frozenset[str]:
    """What a comparison compares; none when this is not the subgraph of one."""
    try:
        return frozenset(str(fact["head"]) for fact in json.loads(subgraph))
    except (ValueError, TypeError, KeyError):
        return frozenset()
