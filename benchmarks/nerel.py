"""How good the Russian mentions and the rules' triplets are, against NEREL.

    python benchmarks/nerel.py nerel.jsonl.gz [--split dev] [--faults 40]

Mentions: spans of PER, LOC and ORG against PERSON; CITY, COUNTRY, STATE_OR_PROVINCE, DISTRICT, LOCATION; ORGANIZATION. NEREL's
spans are nested, ours are flat: `outermost` leaves out gold spans inside another one of these kinds, `all` counts every
one. FACILITY (buildings, roads) and discontinuous spans are neither wanted nor wrong: what overlaps one of them and
nothing else is not counted.

Pairs: the two ends of a triplet against NEREL's relations with both ends in the same sentence, whatever their type. An end is a
gold entity when one's lemmas are all among the other's (of a person, the surname). A pair is judged when both ends are
gold entities; recall counts gold relations between two named entities (NAMED). ALTERNATIVE_NAME and ABBREVIATION are left
out: they say that two names are of one thing, which is no fact. `--faults` prints judged pairs that NEREL does not have.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from dragon_pipeline.core.knowledge.mentions import find_mentions
from dragon_pipeline.core.knowledge.occurrence import occurs
from dragon_pipeline.core.knowledge.triplets import extract
from dragon_pipeline.core.records import ARTICLES
from dragon_pipeline.languages.ru.entities import NatashaEntities
from dragon_pipeline.languages.ru.extraction import RuleExtractor
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.parsing import parse

KINDS = {"PERSON": "PER", "ORGANIZATION": "ORG"} | dict.fromkeys(
    ("CITY", "COUNTRY", "STATE_OR_PROVINCE", "DISTRICT", "LOCATION"), "LOC"
)
NAMED = frozenset((*KINDS, "FACILITY", "WORK_OF_ART", "PRODUCT"))
SAME_THING = frozenset(("ALTERNATIVE_NAME", "ABBREVIATION"))


@dataclass(frozen=True)
class Gold:
    """An entity of NEREL."""

    id: str
    type: str
    start: int
    stop: int
    lemmas: tuple[str, ...]
    whole: bool
    """its text stands at its offsets: it is not discontinuous"""


@dataclass
class Count:
    """True positives, what was found, what was wanted."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    def __str__(self) -> str:
        precision, recall = self.right / max(self.found, 1), self.right / max(self.wanted, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return f"P {precision:.3f}  R {recall:.3f}  F1 {f1:.3f}  ({self.right} right, {self.found} found, {self.wanted} wanted)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--first", type=int, help="only so many texts")
    parser.add_argument("--faults", type=int, default=0)
    given = parser.parse_args()
    documents = list(read(given.file, given.split))[: given.first]
    articles = ARTICLES.frame([article(document) for document in documents])
    found = find_mentions(articles, NatashaEntities())
    say(f"{len(documents)} texts of {given.split}")
    say("\n".join(mention_report(documents, found)))
    triplets = extract(articles, found, RuleExtractor())
    say("\n".join(pair_report(documents, triplets, given.faults)))


def read(path: Path, split: str) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for document in map(json.loads, lines):
            if document["split"] == split:
                document["gold"] = [_gold(document["text"], entity) for entity in document["entities"]]
                yield document


def _gold(text: str, entity: dict) -> Gold:
    whole = text[entity["start"] : entity["end"]] == entity["text"]
    return Gold(entity["id"], entity["type"], entity["start"], entity["end"], tuple(lemmas(entity["text"])), whole)


def article(document: dict) -> dict:
    return {
        "article_id": document["id"], "url": document["id"], "outlet": "nerel", "version": 1, "change": "new", "title": "",
        "text": document["text"], "author": None, "section": None, "published_at": None,
    }  # fmt: skip


def mention_report(documents: list[dict], found: pl.DataFrame) -> Iterator[str]:
    spans = {
        key[0]: [(r["start"], r["stop"], r["kind"]) for r in rows.to_dicts()] for key, rows in found.group_by("article_id")
    }
    for treatment, choose in (("outermost", outermost), ("all", lambda golds: golds)):
        for way, score in (("exact", exact), ("overlap", overlapping)):
            counts: dict[str, Count] = {}
            for document in documents:
                count_mentions(document["gold"], spans.get(document["id"], []), choose, score, counts)
            for kind in ("PER", "LOC", "ORG", "all"):
                yield f"mentions, {treatment} gold, {way}: {kind} {counts[kind]}"


def count_mentions(
    golds: list[Gold],
    ours: list[tuple[int, int, str]],
    choose: Callable[[list[Gold]], list[Gold]],
    score: Callable[[list[tuple[int, int]], list[tuple[int, int]]], int],
    counts: dict[str, Count],
) -> None:
    wanted = choose([g for g in golds if g.type in KINDS and g.whole])
    neutral = [g for g in golds if g.type == "FACILITY" or (not g.whole and g.type in KINDS)]
    of_kinds = [g for g in golds if g.type in KINDS and g.whole]
    ours = [o for o in ours if any(_meets(o, g) for g in of_kinds) or not any(_meets(o, g) for g in neutral)]
    for kind in ("PER", "LOC", "ORG"):
        found = [o[:2] for o in ours if o[2] == kind]
        gold = [(g.start, g.stop) for g in wanted if KINDS[g.type] == kind]
        right = score(found, gold)
        for name in (kind, "all"):
            count = counts.setdefault(name, Count())
            count.right, count.found, count.wanted = count.right + right, count.found + len(found), count.wanted + len(gold)


