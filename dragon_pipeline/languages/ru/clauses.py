"""Main clauses with a named subject, taken apart so that they can be said again as questions.

A clause becomes a verb phrase with one slot, `{T}`, for the argument that is a triplet's tail; the verb phrase is kept in
the four forms that a question word may want («Кто», «Какая компания», «Какое издательство», «Какие страны»).
"""

import re
from collections.abc import Iterator
from datetime import date

from dragon_pipeline.languages.ru import dates
from dragon_pipeline.languages.ru.clause import Block, Clause, Unfit
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import block, close_quotes, folded, lower_first, render
from dragon_pipeline.languages.ru.rereading import settled
from dragon_pipeline.languages.ru.standing import check, points_outside
from dragon_pipeline.languages.ru.statements import complement, fronted, is_fronted, is_hearsay, reported
from dragon_pipeline.languages.ru.verbs import own_subject, verb_forms
from dragon_pipeline.languages.ru.wordlists import lines, words

KEPT = ("obj", "iobj", "obl", "obl:agent", "xcomp", "advmod", "nmod", "nummod:gov", "nummod", "compound")
LEFT_OUT = ("punct", "aux", "aux:pass", "cc", "discourse", "conj", "vocative", "parataxis", "appos")
CUT_MARKS = ("чтобы", "хотя", "поскольку", "когда")
"""A clause after one of these can go and what is left stays true; after «если» it does not."""
COUNTED = re.compile(
    r"(?:через|спустя|по прошествии) (?:[\w-]+ ){0,2}(?:лет|год|года|месяц|месяца|месяцев|недел\w+|дня|дней|час\w*|минут\w*)"
)
"""Counted from a day that only the text before tells: without it, still true. «Через два дня после пожара» stays."""
PUNCTUATION = (",", ".", "«", "»", "—", "–", "-", "(", ")", '"', ":", ";")
SPEECH_MARKS = ("—", "–", "-")


def clauses(sentence: Sentence, published: date | None) -> Iterator[tuple[int, int, Clause | Unfit]]:
    """(verb, subject, clause or why it is unfit) for every main verb with a subject of its own or a shared one."""
    if _is_speech(sentence):
        return
    yield from reported(sentence, published)
    for verb, subject in main_verbs(sentence):
        if subject is None:
            continue
        try:
            yield verb, subject, clause_of(sentence, verb, subject, published)
        except Unfit as why:
            yield verb, subject, why


def main_verbs(sentence: Sentence) -> Iterator[tuple[int, int | None]]:
    """(verb, its subject, be it a shared one) of every main verb; none of direct speech."""
    if not _is_speech(sentence):
        yield from ((token.i, _subject(sentence, token.i)) for token in sentence.tokens if _is_main(sentence, token))


def _is_speech(sentence: Sentence) -> bool:
    """Direct speech, a question, a dialogue or a headline in capitals: nothing that the article itself states."""
    texts = [t.text for t in sentence.tokens]
    return (
        len(texts) > 60
        or texts[0] in SPEECH_MARKS
        or any(mark in texts for mark in ("?", "!", "…", "...", "\n"))
        or texts.count("«") != texts.count("»")
        or any(t.feats.get("Person") in ("1", "2") for t in sentence.tokens)
        or texts[-1] not in (".", "»", '"')
        or sum(t.isupper() and len(t) > 4 for t in texts) > 3
    )


def _is_main(sentence: Sentence, token: Token) -> bool:
    if token.pos not in ("VERB", "ADJ") or token.feats.get("VerbForm", "Fin") not in ("Fin", "Part"):
        return False
    if token.feats.get("VerbForm") == "Part" and token.feats.get("Variant") != "Short":
        return False
    if token.pos == "ADJ" or token.feats.get("Mood", "Ind") != "Ind":
        return False
    seen = set()
    while token.rel == "conj" and token.head >= 0 and token.i not in seen:
        seen.add(token.i)
        token = sentence.tokens[token.head]
    return token.rel == "root" and token.pos in ("VERB",)


def _subject(sentence: Sentence, verb: int) -> int | None:
    own = own_subject(sentence, verb)
    if own is not None:
        return own
    token = sentence.tokens[verb]
    if token.rel == "conj" and sentence.tokens[token.head].pos == "VERB":
        between = sentence.tokens[token.head : verb]
        if any(t.rel in ("nsubj", "nsubj:pass", "mark") for t in between if t.head != token.head):
            return None
        first = own_subject(sentence, token.head)
        same = all(
            token.feats.get(f) == sentence.tokens[token.head].feats.get(f) for f in ("Number", "Gender", "Tense", "Voice")
        )
        return first if same else None
    return None


