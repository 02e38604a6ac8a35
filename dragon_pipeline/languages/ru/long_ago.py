"""Whether a Russian question asks of what was long over when its article appeared: that an encyclopaedia tells."""

import re

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.screening.nodes import asked, nodes
from dragon_pipeline.languages.ru.lemmas import fold

RECENT = 6
"""Years before the newest of its article that are still news."""
UNDATED = 2016
"""The year of an article without a date that tells of nothing newer: it may be of any year, and then it is history."""
OLD = 1970
"""What was founded before stands in books."""
LIVING = 1920
"""A person born since then may be in the news."""
_YEAR = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)")
_AHEAD = re.compile(r"(?<!\w)(?:до|к|по|на) (?:\d{4}[–-])?(?:\d{4})")
_STATED = re.compile(r", что\b|: «")
_BORN = re.compile(r"\bродил(?:ся|ась)\b")
_POST = re.compile(r"\bзанимал(?:а|и|о)? должность\b|^какую должность\b")
_FOUNDED = re.compile(r"\b(?:основа(?:н|л|вш)|созда(?:н|л|вш)|учре(?:жден|дил)|зарегистрирова(?:н|л))\w*")
_SINCE = re.compile(r"^с какого года\b.*\b(?:руковод|возглавля|работа)\w*")


def long_ago(case: Case) -> str | None:
    """`long_ago: 1992` of a simple question whose one year, given or asked for, lies far behind the news of its article; None
    of births of people who may live, of posts, of how long somebody heads or works, of how a company or body began, which of
    little-known ones no encyclopaedia tells, and of what has no year."""
    question = fold(case.qa["question"])
    if case.qa["type"] not in ("simple", "set") or _POST.search(question) or _SINCE.search(question) or _began(case, question):
        return None
    main = _STATED.split(question)[0]
    told = [main, *(node.name for node in asked(case) if node.kind in ("YEAR", "DATE"))]
    years = [int(year) for text in told for year in _YEAR.findall(text)]
    if not years:
        return None
    last = max(years)
    if _BORN.search(main):
        return f"long_ago: {last}" if last < LIVING else None
    newest = max(_newest(article) for article in case.articles) if case.articles else last
    return f"long_ago: {last}" if newest - last >= RECENT else None


def _began(case: Case, question: str) -> bool:
    """Whether it asks of how an organisation was founded, registered or created; of a work or a place, or of one as old as the
    League of Nations, it is history."""
    old = any(year < OLD for node in asked(case) for year in map(int, _YEAR.findall(node.name)))
    return _FOUNDED.search(question) is not None and not old and any(node.kind == "ORG" for node in nodes(case))


def _newest(article: dict) -> int:
    """The year of the article, or else the last that its text tells, plans for years to come left out."""
    if article.get("published_at"):
        return int(str(article["published_at"])[:4])
    return max([UNDATED, *map(int, _YEAR.findall(_AHEAD.sub("", article["text"])))])
