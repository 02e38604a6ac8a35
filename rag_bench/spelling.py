"""Texts as a reader sees them: what looks alike is written alike, and what cannot be seen is gone.

Compatibility forms are their plain ones (NFKC: fullwidth letters, ligatures, all kinds of spaces, composed ё and й), ё is е,
stress marks, soft hyphens, zero-width and direction marks are dropped, and a word of both alphabets is written in the one in
which all its letters look the same: a Latin `K` in `Kазань` is Cyrillic.
"""

import re
import unicodedata

LATIN = "ABCEHKMOPTXYaceopxyk"
CYRILLIC = "АВСЕНКМОРТХУасеорхук"

_TO_CYRILLIC = str.maketrans(LATIN, CYRILLIC)
_TO_LATIN = str.maketrans(CYRILLIC, LATIN)
_BORDER = re.compile(r"[a-zA-Z][а-яА-ЯёЁ]|[а-яА-ЯёЁ][a-zA-Z]")
_WORD = re.compile(r"[^\W_]+")

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U000e0000-\U000e0fff"
)
"""characters without a shape of their own, as a character class"""

MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""combining marks of the Latin and Cyrillic scripts, as a character class"""

_DROPPED = re.compile(f"[{INVISIBLE}{MARKS}]")
_UNSEEN = re.compile(f"[{INVISIBLE}]")
_PLAIN = re.compile(r"[\t\n -@\[-`{-~а-яА-Я«»–—]*")
"""most Russian texts: nothing in them has another spelling"""


def clean(text: str) -> str:
    """The text as written, in one spelling; case is kept."""
    text = text.replace("ё", "е").replace("Ё", "Е").replace("№", " ")
    if _PLAIN.fullmatch(text):
        return text
    if not unicodedata.is_normalized("NFKC", text) or _DROPPED.search(text):
        # What is unseen first: it would keep a letter and its mark apart. What marks are left then belong to no letter.
        text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
        text = unicodedata.normalize("NFKC", _DROPPED.sub("", text)).replace("ё", "е").replace("Ё", "Е")
    return _WORD.sub(_one_alphabet, text) if _BORDER.search(text) else text


def mixed_words(text: str) -> list[str]:
    """Words with letters of both alphabets that can be told apart by no reader."""
    return [word[0] for word in _WORD.finditer(text) if _one_alphabet(word) != word[0]]


def unseen(text: str) -> list[str]:
    """The characters of a text that no reader sees, once each, in code order."""
    return sorted(set(_UNSEEN.findall(text)))


def heaped_marks(text: str) -> bool:
    """Whether combining marks stand on each other, three or more on a letter."""
    return bool(re.search(f"[{MARKS}]{{3,}}", unicodedata.normalize("NFC", text)))


def _one_alphabet(word: re.Match) -> str:
    if not _BORDER.search(word[0]):
        return word[0]
    for table, foreign in ((_TO_CYRILLIC, _LATIN_LETTER), (_TO_LATIN, _CYRILLIC_LETTER)):
        written = word[0].translate(table)
        if not foreign.search(written):
            return written
    return word[0]


_LATIN_LETTER = re.compile("[a-zA-Z]")
_CYRILLIC_LETTER = re.compile("[а-яА-ЯёЁ]")
