"""Triplets by rules: subject–verb–argument, roles in apposition, and what is said of places.

Every triplet keeps the offsets of its evidence sentence; `wording` holds the forms that the rule writer needs (see wording.py).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import product

from dragon_pipeline.core.ids import content_id
from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.languages.ru import workers
from dragon_pipeline.languages.ru.arguments import Argument, arguments
from dragon_pipeline.languages.ru.callings import callings
from dragon_pipeline.languages.ru.clause import Clause, Unfit
from dragon_pipeline.languages.ru.clauses import clauses
from dragon_pipeline.languages.ru.comparisons import compared_clause, measured, with_comparison
from dragon_pipeline.languages.ru.entities import Form, is_full, resolve
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.measures import measures
from dragon_pipeline.languages.ru.offices import Office
from dragon_pipeline.languages.ru.parsing import Sentence, parse
from dragon_pipeline.languages.ru.people import as_written, spell_out
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.places import place_facts
from dragon_pipeline.languages.ru.pointing import describes
from dragon_pipeline.languages.ru.posts import gender_of, is_rare
from dragon_pipeline.languages.ru.question_words import asks_place
from dragon_pipeline.languages.ru.quotes import Quote, find_quote, inside_quotation
from dragon_pipeline.languages.ru.roles import Role, is_former, roles
from dragon_pipeline.languages.ru.sets import set_questions
from dragon_pipeline.languages.ru.subjects import FORM_OF, Head, subjects
from dragon_pipeline.languages.ru.wordlists import words
from dragon_pipeline.languages.ru.workers import Workers

POST, OCCUPATION = "занимаемая должность", "род занятий"
LEAST_WEIGHT = 3
"""Content words that a verb phrase must hold to point at one event."""
UNSAID = {"held_back": "no_wording"}
SHORTEST, LONGEST = 20, 400
TITLE = 5
"""Words of a role before a name in a question."""
BROKEN = re.compile(r"\b(?:тыс|млн|млрд|трлн|им|св|ул)\.$")
"""How a sentence ends that was cut behind an abbreviation: «составил 9759 тыс.»"""


class RuleExtractor:
    """The embedded extractor for Russian. Large batches go to worker processes."""

    name = "rules"
    models: Sequence[LanguageModel] = ()
    prompts: Sequence[Prompt] = ()

    def __init__(self, readers: Workers | None = None) -> None:
        self.readers = readers or workers.shared()

    def extract(self, articles: Sequence[dict], mentions: Mapping[str, Sequence[dict]]) -> Iterator[dict]:
        return self.readers.read("triplets", articles)

    def lemmas(self, text: str) -> list[str]:
        return lemmas(text)


def triplets_of(article: dict) -> list[dict]:
    """Rows of `triplets` for one row of `articles`."""
    parsed = parse(article["text"])
    forms = resolve(parsed)
    published = _day(article["published_at"])
    held = {sentence.start: list(roles(sentence)) for sentence in parsed.sentences}
    called = callings(role for found in held.values() for role in found)
    known_as = {forms[start].text: noun for start, noun in sorted(called.items(), reverse=True)}  # the first one stays
    titles = {forms[start].text: said for start, said in sorted(_titles(held), reverse=True)}
    left = {forms[name.start].text for sentence, name in parsed.names() if is_former(sentence, name)}
    rows: dict[str, dict] = {}
    for sentence, spoken in zip(parsed.sentences, inside_quotation(article["text"], parsed.sentences), strict=True):
        if not SHORTEST <= len(sentence.text) <= LONGEST or BROKEN.search(sentence.text):
            continue
        for row in _sentence_rows(sentence, held[sentence.start], forms, published, spoken):
            _call(row, known_as, titles)
            if row["relation"] == POST and row["head"] in left:
                row["wording"] = UNSAID
            made = _row(article["article_id"], sentence, row)
            rows.setdefault(made["triplet_id"], made)
    return list(rows.values())


def _titles(held: Mapping[int, Sequence[Role]]) -> Iterator[tuple[int, str]]:
    """Start of a person's name → the short role before it that tells who this is: «главный врач больницы»."""
    for role in (role for found in held.values() for role in found):
        tells = role.specific or role.telling or role.noun in words("titles")
        if tells and not role.unread and len(role.nominative.split()) <= TITLE:
            yield role.person.start, role.nominative


def _day(published_at: str | None) -> date | None:
    return datetime.fromisoformat(published_at).date() if published_at else None


def _call(row: dict, known_as: Mapping[str, tuple[str, str]], titles: Mapping[str, str]) -> None:
    """Gives a clause's wording the noun that its subject goes by in a description, and the role that tells who this is."""
    wording = row.get("wording")
    if not wording or wording.get("form") != "clause":
        return
    if row["head"] in known_as:
        wording["calling"], wording["calling_form"] = known_as[row["head"]]
    if row["head"] in titles:
        wording["title"] = titles[row["head"]]


