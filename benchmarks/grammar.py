"""Trains the embedded grammar check and says how good it is.

    python benchmarks/grammar.py --data ../shared/data/rucola --questions ../shared/data/qa \\
        [--news ../shared/data/news/news.jsonl.gz] [--write]

One head learns from RuCoLA (in-domain train), the other from human questions (XQuAD ru, half of RuBQ) and sentences of news
from FIRST_DAY on, with copies that have one fault (grammar_faults.py). Prints MCC on RuCoLA's dev sets, and how many whole and
broken questions of the other half of RuBQ pass. `--write` stores the model, with these figures, beside languages/ru/grammar.py;
without `--news` the stored one is measured.
"""

import argparse
import csv
import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from grammar_faults import break_one, break_variously
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import matthews_corrcoef, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from dragon_pipeline.languages.ru import grammar, grammar_features, grammar_rules, parsing

SEED = 20240301
JUDGED, WHOLE = 0.2, 1.0
"""Of the regularisation of the two heads, inverse; chosen by cross-validation on RuCoLA's train set, and on human questions."""
NEWS = 16_000
"""Sentences of news"""
FIRST_DAY = "2024-03-11"
"""Of them: days before are left to those who read what the pipeline makes of them."""
OF_NEWS, OF_QUESTIONS = 0.5, 1.5
"""Weights"""
PASSING = 0.98
"""Share of whole human questions that the default threshold lets pass. Few questions that rules write are broken: at .96
most of what the check failed of them was sound. What goes wrong often has a hard rule of its own."""
THRESHOLD = 0.7
Pairs = Sequence[tuple[str, str]]
"""of a whole question and its broken copy"""


@dataclass(frozen=True)
class Questions:
    """Human questions: those learned from and those held out, with broken copies of these in two ways."""

    learned: list[str]
    held: list[str]
    broken: list[str]
    variously: list[str]
    everyone: list[str]

    @classmethod
    def read(cls, folder: Path) -> "Questions":
        draw = random.Random(SEED)
        rubq = [question for question in read_rubq(folder / "rubq2-dev.json.gz") if sound(question)]
        xquad = read_xquad(folder / "xquad.ru.json.gz")
        broken, variously = ([copy for one in rubq[1::2] if (copy := how(one, draw))] for how in (break_one, break_variously))
        return cls([*xquad, *rubq[::2]], rubq[1::2], broken, variously, [*xquad, *rubq])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, required=True, help="folder of RuCoLA's CSV files")
    arguments.add_argument("--questions", type=Path, required=True, help="folder of rubq2-dev.json.gz and xquad.ru.json.gz")
    arguments.add_argument("--news", type=Path, help="news.jsonl.gz; without it nothing is trained")
    arguments.add_argument("--write", action="store_true", help="store the model with these figures")
    given = arguments.parse_args()
    questions = Questions.read(given.questions)
    model = train(given.data, questions, given.news) if given.news else grammar.Acceptability.load(grammar.MODEL)
    found = measure(model, given.data, questions)
    say(json.dumps(found, indent=1))
    say(by_length(model, questions))
    if given.write:
        model.save(grammar.MODEL, found)
        say(f"wrote {grammar.MODEL.name}, {grammar.MODEL.stat().st_size} bytes")


