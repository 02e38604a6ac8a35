"""A fact as the rules can say it: its verb phrase, or its role, and the questions for either end."""

import json
import re
from datetime import datetime

from dragon_pipeline.languages.ru.dates import in_month
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.pointing import pointers
from dragon_pipeline.languages.ru.posts import FOUNDERS, is_public, is_rare
from dragon_pipeline.languages.ru.unprintable import without_parenthesis
from dragon_pipeline.languages.ru.wordlists import words

MUCH = 6
"""Longer words of a verb phrase that tell what it is about without a name."""
HELD = {"masc": "занимал", "femn": "занимала"}

PROPER = ("Name", "Surn", "Patr", "Geox", "Orgn", "Trad")
"""Grammemes of words that keep their capital."""


class Fact:
    def __init__(self, row: dict) -> None:
        if not row["wording"]:
            raise ValueError("no_wording")
        self.head, self.tail, self.start, self.article_id = row["head"], row["tail"], row["start"], row["article_id"]
        self.ids = tuple(row.get(f"{end}_id") or row[end] for end in ("head", "tail"))
        self.sentence: str = row.get("sentence") or ""
        self.opening = _common(self.sentence)
        self.relation: str = row["relation"]
        self.published = datetime.fromisoformat(row["published_at"]).date() if row.get("published_at") else None
        self.words = json.loads(row["wording"])
        self.is_role, self.is_office = (self.words.get("form") == form for form in ("role", "office"))

    def phrase(self, form: str, tail: bool = True) -> str:
        """The verb phrase, with the tail in it or without."""
        said = self.words["phrase"][form].replace("{T}", self.words["tail"] if tail else "")
        if self.opening is not None:
            said = re.sub(rf"(?<= ){re.escape(self.opening)}\b(?! [А-ЯЁ])", self.opening.lower(), said)
        return without_parenthesis(" ".join(said.split()).rstrip(","))

    def any_phrase(self) -> str:
        """In the masculine, or whatever form there is; empty of a role."""
        forms = sorted(self.words.get("phrase", ()), key=lambda form: form != "masc")
        return self.phrase(forms[0]) if forms else ""

    def act(self) -> str:
        """What somebody did, without the words that were said."""
        return re.split(r", что |: «", self.any_phrase())[0]

    def ask_head(self) -> str:
        if self.is_role:
            if not self.words["post"]:
                if self.words["nominative"].split()[1:2] and self.words["nominative"].split()[1].startswith("«"):
                    raise ValueError("role_known_to_all")  # «основателя «Яблока»»; of a portal, a fund few know it
                if self.words["nominative"].split()[0] not in FOUNDERS:
                    raise ValueError("undated_role")
                if is_public(self.head):
                    raise ValueError("known_founder")
                return f"Как зовут {self.words['accusative']}"
            if is_public(self.head):
                raise ValueError("known_holder")
            return f"Кто{self.when()} занимал должность {self.words['genitive']}"
        return f"{self.words['who']} {self.phrase(self.words['who_form'])}"

    def when(self) -> str:
        """« в марте 2024 года» of an article with a date; posts change hands: of another nobody knows whose time it is."""
        if self.published is None:
            raise ValueError("undated_post")
        return f" {in_month(self.published)}"

    def ask_tail(self) -> str:
        """Asks for the tail of the subject."""
        if self.is_role:
            if self.words["post"]:
                return f"Какую должность{self.when()} {HELD[self.words.get('holder') or 'masc']} {self.head}"
            return f"Кем является {self.head}"
        if self.words["ask"] is None:
            raise ValueError("tail_has_no_question_word")
        if self.words["ask"] == "Где":  # what stands behind «в» is rarely where it was: «вышла вперёд в Суперсерии»
            raise ValueError("where")
        if open_question := self.open_question():
            raise ValueError(open_question)
        return self.asked(self.words["ask"], self._identified(), self.words["subject_form"])

    def open_question(self) -> str | None:
        """«Что страна инициировала в 2016 году?»: many things, when nothing but the year is told of them."""
        told = pointers(self.phrase("masc", tail=False))
        named = told.titles or told.names or told.everywhere or told.number
        return "vague_question" if self.words["ask"] == "Что" and not named and told.content < MUCH else None

    def _identified(self) -> str:
        """The subject, of a person whose name many bear with the role that the article gives."""
        title, subject = self.words.get("title"), self.words["subject"]
        if not title or (is_rare(self.head) and self.relation_verb != "родиться"):
            return subject
        said = _beginnings(f"{self.tail} {self.phrase('masc')}")  # «директор «Маяка» возглавил»: what, the role would tell
        return subject if _beginnings(title) & said else f"{title} {subject}"

    def asked(self, ask: str, subject: str, form: str) -> str:
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

    def is_undated(self) -> bool:
        """A state of the day of the article («возглавляет»); what somebody thinks he has said."""
        states = fold(self.relation_verb) in words("opinion_verbs") | words("speech_verbs")
        return self.words.get("tense") == "Pres" and not states

    def is_over(self) -> bool:
        """A death: what comes after it in a question should not come before it in time."""
        return self.relation_verb in ("скончаться", "умереть", "погибнуть", "уйти")


def _beginnings(text: str) -> set[str]:
    """Of its longer words."""
    return {word[:6] for word in re.findall(r"\w+", fold(text)) if len(word) > 3}


def _common(sentence: str) -> str | None:
    """The first word of a sentence when only that gave it its capital."""
    first = (re.match(r"[^\W\d_]+(?:-[^\W\d_]+)*", sentence) or [""])[0]
    forms = analyses(first.lower()) if first[1:].islower() and first[:1].isupper() and known(first) else ()
    proper = any(grammeme in form.tag for form in forms for grammeme in PROPER)
    return first if forms and not proper else None
