"""Questions by rules: the evidence's own verb phrase after a question word («Кто …», «Какая компания …», «В каком году …»)."""

import json
import re
from collections.abc import Sequence
from datetime import datetime

from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.ports import Sketch, Written
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.languages.ru.comparisons import comparison
from dragon_pipeline.languages.ru.dates import in_month
from dragon_pipeline.languages.ru.lemmas import fold

WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}
TENSES = (("Past", "Past"), ("Pres", "Pres"), ("Past", "Pres"))
"""Tenses of two verb phrases that one question can join."""
UNITS = {"руб": "рублей", "тыс": "тысяч", "чел": "человек"}
SHORT = 5
"""Words of a verb phrase that still reads well before a long description of its subject."""
SAID_SOMEWHEN = ", по сообщениям СМИ,"
"""Before «занимал», where no article says when."""


class RuleWriter:
    """The embedded writer for Russian."""

    name = "rules"

    models: Sequence[LanguageModel] = ()
    prompts: Sequence[Prompt] = ()

    def write(self, sketches: Sequence[Sketch]) -> Sequence[Written]:
        return [self._write(sketch) for sketch in sketches]

    def _write(self, sketch: Sketch) -> Written:
        try:
            if sketch.type == "comparison":
                return Written(_finish(comparison(sketch.facts, sketch.direction)))
            return Written(self._question(sketch.type, sketch.facts, sketch.asked))
        except ValueError as why:
            return Written(reason=str(why))

    def _question(self, type: str, facts: Sequence[dict], asked: Sequence[str]) -> str:
        said = [_Fact(fact) for fact in facts]
        if type == "simple":
            text = said[0].ask_head() if asked[0] == said[0].head else said[0].ask_tail()
        elif type == "set":
            text = _set(said)
        elif type == "multi_hop":
            if said[0].head != said[1].head or asked[0] != said[1].tail:
                raise ValueError("bridge_is_no_subject")
            text = said[1].ask_tail(said[0])
        elif type == "conditional":
            if not said[0].head == said[1].head == asked[0]:
                raise ValueError("bridge_is_no_subject")
            text = _both(said[0], said[1])
        else:
            raise ValueError("unknown_type")
        return _finish(text)