def train(data: Path, questions: Questions, news: Path) -> grammar.Acceptability:
    whole = learn_whole(questions, news)
    sentences, labels = read_rucola(data / "in_domain_train.csv")
    x, y = features(sentences), np.array(labels)
    weight = np.where(y == 1, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    judged = regression(JUDGED).fit(x, y, sample_weight=weight)
    raw = grammar.Acceptability(
        judged.coef_[0].astype(np.float16), whole.coef_[0].astype(np.float16), float(judged.intercept_[0]),
        float(whole.intercept_[0]), best_cut(x, y, weight, whole.decision_function(x)),
    )  # fmt: skip
    say(f"judged on {len(y)} sentences, cut {raw.cut:.3f}")
    return calibrated(replace(raw, per_word=lost_per_word(raw, questions.everyone)), questions)


def learn_whole(questions: Questions, news: Path) -> LogisticRegression:
    draw = random.Random(SEED)
    sentences = read_news(news, draw)
    parts = [
        (questions.learned, 1, 2 * OF_QUESTIONS),
        ([copy for one in questions.learned if (copy := break_one(one, draw))], 0, OF_QUESTIONS),
        ([copy for one in questions.learned if (copy := break_variously(one, draw))], 0, OF_QUESTIONS),
        (sentences, 1, OF_NEWS),
        ([copy for one in sentences if (copy := break_variously(one, draw))], 0, OF_NEWS),
    ]
    x = csr_matrix(vstack([features(texts) for texts, _, _ in parts]))
    y = np.concatenate([np.full(len(texts), label) for texts, label, _ in parts])
    weight = np.concatenate([np.full(len(texts), each) for texts, _, each in parts])
    say(f"learned from {len(y)} whole and broken sentences")
    return regression(WHOLE).fit(x, y, sample_weight=weight)


def best_cut(x: csr_matrix, y: np.ndarray, weight: np.ndarray, whole: np.ndarray) -> float:
    """Where the two heads together part RuCoLA's train set best, in five-fold cross-validation."""
    judged = np.zeros(len(y))
    for learned, held in StratifiedKFold(5, shuffle=True, random_state=SEED).split(x, y):
        judged[held] = regression(JUDGED).fit(x[learned], y[learned], sample_weight=weight[learned]).decision_function(x[held])
    z = grammar.together(judged, whole)
    cuts = np.quantile(z, np.arange(0.1, 0.6, 0.02))
    reached = [matthews_corrcoef(y, z > cut) for cut in cuts]
    say(f"RuCoLA train, cross-validated: MCC {max(reached):.3f}, AUC {roc_auc_score(y, z):.3f}")
    return float(cuts[int(np.argmax(reached))])


def lost_per_word(raw: grammar.Acceptability, human: Sequence[str]) -> float:
    """How much log-odds human questions lose per word over `LONG`, at the quantile that the threshold stands on."""
    z = raw.decisions(human)
    extra = np.array([grammar.extra_words(question) for question in human])
    short, long = z[extra == 0], z[extra >= 4]
    fall = np.quantile(short, 1 - PASSING) - np.quantile(long, 1 - PASSING)
    return float(max(fall / extra[extra >= 4].mean(), 0.0))


def calibrated(raw: grammar.Acceptability, questions: Questions) -> grammar.Acceptability:
    """Platt's slope on the held-out questions; the shift puts `THRESHOLD` where `PASSING` of the whole ones lie above."""
    whole, broken = (
        raw.decisions(texts) + raw.per_word * np.array([grammar.extra_words(text) for text in texts])
        for texts in (questions.held, questions.broken)
    )
    z = np.concatenate([whole, broken])[:, None]
    slope = float(LogisticRegression(C=1e6).fit(z, [1] * len(whole) + [0] * len(broken)).coef_[0, 0])
    cut = float(np.quantile(whole, 1 - PASSING))
    return replace(raw, slope=slope, shift=float(np.log(THRESHOLD / (1 - THRESHOLD)) - slope * cut))


def measure(model: grammar.Acceptability, data: Path, questions: Questions) -> dict[str, Any]:
    """MCC on RuCoLA's dev sets; shares of held-out human questions and of their broken copies that the check passes."""
    check = grammar.RussianGrammar()
    check.model = model
    texts = {"human": questions.held, "broken": questions.broken, "broken_variously": questions.variously}
    judged = {name: check.check(of) for name, of in texts.items()}
    whole, broken = ([one.acceptable for one in judged[name]] for name in ("human", "broken"))
    return {
        "rucola_dev_mcc": {name: rucola_mcc(model, data / f"{name}_dev.csv") for name in ("in_domain", "out_of_domain")},
        "pass": {
            name: round(float(np.mean([one.fault is None and one.acceptable >= THRESHOLD for one in found])), 3)
            for name, found in judged.items()
        },
        "questions": len(questions.held),
        "auc": round(float(roc_auc_score([1] * len(whole) + [0] * len(broken), whole + broken)), 3),
    }


def rucola_mcc(model: grammar.Acceptability, path: Path) -> float:
    sentences, labels = read_rucola(path)
    return round(float(matthews_corrcoef(labels, model.decisions(sentences) > 0)), 3)


def by_length(model: grammar.Acceptability, questions: Questions) -> str:
    """Human questions and their broken copies that pass, by number of words (part of them was learned from)."""
    draw = random.Random(SEED)
    lines = []
    for low, high in ((0, 8), (8, 12), (12, 16), (16, 99)):
        whole = [q for q in questions.everyone if low <= len(q.split()) < high]
        broken = [copy for q in whole if (copy := break_one(q, draw))]
        shares = [np.mean(model.acceptable(texts) >= THRESHOLD) for texts in (whole, broken)]
        lines.append(f"{low}–{high - 1} words: {len(whole)} whole pass {shares[0]:.3f}, broken pass {shares[1]:.3f}")
    return "\n".join(lines)


def regression(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, solver="liblinear", random_state=SEED)


def features(texts: Sequence[str]) -> csr_matrix:
    found = grammar_features.vectors(texts)
    ends = np.cumsum([0, *(len(vector.buckets) for vector in found)])
    values, buckets = (np.concatenate([getattr(vector, name) for vector in found]) for name in ("values", "buckets"))
    return csr_matrix((values, buckets, ends), shape=(len(texts), grammar_features.BUCKETS))


def read_rucola(path: Path) -> tuple[list[str], list[int]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["sentence"] for row in rows], [int(row["acceptable"]) for row in rows]


def read_rubq(path: Path) -> list[str]:
    return [row["question_text"] for row in json.loads(gzip.decompress(path.read_bytes()))]


def read_xquad(path: Path) -> list[str]:
    articles = json.loads(gzip.decompress(path.read_bytes()))["data"]
    found = [qa["question"].strip() for article in articles for part in article["paragraphs"] for qa in part["qas"]]
    return [question for question in found if sound(question)]


def read_news(path: Path, draw: random.Random) -> list[str]:
    """NEWS sentences of 5 to 18 words."""
    found = [sentence for text in _late(path) for sentence in _sentences(text)]
    return draw.sample(found, min(NEWS, len(found)))


def _late(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            article = json.loads(line)
            if article["day"] >= FIRST_DAY:
                yield article["text"]


def _sentences(text: str) -> Iterator[str]:
    for start, stop in parsing.sentences(text):
        sentence = " ".join(text[start:stop].split())
        if 5 <= len(sentence.split()) <= 18 and re.match(r"[А-ЯЁ«]", sentence) and sentence[-1] in ".?!":
            yield sentence


def sound(question: str) -> bool:
    """Without a fault of form or agreement. Not by the rules of clauses, which are no features of the model: they would change
    which half of the questions a question falls into."""
    words = grammar_rules.words(question)
    return not any(rule(question) for rule in grammar_rules.FORM_RULES) and not any(
        rule(words) for rule in (*grammar_rules.MORPHOLOGY_RULES, grammar_rules.company_case)
    )


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
