"""Russian words and stems, for measures and search.

Folded means: in one spelling (see `spelling`), lower case, and with the groups of a number joined (`15 000` is `15000`). A word
is a run of letters and digits of any script.

Snowball takes the ending of `Иванов` for a genitive plural and makes it `иван`, but `Иванову` it makes `иванов`. So a
capitalised word that ends in -ов or -ев is its own stem.
"""

import functools
import re
import threading

import snowballstemmer

from rag_bench.spelling import clean

_DIGIT_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
_WORD = re.compile(r"[^\W_]+")
_own = threading.local()


def fold(text: str) -> str:
    """The text with everything folded that a reader would not see as another word."""
    return clean(_joined(clean(text)).lower())


def tokens(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(_WORD.findall(fold(text)))


def written_words(text: str) -> list[str]:
    """The words of a text in one spelling, with their capitals."""
    return _WORD.findall(_joined(clean(text)))


def stems(text: str) -> tuple[str, ...]:
    """The stems of the folded words of a text."""
    return tuple(stem(word.lower(), name=word[0].isupper()) for word in written_words(text))


@functools.lru_cache(maxsize=200_000)
def stem(word: str, name: bool = False) -> str:
    """The Russian stem of one folded word; `name` says that it was capitalised. Words of other scripts stay as they are."""
    if name and word.endswith(("ов", "ев")):
        return word
    if not hasattr(_own, "stemmer"):  # a Snowball stemmer keeps the word it works on, so each thread has its own
        _own.stemmer = snowballstemmer.stemmer("russian")
    return _own.stemmer.stemWord(word)


def _joined(text: str) -> str:
    return _DIGIT_GROUPS.sub(lambda number: number[0].replace(" ", ""), text)
