"""The correspondence screen: from which presence on a name counts as mentioned, and how fast presence is.

    python benchmarks/correspondence.py threshold --nerel nerel.jsonl.gz --questions rubq2-dev.json.gz
    python benchmarks/correspondence.py speed --nerel nerel.jsonl.gz --questions rubq2-dev.json.gz
    python benchmarks/correspondence.py speed --home real

`threshold`: unrelated pairs against true, inflected mentions. Unrelated: names of people, places and organisations of NEREL
with RuBQ's questions in which no word of the name's lemmas stands. Same article: with sentences of their own article that do
not mention them so. Inflected: a name's most frequent spelling in the corpus with the sentences that write it otherwise (same
Wikidata item, same first three letters of each word, no adjectives). Prints how many of each count as mentioned from each
threshold on, for this project's presence (whole words, surface or lemmas) and for the naive one (best window of the name's
length anywhere in the text).

`speed`: every node of a day's questions against question and answer, three ways: plain Python (its own table of distances), a
call of python-Levenshtein for each candidate substring, and the screen's presence. The three must give the same numbers, bit by
bit. Prints the median times of several rounds in one run, and their ratios; plain Python is measured on every 60th pair, and
compared with the screen on the same pairs. Lemmas are known beforehand in all three, folded texts in the first two.
"""

import argparse
import gzip
import json
import random
import re
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

import Levenshtein
import polars as pl

from dragon_pipeline.core.screening.lemmas import words_only
from dragon_pipeline.core.screening.presence import Presence, numbers
from dragon_pipeline.core.screening.presence import fold as fold_text
from dragon_pipeline.languages.ru.lemmas import fold, lemmas
from dragon_pipeline.languages.ru.morphology import analyses

SEED = 20240301
PAIRS = 20_000
QUESTIONS = 2_000
SAMPLED = 60
ROUNDS = 5
KINDS = {"PERSON", "ORGANIZATION", "CITY", "COUNTRY", "STATE_OR_PROVINCE", "DISTRICT", "FACILITY", "WORK_OF_ART"}
THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    threshold, speed = commands.add_parser("threshold"), commands.add_parser("speed")
    for command in (threshold, speed):
        command.add_argument("--nerel", type=Path, required=command is threshold)
        command.add_argument("--questions", type=Path, required=command is threshold)
    speed.add_argument("--home", type=Path, help="instead: the written questions of a home, all days")
    given = parser.parse_args()
    if given.command == "threshold":
        thresholds(read_nerel(given.nerel), read_questions(given.questions))
        return
    if not given.home and not (given.nerel and given.questions):
        parser.error("speed: give --home, or --nerel and --questions")
    race(home_pairs(given.home) if given.home else corpus_pairs(read_nerel(given.nerel), read_questions(given.questions)))


def read_nerel(file: Path) -> list[dict]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


def read_questions(file: Path) -> list[str]:
    return [row["question_text"] for row in json.loads(gzip.decompress(file.read_bytes()))]


def thresholds(texts: list[dict], questions: list[str]) -> None:
    samples = {
        "unrelated": unrelated_pairs(texts, questions),
        "same article": same_article_pairs(texts),
        "inflected": mentions(texts),
    }
    sys.stdout.write(", ".join(f"{len(pairs)} {name}" for name, pairs in samples.items()) + "; each: ours, naive\n")
    presence = Presence(lemmas)
    scores = [[measure(*pair) for pair in pairs] for pairs in samples.values() for measure in (presence.of, naive)]
    for threshold in THRESHOLDS:
        shares = [sum(score >= threshold for score in column) / len(column) for column in scores]
        sys.stdout.write(f"{threshold:.2f}  " + "  ".join(f"{share:.4f}" for share in shares) + "\n")


def home_pairs(home: Path) -> list[tuple[str, str]]:
    """Each node with question and answer, of every written question of the home."""
    found = []
    for day in sorted((home / "tables" / "qa").glob("*.parquet")):
        for row in pl.read_parquet(day).filter(pl.col("question").is_not_null()).sort("qa_id").iter_rows(named=True):
            facts = json.loads(row["subgraph"])
            names = dict.fromkeys(fact[end] for fact in facts for end in ("head", "tail"))
            found += [(name, row[text]) for name in names for text in ("question", "answer")]
    return found


def corpus_pairs(texts: list[dict], questions: list[str]) -> list[tuple[str, str]]:
    """As many as 400 questions of five types have: three names of NEREL with each of 2,000 questions and answers. All the
    questions are real, and come again when there are fewer; hardly a name stands in its question, which is the slowest case."""
    draw = random.Random(SEED)
    names = sorted({entity["text"] for text in texts for entity in text["entities"] if entity["type"] in KINDS})
    found = []
    for number in range(QUESTIONS):
        nodes = [draw.choice(names) for _ in range(3)]
        question = f"{questions[number % len(questions)][:-1]} {draw.choice(nodes)}?"
        found += [(node, text) for node in nodes for text in (question, nodes[0])]
    return found


