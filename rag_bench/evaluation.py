"""Scoring runs against the gold of a release."""

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from rag_bench.gold import AnswerKey, read_key
from rag_bench.installation import require_single_client
from rag_bench.judgements import read_judgements
from rag_bench.measures import Measure, parse
from rag_bench.profiles import Profile, find_profile
from rag_bench.runs import Run, check_run
from rag_bench.scores import ALL, QuestionScores, Scores
from rag_bench.scoring import Plan, plan, score

__all__ = ["ALL", "QuestionScores", "Scores", "evaluate", "evaluate_all"]

STANDARD = "standard"
Measures = str | Profile | Measure | Sequence[str | Measure]
"""a profile, a measure, several of them, or their names"""
Entries = Run | Mapping[str, Any]
"""a run, or the parsed results file"""


def evaluate(
    run: Entries, release: Any, profile: Any = STANDARD, measures: Measures = STANDARD, judgements: Any = None
) -> Scores:
    """Scores a run; every question of the release counts, an unanswered one scores 0.

    Args:
        run: as `read_run` gives it, or `{public_id: {found_ids, model_answer}}`.
        release: what `load` gives, an `AnswerKey`, or the two private tables as a pair.
        profile: a profile, or measures; their names do. Or the second private table, when `release` is the first.
        measures: the profile, when `profile` is a table.
        judgements: a judge's verdicts, `{public_id: {criterion: 0 | 1 | 2}}`, for profiles that have the judge's score.

    Raises:
        BadRun: an entry of the run, or a verdict, is not what it must be.
        BadTable: the gold may not be read, or the private tables contradict each other.
        UnknownMeasure: a name is not known.
    """
    require_single_client()
    if _names_measures(profile):
        key, chosen = read_key(release), profile
    else:
        key, chosen = read_key((release, profile)), measures
    verdicts = None if judgements is None else read_judgements(judgements)
    return score(check_run(run), key, plan(_chosen(chosen, judged=verdicts is not None)), verdicts)


def evaluate_all(
    runs: Mapping[str, Entries], release: Any, profile: Measures = STANDARD, workers: int | None = None
) -> dict[str, Scores]:
    """Scores many runs on one release, in several processes where the system can fork.

    Args:
        runs: a name for each.
        release: as `evaluate` takes it.
        profile: likewise.
        workers: processes; as many as there are processors when None.

    Raises:
        BadRun, BadTable, UnknownMeasure: as `evaluate` does; a faulty run is called by its name.
    """
    require_single_client()
    key, how = read_key(release), plan(_chosen(profile, judged=False))
    workers = min(workers or os.cpu_count() or 1, len(runs))
    if workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return {name: score(check_run(run, name), key, how) for name, run in runs.items()}
    for way in how.answering:
        key.wanted(way)  # once, before the processes part
    # A forked process has the runs and the key already, and takes no lock that another thread may hold.
    with ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("fork"), initializer=_hold, initargs=(list(runs.items()), key, how)
    ) as pool:
        return dict(zip(runs, pool.map(_score_held, range(len(runs)), chunksize=-(-len(runs) // (4 * workers))), strict=True))


_held: list[Any] = []


def _hold(runs: list[tuple[str, Entries]], key: AnswerKey, how: Plan) -> None:
    _held[:] = [runs, key, how]


def _score_held(place: int) -> Scores:
    runs, key, how = _held
    name, run = runs[place]
    return score(check_run(run, name), key, how)


def _names_measures(profile: Any) -> bool:
    if isinstance(profile, list | tuple):
        return bool(profile) and all(isinstance(one, str | Measure) for one in profile)
    return isinstance(profile, str | Profile | Measure)


def _chosen(profile: Measures, judged: bool) -> list[Measure]:
    if isinstance(profile, Measure):
        return [profile]
    if isinstance(profile, str):
        profile = find_profile(profile)
    if isinstance(profile, Profile):
        return [parse(name) for name in (*profile.measures, *(profile.not_available if judged else ()))]
    return [parse(name) for name in profile]
