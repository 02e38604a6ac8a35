"""Main clauses with a named subject, taken apart so that they can be said again as questions.

A clause becomes a verb phrase with one slot, `{T}`, for the argument that is a triplet's tail; the verb phrase is kept in
the four forms that a question word may want («Кто», «Какая компания», «Какое издательство», «Какие страны»).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from dragon_pipeline.languages.ru import dates
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import block, close_quotes, folded, lower_first, render, trim
from dragon_pipeline.languages.ru.wordlists import words

KEPT = ("obj", "iobj", "obl", "obl:agent", "xcomp", "advmod", "nmod", "nummod:gov", "nummod", "compound")
LEFT_OUT = ("punct", "cc", "discourse", "conj", "vocative", "parataxis", "appos")
FORMS = {"masc": ("masc", "sing"), "femn": ("femn", "sing"), "neut": ("neut", "sing"), "plur": ("plur",)}
CUT_MARKS = ("чтобы", "хотя", "поскольку", "когда")
"""A clause after one of these can go and what is left stays true; after «если» it does not."""
PUNCTUATION = (",", ".", "«", "»", "—", "–", "-", "(", ")", '"', ":", ";")
LONGEST = 22
SPEECH_MARKS = ("—", "–", "-")


class Unfit(ValueError):
    """The clause cannot stand alone; the message is the reason."""


@dataclass(frozen=True)
class Block:
    """An argument of the verb: `root` is its head token, `text` as it goes into a question."""

    root: int
    indices: tuple[int, ...]
    text: str
    rel: str


@dataclass(frozen=True)
class Clause:
    sentence: Sentence
    verb: int
    subject: int
    """token that heads the subject"""
    verbs: dict[str, str]
    """the verb with its auxiliary, in the forms of FORMS"""
    lead: str
    """adverbs right before the verb"""
    blocks: tuple[Block, ...]
    undated: bool

    def phrase(self, form: str, slot: int | None = None) -> str:
        """The verb phrase; the block that `slot` heads is left as `{T}`."""
        said = " ".join(part for part in (self.lead, self.verbs[form]) if part)
        for b in self.blocks:
            said += (", " if b.rel == "ccomp" else " ") + ("{T}" if b.root == slot else b.text)
        return said


def clauses(sentence: Sentence, published: date | None) -> Iterator[tuple[int, int, Clause | Unfit]]:
    """(verb, subject, clause or why it is unfit) for every main verb of a sentence that has a subject of its own or shares one."""
    if _is_speech(sentence):
        return
    yield from _reported(sentence, published)
    for token in sentence.tokens:
        if not _is_main(sentence, token):
            continue
        subject = _subject(sentence, token.i)
        if subject is None:
            continue
        try:
            yield token.i, subject, _clause(sentence, token.i, subject, published)
        except Unfit as why:
            yield token.i, subject, why


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


def own_subject(sentence: Sentence, verb: int) -> int | None:
    """The nominative subject of a verb, when it has just one."""
    found = [c for c in sentence.children[verb] if sentence.tokens[c].rel in ("nsubj", "nsubj:pass")]
    if len(found) != 1 or sentence.tokens[found[0]].feats.get("Case", "Nom") != "Nom":
        return None
    return found[0]


def _clause(sentence: Sentence, verb: int, subject: int, published: date | None) -> Clause:
    token = sentence.tokens[verb]
    if folded(token) in words("weak_verbs"):
        raise Unfit("weak_verb")
    auxiliaries, lead, blocks, undated = [], [], [], False
    for child in sentence.children[verb]:
        part = sentence.tokens[child]
        if part.rel == "punct" and part.text not in PUNCTUATION:
            raise Unfit("symbol")
        if child == subject or part.rel in LEFT_OUT or fold(part.text) in words("droppable"):
            continue
        if part.rel in ("aux", "aux:pass"):
            auxiliaries.append(part)
        elif part.rel == "advcl" and (part.feats.get("VerbForm") == "Conv" or _mark(sentence, child) in CUT_MARKS):
            continue
        elif part.rel == "ccomp" and folded(token) in words("speech_verbs"):
            made, relative = _said(sentence, child, published)
            undated = undated or relative
            blocks.append(made)
        elif part.rel not in KEPT:
            raise Unfit("subordinate" if part.rel in ("ccomp", "advcl", "csubj", "mark") else "syntax")
        elif part.rel == "advmod" and not sentence.children[child] and child == verb - 1:
            lead.append(part.text)
        else:
            try:
                made, relative = _block(sentence, child, token, published)
            except Unfit:
                if _can_go(sentence, child, verb):
                    continue
                raise
            if _can_go(sentence, child, verb) and _points(sentence, made.indices):
                continue
            undated = undated or relative
            blocks.append(made)
    if "не" in [fold(t) for t in lead] or any(
        fold(sentence.tokens[c].text) in ("не", "бы", "ни") for c in sentence.children[verb]
    ):
        raise Unfit("negated")
    blocks.sort(key=lambda b: (_place(b, verb), b.indices[0]))
    clause = Clause(sentence, verb, subject, verb_forms(token, auxiliaries), " ".join(lead).lower(), tuple(blocks), undated)
    _check(clause)
    return clause


def _can_go(sentence: Sentence, child: int, verb: int) -> bool:
    """An adverbial before the verb: without «после этого», «в прошлом году» the statement stays true."""
    return child < verb and sentence.tokens[child].rel in ("obl", "advmod")


def _points(sentence: Sentence, indices: Iterable[int]) -> bool:
    """Whether a word in it points at something outside."""
    tokens = [sentence.tokens[i] for i in indices]
    return any(
        (t.pos in ("PRON", "DET") and folded(t) not in ("свой", "что")) or {folded(t), fold(t.text)} & words("anaphora")
        for t in tokens
    )


def _mark(sentence: Sentence, i: int) -> str:
    return next((fold(sentence.tokens[c].text) for c in sentence.children[i] if sentence.tokens[c].rel == "mark"), "")


def _place(b: Block, verb: int) -> int:
    """An object goes right behind its verb, what followed the verb comes next, what stood before it last, «что …» at the end."""
    fronted = b.root < verb
    return 3 if b.rel == "ccomp" else 0 if fronted and b.rel in ("obj", "iobj") else 2 if fronted else 1


def _block(sentence: Sentence, root: int, verb: Token, published: date | None) -> tuple[Block, bool]:
    indices = block(sentence, root)
    if indices is None:
        raise Unfit("gaps")
    indices = close_quotes(sentence, indices)
    text = lower_first(sentence, indices, render(sentence, indices))
    relative = False
    try:
        text = dates.absolute(text, published, past=verb.feats.get("Tense") != "Fut")
    except dates.Relative as why:
        if str(why) != "undated":
            raise Unfit(str(why)) from why
        relative = True
    return Block(root, tuple(indices), text, sentence.tokens[root].rel), relative


def _said(sentence: Sentence, root: int, published: date | None) -> tuple[Block, bool]:
    """«, что …»: what somebody stated, without relative clauses and asides."""
    indices = block(sentence, root)
    tokens = [sentence.tokens[i] for i in indices or ()]
    if not indices or tokens[0].text.lower() != "что" or sentence.tokens[root].pos != "VERB" or not own_subject(sentence, root):
        raise Unfit("subordinate")
    return _statement(sentence, root, indices, published)


def _statement(sentence: Sentence, root: int, indices: list[int], published: date | None) -> tuple[Block, bool]:
    tokens = [sentence.tokens[i] for i in indices]
    if any(t.text in ("—", "–", ":", ";", "(") for t in tokens) or sum(t.text == "," for t in tokens) > 1:
        raise Unfit("subordinate")
    if sum(t.pos == "VERB" and t.feats.get("VerbForm") == "Fin" for t in tokens) > 2 or len(tokens) > LONGEST:
        raise Unfit("subordinate")
    text = lower_first(sentence, indices, render(sentence, indices))
    text = text if text.startswith("что ") else f"что {text}"
    try:
        return Block(root, tuple(indices), text, "ccomp"), dates.absolute(text, published) != text
    except dates.Relative as why:
        raise Unfit(str(why)) from why


def _reported(sentence: Sentence, published: date | None) -> Iterator[tuple[int, int, Clause | Unfit]]:
    """«…, сообщил представитель Минобороны Игорь Конашенков.»: the sentence's own statement with the one who made it behind it."""
    for token in sentence.tokens:
        subject = (
            own_subject(sentence, token.i) if token.rel == "parataxis" and folded(token) in words("speech_verbs") else None
        )
        if subject is None or sentence.tokens[token.head].rel != "root" or sentence.tokens[token.head].pos != "VERB":
            continue
        tail = sentence.subtree(token.i)
        indices = trim(sentence, list(range(tail[0])))
        whole = set(range(tail[0], len(sentence.tokens))) - set(tail)
        if not indices or any(sentence.tokens[i].pos != "PUNCT" for i in whole) or "«" == sentence.tokens[indices[0]].text:
            continue
        try:
            made, undated = _statement(sentence, token.head, indices, published)
            clause = Clause(sentence, token.i, subject, verb_forms(token, []), "", (made,), undated)
            _check(clause)
            yield token.i, subject, clause
        except Unfit as why:
            yield token.i, subject, why


