"""Questions to screen, made from a few words."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.ports import Case
from dragon_pipeline.languages.ru.lemmas import key

Triple = tuple[str, str, str]
NODES = ("fact_id", "head", "head_id", "relation", "relation_id", "tail", "tail_id")
"""what `subgraph` says of a fact"""


def node_id(name: str) -> str:
    return f"local:{content_id(name)}"


def make_fact(triple: Triple, sentence: str = "", kinds: tuple[str, str] = ("ORG", "LOC"), **changes: Any) -> dict:
    head, relation, tail = triple
    sentence = sentence or f"{head} {relation} {tail}."
    return {
        "fact_id": content_id(*triple, sentence),
        "triplet_id": content_id("triplet", *triple),
        "article_id": "a1",
        "url": "https://gazeta.example/1",
        "outlet": "gazeta",
        "head": head,
        "head_id": node_id(head),
        "head_kind": kinds[0],
        "relation": relation,
        "relation_id": None,
        "tail": tail,
        "tail_id": node_id(tail),
        "tail_kind": kinds[1],
        "novelty": "novel",
        "why": "unlinked_head",
        "statement_id": None,
        "revision": "bundled-test",
        "head_link": "no_candidates",
        "relation_link": "no_candidates",
        "tail_link": "no_candidates",
        "held_back": None,
        "sentence": sentence,
        "start": 0,
        "stop": len(sentence),
        "wording": None,
        **changes,
    }


def make_mention(name: str, kind: str = "ORG", start: int = 0, article_id: str = "a1") -> dict:
    stop = start + len(name)
    return {
        "article_id": article_id,
        "kind": kind,
        "text": name,
        "start": start,
        "stop": stop,
        "normal": name,
        "lemmas": key(name),
    }


def make_article(text: str, article_id: str = "a1") -> dict:
    return {
        "article_id": article_id,
        "url": f"https://gazeta.example/{article_id}",
        "outlet": "gazeta",
        "version": 1,
        "change": "new",
        "title": "Заголовок",
        "text": text,
        "author": None,
        "section": None,
        "published_at": "2024-03-01T10:00:00+03:00",
    }


def make_case(
    type: str,
    question: str,
    answers: Sequence[str],
    facts: Sequence[dict],
    given: Sequence[str] = (),
    bridge: str | None = None,
) -> Case:
    sentences = [fact["sentence"] for fact in facts]
    names = sorted({fact[end] for fact in facts for end in ("head", "tail")})
    placed = []
    start = 0
    for fact, sentence in zip(facts, sentences, strict=True):
        placed.append({**fact, "start": start, "stop": start + len(sentence)})
        start += len(sentence) + 1
    qa = {
        "qa_id": content_id(type, question, list(answers)),
        "type": type,
        "question": question,
        "answer": ", ".join(answers),
        "answers": list(answers),
        "given": list(given) or [name for name in names if name not in answers and name != bridge],
        "bridge": bridge,
        "fact_ids": [fact["fact_id"] for fact in placed],
        "article_ids": ["a1"],
        "direction": None,
        "cross_story": False,
        "one_article": True,
        "subgraph": json.dumps([{name: fact[name] for name in NODES} for fact in placed]),
        "writer": "rules",
        "reason": None,
        "raw": None,
    }
    mentions = [make_mention(name, start=place) for place, name in enumerate(names)]
    return Case(qa, placed, [make_article(" ".join(sentences))], mentions)


@pytest.fixture(scope="session")
def case() -> Callable[..., Case]:
    return make_case


@pytest.fixture(scope="session")
def fact() -> Callable[..., dict]:
    return make_fact


@pytest.fixture(scope="session")
def mention() -> Callable[..., dict]:
    return make_mention
