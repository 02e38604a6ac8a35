"""Questions by rules: the evidence's own verb phrase after a question word («Кто …», «Какая компания …», «В каком году …»)."""

import json
from collections.abc import Sequence

from dragon_pipeline.languages.ru.lemmas import fold

PERSON = {"masc": "человек, который", "femn": "женщина, которая", "plur": "люди, которые"}
WHICH = {"masc": "который", "femn": "которая", "neut": "которое", "plur": "которые"}


class RuleWriter:
    """The embedded writer for Russian."""

    name = "rules"

    def write(self, type: str, facts: Sequence[dict], asked: Sequence[str]) -> str:
        said = [_Fact(fact) for fact in facts]
        if type == "simple":
            text = said[0].ask_head() if asked[0] == said[0].head else said[0].ask_tail()
        elif type == "set":
            text = _set(said, asked)
        elif type == "multi_hop":
            text = said[1].ask_tail(said[0])
        elif type == "conditional":
            text = _both(said[0], said[1])
        else:
            raise ValueError("unknown_type")
        return _finish(text)


class _Fact:
    def __init__(self, row: dict) -> None:
        if not row["wording"]:
            raise ValueError("no_wording")
        self.head, self.tail, self.start, self.article_id = row["head"], row["tail"], row["start"], row["article_id"]
        self.words = json.loads(row["wording"])
        self.is_role = self.words.get("form") == "role"

    def phrase(self, form: str, tail: bool = True) -> str:
        """The verb phrase, with the tail in it or without."""
        return " ".join(self.words["phrase"][form].replace("{T}", self.words["tail"] if tail else "").split())

    def ask_head(self) -> str:
        if self.is_role:
            return f"Кто занимает должность {self.words['genitive']}" if self.words["post"] else f"Кто является {self.words['instrumental']}"
        return f"{self.words['who']} {self.phrase(self.words['who_form'])}"

    def ask_tail(self, bridge: "_Fact | None" = None) -> str:
        """Asks for the tail of a subject that is named, or described by another fact about it."""
        if self.is_role:
            verb = "Какую должность занимает" if self.words["post"] else "Кем является"
            return f"{verb} {self.head if bridge is None else bridge.described()}"
        if self.words["ask"] is None:
            raise ValueError("tail_has_no_question_word")
        rest = self.phrase(self.words["subject_form"], tail=False)
        if bridge is None:
            return f"{self.words['ask']} {self.words['subject']} {rest}"
        if bridge.is_role:
            return f"{self.words['ask']} {bridge.words['nominative']} {rest}"
        form = "masc" if self.words["who"] == "Кто" else self.words["subject_form"]
        return f"{self.words['ask']} {self.phrase(form, tail=False)} {bridge.described()}"

    def described(self) -> str:
        """«человек, который возглавил …», «компания, которая …»."""
        if self.is_role:
            return self.words["nominative"]
        if self.words["who"] == "Кто":
            return f"человек, который {self.phrase('masc')}"
        noun = self.words["who"].split(" ", 1)[1]
        return f"{noun}, {WHICH[self.words['who_form']]} {self.phrase(self.words['who_form'])}"


def _set(said: Sequence[_Fact], asked: Sequence[str]) -> str:
    first = said[0]
    one_sentence = len({(fact.article_id, fact.start) for fact in said}) == 1
    if all(fact.head == name for fact, name in zip(said, asked, strict=True)):
        if first.is_role:
            return f"Кто упоминается в новостях как {first.words['nominative']}"
        if not one_sentence and len({fold(fact.phrase('masc')) for fact in said}) > 1:
            raise ValueError("set_over_different_phrases")
        return f"{first.words['who']} {first.phrase(first.words['who_form'])}"
    if first.is_role:
        return f"Какие должности занимает {first.head}" if first.words["post"] else f"Кем является {first.head}"
    ask = first.words["ask_many"]
    if ask is None or len({fact.words["ask_many"] for fact in said}) > 1:
        raise ValueError("answers_of_different_kinds")
    if not one_sentence and len({fold(fact.phrase('masc', tail=False)) for fact in said}) > 1:
        raise ValueError("set_over_different_phrases")
    return f"{ask} {first.words['subject']} {first.phrase(first.words['subject_form'], tail=False)}"


def _both(one: _Fact, other: _Fact) -> str:
    if other.is_role:
        raise ValueError("two_roles")
    if not one.is_role and one.words["who"] != other.words["who"]:
        raise ValueError("two_question_words")
    return f"{one.ask_head() if not one.is_role else 'Кто является ' + one.words['instrumental']} и {other.phrase(other.words['who_form'])}"


def _finish(text: str) -> str:
    return text.rstrip(" .,;:") + "?"
