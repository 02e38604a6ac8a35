"""Whether the people that a question names are told by it: a name that many bear needs a role, unless the news often has it."""

import re
from collections.abc import Mapping

import polars as pl

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.screening.nodes import given, nodes
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.posts import is_public, is_rare

KNOWN = 3
"""Articles of the window that tell of a person whom the question may call by the name alone."""
ASKED = ("год", "город", "страна", "день", "месяц", "компания", "что", "какой")
"""What may stand before a name and belongs to the question word: «В каком году Олег Дымов …»."""
_BORN = re.compile(r"\bродил(?:ся|ась)\b")
"""When somebody was born, of whom no news is told, tells nothing unless it is said who that is, however rare the name."""
_TOKEN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|[^\w\s]")


class Strangers:
    """Looks for a person with a common name and no role before it («В каком году родился Андрей Третьяков?»)."""

    def __init__(self, facts: pl.DataFrame) -> None:
        """`facts`: of the window."""
        ends = [facts.filter(pl.col(f"{end}_kind") == "PER").select(name=end, article="article_id") for end in ("head", "tail")]
        counted = pl.concat(ends).group_by("name").agg(pl.col("article").n_unique())
        self._articles: Mapping[str, int] = dict(counted.iter_rows())

    def __call__(self, case: Case) -> str | None:
        """`stranger: name` of the first; None when every person is told."""
        born = case.qa["type"] == "simple" and _BORN.search(case.qa["question"]) is not None
        people = {node.name for node in nodes(case) if node.kind == "PER"}
        for name in (node.name for node in given(case)):
            unknown = self._is_unknown(name) or (born and not is_public(name))
            if name in people and unknown and not _has_role(name, case.qa["question"]):
                return f"stranger: {name}"
        return None

    def _is_unknown(self, name: str) -> bool:
        return not is_public(name) and not is_rare(name) and self._articles.get(name, 0) < KNOWN


def _same(token: str, part: str) -> bool:
    """Whether a word may be a case of a name's part."""
    kept = max(len(part) - 2, 3)
    return fold(token)[:kept] == fold(part)[:kept] and token[:1].isupper()


def _has_role(name: str, question: str) -> bool:
    """Whether a noun for somebody, or the end of what he heads («директор завода «Вектор»»), stands right before the name."""
    tokens, parts = _TOKEN.findall(question), name.split()
    for place in range(len(tokens) - len(parts) + 1):
        if not all(_same(token, part) for token, part in zip(tokens[place:], parts, strict=False)):
            continue
        before = tokens[place - 1] if place else ""
        if before in ("был", "была") and place > 1 and tokens[place - 2] in ("которой", "которого"):
            return True  # «страны, министром обороны которой был Пётр Громов»
        if before == "»" or before[:1].isupper():
            return place > 1
        nouns = [form for form in analyses(before.lower()) if form.tag.POS == "NOUN"]
        return bool(nouns) and not any(fold(form.normal_form) in ASKED for form in nouns)
    return False
