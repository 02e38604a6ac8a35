"""The duplicates screen: nothing is asked twice, neither on one day nor again within the window."""

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

import polars as pl

from dragon_pipeline.core.ports import Case, Verdict
from dragon_pipeline.core.screening.lemmas import Lemmas, words_only
from dragon_pipeline.core.screening.presence import fold
from dragon_pipeline.core.table import DAY

SAME_QUESTION = "same_question"
SAME_SUBGRAPH = "same_subgraph"
ALIKE = 0.6
"""Share of the shorter question's words that another one with the same answer has too, from which it tells the same news."""
SAME_SENTENCE = "same_sentence"
TWO_ANSWERS = "two_answers"


class DuplicateScreen:
    """Fails a question that another one of the day, or of an earlier day of the window, has asked already.

    *The same question*: the same words, case, ё and punctuation folded; or the same lemmas in any order («в Туле и Омске», «в
    Омске и Туле») with the same answers. *The same subgraph*: the same facts, by the ids of their ends and by relation, with
    the same answers, whatever the type. The mirrored question (who is asked was given, and the other way round) has the same
    facts, and nearly the same lemmas, but another answer: it is no duplicate (fault 5 of the reference).

    *The same sentence*: of simple questions of one day one to a sentence, who did it and when is one piece of news.
    *Alike*: simple questions of one day with the same answer and most of the words.

    Two questions of a day in the same words with different answers both fail, `two_answers`: which is right, nobody could tell.
    Of a day's equals the first stays: cross-story before others, then those that no single article answers, then by qa_id. Only
    those that failed no screen so far compete, so that a broken question takes no good one with it; hence it is not `cheap`.
    There is no more or less of it, so there is no score.
    """

    name = "duplicates"
    cheap = False

    def __init__(self, earlier: pl.DataFrame, lemmas: Lemmas):
        """`earlier`: QA of the window's days before, with `day`; what could not be written counts for nothing (ADR 0026)."""
        self.lemmas = words_only(lemmas)
        self.before: dict[Hashable, str] = {}
        order = [DAY, "qa_id"] if earlier.height else []
        for row in earlier.sort(order).iter_rows(named=True) if order else ():
            if row["reason"] is None:
                for _, key in self._keys(row):
                    self.before.setdefault(key, f"asked_before: {row[DAY]} {row['qa_id']}")

    def judge(self, cases: Sequence[Case]) -> Iterable[Verdict]:
        kept: dict[Hashable, str] = {}
        told: dict[frozenset[str], list[tuple[str, frozenset[str]]]] = defaultdict(list)
        at_odds = self._at_odds(cases)
        verdicts: dict[str, Verdict] = {}
        for case in sorted(cases, key=lambda case: _precedence(case.qa)):
            qa = case.qa
            keys = [*self._keys(qa), *_evidence(case)]
            found = [self.before[key] for _, key in keys if key in self.before]
            found += [f"{TWO_ANSWERS}: {at_odds[qa['qa_id']]}"] if qa["qa_id"] in at_odds else []
            found += [f"{what}: {kept[key]}" for what, key in keys if key in kept]
            found += self._alike(qa, told)
            verdicts[qa["qa_id"]] = Verdict("failed", reason=found[0]) if found else Verdict("passed")
            if not found:
                if qa["type"] == "simple":
                    told[self._answers(qa)].append((qa["qa_id"], frozenset(self.lemmas(qa["question"]))))
                kept |= {key: qa["qa_id"] for _, key in keys}
        return [verdicts[case.qa["qa_id"]] for case in cases]

    def _alike(self, qa: dict, told: Mapping[frozenset[str], Sequence[tuple[str, frozenset[str]]]]) -> list[str]:
        if qa["type"] != "simple":
            return []
        said = frozenset(self.lemmas(qa["question"]))
        others = told.get(self._answers(qa), ())
        return [f"alike: {one}" for one, its in others if len(said & its) >= ALIKE * min(len(said), len(its))]

    def _at_odds(self, cases: Sequence[Case]) -> dict[str, str]:
        """qa_id → the first of those in the same words with another answer."""
        asked: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for qa in sorted((case.qa for case in cases), key=_precedence):
            asked[fold(qa["question"])].append((qa["qa_id"], self._answers(qa)))
        found: dict[str, str] = {}
        for same in asked.values():
            odd = next((one for one in same if one[1] != same[0][1]), None)
            if odd is not None:
                found |= {qa_id: odd[0] if answers == same[0][1] else same[0][0] for qa_id, answers in same}
        return found

    def _answers(self, qa: dict) -> frozenset[str]:
        return frozenset(" ".join(sorted(self.lemmas(answer))) or answer for answer in qa["answers"])

    def _keys(self, qa: dict) -> list[tuple[str, Hashable]]:
        """What two questions share when they are the same."""
        answers = self._answers(qa)
        facts = frozenset(
            (node["head_id"], node["relation_id"] or node["relation"].lower(), node["tail_id"])
            for node in json.loads(qa["subgraph"])
        )
        return [
            (SAME_QUESTION, fold(qa["question"])),
            (SAME_QUESTION, (tuple(sorted(self.lemmas(qa["question"]))), answers)),
            (SAME_SUBGRAPH, (facts, answers)),
        ]


def _evidence(case: Case) -> list[tuple[str, Hashable]]:
    """The sentence of a simple question."""
    if case.qa["type"] != "simple":
        return []
    return [(SAME_SENTENCE, (fact["article_id"], fact["start"])) for fact in case.facts]


def _precedence(qa: dict) -> tuple[bool, bool, str]:
    return not qa["cross_story"], qa["one_article"], qa["qa_id"]
