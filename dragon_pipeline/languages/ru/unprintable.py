"""What an editor strikes out of a verb phrase, whoever did it: padding, half-said things, a lost «и»."""

import re
from functools import cache

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.wordlists import lines

_WITH = re.compile(r"\bсо? ((?:[А-ЯЁ][\w-]+ )+)([а-яё]+)")
"""«с Анной Громовой двумя …»"""
_PARENTHESIS = re.compile(
    r"(?<=что )(?:(?:так|в частности|например|кроме того|таким образом|по сути|вместе с тем|напротив), "
    r"|(?:однако|при этом),? )",
    re.I,
)
TIMES = ("утром", "днем", "вечером", "ночью", "летом", "зимой", "весной", "осенью")


def fault(phrase: str) -> str | None:
    """Why a verb phrase should not be printed; None when nothing speaks against it."""
    said = fold(phrase)
    if said.startswith(("будет ", "будут ")):
        return "future_description"  # «будет казнён в 1917 году»: a chronicler's future
    if _padding().search(said) or said.endswith(" в ответ"):
        return "padded_phrase"
    if ("кандидатур" in said and " на " not in said) or ("договорил" in said and not re.search(r"\bсо? ", said)):
        return "cut_phrase"  # «выдвинул кандидатуру Анны Громовой»: for what? «договорилась о мире»: with whom?
    return "lost_conjunction" if any(_lost(name, behind) for name, behind in _WITH.findall(phrase)) else None


def without_parenthesis(phrase: str) -> str:
    """«сообщил, что так, завод закрыт» joins it to the sentence before; without «так» it stands alone."""
    return _PARENTHESIS.sub("", phrase)


@cache
def _padding() -> re.Pattern[str]:
    said = (re.escape(line).replace("_", r"\b") for line in lines("unprintable"))
    return re.compile(rf"(?<![\w-])(?:{'|'.join(said)})")


def _lost(name: str, behind: str) -> bool:
    """Whether a word in the instrumental follows a name in it: two members of a list without what joins them."""
    last = name.split()[-1]
    if fold(behind) in TIMES or not any("ablt" in a.tag for a in analyses(last)):
        return False
    first = analyses(behind)[:1]
    return any("ablt" in a.tag and a.tag.POS in ("NOUN", "NUMR", "ADJF") for a in first)
