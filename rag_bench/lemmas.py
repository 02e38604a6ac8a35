"""Lemmas by a morphological dictionary: pymorphy3 (extra `lemmas`), or the analyser of Natasha where that is installed."""

import functools
import threading
import warnings
from collections.abc import Callable
from typing import Any

from rag_bench.errors import MissingExtra
from rag_bench.installation import require
from rag_bench.spelling import clean

_analysing = threading.Lock()


@functools.lru_cache(maxsize=200_000)
def lemma(word: str) -> str:
    """The likeliest lemma of a Russian word, ё as е; words of other scripts stay as they are.

    Raises:
        MissingExtra: no dictionary is installed.
    """
    with _analysing:
        return clean(_parse()(word)[0].normal_form)


@functools.cache
def _parse() -> Callable[[str], Any]:
    try:
        return require("pymorphy3", "lemmas").MorphAnalyzer().parse
    except MissingExtra as missing:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Natasha's pymorphy2 finds its dictionary through pkg_resources
            try:
                return require("natasha", "lemmas").MorphVocab().parse
            except MissingExtra:
                raise missing from None
