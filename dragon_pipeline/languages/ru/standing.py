"""Whether a verb phrase stands alone: it names something and points at nothing outside."""

import re
from collections.abc import Iterable

from dragon_pipeline.languages.ru.clause import Clause, Unfit
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.people import is_unknown
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.wordlists import words

LONGEST = 22
"""Words of a verb phrase."""
CONTENT = ("NOUN", "PROPN", "ADJ", "NUM", "VERB")
CONTRAST = ("а", "но", "либо", "или", "не", "ни")
SHORT_NAMES = ("РФ", "ЕС", "RT", "ИГ", "ТВ")
"""Abbreviations of two letters that everybody reads; «РК» may be five things."""
ABOUT = ("о ", "об ", "обо ", "про ")
POINTERS = (
    "принятые",
    "принятых",
    "принятым",
    "принимаем",
    "указанн",
    "упомянут",
    "перечисленн",
    "соответствующ",
    "вышеназванн",
)
"""How words begin that only the text before explains: «назвал принятые меры чувствительными»."""
OBLIQUE_WHAT = ("чего", "чему", "чем")
"""«после чего»: joins the sentence to what stood before."""
SEASONS = ("летом", "осенью", "зимой", "весной")
BECOME = ("стать", "становиться")
BOUND = re.compile(r"\bдо \d")
BREAKS = ("*", "**", ";", ":", "—", "–", "/")


def points_outside(sentence: Sentence, indices: Iterable[int]) -> bool:
    """Whether a word in it points at something outside."""
    tokens = [sentence.tokens[i] for i in indices]
    return any(
        (t.pos in ("PRON", "DET") and (folded(t) not in ("свой", "что") or fold(t.text) in OBLIQUE_WHAT))
        or {folded(t), fold(t.text)} & words("anaphora")
        or fold(t.text).startswith(POINTERS)
        or _compares(sentence, t)
        or _is_bare_season(sentence, t)
        for t in tokens
    )


def is_told(sentence: Sentence, indices: Iterable[int]) -> bool:
    """Whether a phrase stands alone: nothing in it points outside or is a bare «документ»."""
    kept = set(indices)
    tokens = [sentence.tokens[i] for i in kept]
    vague = any(_is_vague(sentence, i, kept) for i in kept) or any(is_unknown(sentence, t) or is_unread(t.text) for t in tokens)
    return not vague and not points_outside(sentence, kept)


def _is_bare_season(sentence: Sentence, token: Token) -> bool:
    """«летом», but not «летом 2016 года»."""
    following = sentence.tokens[token.i + 1].text if token.i + 1 < len(sentence.tokens) else ""
    return fold(token.text) in SEASONS and not following.isdigit()


def _compares(sentence: Sentence, token: Token) -> bool:
    """«более резкое заявление», «дальше»: than what, only the sentence before says; «более 200 человек» stands alone."""
    following = sentence.tokens[token.i + 1] if token.i + 1 < len(sentence.tokens) else None
    if fold(token.text) in ("более", "менее", "гораздо", "столь", "настолько"):
        return following is None or following.pos in ("ADJ", "ADV")
    return token.feats.get("Degree") == "Cmp" and fold(token.text) not in ("более", "менее", "больше", "меньше", "выше", "ниже")


def check(clause: Clause) -> None:
    """Passes a clause that can be asked about on its own.

    Raises:
        Unfit: it cannot.
    """
    used = [clause.sentence.tokens[i] for b in clause.blocks for i in b.indices]
    said = {i for b in clause.blocks if b.rel == "ccomp" for i in b.indices}
    reason = _empty(clause, used, said) or _outside(clause, used) or _broken(used, said) or _nameless(clause, used)
    reason = reason or _unread(clause, used)
    if reason:
        raise Unfit(reason)


def _empty(clause: Clause, used: list[Token], said: set[int]) -> str | None:
    if not clause.blocks:
        return "bare_verb"
    if sum(b.rel == "obj" for b in clause.blocks) > 1:
        return "two_objects"
    if folded(clause.sentence.tokens[clause.verb]) in words("transitive_verbs") and not _has_object(clause):
        return "no_object"
    about = any(b.rel == "obj" or b.text.lower().startswith(ABOUT) for b in clause.blocks)
    if folded(clause.sentence.tokens[clause.verb]) in words("speech_verbs") and not said and not (about and _content(used) > 4):
        return "speech"
    if sum(_is_bare_instrumental(clause, b.root) for b in clause.blocks) > 1:
        return "two_predicates"  # «в 2010 году стал мэром, а в 2012-м — представителем»
    if folded(clause.sentence.tokens[clause.verb]) in BECOME and not _becomes(clause):
        return "no_predicate"  # «стал Московскую область»
    if any(_lost_its_preposition(clause, b.root) for b in clause.blocks):
        return "lost_preposition"
    if len(BOUND.findall(" ".join(b.text for b in clause.blocks))) > 1:
        return "two_bounds"  # «снизился до 57 рублей до 68 рублей»
    return "long" if len(used) > LONGEST else None


