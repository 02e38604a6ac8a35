"""Main clauses with a named subject, taken apart so that they can be said again as questions.

A clause becomes a verb phrase with one slot, `{T}`, for the argument that is a triplet's tail; the verb phrase is kept in
the four forms that a question word may want («Кто», «Какая компания», «Какое издательство», «Какие страны»).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from dragon_pipeline.languages.ru import dates
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import block, close_quotes, folded, lower_first, render
from dragon_pipeline.languages.ru.wordlists import words

KEPT = ("obj", "iobj", "obl", "obl:agent", "xcomp", "advmod", "nmod", "nummod:gov", "nummod", "compound")
LEFT_OUT = ("punct", "cc", "discourse", "conj", "vocative", "parataxis", "appos")
FORMS = {"masc": ("masc", "sing"), "femn": ("femn", "sing"), "neut": ("neut", "sing"), "plur": ("plur",)}
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
        parts = [self.lead, self.verbs[form]] + ["{T}" if b.root == slot else b.text for b in self.blocks]
        return " ".join(part for part in parts if part)


def clauses(sentence: Sentence, published: date | None) -> Iterator[tuple[int, int, Clause | Unfit]]:
    """(verb, subject, clause or why it is unfit) for every main verb of a sentence that has a subject of its own or shares one."""
    if _is_speech(sentence):
        return
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
    own = _own_subject(sentence, verb)
    if own is not None:
        return own
    token = sentence.tokens[verb]
    if token.rel == "conj" and sentence.tokens[token.head].pos == "VERB":
        between = sentence.tokens[token.head : verb]
        if any(t.rel in ("nsubj", "nsubj:pass", "mark") for t in between if t.head != token.head):
            return None
        first = _own_subject(sentence, token.head)
        same = all(
            token.feats.get(f) == sentence.tokens[token.head].feats.get(f) for f in ("Number", "Gender", "Tense", "Voice")
        )
        return first if same else None
    return None


def _own_subject(sentence: Sentence, verb: int) -> int | None:
    found = [c for c in sentence.children[verb] if sentence.tokens[c].rel in ("nsubj", "nsubj:pass")]
    return found[0] if len(found) == 1 else None


def _clause(sentence: Sentence, verb: int, subject: int, published: date | None) -> Clause:
    token = sentence.tokens[verb]
    if folded(token) in words("weak_verbs"):
        raise Unfit("weak_verb")
    auxiliaries, lead, blocks, undated = [], [], [], False
    for child in sentence.children[verb]:
        part = sentence.tokens[child]
        if child == subject or part.rel in LEFT_OUT or fold(part.text) in words("droppable"):
            continue
        if part.rel in ("aux", "aux:pass"):
            auxiliaries.append(part)
        elif part.rel == "advcl" and part.feats.get("VerbForm") == "Conv":
            continue
        elif part.rel not in KEPT:
            raise Unfit("subordinate" if part.rel in ("ccomp", "advcl", "csubj", "mark") else "syntax")
        elif part.rel == "advmod" and not sentence.children[child] and child == verb - 1:
            lead.append(part.text)
        else:
            made, relative = _block(sentence, child, token, published)
            undated = undated or relative
            blocks.append(made)
    if "не" in [fold(t) for t in lead] or any(fold(sentence.tokens[c].text) in ("не", "бы", "ни") for c in sentence.children[verb]):
        raise Unfit("negated")
    blocks.sort(key=lambda b: (b.root < verb, b.indices[0]))
    clause = Clause(
        sentence, verb, subject, _verb_forms(token, auxiliaries), " ".join(lead).lower(), tuple(blocks), undated
    )
    _check(clause)
    return clause


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


def _verb_forms(verb: Token, auxiliaries: list[Token]) -> dict[str, str]:
    forms = {}
    for name, grammemes in FORMS.items():
        parts = []
        for token in [*auxiliaries, verb]:
            number = grammemes[-1]
            wanted = grammemes if "Gender" in token.feats or token.feats.get("Tense") == "Past" or token.feats.get("Variant") else (number,)
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
    if not clause.blocks:
        raise Unfit("bare_verb")
    if len(used) > LONGEST:
        raise Unfit("long")
    for token in used:
        if token.pos in ("PRON", "DET") and folded(token) not in ("свой",) or {folded(token), fold(token.text)} & words("anaphora"):
            raise Unfit("anaphora")
        if token.pos == "VERB" and token.feats.get("VerbForm") == "Fin":
            raise Unfit("subordinate")
        if token.text in (";", ":", "—", "–", "/") or "\n" in token.text:
            raise Unfit("punctuation")
    named = any(sentence.name_at(i) is not None for b in clause.blocks for i in b.indices)
    if not named and not any(t.text in ("«",) or t.text[:1].isdigit() for t in used):
        raise Unfit("names_nothing")
    if sum(t.pos in ("NOUN", "PROPN", "ADJ", "NUM", "VERB") for t in used) < 2:
        raise Unfit("thin")
    for b in clause.blocks:
        root = sentence.tokens[b.root]
        bare = not any(sentence.tokens[c].rel not in ("case", "punct", "cc") for c in sentence.children[b.root] if c in b.indices)
        if root.pos == "NOUN" and bare and folded(root) in words("vague_nouns") and sentence.name_at(b.root) is None:
            raise Unfit("vague_noun")
