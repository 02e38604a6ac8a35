"""What somebody stated: «заявил, что …», and «…, сообщил представитель Минобороны Игорь Конашенков»."""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from dragon_pipeline.languages.ru import dates
from dragon_pipeline.languages.ru.clause import Block, Clause, Unfit
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import block, folded, lower_first, render, trim
from dragon_pipeline.languages.ru.standing import LONGEST, check
from dragon_pipeline.languages.ru.verbs import own_subject, verb_forms
from dragon_pipeline.languages.ru.wordlists import lines, words

EMPTY = ("имеется в", "имеются в", "речь ", "дело в", "все ", "всё ", "ситуация ", "это ")
"""How statements begin that only the text before tells the meaning of: «пояснила, что имеется в виду независимость»."""


def is_hearsay(sentence: Sentence, verb: Token) -> bool:
    """Whether a clause is somebody's word or a guess: «Завод закрыли, сообщает газета», «По данным газеты, …», «якобы».

    Of a clause that says itself who stated what («заявил, что, по данным газеты, …»), only the words before its verb count.
    """
    states = folded(verb) in words("speech_verbs")
    said = fold(" ".join(t.text for t in (sentence.tokens[: verb.i] if states else sentence.tokens)))
    if _hearsay().search(said):
        return True
    return not states and any(
        t.rel in ("parataxis", "root", "conj")
        and t.i != verb.i
        and (folded(t) in words("speech_verbs") or folded(t) in words("reporting_verbs"))
        and (verb.rel == "root" or t.rel != "conj")
        for t in sentence.tokens
    )


@cache
def _hearsay() -> re.Pattern[str]:
    phrases = "|".join(re.escape(line).replace(r"\*", r"\w*").replace(r"\ ", " ") for line in lines("hearsay"))
    return re.compile(rf"(?<![\w-])(?:{phrases})(?![\w-])")


def complement(sentence: Sentence, root: int, published: date | None) -> tuple[Block, bool]:
    """«, что …»: what somebody stated, without relative clauses and asides."""
    indices = block(sentence, root)
    tokens = [sentence.tokens[i] for i in indices or ()]
    if not indices or tokens[0].text.lower() != "что" or sentence.tokens[root].pos != "VERB" or not own_subject(sentence, root):
        raise Unfit("subordinate")
    return _statement(sentence, root, indices, published)


def is_fronted(sentence: Sentence, part: Token, verb: Token) -> bool:
    """Whether a clause before a verb of speech is what was said: «Завод закроют, сообщил министр Пётр Громов»."""
    return (
        part.rel in ("ccomp", "parataxis") and part.pos == "VERB" and part.i < verb.i and folded(verb) in words("speech_verbs")
    )


def fronted(sentence: Sentence, root: int, verb: int, published: date | None) -> tuple[Block, bool]:
    """The statement that begins the sentence and ends at the verb of speech."""
    indices = block(sentence, root)
    if (
        not indices
        or any(sentence.tokens[i].pos != "PUNCT" for i in range(indices[0]))
        or sentence.tokens[indices[0]].text == "«"
    ):
        raise Unfit("subordinate")
    between = [sentence.tokens[i].text for i in range(indices[-1] + 1, verb)]
    if any(text != "," for text in between) or not own_subject(sentence, root):
        raise Unfit("subordinate")
    return _statement(sentence, root, indices, published)


def _statement(sentence: Sentence, root: int, indices: list[int], published: date | None) -> tuple[Block, bool]:
    tokens = [sentence.tokens[i] for i in indices]
    if any(t.text in ("—", "–", ":", ";", "(") for t in tokens) or sum(t.text == "," for t in tokens) > 1:
        raise Unfit("subordinate")
    if sum(t.pos == "VERB" and t.feats.get("VerbForm") == "Fin" for t in tokens) > 2 or len(tokens) > LONGEST:
        raise Unfit("subordinate")
    after = indices[-1] + 1
    if after < len(sentence.tokens) and sentence.tokens[after].pos not in ("PUNCT", "CCONJ"):
        raise Unfit("statement_cut")
    text = lower_first(sentence, indices, render(sentence, indices))
    if text.removeprefix("что ").startswith(EMPTY):
        raise Unfit("statement_of_nothing")
    text = text if text.startswith("что ") else f"что {text}"
    try:
        return Block(root, tuple(indices), text, "ccomp"), dates.absolute(text, published) != text
    except dates.Relative as why:
        raise Unfit(str(why)) from why


def reported(sentence: Sentence, published: date | None) -> Iterator[tuple[int, int, Clause | Unfit]]:
    """(verb, subject, clause) of a statement that is the sentence itself, with the one who made it behind it."""
    for token in sentence.tokens:
        stated = _stated(sentence, token)
        subject = own_subject(sentence, token.i) if stated is not None else None
        if stated is None or subject is None:
            continue
        tail = sentence.subtree(token.i)
        indices = trim(sentence, list(range(tail[0])))
        beside = set(range(tail[0], len(sentence.tokens))) - set(tail)
        if not indices or any(sentence.tokens[i].pos != "PUNCT" for i in beside) or sentence.tokens[indices[0]].text == "«":
            continue
        try:
            made, undated = _statement(sentence, stated, indices, published)
            clause = Clause(sentence, token.i, subject, verb_forms(token, []), "", (made,), undated)
            check(clause)
            yield token.i, subject, clause
        except Unfit as why:
            yield token.i, subject, why


def _stated(sentence: Sentence, token: Token) -> int | None:
    """The verb of the statement that a verb of speech follows behind a comma; the parser may take both for roots."""
    if token.rel not in ("parataxis", "conj", "root") or folded(token) not in words("speech_verbs"):
        return None
    first = sentence.subtree(token.i)[0]
    if not first or "," not in (sentence.tokens[first].text, sentence.tokens[first - 1].text):
        return None
    if any(sentence.tokens[c].rel == "cc" for c in sentence.children[token.i]):
        return None
    roots = [t.i for t in sentence.tokens[:first] if t.rel == "root" and t.pos == "VERB"]
    return roots[0] if len(roots) == 1 and token.head in (-1, roots[0]) else None
