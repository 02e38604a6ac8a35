"""Russian words and stems, for measures and search.

Folded means: composed (NFC), lower case, ё as е, without stress marks, soft hyphens and zero-width characters, and with the
groups of a number joined (`15 000` is `15000`). A word is a run of letters and digits of any script.

Snowball takes the ending of `Иванов` for a genitive plural and makes it `иван`, but `Иванову` it makes `иванов`. So a
capitalised word that ends in -ов or -ев is its own stem.
"""

import functools
import re
import threading
import unicodedata

import snowballstemmer

_INVISIBLE = dict.fromkeys(map(ord, "\u0301\u00ad\u200b\u200c\u200d\u2060\ufeff"))
_DIGIT_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)")
_WORD = re.compile(r"[^\W_]+")
_stemming = threading.Lock()


def fold(text: str) -> str:
    """The text with everything folded that a reader would not see as another word."""
    return _clean(text).lower()


def tokens(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(_WORD.findall(fold(text)))


def stems(text: str) -> tuple[str, ...]:
    """The stems of the folded words of a text, one for each of its `tokens`."""
    return tuple(stem(word.lower(), name=word[0].isupper()) for word in _WORD.findall(_clean(text)))


@functools.lru_cache(maxsize=200_000)
def stem(word: str, name: bool = False) -> str:
    """The Russian stem of one folded word; `name` says that it was capitalised. Words of other scripts stay as they are."""
    if name and word.endswith(("ов", "ев")):
        return word
    with _stemming:  # a Snowball stemmer keeps the word it works on
        return _stemmer().stemWord(word)


def _clean(text: str) -> str:
    folded = unicodedata.normalize("NFC", text).replace("ё", "е").replace("Ё", "Е").translate(_INVISIBLE)
    return _DIGIT_GROUPS.sub(lambda number: "".join(filter(str.isdigit, number[0])), folded)


@functools.cache
def _stemmer():
    return snowballstemmer.stemmer("russian")