def _meets(span: tuple, gold: Gold) -> bool:
    return span[0] < gold.stop and gold.start < span[1]


def outermost(golds: list[Gold]) -> list[Gold]:
    return [
        g for g in golds
        if not any(o.start <= g.start and g.stop <= o.stop and (o.stop - o.start) > (g.stop - g.start) for o in golds)
    ]  # fmt: skip


def exact(found: list[tuple[int, int]], wanted: list[tuple[int, int]]) -> int:
    return len(set(found) & set(wanted))


def overlapping(found: list[tuple[int, int]], wanted: list[tuple[int, int]]) -> int:
    """Each found span takes one gold span that it overlaps, in the order of the text."""
    left, right = sorted(wanted), 0
    for start, stop in sorted(found):
        match = next((gold for gold in left if start < gold[1] and gold[0] < stop), None)
        if match is not None:
            left.remove(match)
            right += 1
    return right


def pair_report(documents: list[dict], triplets: pl.DataFrame, faults: int) -> Iterator[str]:
    kept = triplets.filter(pl.col("status") == "kept")
    of = {key[0]: rows.to_dicts() for key, rows in kept.group_by("article_id")}
    judged, directed, recall, told = Count(), Count(), Count(), []
    types: dict[str, Count] = {}
    for document in documents:
        rows = of.get(document["id"], [])
        for row, heads, tails in ends(document["gold"], rows):
            right = related(document, row, heads, tails, both_ways=True)
            judged.found, judged.right = judged.found + 1, judged.right + right
            directed.found, directed.right = directed.found + 1, directed.right + related(document, row, heads, tails, False)
            if not right:
                told.append(f"    {row['head']} | {row['relation']} | {row['tail']}")
        for type_, hit in gold_pairs(document, rows):
            for count in (recall, types.setdefault(type_, Count())):
                count.wanted, count.right = count.wanted + 1, count.right + hit
    yield f"kept triplets: {kept.height}, {kept.height / len(documents):.2f} per text; pairs of gold entities: {judged.found}"
    yield f"precision of pairs, either direction: {_share(judged.right, judged.found)}"
    yield f"precision of pairs, NEREL's direction: {_share(directed.right, directed.found)}"
    yield f"recall of relations between named entities of one sentence: {_share(recall.right, recall.wanted)}"
    for type_, count in sorted(types.items(), key=lambda item: (-item[1].wanted, item[0]))[:14]:
        yield f"  {type_}: {_share(count.right, count.wanted)}"
    yield from told[:faults]


def ends(golds: list[Gold], rows: Iterable[dict]) -> Iterator[tuple[dict, list[Gold], list[Gold]]]:
    """Triplets of which both ends are gold entities of their sentence, with these."""
    for row in rows:
        inside = [g for g in golds if row["start"] <= g.start and g.stop <= row["stop"]]
        heads, tails = ([g for g in inside if is_end(row, end, g)] for end in ("head", "tail"))
        if heads and tails:
            yield row, heads, tails


def is_end(row: dict, end: str, gold: Gold) -> bool:
    kind, name = row[f"{end}_kind"], lemmas(row[end])
    if (kind == "PER") != (gold.type == "PERSON") or (kind == "ROLE") != (gold.type == "PROFESSION"):
        return False
    if not name or not gold.lemmas:
        return False
    if kind == "PER":
        return occurs(gold.lemmas[-1:], name[-1:]) or occurs(name[-1:], gold.lemmas)
    if kind == "OTHER":  # a phrase is an entity only when it is all of it
        return occurs(name, gold.lemmas) and occurs(gold.lemmas, name)
    return occurs(name, gold.lemmas) or occurs(gold.lemmas, name)


def related(document: dict, row: dict, heads: list[Gold], tails: list[Gold], both_ways: bool) -> bool:
    one, other = {g.id for g in heads}, {g.id for g in tails}
    return any(
        (a in one and b in other) or (both_ways and a in other and b in one)
        for a, type_, b in document["relations"]
        if type_ not in SAME_THING
    )


def gold_pairs(document: dict, rows: list[dict]) -> Iterator[tuple[str, bool]]:
    """(type, found) of every relation between two named entities in one sentence."""
    by_id = {g.id: g for g in document["gold"]}
    sentences = [(s.start, s.stop) for s in parse(document["text"]).sentences]
    for a, type_, b in document["relations"]:
        one, other = by_id.get(a), by_id.get(b)
        if one is None or other is None or type_ in SAME_THING or not {one.type, other.type} <= NAMED:
            continue
        span = next(((x, y) for x, y in sentences if x <= min(one.start, other.start) and max(one.stop, other.stop) <= y), None)
        if span is not None:
            here = [row for row in rows if (row["start"], row["stop"]) == span]
            yield (
                type_,
                any(
                    (is_end(row, "head", one) and is_end(row, "tail", other))
                    or (is_end(row, "head", other) and is_end(row, "tail", one))
                    for row in here
                ),
            )


def _share(right: int, of: int) -> str:
    return f"{right / max(of, 1):.3f} ({right} of {of})"


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