def _sentence_rows(
    sentence: Sentence, held: Sequence[Role], forms: dict[int, Form], published: date | None, spoken: bool
) -> Iterator[dict]:
    for role in held:
        if _is_mans(role, forms[role.person.start]):
            continue
        yield _role_row(role, forms[role.person.start])
        if role.office is not None:
            yield _office_row(role, role.office, forms, sentence)
    for measure in measures(sentence, forms, spoken):
        yield measured(measure)
    for fact in place_facts(sentence):
        yield {
            "head": forms[fact.head.start].text, "head_kind": "LOC", "relation": fact.relation,
            "tail": forms[fact.tail.start].text, "tail_kind": "LOC", "wording": UNSAID,
        }  # fmt: skip
    quote = find_quote(sentence)
    if quote is not None:
        yield from _quote_rows(quote, subjects(sentence, quote.subject, sentence.tokens[quote.verb_at], forms))
    if not spoken:
        told = spell_out(sentence, forms)
        yield from _clause_rows(sentence, told, forms, published)
        yield from _set_rows(sentence, told, forms, published)


def _is_mans(role: Role, person: Form) -> bool:
    """«объясняет позицию президента Чехии Белова»: she explains it, he is the president; of a full name the two agree."""
    alone = role.person.first == role.person.last and role.person.text.endswith(("ова", "ева", "ёва", "ина"))
    return alone and role.gender == "masc" and gender_of(person.text.split()[0]) == "femn"


def _role_row(role: Role, person: Form) -> dict:
    return {
        "head": person.text, "head_kind": "PER", "relation": POST if role.post else OCCUPATION,
        "tail": role.nominative, "tail_kind": "ROLE", "wording": _role_wording(role, person),
    }  # fmt: skip


def _role_wording(role: Role, person: Form) -> dict:
    if not person.sure or not is_full(person.text) or not (role.specific or role.telling) or role.vague:
        return UNSAID
    wording = {
        "form": "role", "nominative": role.nominative, "genitive": role.genitive, "accusative": role.accusative,
        "gender": role.gender, "single": role.single, "well_known": role.well_known, "post": role.post,
        "asks": ["head", "tail"], "many": [],
        "bridges": ["head"], "describes": ["head"] if role.single else [], "apposition": True,
        "weight": len(role.nominative.split()),
        "alone": _asked_alone(role, person), "holder": gender_of(person.text.split()[0]),
    }  # fmt: skip
    if not role.specific:  # «российский боксёр»: many are, so it can be an answer but points at nobody
        return wording | {"describes": [], "shapes": ["multi_hop", "conditional"], "plain": True}
    if role.unread:
        return wording | {"asks": ["tail"], "shapes": ["simple", "multi_hop"]}
    if role.well_known:
        return wording | {"shapes": ["multi_hop", "conditional"]}
    return wording


def _asked_alone(role: Role, person: Form) -> list[str]:
    """Ends of the fact that a question may ask for by itself: who holds a post that one has, which post a person of a rare
    name holds."""
    if not role.asked:
        return []
    tail = role.post and not role.unread and is_rare(person.text) and gender_of(person.text.split()[0])
    return [*(["head"] if role.single and not role.unread else []), *(["tail"] if tail else [])]


def _office_row(role: Role, office: Office, forms: dict[int, Form], sentence: Sentence) -> dict:
    """What somebody is the head of, in two steps from what it did: «Кто был мэром города, который …»."""
    person, seat = forms[role.person.start], forms[office.seat.start]
    wording = UNSAID
    if person.sure and is_full(person.text) and not role.unread:
        year = any(t.text.isdigit() and len(t.text) == 4 for t in sentence.tokens)  # then the office may have been another's
        tagged = FORM_OF[sentence.tokens[role.person.first].feats.get("Gender", "Masc")]
        speaks = any(folded(t) in words("speech_verbs") | words("reporting_verbs") for t in sentence.tokens)
        shared = ["tail"] if role.single and office.high and not office.alike and not year else []
        wording = {
            "form": "office", "nominative": office.nominative, "instrumental": office.instrumental, "noun": office.noun,
            "of": office.of, "which": office.which, "post": role.post,
            "holder": gender_of(person.text.split()[0]) or tagged,
            "asks": ["head", "tail"] if role.single else ["tail"], "alone": [], "many": [],
            "bridges": ["head", *shared], "describes": shared if speaks else [], "apposition": True,
            "shapes": ["multi_hop"], "weight": len(office.nominative.split()) + 1,
        }  # fmt: skip
    return {
        "head": person.text, "head_kind": "PER", "relation": office.nominative,
        "tail": seat.text, "tail_kind": office.seat.kind, "wording": wording,
    }  # fmt: skip


