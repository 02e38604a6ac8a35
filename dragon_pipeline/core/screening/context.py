"""The articles that a judge is shown: whole when they fit its window, else the sentences nearest to the evidence."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.prompts import plain
from dragon_pipeline.core.window import byte_size

GAP = "[…]"
_BREAK = re.compile(r"\n+|(?<=[.!?…])[»\")\]]*\s+(?=[«\"(\[—–-]*\s*[A-ZА-ЯЁ0-9])")
"""Where a text may be cut, in any language. It breaks after initials too, which does no harm: evidence goes by its offsets."""

Sizes = Callable[[Sequence[str]], Sequence[int]]
"""Upper bounds of the tokens of each text."""


@dataclass(frozen=True)
class _Piece:
    article: int
    place: int
    text: str
    distance: int
    """sentences between it and the nearest evidence; of an article without any, its place: news begin with what matters"""


def whole(case: Case) -> str:
    """Every gold article, numbered and under its headline."""
    return "\n\n".join(_headed(number, article["title"], article["text"]) for number, article in enumerate(case.articles, 1))


def fitted(cases: Sequence[Case], rooms: Sequence[int], sizes: Sizes) -> list[str | None]:
    """The context of each case that fits its room, in tokens; None when not even the evidence does.

    Counting is left to the server only where bytes, which are more than tokens, do not fit.
    """
    found: list[str | None] = [whole(case) for case in cases]
    large = [i for i, text in enumerate(found) if byte_size(plain(text or "")) > rooms[i]]
    counted = sizes([plain(found[i] or "") for i in large]) if large else ()
    for i, tokens in zip(large, counted, strict=True):
        if tokens > rooms[i]:
            found[i] = cut(cases[i], rooms[i], sizes)
    return found


def cut(case: Case, room: int, sizes: Sizes) -> str | None:
    """What of the gold articles fits `room` tokens: every sentence of the evidence, then the nearest ones, in their order,
    with `[…]` for what is left out. None when the evidence alone does not fit."""
    pieces = _pieces(case)
    heads = [_headed(number, article["title"], "") for number, article in enumerate(case.articles, 1)]
    counted = sizes([plain(text) for text in (*heads, *(piece.text for piece in pieces), f"\n{GAP}\n")])
    head_size, piece_size, gap = counted[: len(heads)], counted[len(heads) : -1], counted[-1]
    kept: set[int] = set()
    opened: set[int] = set()
    left = room
    for i in sorted(range(len(pieces)), key=lambda i: (pieces[i].distance, pieces[i].article, pieces[i].place)):
        article = pieces[i].article
        needed = piece_size[i] + gap + (0 if article in opened else head_size[article] + gap)
        if needed <= left:
            kept.add(i)
            opened.add(article)
            left -= needed
        elif pieces[i].distance == 0:
            return None
    return _joined([pieces[i] for i in sorted(kept)], pieces, heads)


def _pieces(case: Case) -> list[_Piece]:
    found = []
    for number, article in enumerate(case.articles):
        spans = _spans(article["text"])
        told = [(fact["start"], fact["stop"]) for fact in case.facts if fact["article_id"] == article["article_id"]]
        evidence = [i for i, (start, stop) in enumerate(spans) if any(start < end and begin < stop for begin, end in told)]
        for i, (start, stop) in enumerate(spans):
            distance = min((abs(i - one) for one in evidence), default=i + 1)
            found.append(_Piece(number, i, article["text"][start:stop], distance))
    return found


def _spans(text: str) -> list[tuple[int, int]]:
    """Sentences with the space behind them: together the whole text."""
    stops = [match.end() for match in _BREAK.finditer(text)]
    return [(start, stop) for start, stop in zip([0, *stops], [*stops, len(text)], strict=True) if start < stop]


def _joined(kept: Sequence[_Piece], pieces: Sequence[_Piece], heads: Sequence[str]) -> str:
    last = {piece.article: piece.place for piece in pieces}
    texts: dict[int, str] = {}
    before: dict[int, int] = {}
    for piece in kept:
        told = texts.get(piece.article, "")
        follows = piece.place == before.get(piece.article, -1) + 1
        texts[piece.article] = (told if follows else f"{told.rstrip()}\n{GAP}\n") + piece.text
        before[piece.article] = piece.place
    for article, place in before.items():
        if place < last[article]:
            texts[article] = f"{texts[article].rstrip()}\n{GAP}"
    return "\n\n".join(heads[article] + text for article, text in texts.items())


def _headed(number: int, title: str, text: str) -> str:
    return f"[{number}] {title}\n{text}"
