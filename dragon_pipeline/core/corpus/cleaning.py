"""Clean text: Unicode and white space put in order, personal contacts masked."""

import html
import re
import unicodedata
from dataclasses import dataclass

PHONE, MAIL, DOCUMENT = "[телефон]", "[почта]", "[номер документа]"

_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]")
_BREAKS = re.compile("\r\n?|[\u0085\u2028\u2029\v\f]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_SPACES = re.compile("[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_STRESS = re.compile("(?<=[аеиоуыэюяАЕИОУЫЭЮЯёЁ])\u0301")

_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[^\W\d_]{2,24}\b")
_CARD = re.compile(r"(?<![\d.,/-])(?<!\d )(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4})(?![ -]?\d)")
_SNILS = re.compile(r"(?<![\d-])\d{3}-\d{3}-\d{3}[ -]\d{2}(?!\d)")
_CUED_DOCUMENT = re.compile(
    r"(?i)(?P<cue>\b(?:(?:загран)?паспорт|сери[яи]\b|удостоверени|снилс|инн\b|полис|карт[аыеу]\b|р/с|расч[её]тн|лицев)"
    r"[^\d\n.;]{0,40}?)(?P<number>\d{2} ?\d{2}(?:,? (?:№|N|номер) ?| ?)\d{6}|\d{2} ?№? ?\d{7}|\d{10,12}|\d{16}|\d{20})(?![\d-])"
)
_PHONE_SHAPES = (
    r"\+7[ -]?\(?\d{3,5}\)?(?:[ -]?\d){5,7}",
    r"\+\d{1,3}[ -]?\(\d{2,5}\)(?:[ -]?\d){5,8}",
    r"\+\d{10,14}",
    r"\+\d{1,3}(?:[ -]\d{2,4}){1,2}(?:[ -]\d{2}){2}",
    r"8[ -]?\(\d{3,5}\)(?:[ -]?\d){5,7}",
    r"8[ -]\d{3}[ -]\d{3}[ -]?\d{2}[ -]?\d{2}",
    r"\(\d{3,5}\) ?\d{1,3}(?:-\d{2}){2}",
)
_PHONE = re.compile(r"(?<![\w/=.,-])(?<!\d )(?:" + "|".join(_PHONE_SHAPES) + r")(?![\d-])(?! \d)")
_CUED_PHONE = re.compile(
    r"(?i)(?P<cue>\b(?:тел\b|телефон|факс|whatsapp|ватсап|звон|позвон|горяч\w+ лини)"
    r"[^\d\n+]{0,30}?)(?P<number>[78]\d{10}|\d{2,3}-\d{2}-\d{2})(?![\d-])"
)
_NUMBERS = re.compile(r"\d[ \d()-]{3,}\d")
"""What every masked number contains; most texts are done once this is not found."""
_GROUPS_OF_THREE = re.compile(r"\+\d{1,3}(?: \d{3})+")


@dataclass(frozen=True)
class Cleaned:
    title: str
    text: str
    """lead, newline, body; the body alone when it already starts with the lead"""
    masked: int
    """how many contacts and document numbers were masked"""


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
    while (decoded := _ENTITY.sub(_decode, text)) != text:
        text = decoded
    text = _CONTROLS.sub("", _INVISIBLE.sub("", _BREAKS.sub("\n", text)))
    text = unicodedata.normalize("NFC", _STRESS.sub("", text))
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def mask(text: str) -> tuple[str, int]:
    """Phones, e-mails and document numbers replaced by fixed tokens, and how many.

    Sums, years, scores and other plain numbers stay: a bare run of digits is masked only after a word that says what it is.
    """
    found = 0

    def put(token: str, keep: re.Pattern[str] | None = None):
        def replaced(match: re.Match[str]) -> str:
            nonlocal found
            if (keep and keep.fullmatch(match[0])) or _all_years(match[0]):
                return match[0]
            found += 1
            return (match["cue"] if "cue" in match.re.groupindex else "") + token

        return replaced

    if "@" in text:
        text = _MAIL.sub(put(MAIL), text)
    if not _NUMBERS.search(text):
        return text, found
    text = _CARD.sub(put(DOCUMENT), text)
    text = _SNILS.sub(put(DOCUMENT), text)
    text = _PHONE.sub(put(PHONE, keep=_GROUPS_OF_THREE), text)
    text = _CUED_PHONE.sub(put(PHONE), text)
    text = _CUED_DOCUMENT.sub(put(DOCUMENT), text)
    return text, found


def _all_years(number: str) -> bool:
    groups = re.findall(r"\d+", number)
    return len(groups) > 1 and all(len(group) == 4 and 1000 <= int(group) <= 2100 for group in groups)


def _decode(entity: re.Match[str]) -> str:
    return html.unescape(entity[0])


def _bare(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold().replace("ё", "е")
