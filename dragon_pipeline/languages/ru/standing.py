"""Whether a verb phrase stands alone: it names something and points at nothing outside."""

from collections.abc import Iterable

from dragon_pipeline.languages.ru.clause import Block, Clause, Unfit
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.wordlists import words

LONGEST = 22
"""Words of a verb phrase."""
CONTENT = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")
CONTRAST = ("а", "но", "либо", "или", "не", "ни")
SHORT_NAMES = ("РФ", "ЕС", "RT", "ИГ", "ТВ")
"""Abbreviations of two letters that everybody reads; «РК» may be five things."""
ABOUT = ("о ", "об ", "обо ", "про ")
BREAKS = ("*", "**", ";", ":", "—", "–", "/")


def points_outside(sentence: Sentence, indices: Iterable[int]) -> bool:
    """Whether a word in it points at something outside."""
    tokens = [sentence.tokens[i] for i in indices]
    return any(
        (t.pos in ("PRON", "DET") and folded(t) not in ("свой", "что")) or {folded(t), fold(t.text)} & words("anaphora")
        for t in tokens
    )


def check(clause: Clause) -> None:
    """Passes a clause that can be asked about on its own.

    Raises:
        Unfit: it cannot.
    """
    used = [clause.sentence.tokens[i] for b in clause.blocks for i in b.indices]
    said = {i for b in clause.blocks if b.rel == "ccomp" for i in b.indices}
    reason = _empty(clause, used, said) or _outside(clause, used) or _broken(used, said) or _nameless(clause, used)
    if reason:
        raise Unfit(reason)


def _empty(clause: Clause, used: list[Token], said: set[int]) -> str | None:
    if not clause.blocks:
        return "bare_verb"
    if sum(b.rel == "obj" for b in clause.blocks) > 1:
        return "two_objects"
    about = any(b.rel == "obj" or b.text.lower().startswith(ABOUT) for b in clause.blocks)
    if folded(clause.sentence.tokens[clause.verb]) in words("speech_verbs") and not said and not (about and _content(used) > 4):
        return "speech"
    return "long" if len(used) > LONGEST else None


def _outside(clause: Clause, used: list[Token]) -> str | None:
    if set(fold(clause.lead).split()) & words("anaphora") or points_outside(clause.sentence, [t.i for t in used]):
        return "anaphora"
    return "vague_noun" if any(_is_vague(clause.sentence, b) for b in clause.blocks) else None


def _broken(used: list[Token], said: set[int]) -> str | None:
    for token in used:
        if token.pos == "VERB" and token.feats.get("VerbForm") == "Fin" and token.i not in said:
            return "subordinate"
        if fold(token.text) in CONTRAST:
            return "contrast"
        if len(token.text) == 2 and token.text.isupper() and token.text.isalpha() and token.text not in SHORT_NAMES:
            return "abbreviation"
        if token.text in BREAKS or "\n" in token.text:
            return "punctuation"
    return None


def _nameless(clause: Clause, used: list[Token]) -> str | None:
    named = any(clause.sentence.name_at(t.i) is not None or t.text == "«" or t.text[:1].isdigit() for t in used)
    if not named and _content(used) < 4:
        return "names_nothing"
    return "thin" if _content(used) < 2 else None


def _is_vague(sentence: Sentence, b: Block) -> bool:
    """A bare «команда» or «документ»: something named earlier in the text."""
    root = sentence.tokens[b.root]
    modifiers = [
        c for c in sentence.children[b.root] if c in b.indices and sentence.tokens[c].rel not in ("case", "punct", "cc")
    ]
    return root.pos == "NOUN" and not modifiers and folded(root) in words("vague_nouns") and sentence.name_at(b.root) is None


def _content(used: Iterable[Token]) -> int:
    return sum(t.pos in CONTENT for t in used)
