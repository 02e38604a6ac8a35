"""Known ways to break a good Russian question, for benchmarks/mutation.py: each says what it broke, or None where it cannot.

A way takes a draw, a case and the names of the window, and gives the changed columns of `qa`. It must do what it is called:
a broken form is one that no reading of the sentence allows, a wrong answer is another entity.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.screening.lemmas import holds
from dragon_pipeline.core.screening.nodes import Node, asked, given, nodes
from dragon_pipeline.languages.ru.lemmas import lemma, lemmas
from dragon_pipeline.languages.ru.morphology import analyses, inflect

Changed = dict[str, Any]
Way = Callable[[random.Random, Case, "Window"], Changed | None]

WORD = re.compile(r"\w+(?:-\w+)*")
DESCRIBED = re.compile(r"\b[а-яё]+(?: [а-яё]+)?, (?=котор)")
TURNED = (
    "больше меньше",
    "раньше позже",
    "выше ниже",
    "старше младше",
    "дороже дешевле",
    "длиннее короче",
    "дольше быстрее",
    "долгому короткому",
)
HE = {"nomn": "он", "gent": "его", "datv": "ему", "accs": "его", "ablt": "им", "loct": "нём"}


@dataclass(frozen=True)
class Window:
    """What stands in the articles besides a question's own facts."""

    by_article: dict[str, list[Node]] = field(default_factory=dict)
    everywhere: dict[str, list[Node]] = field(default_factory=dict)
    """by kind"""
    articles: Sequence[str] = ()


def _answered(case: Case, answers: Sequence[str]) -> Changed:
    return {"answers": list(answers), "answer": ", ".join(answers)}


def _asking(case: Case, question: str) -> Changed | None:
    return {"question": question} if question != case.qa["question"] else None


def _strangers(names: Sequence[Node], kind: str, case: Case) -> list[str]:
    """Names of that kind that are no part of the case, and of which it is no part."""
    own = [lemmas(node.name) for node in nodes(case)] + [lemmas(case.qa["question"])]
    found = dict.fromkeys(node.name for node in names if node.kind == kind)
    return [name for name in found if not any(holds(one, lemmas(name)) or holds(lemmas(name), one) for one in own)]


def _nearby(case: Case, window: Window) -> list[Node]:
    return [node for key in case.qa["article_ids"] for node in window.by_article.get(key, ())]


def _replaced_answer(draw: random.Random, case: Case, names: Callable[[str], list[str]]) -> Changed | None:
    kinds = {node.name: node.kind for node in asked(case)}
    places = [place for place, answer in enumerate(case.qa["answers"]) if answer in kinds]
    if case.qa["type"] == "comparison" or not places:
        return None
    place = draw.choice(places)
    others = names(kinds[case.qa["answers"][place]])
    if not others:
        return None
    return _answered(case, [*case.qa["answers"][:place], draw.choice(others), *case.qa["answers"][place + 1 :]])


def wrong_answer_of_the_article(draw: random.Random, case: Case, window: Window) -> Changed | None:
    return _replaced_answer(draw, case, lambda kind: _strangers(_nearby(case, window), kind, case))


def wrong_answer_from_elsewhere(draw: random.Random, case: Case, window: Window) -> Changed | None:
    near = {node.name for node in _nearby(case, window)}
    return _replaced_answer(
        draw, case, lambda kind: [name for name in _strangers(window.everywhere[kind], kind, case) if name not in near]
    )