def clause_of(sentence: Sentence, verb: int, subject: int, published: date | None) -> Clause:
    """The verb with its arguments.

    Raises:
        Unfit: it cannot be said on its own.
    """
    token = sentence.tokens[verb]
    if folded(token) in words("weak_verbs"):
        raise Unfit("weak_verb")
    if is_hearsay(sentence, token):
        raise Unfit("hearsay")
    if not agrees(sentence, subject, token):
        raise Unfit("agreement")
    if _reaches_over(sentence, subject, verb):
        raise Unfit("gaps")
    children = [sentence.tokens[c] for c in sentence.children[verb] if c != subject]
    if any(fold(part.text) in ("не", "бы", "ни") for part in children):
        raise Unfit("negated")
    if any(part.rel == "punct" and part.text not in PUNCTUATION for part in children):
        raise Unfit("symbol")
    auxiliaries = [part for part in children if part.rel in ("aux", "aux:pass")]
    rest = [part for part in children if is_fronted(sentence, part, token) or not _is_left_out(sentence, part)]
    lead = [part for part in rest if part.rel == "advmod" and not sentence.children[part.i] and part.i == verb - 1]
    if any(_is_behind_converb(sentence, part, children) for part in rest):
        raise Unfit("behind_converb")
    made = [_argument(sentence, part, token, published) for part in rest if part not in lead]
    blocks = sorted((b for b, _ in filter(None, made)), key=lambda b: (_place(b, verb), b.indices[0]))
    undated = any(relative for _, relative in filter(None, made))
    adverbs = " ".join(part.text for part in lead).lower()
    clause = Clause(sentence, verb, subject, verb_forms(token, auxiliaries), adverbs, tuple(blocks), undated)
    check(clause)
    return settled(clause)


def _reaches_over(sentence: Sentence, subject: int, verb: int) -> bool:
    """Whether the parser hangs words on the subject that stand on the other side of the verb, with no comma before them."""
    over = [i for i in sentence.subtree(subject) if (i > verb) != (subject > verb) and sentence.tokens[i].pos != "PUNCT"]
    return bool(over) and sentence.tokens[over[0] - 1].text not in (",", "—", "–", "(")


def agrees(sentence: Sentence, subject: int, verb: Token) -> bool:
    """Whether the subject can be the verb's: the parser takes «запреты» for the subject of «прибег»."""
    number = sentence.tokens[subject].feats.get("Number")
    gender, said = sentence.tokens[subject].feats.get("Gender"), verb.feats.get("Gender")
    if any(
        sentence.tokens[c].rel in ("conj", "nummod", "nummod:gov", "appos", "flat:name") for c in sentence.children[subject]
    ):
        return True
    if number == "Plur" and verb.feats.get("Number") == "Sing":
        return sentence.name_at(subject) is not None  # «США ввели», but also «„Известия“ сообщила»
    return not (
        sentence.tokens[subject].pos == "NOUN"
        and sentence.tokens[subject].feats.get("Animacy") == "Inan"
        and number == "Sing"
        and gender
        and said
        and gender != said
    )


def _is_behind_converb(sentence: Sentence, part: Token, children: list[Token]) -> bool:
    """What follows a converb that is left out may belong to it: «стал президентом, получив во втором туре 66% голосов»."""
    return any(
        c.rel == "advcl" and c.feats.get("VerbForm") == "Conv" and sentence.tokens[c.head].i < c.i < part.i for c in children
    )


def _is_left_out(sentence: Sentence, part: Token) -> bool:
    """What can go: other clauses, asides, «также», and clauses without which the statement stays true."""
    if part.rel in LEFT_OUT or fold(part.text) in words("droppable"):
        return True
    return part.rel == "advcl" and (part.feats.get("VerbForm") == "Conv" or _mark(sentence, part.i) in CUT_MARKS)


