"""The measures against packages that others wrote."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_bench.evaluation import evaluate
from rag_bench.gold import AnswerKey, Gold
from rag_bench.measures import RANKING, parse
from rag_bench.peer_words import peer_words
from rag_bench.runs import Answer
from rag_bench.words import read_words

CUTOFFS = (1, 2, 3, 5, 10, 20, 50)
SEVERAL = (
    "Они",
    "сказали",
    "в",
    "Казани",
    "Казань",
    "форум",
    "форума",
    "прошёл",
    "прошел",
    "и",
    "Пётр",
    "Сомов",
    "Сомова",
    "15",
    "2024",
)


def test_rankings_with_ties_score_as_ir_measures_does():
    """Ties are broken as trec_eval breaks them: by the larger text id, as a string, first."""
    ir_measures = pytest.importorskip("ir_measures")
    draw = random.Random(11)
    qrels, ranked, golds = [], [], []
    for question in range(80):
        texts = draw.sample(range(100, 400), draw.randint(1, 40))
        gold = {*draw.sample(texts, draw.randint(0, min(6, len(texts)))), *draw.sample(range(400, 500), draw.randint(1, 3))}
        golds.append(Gold(question, "simple", "", ("",), frozenset(gold)))
        judged = gold | set(draw.sample(texts, len(texts) // 2))
        qrels += [ir_measures.Qrel(str(question), str(text), int(text in gold)) for text in sorted(judged)]
        if draw.random() < 0.9:  # the others are unanswered
            ranked += [ir_measures.ScoredDoc(str(question), str(text), draw.choice([0.1, 0.2, 0.3, 0.4])) for text in texts]
    run = {n: Answer(tuple(int(row.doc_id) for row in _ordered(ranked, str(n)))) for n in range(80)}
    run = {n: answer for n, answer in run.items() if answer.found_ids}
    scores = evaluate(run, AnswerKey(tuple(golds), frozenset(range(500))), [f"{name}@{k}" for name in RANKING for k in CUTOFFS])

    names = {"Hit": "Success", "Recall": "R", "Precision": "P", "nDCG": "nDCG"}
    theirs = [ir_measures.parse_measure(f"{name}@{k}") for name in names.values() for k in CUTOFFS]
    found = {(str(row.measure), row.query_id): row.value for row in ir_measures.iter_calc(theirs, qrels, ranked)}
    first = {row.query_id: row.value for row in ir_measures.iter_calc([ir_measures.RR], qrels, ranked)}
    for one in scores.questions:
        n = str(one.public_id)
        expected = {f"{ours}@{k}": found.get((f"{name}@{k}", n), 0.0) for ours, name in names.items() for k in CUTOFFS}
        expected |= {f"MRR@{k}": rr if (rr := first.get(n, 0.0)) * k >= 1 - 1e-9 else 0.0 for k in CUTOFFS}
        assert one.values == pytest.approx(expected, abs=1e-9), n
    assert len(found) == 80 * len(theirs) and scores.unanswered == 80 - len(run) > 0


def _ordered(ranked: list, question: str) -> list:
    return sorted((row for row in ranked if row.query_id == question), key=lambda row: (row.score, row.doc_id), reverse=True)


@settings(max_examples=100, deadline=None)
@given(
    said=st.lists(st.sampled_from(SEVERAL), max_size=40).map(" ".join),
    wanted=st.lists(st.sampled_from(SEVERAL), min_size=1, max_size=15).map(" ".join),
)
@pytest.mark.parametrize("way", ["stems", "tokens", "lemmas"])
def test_rouge_is_that_of_rouge_score(way, said, wanted):
    """With a tokenizer that keeps Cyrillic: our own words."""
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

    class Tokenizer:
        def tokenize(self, text: str) -> list[str]:
            return list(read_words(text, way).keys)

    kinds = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
    theirs = rouge_scorer.RougeScorer(list(kinds), tokenizer=Tokenizer()).score(wanted, said)
    gold = Gold(0, "simple", wanted, (wanted,), frozenset({1}))
    for kind, noun in kinds.items():
        assert parse(f"{noun}:{way}").value(gold, Answer((), said)) == pytest.approx(theirs[kind].fmeasure, abs=1e-9), noun


PIECES = st.sampled_from(
    [
        "Казань",
        "в",
        "Ту-154",
        "кое-что",
        "-",
        "—",
        "–5",
        "5",
        "1,5",
        "5.",
        ".5",
        "3/4",
        "/4",
        "15",
        "000",
        "г.",
        "«Заря»",
        "yahoo!",
        "т.е.",
        "...",
        "?!",
        ":)",
        ";(",
        "№5",
        "5%",
        "ΔP",
        "mβж",
        "snake_case",
        "_",
        "_a",
        "a_",
        "1-й",
        "и/или",
        "**",
        "--",
        "\xad",
        "²",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", "", "\n", "\u00a0", "\t "]))), st.text(max_size=40))
def test_words_of_the_published_client_are_those_of_razdel(pieces, text):
    razdel = pytest.importorskip("razdel")
    for said in ("".join(piece + space for piece, space in pieces), text, text + " " + "".join(piece for piece, _ in pieces)):
        assert peer_words(said) == [token.text for token in razdel.tokenize(said)], repr(said)