class _Fact:
    def __init__(self, row: dict) -> None:
        if not row["wording"]:
            raise ValueError("no_wording")
        self.head, self.tail, self.start, self.article_id = row["head"], row["tail"], row["start"], row["article_id"]
        self.relation: str = row["relation"]
        self.published = datetime.fromisoformat(row["published_at"]).date() if row.get("published_at") else None
        self.words = json.loads(row["wording"])
        self.is_role = self.words.get("form") == "role"

    def phrase(self, form: str, tail: bool = True) -> str:
        """The verb phrase, with the tail in it or without."""
        said = self.words["phrase"][form].replace("{T}", self.words["tail"] if tail else "")
        return " ".join(said.split()).rstrip(",")

    def ask_head(self) -> str:
        if self.is_role:
            if not self.words["post"]:
                return f"Как зовут {self.words['accusative']}"
            return f"Кто{self._when()} занимал должность {self.words['genitive']}"
        return f"{self.words['who']} {self.phrase(self.words['who_form'])}"

    def _when(self) -> str:
        """Posts change hands: « в марте 2024 года» of an article with a date, else only that the news said so."""
        if self.published is None:
            return SAID_SOMEWHEN
        return f" {in_month(self.published)}"

    def ask_tail(self, bridge: "_Fact | None" = None) -> str:
        """Asks for the tail of a subject that is named, or described by another fact about it."""
        if self.is_role:
            if bridge is not None and bridge.is_role:
                raise ValueError("two_roles")
            if bridge is None and self.words["post"]:
                held = "занимала" if self.words.get("holder") == "femn" else "занимал"
                return f"Какую должность{self._when()} {held} {self.head}"
            verb = "Какую должность занимает" if self.words["post"] else "Кем является"
            return f"{verb} {self.head if bridge is None else bridge.described(vague=True)}"
        if self.words["ask"] is None:
            raise ValueError("tail_has_no_question_word")
        ask, form = self.words["ask"], self.words["subject_form"]
        if bridge is None:
            return self._asked(ask, self.words["subject"], form)
        if bridge.is_role:
            if not bridge.words["single"] or bridge.words["well_known"]:
                raise ValueError("role_of_many" if not bridge.words["single"] else "role_known_to_all")
            return self._asked(ask, bridge.words["nominative"], bridge.words["gender"])
        return self._asked_of(bridge)

    def _asked_of(self, bridge: "_Fact") -> str:
        """«С кем встретился политик, который …», but «В каком году тренер, который …, привёл сборную к победе»."""
        if self.names() & bridge.names():
            raise ValueError("one_thing_twice")  # «Когда политик, который высказался в Мюнхене-2007, выступил в Мюнхене»
        if self.words.get("thin"):
            raise ValueError("thin_question")
        rest = self.phrase(bridge.described_form, tail=False)
        if len(rest.split()) <= SHORT:
            return f"{self.words['ask']} {rest} {bridge.described()}"
        return f"{self.words['ask']} {bridge.described()}, {rest}"

    def _asked(self, ask: str, subject: str, form: str) -> str:
        """«Какой завод купила компания …», but «В каком году компания … купила завод …»."""
        rest = self.phrase(form, tail=False)
        return f"{ask} {rest} {subject}" if self.words["bare"] else f"{ask} {subject} {rest}"

    @property
    def relation_verb(self) -> str:
        """Lemma of the verb."""
        return self.relation.split()[0]

    def content(self) -> set[str]:
        """Longer words of the verb phrase, by their beginnings."""
        return {word[:6] for word in fold(self.phrase("masc")).split() if len(word) > 3}

    def names(self) -> set[str]:
        """Words with a capital in the verb phrase, by their beginnings, without the countries that are everywhere."""
        found = {
            word.strip("«»,")[:5] for word in self.phrase("masc").split() if len(word) > 4 and word.strip("«»")[:1].isupper()
        }
        return {name for name in found if not name.startswith(("Росси", "Украи"))}

    def is_over(self) -> bool:
        """A death: what comes after it in a question should not come before it in time."""
        return self.relation_verb in ("скончаться", "умереть", "погибнуть", "уйти")

    def is_statement(self) -> bool:
        """Something said: nothing can follow it in a question."""
        return ", что " in self.phrase("masc") or ": «" in self.phrase("masc")

    @property
    def described_form(self) -> str:
        """Gender of the noun in `described`."""
        return self.words.get("calling_form", "masc") if self.words["who"] == "Кто" else self.words["who_form"]

    def described(self, vague: bool = False) -> str:
        """«режиссёр, который снял …», «компания, которая …»; `vague`: «человек», where the noun would be the answer."""
        if self.is_role:
            return self.words["nominative"]
        if self.words.get("tense") == "Fut":
            raise ValueError("future_description")  # «политик, который выступит на саммите, принял решение»
        if self.words["who"] != "Кто":
            noun = self.words["who"].split(" ", 1)[1]
        else:
            noun = "человек" if vague else self.words.get("calling") or "человек"
        form = "masc" if noun == "человек" else self.described_form
        return f"{noun}, {WHICH[form]} {self.phrase(form)}"


def _set(said: Sequence[_Fact]) -> str:
    """A list has its question from its own sentence; of what was told apart nobody says that it is all."""
    questions = {fact.words.get("question") for fact in said}
    if None in questions or len(questions) > 1:
        raise ValueError("not_of_one_list")
    return said[0].words["question"]


def _both(one: _Fact, other: _Fact) -> str:
    if other.is_role:
        raise ValueError("two_roles")
    if one.is_role:
        if other.words.get("tense") == "Fut":
            raise ValueError("future_description")
        return f"Как зовут {one.words['accusative']}, {WHICH[one.words['gender']]} {other.phrase(one.words['gender'])}"
    if one.words["who"] != other.words["who"]:
        raise ValueError("two_question_words")
    if fold(one.phrase("masc")) == fold(other.phrase("masc")):
        raise ValueError("one_phrase_twice")  # two articles that say the same, asked for its two ends
    shared = one.content() & other.content()
    if one.relation_verb == other.relation_verb or len(shared) > 3:
        raise ValueError("one_thing_twice")  # «заявил о … и заявил, что …», «подвёл итоги сессии и принял участие в сессии»
    one, other = sorted((one, other), key=lambda fact: (fact.is_statement(), fact.is_over(), fact.words.get("tense") != "Past"))
    if one.is_statement():
        raise ValueError("two_statements")
    if (one.words.get("tense"), other.words.get("tense")) not in TENSES:
        raise ValueError("two_tenses")  # «уступает в рейтинге и сообщил»; «возглавил завод и считает» reads well
    return f"{one.ask_head()} и {other.phrase(other.words['who_form'])}"


def _finish(text: str) -> str:
    text = re.sub(rf"\b({'|'.join(UNITS)})\b\.?", lambda unit: UNITS[unit[1]], text)
    return text.rstrip(" .,;:") + "?"
