"""Facts: triplets linked to Wikidata and normalised, with what Wikidata knows of them.

A name that is not linked may still mean one of its candidates, unless a model said that it means none. What Wikidata states of
these makes a fact `unsure` (`possibly_known`), and it is not asked: else «Газпром – штаб-квартира – Санкт-Петербург» would be
new because the rules link no organisations.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.knowledge.candidates import VALUES
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.knowledge.normalising import UNDECIDED
from dragon_pipeline.core.knowledge.novelty import Novelty, judge, suspect
from dragon_pipeline.core.ports import Choice, KnowledgeBase, Naming, Normaliser, Stated
from dragon_pipeline.core.records import FACTS

Key = tuple[str, str, str, str]
"""kind, name, name_kind, article_id: as in `candidates`"""


@dataclass(frozen=True)
class Meaning:
    """What was chosen for a name, and the items that it may mean: the chosen one, or all candidates where none was taken and
    nobody decided that none is meant; the likeliest first."""

    choice: Choice
    possible: Sequence[str] = ()

    @property
    def linked(self) -> str | None:
        return self.choice.wikidata_id


VALUE = Meaning(Choice(None, "value"))


@dataclass(frozen=True)
class Meant:
    """What the two ends and the relation of a triplet mean."""

    head: Meaning
    tail: Meaning
    relation: Meaning

    @property
    def looked_up(self) -> set[str]:
        """Ids of which must be known what is stated. Of candidates that were not taken only where the other end may be an item:
        nothing is stated between an item and what is none."""
        found = {one.linked for one in (self.head, self.relation, self.tail) if one.linked}
        return found | ({*self.head.possible, *self.tail.possible} if self.head.possible and self.tail.possible else set())


def link(
    triplets: pl.DataFrame, candidates: pl.DataFrame, articles: pl.DataFrame, kb: KnowledgeBase, normaliser: Normaliser
) -> pl.DataFrame:
    """Every kept triplet as a fact; the same fact twice in an article keeps its first sentence.

    Raises:
        Unreachable: the knowledge base does not answer; what cannot be looked up is never taken for new.
    """
    by_id = {row["article_id"]: row for row in articles.iter_rows(named=True)}
    kept = triplets.filter(pl.col("status") == "kept").sort("article_id", "start", "triplet_id").to_dicts()
    meanings = _meanings(kept, candidates, by_id, normaliser)
    meant = [Meant(*(meanings.get(key, VALUE) for key in _keys(row))) for row in kept]
    stated = kb.stated(sorted({one for of in meant for one in of.looked_up}))
    rows: dict[str, dict] = {}
    for row, of in zip(kept, meant, strict=True):
        fact = _fact(row, by_id[row["article_id"]], of, stated, kb.revision)
        rows.setdefault(fact["fact_id"], fact)
    return FACTS.frame(list(rows.values()))


def local_id(name: str, kind: str) -> str:
    """The id of an unlinked node: of its normal form and kind alone, so that days can be computed in any order."""
    return "local:" + content_id(fold(name) or name, kind)


def _meanings(
    kept: list[dict], candidates: pl.DataFrame, articles: Mapping[str, dict], normaliser: Normaliser
) -> dict[Key, Meaning]:
    found: dict[Key, list[dict]] = {}
    for row in candidates.sort("rank").iter_rows(named=True):
        found.setdefault((row["kind"], row["name"], row["name_kind"], row["article_id"]), []).append(row)
    namings: dict[Key, Naming] = {}
    for row in kept:
        sentence = articles[row["article_id"]]["text"][row["start"] : row["stop"]]
        for key in _keys(row):
            if key[2] not in VALUES:
                namings.setdefault(key, Naming(*key[:3], sentence, found.get(key, [])))
    chosen = normaliser.choose(list(namings.values()))
    return {key: _meaning(choice, namings[key].candidates) for key, choice in zip(namings, chosen, strict=True)}


def _keys(row: dict) -> tuple[Key, Key, Key]:
    """Of head, tail and relation."""
    head, tail = (("item", row[end], row[f"{end}_kind"], row["article_id"]) for end in ("head", "tail"))
    return head, tail, ("property", row["relation"], "", "")


def _meaning(choice: Choice, candidates: Iterable[dict]) -> Meaning:
    if choice.wikidata_id:
        return Meaning(choice, (choice.wikidata_id,))
    return Meaning(choice, [row["wikidata_id"] for row in candidates] if choice.why in UNDECIDED else ())


def _novelty(meant: Meant, head_id: str, tail_id: str, stated: Mapping[str, Stated]) -> Novelty:
    unresolved = _unresolved(meant.head.choice, meant.tail.choice)
    if unresolved:
        return Novelty("unsure", unresolved)
    relation = meant.relation.linked
    judged = judge(head_id, relation, tail_id, stated)
    if judged.novelty != "novel":
        return judged
    return suspect(meant.head.possible, relation, meant.tail.possible, stated) or judged


def _unresolved(head: Choice, tail: Choice) -> str | None:
    """The end that a model failed to resolve, when it decides whether Wikidata could state the fact; where the other end is no
    item for certain, it could not."""
    ends = {"head": head, "tail": tail}
    if all(choice.wikidata_id or choice.failed for choice in ends.values()):
        return next((f"unresolved_{end}" for end, choice in ends.items() if choice.failed), None)
    return None


def _fact(row: dict, article: dict, meant: Meant, stated: Mapping[str, Stated], revision: str) -> dict:
    head, relation, tail = meant.head.choice, meant.relation.choice, meant.tail.choice
    head_id = head.wikidata_id or local_id(row["head"], row["head_kind"])
    tail_id = tail.wikidata_id or local_id(row["tail"], row["tail_kind"])
    known = _novelty(meant, head_id, tail_id, stated)
    items = sorted(one for one in meant.looked_up - {relation.wikidata_id} if stated[one].revision != revision)
    wording = json.loads(row["wording"]) if row["wording"] else {}
    return {
        "fact_id": content_id(row["article_id"], head_id, relation.wikidata_id or row["relation"], tail_id),
        "triplet_id": row["triplet_id"], "article_id": row["article_id"], "url": article["url"], "outlet": article["outlet"],
        "head": row["head"], "head_id": head_id, "head_kind": row["head_kind"],
        "relation": row["relation"], "relation_id": relation.wikidata_id,
        "tail": row["tail"], "tail_id": tail_id, "tail_kind": row["tail_kind"],
        "novelty": known.novelty, "why": known.why, "statement_id": known.statement_id,
        "revision": " ".join([revision, *(f"{one}@{stated[one].revision}" for one in items)]),
        "head_link": head.why, "relation_link": relation.why, "tail_link": tail.why,
        "held_back": wording.get("held_back"),
        "sentence": article["text"][row["start"] : row["stop"]], "start": row["start"], "stop": row["stop"],
        "wording": row["wording"], "published_at": article["published_at"],
    }  # fmt: skip