def verb_forms(verb: Token, auxiliaries: list[Token]) -> dict[str, str]:
    """The verb with its auxiliaries in the forms of FORMS.

    Raises:
        Unfit: the dictionary does not know a form.
    """
    forms = {}
    for name, grammemes in FORMS.items():
        parts = []
        for token in [*auxiliaries, verb]:
            number = grammemes[-1]
            wanted = (
                grammemes
                if "Gender" in token.feats or token.feats.get("Tense") == "Past" or token.feats.get("Variant")
                else (number,)
            )
            prefer = ("past",) if token.feats.get("Tense") == "Past" else ("3per",)
            form = inflect(token.text, *wanted, pos=("VERB", "PRTS"), prefer=prefer)
            if form is None:
                raise Unfit("verb_form")
            parts.append(form.lower())
        forms[name] = " ".join(parts)
    return forms


def _check(clause: Clause) -> None:
    """A verb phrase stands alone when it names something and points at nothing outside."""
    sentence = clause.sentence
    used = [sentence.tokens[i] for b in clause.blocks for i in b.indices]
    said = {i for b in clause.blocks if b.rel == "ccomp" for i in b.indices}
    if not clause.blocks:
        raise Unfit("bare_verb")
    if sum(b.rel == "obj" for b in clause.blocks) > 1:
        raise Unfit("two_objects")
    if set(fold(clause.lead).split()) & words("anaphora"):
        raise Unfit("anaphora")
    content = sum(t.pos in ("NOUN", "PROPN", "ADJ", "NUM", "VERB") for t in used)
    if folded(sentence.tokens[clause.verb]) in words("speech_verbs") and not said and content < 5:
        raise Unfit("speech")
    if len(used) > LONGEST:
        raise Unfit("long")
    if _points(sentence, [t.i for t in used]):
        raise Unfit("anaphora")
    for token in used:
        if token.pos == "VERB" and token.feats.get("VerbForm") == "Fin" and token.i not in said:
            raise Unfit("subordinate")
        if fold(token.text) in ("а", "но", "либо", "или", "не", "ни"):
            raise Unfit("contrast")
        if token.text in (";", ":", "—", "–", "/") or "\n" in token.text:
            raise Unfit("punctuation")
    named = any(sentence.name_at(i) is not None for b in clause.blocks for i in b.indices)
    if not named and content < 4 and not any(t.text in ("«",) or t.text[:1].isdigit() for t in used):
        raise Unfit("names_nothing")
    if content < 2:
        raise Unfit("thin")
    for b in clause.blocks:
        root = sentence.tokens[b.root]
        bare = not any(
            sentence.tokens[c].rel not in ("case", "punct", "cc") for c in sentence.children[b.root] if c in b.indices
        )
        if root.pos == "NOUN" and bare and folded(root) in words("vague_nouns") and sentence.name_at(b.root) is None:
            raise Unfit("vague_noun")