def race(pairs: list[tuple[str, str]]) -> None:
    screened(pairs)  # from now on the lemmas are known, to all
    every = pairs[::SAMPLED]
    sys.stdout.write(f"{len(pairs)} pairs of a name and a text, {len(set(pairs))} different; {len(every)} in plain Python\n")
    compare("plain Python", lambda: [by_pieces(*pair, table) for pair in every], lambda: screened(every))
    compare(
        "a call for each",
        lambda: [by_pieces(*pair, Levenshtein.distance) for pair in pairs],
        lambda: screened(pairs),
    )


def compare(name: str, other: Callable[[], list[float]], ours: Callable[[], list[float]]) -> None:
    """The two ways in turn, `ROUNDS` times."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        theirs = other()
        middle = time.perf_counter()
        if ours() != theirs:
            raise SystemExit(f"{name}: other numbers than the screen's")
        times.append((middle - start, time.perf_counter() - middle))
    slow, fast = (statistics.median(column) for column in zip(*times, strict=True))
    ratios = sorted(theirs / ours for theirs, ours in times)
    said = f"{statistics.median(ratios):.1f} times ({ratios[0]:.1f} to {ratios[-1]:.1f}), same numbers"
    sys.stdout.write(f"{name}: {slow:.3f} s, the screen: {fast:.3f} s; {said}\n")


def screened(pairs: list[tuple[str, str]]) -> list[float]:
    """A new memory each time: nothing is remembered from one round to the next but lemmas."""
    presence = Presence(lemmas)
    return [presence.of(name, text) for name, text in pairs]


def by_pieces(name: str, text: str, distance: Callable[[str, str], int]) -> float:
    """Presence by its definition: every substring of whole words, of the surface and of the lemmas."""
    if not set(numbers(name)) <= set(numbers(text)):
        return 0.0
    best, known = 0.0, words_only(lemmas)
    for one, other in ((name, text), (" ".join(known(name)), " ".join(known(text)))):
        one, other = folded(one), folded(other)
        words = [match.span() for match in re.finditer(r"\w+", other)]
        for place, (start, _) in enumerate(words):
            for _, stop in words[place:]:
                piece = other[start:stop]
                best = max(best, 1 - distance(one, piece) / max(len(one), len(piece)))
    return best


@cache
def folded(text: str) -> str:
    return fold_text(text)


def table(one: str, other: str) -> int:
    """Levenshtein's distance, row by row."""
    row = list(range(len(other) + 1))
    for place, sign in enumerate(one, 1):
        above, row = row, [place]
        for column, with_ in enumerate(other, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (sign != with_)))
    return row[-1]


def unrelated_pairs(texts: list[dict], questions: list[str]) -> list[tuple[str, str]]:
    draw = random.Random(SEED)
    names = sorted({entity["text"] for text in texts for entity in text["entities"] if entity["type"] in KINDS})
    pairs = [(draw.choice(names), draw.choice(questions)) for _ in range(PAIRS)]
    return [(name, question) for name, question in pairs if not set(lemmas(name)) & set(lemmas(question))]


def same_article_pairs(texts: list[dict]) -> list[tuple[str, str]]:
    """(name, sentence of its article in which no word of it stands)."""
    draw = random.Random(SEED)
    found = []
    for text in texts:
        names = sorted({entity["text"] for entity in text["entities"] if entity["type"] in KINDS})
        said = [part.strip() for part in re.split(r"[.!?\n]", text["text"]) if 30 < len(part) < 250]
        if names and said:
            found += [(draw.choice(names), draw.choice(said)) for _ in range(PAIRS // len(texts))]
    return [(name, said) for name, said in found if not set(lemmas(name)) & set(lemmas(said))]


def mentions(texts: list[dict]) -> list[tuple[str, str]]:
    """(name, sentence) where the sentence writes the name otherwise."""
    spellings: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for text in texts:
        for entity in text["entities"]:
            whole = text["text"][entity["start"] : entity["end"]] == entity["text"]
            if entity["type"] in KINDS and whole and is_name(entity["text"]):
                of = spellings[str(entity["qid"]), " ".join(word[:3] for word in fold(entity["text"]).split())]
                of[entity["text"]].append(sentence(text["text"], entity["start"], entity["end"]))
    found = []
    for (qid, _), of in sorted(spellings.items()):
        ranked = sorted(of, key=lambda name: (-len(of[name]), name))
        if qid != "None":
            found += [(ranked[0], place) for other in ranked[1:] if fold(other) != fold(ranked[0]) for place in of[other][:3]]
    return found


def is_name(text: str) -> bool:
    """Not «московский», which NEREL takes for Moscow."""
    return text[0].isupper() and not (" " not in text and any(form.tag.POS == "ADJF" for form in analyses(text)))


def sentence(text: str, start: int, stop: int) -> str:
    before = max(text.rfind(sign, 0, start) for sign in ".!?\n") + 1
    after = re.search(r"[.!?\n]", text[stop:])
    return text[before : stop + after.start() if after else len(text)].strip()


def naive(name: str, text: str) -> float:
    name, text = name.lower(), text.lower()
    if len(text) <= len(name):
        return 1 - Levenshtein.distance(name, text) / max(len(name), 1)
    windows = (text[at : at + len(name)] for at in range(len(text) - len(name) + 1))
    return 1 - min(Levenshtein.distance(name, window) for window in windows) / len(name)


if __name__ == "__main__":
    main()
