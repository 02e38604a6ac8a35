"""From which presence on a name counts as mentioned: unrelated pairs against true, inflected mentions.

    python benchmarks/correspondence.py --nerel ../shared/data/nerel.jsonl.gz --questions ../shared/data/qa/rubq2-dev.json.gz

Unrelated: names of people, places and organisations of NEREL with RuBQ's questions in which no word of the name's lemmas
stands. Same article: with sentences of their own article that do not mention them so. Inflected: a name's most frequent
spelling in the corpus with the sentences that write it otherwise (same Wikidata item, same first three letters of each word,
no adjectives). Prints how many of each count as mentioned from each threshold on, for this project's presence (whole words,
surface or lemmas) and for the naive one (best window of the name's length anywhere in the text).
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections import defaultdict
from pathlib import Path

import Levenshtein

from dragon_pipeline.core.screening.presence import Presence
from dragon_pipeline.languages.ru.lemmas import fold, lemmas
from dragon_pipeline.languages.ru.morphology import analyses

SEED = 20240301
PAIRS = 20_000
KINDS = {"PERSON", "ORGANIZATION", "CITY", "COUNTRY", "STATE_OR_PROVINCE", "DISTRICT", "FACILITY", "WORK_OF_ART"}
THRESHOLDS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--nerel", type=Path, required=True)
    arguments.add_argument("--questions", type=Path, required=True)
    given = arguments.parse_args()
    texts = [json.loads(line) for line in gzip.decompress(given.nerel.read_bytes()).splitlines()]
    questions = [row["question_text"] for row in json.loads(gzip.decompress(given.questions.read_bytes()))]
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