def _argument(sentence: Sentence, part: Token, verb: Token, published: date | None) -> tuple[Block, bool] | None:
    """The argument and whether it holds a date that only the article's own date could tell; None when it can go."""
    if is_fronted(sentence, part, verb):
        return fronted(sentence, part.i, verb.i, published)
    if part.rel == "ccomp" and folded(verb) in words("speech_verbs"):
        return complement(sentence, part.i, published)
    if part.rel not in KEPT:
        raise Unfit("subordinate" if part.rel in ("ccomp", "advcl", "csubj", "mark") else "syntax")
    can_go = part.i < verb.i and part.rel in ("obl", "advmod")  # «после этого», «в прошлом году»: without it, still true
    text = fold(" ".join(sentence.tokens[i].text for i in sentence.subtree(part.i))).strip(" ,")
    if text in lines("connectives") or COUNTED.fullmatch(text):
        return None
    try:
        made = _block(sentence, part.i, verb, published)
    except Unfit:
        if can_go:
            return None
        raise
    return None if can_go and points_outside(sentence, made[0].indices) else made


def _mark(sentence: Sentence, i: int) -> str:
    return next((fold(sentence.tokens[c].text) for c in sentence.children[i] if sentence.tokens[c].rel == "mark"), "")


def _place(b: Block, verb: int) -> int:
    """An object goes right behind its verb, then what followed the verb, then what stood before it, «что …» at the end."""
    fronted = b.root < verb
    return 3 if b.rel == "ccomp" else 0 if fronted and b.rel in ("obj", "iobj") else 2 if fronted else 1


def _lost_its_clause(sentence: Sentence, root: int, indices: list[int]) -> bool:
    """«сделал серию публикаций, в которых обвинил …»: a nameless object says little without its clause."""
    token = sentence.tokens[root]
    cut = any(
        sentence.tokens[c].rel in ("acl:relcl", "acl") and c not in indices for i in indices for c in sentence.children[i]
    )
    return cut and token.rel in ("obj", "obl", "iobj") and not any(sentence.name_at(i) is not None for i in indices)


def _is_padding(sentence: Sentence, indices: list[int]) -> bool:
    """Whether the first word can go; «ещё один» is another one."""
    first, *rest = (fold(sentence.tokens[i].text) for i in indices)
    return bool(rest) and (first in ("и", "же", "лишь", "только") or (first == "еще" and not rest[0].startswith("од")))


def _is_bare_nominative(sentence: Sentence, root: int) -> bool:
    """Whether a person stands beside the subject in its case: another subject, or a predicate that lost its verb."""
    token = sentence.tokens[root]
    led = any(sentence.tokens[c].rel in ("case", "mark", "nummod", "nummod:gov") for c in sentence.children[root])
    return token.feats.get("Animacy") == "Anim" and token.feats.get("Case") == "Nom" and not led


def _refuse_lost_conjunction(sentence: Sentence, root: int, first: int) -> None:
    """«вместе с Анной и двумя дочерьми», of which the parser makes two."""
    before = sentence.tokens[first - 1].feats.get("Case") if first else None
    if before is not None and before == sentence.tokens[root].feats.get("Case"):
        raise Unfit("conjunction_lost")


def _block(sentence: Sentence, root: int, verb: Token, published: date | None) -> tuple[Block, bool]:
    indices = block(sentence, root)
    if indices is None:
        raise Unfit("gaps")
    indices = close_quotes(sentence, indices)
    if indices[0] > 0 and sentence.tokens[indices[0] - 1].pos == "ADP":
        raise Unfit("preposition_lost")
    if _is_bare_nominative(sentence, root):
        raise Unfit("nominative")  # «умер в мире физик-теоретик»
    if (
        sentence.tokens[root].rel == "obj"
        and sentence.tokens[indices[0]].text == "«"
        and folded(verb) not in words("naming_verbs")
    ):
        raise Unfit("bare_title")
    if _lost_its_clause(sentence, root, indices):
        raise Unfit("clause_cut")
    if _is_padding(sentence, indices):
        _refuse_lost_conjunction(sentence, root, indices[0])
        indices = indices[1:]  # «подверг критике и ситуацию»: the «и» belongs to the sentence before; «ещё в 2016 году»
    text = lower_first(sentence, indices, render(sentence, indices))
    relative = False
    try:
        text = dates.absolute(text, published, past=verb.feats.get("Tense") != "Fut")
    except dates.Relative as why:
        if str(why) != "undated":
            raise Unfit(str(why)) from why
        relative = True
    return Block(root, tuple(indices), text, sentence.tokens[root].rel), relative
