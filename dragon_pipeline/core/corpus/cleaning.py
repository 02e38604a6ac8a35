"""Clean text: Unicode and white space put in order, personal data masked."""

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from dragon_pipeline.core.corpus.masking import mask

_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]")
_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029\v\f]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NESTED = re.compile(r"&(?:(?:amp|AMP|#0{0,5}38|#[xX]0{0,4}26);)+")
"""an ampersand escaped any number of times; one escape a turn would take the square of them"""
_STRESS = re.compile("(?<=[аеиоуыэюяАЕИОУЫЭЮЯёЁ])\u0301+")
MOST_MARKS = 30
"""combining marks in a row, as in Unicode's stream-safe text (UAX 15); to order more takes the square of them"""


@dataclass(frozen=True)
class Cleaned:
    title: str
    text: str
    """lead, newline, body; the body alone when it already starts with the lead"""
    masked: int
    """how many contacts, numbers and addresses of people were masked"""


def clean(title: str | None, lead: str | None, text: str | None) -> Cleaned:
    """A page's title and text as they are kept; cleaning what is clean changes nothing."""
    headline = tidy(title or "").replace("\n", " ")
    opening, body = tidy(lead or ""), tidy(text or "")
    said = _bare(opening)
    if said and said != _bare(headline) and not _bare(body[: 2 * len(opening) + 100]).startswith(said):
        body = f"{opening}\n{body}" if body else opening
    headline, in_title = mask(headline)
    body, in_text = mask(body)
    return Cleaned(headline, body, in_title + in_text)


def tidy(text: str) -> str:
    """Composed Unicode, no left-over entities, no invisible characters, single spaces, no blank lines."""
    while (decoded := _ENTITY.sub(_decode, _NESTED.sub("&", text))) != text:
        text = decoded
    text = _CONTROLS.sub("", _INVISIBLE.sub("", _BREAKS.sub("\n", text)))
    text = _fewer_marks(unicodedata.normalize("NFC", _fewer_marks(_STRESS.sub("", text))))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _fewer_marks(text: str) -> str:
    return text if text.isascii() else _runs_of_marks().sub(r"\1", text)


@cache
def _runs_of_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(0x300, 0x110000) if unicodedata.combining(chr(code)))
    return re.compile(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+")


def _decode(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _bare(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold().replace("ё", "е")
