"""Which encoding a page is really in, whatever it or its server says."""

import re
import unicodedata
from collections.abc import Iterator

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

SAMPLE = 50_000
"""bytes that tell what encoding the rest is in"""
TOLERATED = 0.05
"""broken characters among those beyond ASCII with which a text still counts as UTF-8, or as what it is labelled"""
CYRILLIC = ("cp1251", "koi8_u", "iso8859_5", "cp866")
FREQUENT = frozenset("оеаинтсрвл")
"""six in ten letters of Russian; hardly fewer in its neighbours"""
OF_LANGUAGE = {
    **dict.fromkeys(("ru", "uk", "be", "bg", "sr", "mk", "kk"), "cp1251"),
    **dict.fromkeys(("pl", "cs", "sk", "hu", "sl", "hr", "ro"), "cp1250"),
    **{"el": "cp1253", "tr": "cp1254", "he": "cp1255", "ar": "cp1256", "fa": "cp1256", "lt": "cp1257", "lv": "cp1257"},
    **{"et": "cp1257", "vi": "cp1258", "th": "cp874", "ja": "cp932", "ko": "cp949", "zh": "gb18030"},
}
"""The encoding of a page that names its language alone, as browsers guess (HTML standard, §13.2.3.2)."""
LANGUAGE = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([a-zA-Z]{2})\b", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]{2,}")
MIXED = re.compile("[a-zA-Z][Ѐ-ӿ]|[Ѐ-ӿ][a-zA-Z]")
NO_CHARSETS = frozenset({"idna", "punycode", "undefined", "raw-unicode-escape", "unicode-escape", "utf-7"})
"""Codecs of Python's that a page may name, and no server sends; besides those that decode no text (`hex`, `zlib`)."""
PUNCTUATION = frozenset("«»„“”‘’‹›–—…№•·§°©®™€£ ¡¿、。「」『』！？，；：、،؛؟")


def decode(body: bytes, content_type: str | None, language: str | None = None) -> str:
    """The page's text. A byte order mark is believed, and bytes that are UTF-8 are UTF-8, whatever is claimed.

    What is neither is read as the header says, or else as the page says, or as its language suggests, unless that reading
    makes no words; then by the Cyrillic encoding that makes most of them, or as Western European. `language` (ISO 639-1) is
    that of pages that do not name theirs.
    """
    mark, _ = read_bom(body)
    if mark:
        return body.decode(mark, errors="replace").removeprefix("\ufeff")
    claims = list(_claims(body, content_type, language))
    if b"\x1b" in body and "iso2022" in "".join(claims).replace("-", "").replace("_", ""):
        return body.decode(claims[0], errors="replace")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return body.decode(_encoding(body, claims), errors="replace")


def _claims(body: bytes, content_type: str | None, language: str | None) -> Iterator[str]:
    """The encodings that header, page and language name, as Python calls them."""
    named = LANGUAGE.search(body[:SAMPLE])
    language = named[1].decode().lower() if named else language
    names = (
        http_content_type_encoding(content_type or None),
        html_body_declared_encoding(body[:SAMPLE]),
        OF_LANGUAGE.get(language) if language else None,
    )
    return (known for name in names if name and (known := resolve_encoding(name)) and _is_charset(known))


def _is_charset(encoding: str) -> bool:
    try:
        b"a".decode(encoding, errors="replace")
    except (LookupError, UnicodeError):
        return False
    return encoding.replace("_", "-") not in NO_CHARSETS


def _encoding(body: bytes, claims: list[str]) -> str:
    """Of what is not wholly UTF-8."""
    sample = re.sub(rb"[\x00-\x40\x5b-\x60\x7b-\x7f]{2,}", b" ", body)[:SAMPLE]  # markup and spaces tell nothing
    if _broken(sample, "utf-8") <= TOLERATED:
        return "utf-8"
    others = [name for name in claims if resolve_encoding(name) != "utf-8"]
    for name in others:
        if _broken(sample, name) <= TOLERATED and _makes_words(sample.decode(name, errors="replace")):
            return name
    score, best = max((_cyrillic(sample.decode(name, errors="replace")), name) for name in CYRILLIC)
    if score > 0.5:
        return best
    return others[0] if others else "cp1252"


def _broken(sample: bytes, encoding: str) -> float:
    """Of the characters beyond ASCII, the share that cannot be read, or reads as control characters."""
    beyond = [character for character in sample.decode(encoding, errors="replace") if character > "\x7f"]
    return sum(character == "\ufffd" or character < "\xa0" for character in beyond) / max(1, len(beyond))


def _makes_words(text: str) -> bool:
    """Whether what lies beyond ASCII are words.

    Wrongly read Cyrillic is words of accented Latin letters alone, words of small and large letters in disorder, or signs;
    other languages read as Cyrillic have words of two scripts.
    """
    words = [word for word in WORD.findall(text) if not word.isascii()]
    odd = sum(_is_odd(word) for word in words)
    return 2 * odd <= len(words) and _letters(text) > 0.8


def _is_odd(word: str) -> bool:
    disordered = word != word.lower() and not word.istitle()
    return disordered or MIXED.search(word) is not None or all("\x7f" < character < "\u0250" for character in word)


def _letters(text: str, last: str = "\U0010ffff") -> float:
    """Of the characters beyond ASCII, quotes and dashes aside, the share that are letters up to one."""
    beyond = [character for character in text if character > "\x7f" and character not in PUNCTUATION]
    return sum(character <= last and unicodedata.category(character)[0] in "LM" for character in beyond) / max(1, len(beyond))


def _cyrillic(text: str) -> float:
    """How much a text looks like Cyrillic prose: 0 to 1.6, of which .6 are for frequent letters."""
    letters = [character for character in text if "Ѐ" <= character <= "ӿ"]
    small = sum(character.islower() for character in letters) / max(1, len(letters))
    frequent = sum(character in FREQUENT for character in letters) / max(1, len(letters))
    words = [word for word in WORD.findall(text) if not word.isascii()]
    whole = sum(MIXED.search(word) is None for word in words) / max(1, len(words))
    return (small + 0.6 * frequent) * whole * _letters(text, "ӿ")