def _has_object(clause: Clause) -> bool:
    """What a verb that cannot do without it is done to, and, of naming, as what; a passive's subject is its object."""
    verb = clause.sentence.tokens[clause.verb]
    if verb.feats.get("Voice") == "Pass" or verb.feats.get("Variant") == "Short":
        return True
    objects = sum(b.rel in ("obj", "ccomp", "xcomp") or b.text.lower().startswith(ABOUT) for b in clause.blocks)
    return objects > 0 and (folded(verb) not in words("naming_verbs") or len(clause.blocks) > 1)


def _becomes(clause: Clause) -> bool:
    """Whether something stands in the instrumental, or an infinitive or a comparison, behind «стать»."""
    tokens = clause.sentence.tokens
    return any(
        tokens[b.root].feats.get("Case") == "Ins" or b.rel == "xcomp" or tokens[b.root].pos in ("VERB", "ADJ", "NUM")
        for b in clause.blocks
    )


def _lost_its_preposition(clause: Clause, root: int) -> bool:
    """«присутствовал на гонках главой федерации»: somebody in the instrumental, of a verb that makes nobody anything."""
    verb = clause.sentence.tokens[clause.verb]
    if verb.feats.get("Voice") == "Pass" or folded(verb) in words("becoming_verbs") | words("naming_verbs"):
        return False
    token = clause.sentence.tokens[root]
    sure = any("ablt" in form.tag for form in analyses(token.text))  # the tagger errs at «океанологию»
    return sure and _is_bare_instrumental(clause, root) and token.feats.get("Animacy") == "Anim"


def _is_bare_instrumental(clause: Clause, root: int) -> bool:
    tokens = clause.sentence.tokens
    held = any(tokens[c].rel == "case" for c in clause.sentence.children[root])
    return tokens[root].pos == "NOUN" and tokens[root].feats.get("Case") == "Ins" and not held


def _outside(clause: Clause, used: list[Token]) -> str | None:
    if set(fold(clause.lead).split()) & words("anaphora") or points_outside(clause.sentence, [t.i for t in used]):
        return "anaphora"
    kept = {t.i for t in used}
    return "vague_noun" if any(_is_vague(clause.sentence, t.i, kept) for t in used) else None


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


def _unread(clause: Clause, used: list[Token]) -> str | None:
    """A match that could be any, or an abbreviation that nobody reads."""
    if any(is_unread(t.text) for t in used):
        return "abbreviation"
    if any(is_unknown(clause.sentence, t) for t in used):
        return "surname_only"
    told = {folded(t) for t in (clause.sentence.tokens[clause.verb], *used)}
    if told & words("match_verbs") or told & words("match_nouns"):
        dated = any(len(t.text) == 4 and t.text.isdigit() for t in used)
        if not dated and not any(_is_tournament(clause.sentence, t, {u.i for u in used}) for t in used):
            return "any_match"
    return None


def _is_tournament(sentence: Sentence, token: Token, kept: set[int]) -> bool:
    """«чемпионат мира», «Кубок России», and no bare «лига»."""
    told = any(c in kept and sentence.tokens[c].rel not in ("case", "punct") for c in sentence.children[token.i])
    return folded(token) in words("tournaments") and told


def is_read(abbreviation: str) -> bool:
    """Whether every reader of news knows it."""
    return abbreviation in SHORT_NAMES or abbreviation in words("abbreviations")


def is_unread(text: str) -> bool:
    return (
        1 < len(text) < 6
        and text not in SHORT_NAMES
        and text.isalpha()
        and text.isupper()
        and text not in words("abbreviations")
    )


def _is_vague(sentence: Sentence, i: int, kept: set[int]) -> bool:
    """A bare «команда» or «документ», also further inside («глава компании»): something named earlier in the text."""
    token = sentence.tokens[i]
    if token.pos != "NOUN" or folded(token) not in words("vague_nouns") or sentence.name_at(i) is not None:
        return False
    after = sentence.tokens[i + 1] if i + 1 in kept else None
    told = after is not None and (
        after.text == "«" or sentence.name_at(after.i) is not None or after.feats.get("Case") == "Gen"
    )
    linked = token.rel in ("nmod", "conj") and folded(token) not in words("vague_inside")
    return not (told or linked) and not any(
        c in kept and sentence.tokens[c].rel not in ("case", "punct", "cc", "conj", "nummod", "nummod:gov")
        for c in sentence.children[i]
    )


def _content(used: Iterable[Token]) -> int:
    return sum(t.pos in CONTENT for t in used)
