"""Triplets by rules: subject–verb–argument, roles in apposition, and what is said of places.

Every triplet keeps the offsets of its evidence sentence; `wording` holds the forms that the rule writer needs (see wording.py).
"""

import json
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.languages.ru.arguments import arguments, subjects
from dragon_pipeline.languages.ru.clauses import Clause, Unfit, clauses
from dragon_pipeline.languages.ru.entities import Form, is_full, resolve
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.parsing import Sentence, parse
from dragon_pipeline.languages.ru.places import place_facts
from dragon_pipeline.languages.ru.roles import Role, roles

POST, OCCUPATION = "занимаемая должность", "род занятий"
UNSAID = {"held_back": "no_wording"}
SHORTEST, LONGEST = 20, 400


class RuleExtractor:
    """The embedded extractor for Russian."""

    name = "rules"

    def extract(self, article: dict, mentions: Sequence[dict]) -> list[dict]:
        parsed = parse(article["text"])
        forms = resolve(parsed)
        published = _day(article["published_at"])
        rows: dict[str, dict] = {}
        for sentence in parsed.sentences:
            if not SHORTEST <= len(sentence.text) <= LONGEST:
                continue
            for row in _sentence_rows(sentence, forms, published):
                made = _row(article["article_id"], sentence, row)
                rows.setdefault(made["triplet_id"], made)
        return list(rows.values())

    def lemmas(self, text: str) -> list[str]:
        return lemmas(text)


def _day(published_at: str | None) -> date | None:
    return datetime.fromisoformat(published_at).date() if published_at else None


def _sentence_rows(sentence: Sentence, forms: dict[int, Form], published: date | None) -> Iterator[dict]:
    for role in roles(sentence):
        yield _role_row(role, forms[role.person.start])
    for fact in place_facts(sentence):
        yield {
            "head": forms[fact.head.start].text, "head_kind": "LOC", "relation": fact.relation,
            "tail": forms[fact.tail.start].text, "tail_kind": "LOC", "wording": UNSAID,
        }  # fmt: skip
    for _, subject, clause in clauses(sentence, published):
        yield from _clause_rows(sentence, subject, clause, forms)


def _role_row(role: Role, person: Form) -> dict:
    wording = UNSAID
    if role.specific and person.sure and is_full(person.text):
        wording = {
            "form": "role", "nominative": role.nominative, "genitive": role.genitive, "instrumental": role.instrumental,
            "post": role.post, "asks": ["head", "tail"], "weight": len(role.nominative.split()),
        }  # fmt: skip
    return {
        "head": person.text, "head_kind": "PER", "relation": POST if role.post else OCCUPATION,
        "tail": role.nominative, "tail_kind": "ROLE", "wording": wording,
    }  # fmt: skip


def _clause_rows(sentence: Sentence, subject: int, clause: Clause | Unfit, forms: dict[int, Form]) -> Iterator[dict]:
    heads = subjects(sentence, subject, forms)
    if not heads or isinstance(clause, Unfit):
        if heads:
            yield {
                "head": heads[0].text, "head_kind": heads[0].kind, "relation": sentence.tokens[_verb_of(sentence, subject)].lemma,
                "tail": "", "tail_kind": "OTHER", "reason": str(clause),
            }  # fmt: skip
        return
    for argument in arguments(clause, forms):
        for head in heads:
            wording = UNSAID
            if head.sure:
                wording = {
                    "form": "clause", "verb": clause.verbs, "phrase": {f: clause.phrase(f, argument.root) for f in clause.verbs},
                    "tail": argument.said, "ask": argument.ask, "ask_many": argument.ask_many, "number": argument.number,
                    "who": head.who, "who_form": head.form, "subject": head.said, "subject_form": head.said_form,
                    "together": len(heads), "weight": argument.weight,
                }  # fmt: skip
                wording["asks"] = ["head", "tail"] if argument.ask or argument.ask_many else ["head"]
                if clause.undated:
                    wording["held_back"] = "undated"
            yield {
                "head": head.text, "head_kind": head.kind, "relation": argument.relation,
                "tail": argument.text, "tail_kind": argument.kind, "wording": wording,
            }  # fmt: skip


def _verb_of(sentence: Sentence, subject: int) -> int:
    return max(sentence.tokens[subject].head, 0)


def _row(article_id: str, sentence: Sentence, row: dict) -> dict:
    wording, reason = row.get("wording"), row.get("reason")
    return {
        "triplet_id": content_id(article_id, sentence.start, sentence.stop, row["head"], row["relation"], row["tail"]),
        "article_id": article_id,
        "head": row["head"], "head_kind": row["head_kind"], "relation": row["relation"],
        "tail": row["tail"], "tail_kind": row["tail_kind"], "start": sentence.start, "stop": sentence.stop,
        "wording": json.dumps(wording, ensure_ascii=False, sort_keys=True) if wording else None,
        "status": "dropped" if reason else "kept", "reason": reason,
    }  # fmt: skip
