"""Running the screens over a day's questions."""

from collections import defaultdict
from collections.abc import Sequence

import polars as pl

from dragon_pipeline.core.errors import DragonError, SchemaMismatch
from dragon_pipeline.core.language_model import Losses, losses
from dragon_pipeline.core.ports import Case, Screen, Verdict
from dragon_pipeline.core.records import VERDICTS
from dragon_pipeline.core.table import DAY

NOT_CONFIGURED = "not_configured"
FAILED_EARLIER = "failed_earlier"
RULES_CANNOT_JUDGE = "rules_cannot_judge"
NEVER_ASKED = (NOT_CONFIGURED, FAILED_EARLIER, RULES_CANNOT_JUDGE)
"""Reasons of verdicts that nobody was asked for."""
NOT_APPLICABLE = "not_applicable"
"""Reason of a question that passes because the screen is about other types: it has no score, so it moves no rank, and counts as
asked by nobody, so it hides no outage."""
OUTCOMES = frozenset({"passed", "failed", "not_run"})


def run_screens(
    qa: pl.DataFrame, facts: pl.DataFrame, articles: pl.DataFrame, mentions: pl.DataFrame, screens: Sequence[Screen]
) -> pl.DataFrame:
    """VERDICTS: one row per written question and screen, in the order of `screens` (cost order).

    `facts`, `articles` and `mentions` are frames of the whole window. A cheap screen judges every question. A screen that is
    not cheap judges those that failed none so far; the others get `not_run` with the reason `failed_earlier`, so that every
    question has one row per screen. Questions that could not be written (`reason` set) get no rows.

    Raises:
        RuntimeError: a screen broke; the message names it.
        ValueError: a screen gave too few verdicts, or what is none; the message names it.
        DragonError: what a screen needs is missing (a budget, a setting).
    """
    cases = build_cases(qa, facts, articles, mentions)
    rows: list[dict] = []
    failed: set[str] = set()
    for order, screen in enumerate(screens):
        judged = [case for case in cases if screen.cheap or case.qa["qa_id"] not in failed]
        verdicts = _judge(screen, judged)
        by_id = {case.qa["qa_id"]: verdict for case, verdict in zip(judged, verdicts, strict=True)}
        for case in cases:
            verdict = by_id.get(case.qa["qa_id"], Verdict("not_run", reason=FAILED_EARLIER))
            rows.append(_row(case.qa["qa_id"], order, screen.name, verdict))
        failed |= {qa_id for qa_id, verdict in by_id.items() if verdict.outcome == "failed"}
    return VERDICTS.frame(rows)


def build_cases(qa: pl.DataFrame, facts: pl.DataFrame, articles: pl.DataFrame, mentions: pl.DataFrame) -> list[Case]:
    """The written questions with everything that a screen may look at, in `qa_id` order.

    Raises:
        SchemaMismatch: a question names a fact or an article that the window does not hold.
    """
    facts_by_id = _first_by(facts, "fact_id", ("article_id", "start"))
    articles_by_id = _first_by(articles, "article_id", ())
    mentions_by_article: dict[str, list[dict]] = defaultdict(list)
    for row in mentions.sort("article_id", "start").iter_rows(named=True):
        mentions_by_article[row["article_id"]].append(row)
    return [
        Case(
            qa=row,
            facts=[_find(facts_by_id, fact_id, "fact", row) for fact_id in row["fact_ids"]],
            articles=[_find(articles_by_id, article_id, "article", row) for article_id in row["article_ids"]],
            mentions=[mention for article_id in row["article_ids"] for mention in mentions_by_article[article_id]],
        )
        for row in qa.sort("qa_id").iter_rows(named=True)
        if row["reason"] is None
    ]


def _judge(screen: Screen, cases: Sequence[Case]) -> list[Verdict]:
    """The verdicts, each what a verdict must be; whatever goes wrong names the screen."""
    try:
        verdicts = list(screen.judge(cases))
    except DragonError as error:
        error.add_note(f"raised by screen {screen.name}")
        raise
    except Exception as error:
        raise RuntimeError(f"screen {screen.name} broke: {type(error).__name__}: {error}") from error
    if len(verdicts) != len(cases):
        raise ValueError(f"screen {screen.name} gave {len(verdicts)} verdicts for {len(cases)} questions")
    for verdict in verdicts:
        if verdict.outcome not in OUTCOMES or (verdict.outcome != "passed" and not verdict.reason):
            raise ValueError(f"screen {screen.name} gave no verdict: {verdict}; what did not pass has a reason")
    return verdicts


def not_configured(cases: Sequence[Case]) -> list[Verdict]:
    """What a screen says that has nothing to judge with."""
    return [Verdict("not_run", reason=NOT_CONFIGURED) for _ in cases]


def does_not_apply() -> Verdict:
    """What a screen says of a question that it is not about."""
    return Verdict("passed", reason=NOT_APPLICABLE)


def screens_that_ran(verdicts: pl.DataFrame) -> dict[str, str]:
    """Screen → `ran`, `not_run` or `partly`, in cost order. Questions that failed earlier do not count; those that it is not
    about count where there are no others."""
    ran: dict[str, set[bool]] = {name: set() for name in verdicts.sort("order")["screen"].unique(maintain_order=True)}
    idle: set[str] = set()
    for screen, outcome, reason in verdicts.select("screen", "outcome", "reason").unique().iter_rows():
        if reason == NOT_APPLICABLE:
            idle.add(screen)
        elif reason != FAILED_EARLIER:
            ran[screen].add(outcome != "not_run")
    for screen in idle:
        ran[screen] = ran[screen] or {True}
    names = {frozenset({True}): "ran", frozenset({True, False}): "partly"}
    return {screen: names.get(frozenset(seen), "not_run") for screen, seen in ran.items()}


def lost_verdicts(verdicts: pl.DataFrame) -> dict[str, Losses]:
    """Screen → verdicts that an outage took, of those that were asked for; only screens that were, in cost order."""
    unasked = pl.col("outcome").eq("not_run") & pl.col("reason").is_in(NEVER_ASKED)
    asked = verdicts.filter((unasked | pl.col("reason").eq(NOT_APPLICABLE)).fill_null(False).not_())
    found: dict[str, list[str | None]] = {}
    for screen, outcome, reason in asked.sort("order", "qa_id").select("screen", "outcome", "reason").iter_rows():
        found.setdefault(screen, []).append(reason if outcome == "not_run" else None)
    return {screen: losses(reasons, len(reasons)) for screen, reasons in found.items()}


def _first_by(frame: pl.DataFrame, key: str, order: tuple[str, ...]) -> dict[str, dict]:
    by = [name for name in (*order, DAY) if name in frame.columns]
    found: dict[str, dict] = {}
    for row in frame.sort([key, *by], maintain_order=True).iter_rows(named=True):
        found.setdefault(row[key], row)
    return found


def _find(rows: dict[str, dict], key: str, what: str, qa: dict) -> dict:
    if key not in rows:
        raise SchemaMismatch(f"question {qa['qa_id']} rests on {what} {key}, which the window does not hold")
    return rows[key]


def _row(qa_id: str, order: int, screen: str, verdict: Verdict) -> dict:
    return {
        "qa_id": qa_id,
        "order": order,
        "screen": screen,
        "outcome": verdict.outcome,
        "score": None if verdict.score is None else round(float(verdict.score), 6),
        "reason": verdict.reason,
        "evidence": verdict.evidence,
    }