def _set_rows(sentence: Sentence, told: Sentence, forms: dict[int, Form], published: date | None) -> Iterator[dict]:
    """A row for each name of a list that answers a question; they are asked for at once or not at all."""
    for found in set_questions(told, forms, published):
        wording = {
            "form": "list", "question": found.question, "asks": [], "many": ["tail"], "shapes": ["set"], "bridges": [],
            "weight": len(found.question.split()),
        }  # fmt: skip
        given = as_written(found.given, sentence, told) if found.given_kind == "OTHER" else found.given
        for member in found.listed.members:
            yield {
                "head": given, "head_kind": found.given_kind, "relation": found.relation,
                "tail": member.text, "tail_kind": member.kind, "wording": wording,
            }  # fmt: skip


def _clause_rows(sentence: Sentence, told: Sentence, forms: dict[int, Form], published: date | None) -> Iterator[dict]:
    """Rows of the sentence's clauses, said with the full names of `told`; heads and tails stay as the sentence names them."""
    for verb, subject, clause in clauses(told, published):
        token = sentence.tokens[verb]
        heads = subjects(told, subject, token, forms)
        if isinstance(clause, Unfit) and heads:
            yield {
                "head": heads[0].text, "head_kind": heads[0].kind, "relation": token.lemma,
                "tail": "", "tail_kind": "OTHER", "reason": str(clause),
            }  # fmt: skip
        if isinstance(clause, Unfit) or not heads:
            continue
        for argument, head in product(arguments(clause, forms), heads):
            row = {
                "head": head.text, "head_kind": head.kind, "relation": argument.relation,
                "tail": argument.text, "tail_kind": argument.kind,
                "wording": with_comparison(_wording(clause, head, argument), compared_clause(clause, head, argument)),
            }  # fmt: skip
            for end in ("head", "tail"):
                if row[f"{end}_kind"] == "OTHER" and as_written(row[end], sentence, told) != row[end]:
                    # the triplet must stand in its sentence, the question must not say a surname alone
                    row |= {end: as_written(row[end], sentence, told), "wording": UNSAID}
            yield row


def _wording(clause: Clause, head: Head, argument: Argument) -> dict:
    named = clause.named()  # a question that names nothing cannot be found in a month of news
    asks = (["head"] if head.who and named else []) + (["tail"] if argument.ask else [])
    if not head.sure or not asks or argument.weight < LEAST_WEIGHT:
        return UNSAID
    wording = {
        "form": "clause", "phrase": {form: clause.phrase(form, argument.root) for form in clause.verbs},
        "tail": argument.said, "ask": argument.ask, "bare": len(clause.blocks) == 1,
        "who": head.who, "who_form": head.form, "subject": head.said, "subject_form": head.said_form,
        "many": [], "asks": asks, "named": named,
        "bridges": (["head"] if head.who else []) + (["tail"] if argument.kind == "LOC" and asks_place(argument.ask) else []),
        "weight": argument.weight, "thin": argument.thin,
        "tense": clause.sentence.tokens[clause.verb].feats.get("Tense", "Past"),
    }  # fmt: skip
    wording["describes"] = [end for end in wording["bridges"] if _describes(end, clause, head, argument)]
    return {**wording, "held_back": "undated"} if clause.undated else wording


def _describes(end: str, clause: Clause, head: Head, argument: Argument) -> bool:
    """Whether the clause tells which one is meant, of its subject or of the place that is its argument."""
    said = clause.phrase("masc", argument.root)
    text = " ".join(said.replace("{T}", argument.said if end == "head" else "").split())
    return describes(clause.sentence.tokens[clause.verb].lemma, text) is None


def _quote_rows(quote: Quote, heads: Sequence[Head]) -> Iterator[dict]:
    for head in heads:
        wording = UNSAID
        if head.sure and head.kind == "PER":
            wording = {
                "form": "clause", "tail": f"«{quote.text}»",
                "phrase": {form: f"{verb}: {{T}}" for form, verb in quote.verbs.items()},
                "ask": None, "bare": False, "who": head.who, "who_form": head.form,
                "subject": head.said, "subject_form": head.said_form, "asks": ["head"], "many": [], "bridges": ["head"],
                "weight": len(quote.text.split()), "shapes": ["simple", "conditional"],
            }  # fmt: skip
        yield {
            "head": head.text,
            "head_kind": head.kind,
            "relation": quote.verb,
            "tail": quote.text,
            "tail_kind": "OTHER",
            "wording": wording,
        }


def _row(article_id: str, sentence: Sentence, row: dict) -> dict:
    wording, reason = row.get("wording"), row.get("reason")
    return {
        "triplet_id": content_id(article_id, sentence.start, sentence.stop, row["head"], row["relation"], row["tail"]),
        "article_id": article_id,
        "head": row["head"], "head_kind": row["head_kind"], "relation": row["relation"],
        "tail": row["tail"], "tail_kind": row["tail_kind"], "start": sentence.start, "stop": sentence.stop,
        "wording": json.dumps(wording, ensure_ascii=False, sort_keys=True) if wording else None,
        "status": "dropped" if reason else "kept", "reason": reason, "raw": None,
    }  # fmt: skip
