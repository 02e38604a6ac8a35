"""Questions by rules: the evidence's own verb phrase after a question word («Кто …», «Какая компания …», «В каком году …»)."""

import re
from collections.abc import Sequence

from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.ports import Sketch, Written
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.languages.ru.comparisons import comparison
from dragon_pipeline.languages.ru.conditionals import conditional
from dragon_pipeline.languages.ru.dates import say
from dragon_pipeline.languages.ru.entities import stem
from dragon_pipeline.languages.ru.hops import multi_hop
from dragon_pipeline.languages.ru.pointing import ONCE
from dragon_pipeline.languages.ru.refusals import refuse
from dragon_pipeline.languages.ru.spelling import cyrillic, set_off
from dragon_pipeline.languages.ru.stated import Fact
from dragon_pipeline.languages.ru.unprintable import fault
from dragon_pipeline.languages.ru.wordlists import words

QUOTED = re.compile(r"«([^«»]+)»")
YEAR = re.compile(r"\b(?:1[0-9]|20)\d\d\b")
PARTICULAR = re.compile(r"[\d«A-Za-z]")
"""A number, a title or a foreign name in its own letters."""
LONGEST = 24
"""Words of a simple question."""
UNITS = {"руб": "рублей", "тыс": "тысяч", "чел": "человек", "км": "километров"}


class RuleWriter:
    """The embedded writer for Russian."""

    name = "rules"

    models: Sequence[LanguageModel] = ()
    prompts: Sequence[Prompt] = ()

    def write(self, sketches: Sequence[Sketch]) -> Sequence[Written]:
        return [self._write(sketch) for sketch in sketches]

    def _write(self, sketch: Sketch) -> Written:
        try:
            answers = [_written(name, sketch.facts) for name in sketch.asked]
            if sketch.type == "comparison":
                return Written(_finish(comparison(sketch.facts, sketch.direction)), answers=answers)
            return Written(self._question(sketch.type, sketch.facts, sketch.asked), answers=answers)
        except ValueError as why:
            return Written(reason=str(why))

    def _question(self, type: str, facts: Sequence[dict], asked: Sequence[str]) -> str:
        said = [Fact(fact) for fact in facts]
        if type == "simple":
            if said[0].is_undated():
                raise ValueError("undated_present")
            text = said[0].ask_head() if asked[0] == said[0].head else said[0].ask_tail()
            refuse(fault(said[0].act()))
            _check_year(said[0], text)
            if _is_of_no_day(said[0], text):
                text = _of_its_news(said[0], text, asked[0] == said[0].head)
            if len(text.split()) > LONGEST:
                raise ValueError("long_question")
        elif type == "set":
            text = _set(said)
        elif type == "multi_hop":
            text = multi_hop(said[0], said[1], asked[0])
        elif type == "conditional":
            if said[0].ids[0] != said[1].ids[0] or asked[0] not in (said[0].head, said[1].head):
                raise ValueError("bridge_is_no_subject")
            text = conditional(said[0], said[1])
        else:
            raise ValueError("unknown_type")
        return _finish(text)


def _written(name: str, facts: Sequence[dict]) -> str:
    """An answer as a reader should see it: a title in the quotation marks that its sentence gives it."""
    kinds = {fact.get(f"{end}_kind") for fact in facts for end in ("head", "tail") if fact[end] == name}
    if kinds <= {"ORG", "WORK"} and not set(name) & set('«»"'):
        quoted = (title for fact in facts for title in QUOTED.findall(fact.get("sentence") or ""))
        if any(stem(title) == stem(name) for title in quoted):
            return f"«{name}»"
    return name


def _check_year(fact: Fact, text: str) -> None:
    """Raises:
    ValueError: it asks for a year and says another, which is half of the answer, or asks it of what goes on («В каком году
        аналитики прогнозируют …»).
    """
    if text.startswith(("Когда ", "В каком году ")) and not fact.is_role:
        if YEAR.search(text):
            raise ValueError("two_years")
        if fact.words.get("tense") == "Pres":
            raise ValueError("year_of_a_state")


def _is_of_no_day(fact: Fact, text: str) -> bool:
    """«Кто был награждён призом?»: an act that may be done again, with no year, number or title that says which time it was;
    a statement says what it says."""
    if fact.is_role or fact.relation_verb in ONCE or ", что " in text or ": «" in text:
        return False
    return not (text.startswith(("Когда ", "В каком году ")) or PARTICULAR.search(text))


def _of_its_news(fact: Fact, text: str, head: bool) -> str:
    """«Кто, как сообщалось 5 мая 2017 года, …»; of an article without a date nobody can tell whose time is meant."""
    opening = str(fact.words["who" if head else "ask"])
    if fact.relation_verb in words("life_verbs"):
        raise ValueError("anybodys_life")
    if fact.published is None or fact.words.get("tense") != "Past" or not text.startswith(f"{opening} "):
        raise ValueError("undated_act")
    return f"{opening}, как сообщалось {say(fact.published)},{text.removeprefix(opening)}"


def _set(said: Sequence[Fact]) -> str:
    """A list has its question from its own sentence; of what was told apart nobody says that it is all."""
    questions = {fact.words.get("question") for fact in said}
    if None in questions or len(questions) > 1:
        raise ValueError("not_of_one_list")
    return said[0].words["question"]


def _finish(text: str) -> str:
    text = set_off(cyrillic(text))
    text = re.sub(rf"\b({'|'.join(UNITS)})\b\.?", lambda unit: UNITS[unit[1]], text)
    return text.rstrip(" .,;:") + "?"