def answer_in_question(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    if case.qa["type"] == "comparison":
        return None
    return _asking(case, f"{case.qa['question'][:-1]} — {case.qa['answers'][0]}?")


def bridge_named(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    if case.qa["type"] != "multi_hop":
        return None
    return _asking(case, DESCRIBED.sub(f"{case.qa['bridge']}, ", case.qa["question"], count=1))


def bridge_by_surname(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    person = any(node.kind == "PER" and " " in node.name for node in nodes(case) if node.name == case.qa["bridge"])
    if case.qa["type"] != "multi_hop" or not person:
        return None
    return _asking(case, DESCRIBED.sub(f"{case.qa['bridge'].split()[-1]}, ", case.qa["question"], count=1))


def missing_member(draw: random.Random, case: Case, _window: Window) -> Changed | None:
    if case.qa["type"] != "set":
        return None
    gone = draw.randrange(len(case.qa["answers"]))
    return _answered(case, [answer for place, answer in enumerate(case.qa["answers"]) if place != gone])


def surplus_member(draw: random.Random, case: Case, window: Window) -> Changed | None:
    if case.qa["type"] != "set":
        return None
    kind = asked(case)[0].kind
    others = _strangers(_nearby(case, window), kind, case) or _strangers(window.everywhere[kind], kind, case)
    return _answered(case, [*case.qa["answers"], draw.choice(others)]) if others else None


def answer_inflected(draw: random.Random, case: Case, _window: Window) -> Changed | None:
    """One answer in the genitive: every word of a person, of another name the words up to its first noun."""
    kinds = {node.name: node.kind for node in asked(case)}
    place = draw.randrange(len(case.qa["answers"]))
    answer = case.qa["answers"][place]
    if kinds.get(answer) not in {"PER", "LOC", "ORG", "ROLE"}:
        return None
    words = answer.split()
    for at, word in enumerate(words):
        noun = any(form.tag.POS == "NOUN" and "nomn" in form.tag for form in analyses(word))
        words[at] = inflect(word, "gent", pos=("NOUN", "ADJF", "PRTF"), prefer=("nomn", "sing")) or word
        if noun and kinds[answer] != "PER":
            break
    if (changed := " ".join(words)) == answer:
        return None
    return _answered(case, [*case.qa["answers"][:place], changed, *case.qa["answers"][place + 1 :]])


def number_in_answer(draw: random.Random, case: Case, _window: Window) -> Changed | None:
    place = draw.randrange(len(case.qa["answers"]))
    changed = _other_digit(draw, case.qa["answers"][place])
    if changed is None or case.qa["type"] == "comparison":
        return None
    return _answered(case, [*case.qa["answers"][:place], changed, *case.qa["answers"][place + 1 :]])


def number_in_question(draw: random.Random, case: Case, _window: Window) -> Changed | None:
    changed = _other_digit(draw, case.qa["question"])
    return None if changed is None else _asking(case, changed)


def _other_digit(draw: random.Random, text: str) -> str | None:
    digits = [found.start() for found in re.finditer(r"\d", text)]
    if not digits:
        return None
    place = draw.choice(digits)
    return text[:place] + draw.choice([digit for digit in "123456789" if digit != text[place]]) + text[place + 1 :]


def compared_with_the_other(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    right = {name.strip("«»") for name in case.qa["answers"]}  # an answer may have the marks that its node has not
    others = [name for name in case.qa["given"] if name.strip("«»") not in right]
    return _answered(case, others[:1]) if case.qa["type"] == "comparison" and others else None


def direction_turned(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    if case.qa["type"] != "comparison":
        return None
    pairs = {one: other for said in TURNED for one, other in permutations(said.split())}
    words = sorted(pairs, key=len, reverse=True)
    found = re.search(rf"\b({'|'.join(words)})\b", case.qa["question"])
    if not found:
        return None
    return _asking(case, case.qa["question"][: found.start()] + pairs[found[0]] + case.qa["question"][found.end() :])


def gold_article_swapped(draw: random.Random, case: Case, window: Window) -> Changed | None:
    others = [key for key in window.articles if key not in case.qa["article_ids"]]
    left = [key for key in case.qa["article_ids"] if key != case.facts[0]["article_id"]]
    return {"article_ids": sorted([*left, draw.choice(others)])} if others else None


def second_fact_dropped(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    """The clause after an «и» with one of the two given names is left out."""
    if case.qa["type"] != "conditional":
        return None
    for found in re.finditer(r",? и ", case.qa["question"]):
        kept, gone = case.qa["question"][: found.start()], case.qa["question"][found.end() :]
        sides = [[node for node in given(case) if _place(side, node.name)] for side in (kept, gone)]
        if all(sides) and kept.count("«") == kept.count("»"):
            return _asking(case, f"{kept}?")
    return None


def duplicated(draw: random.Random, case: Case, _window: Window) -> Changed | None:
    """A copy under another id, in which two plain words that stand side by side have changed places."""
    words = case.qa["question"][:-1].split(" ")
    plain = [word.islower() and word.isalpha() for word in words]
    free = [place for place in range(1, len(words) - 1) if plain[place] and plain[place + 1]]
    if not free or "«" in case.qa["question"]:
        return None
    place = draw.choice(free)
    words[place], words[place + 1] = words[place + 1], words[place]
    return {"question": " ".join(words) + "?", "qa_id": f"{case.qa['qa_id']}-copy"}


def other_given(draw: random.Random, case: Case, window: Window) -> Changed | None:
    """The question is about somebody else of the same kind, in the same case."""
    for node in given(case):
        place = _place(case.qa["question"], node.name)
        if place and (others := _strangers(window.everywhere[node.kind], node.kind, case)):
            in_case = _case_of(case.qa["question"][slice(*place)])
            words = [inflect(word, in_case, prefer=("nomn", "sing")) or word for word in draw.choice(others).split()]
            return _asking(case, _put(case.qa["question"], place, " ".join(words)))
    return None


def given_as_pronoun(_draw: random.Random, case: Case, _window: Window) -> Changed | None:
    for node in given(case):
        place = _place(case.qa["question"], node.name)
        if node.kind == "PER" and place:
            return _asking(case, _put(case.qa["question"], place, HE[_case_of(case.qa["question"][slice(*place)])]))
    return None


def _place(text: str, name: str) -> tuple[int, int] | None:
    """Where the name stands in the text, in any case."""
    found, wanted = [match.span() for match in WORD.finditer(text)], lemmas(name)
    said = [lemma(text[start:stop]) for start, stop in found]
    for at in range(len(said) - len(wanted) + 1):
        if wanted and said[at : at + len(wanted)] == wanted:
            return found[at][0], found[at + len(wanted) - 1][1]
    return None


def _put(text: str, place: tuple[int, int], words: str) -> str:
    return text[: place[0]] + words + text[place[1] :]


def _case_of(phrase: str) -> str:
    """The case that most of its words can be in; the nominative if the words say nothing."""
    counts = dict.fromkeys(HE, 0)
    for word in WORD.findall(phrase):
        for case in {form.tag.case for form in analyses(word) if form.tag.case in HE}:
            counts[case] += 1
    return max(counts, key=lambda case: counts[case])
