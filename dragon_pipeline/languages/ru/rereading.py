"""Whether a clause said alone reads as it did in its sentence: parsed once more, every argument must still be the verb's.

The parser errs in long sentences and where an argument may belong to two words. It seldom errs the same way twice, so what it
takes apart differently when the rest of the sentence is gone is not asked about.
"""

from collections.abc import Sequence
from dataclasses import replace

from dragon_pipeline.languages.ru.clause import Block, Clause, Unfit
from dragon_pipeline.languages.ru.parsing import Token, parse_syntax
from dragon_pipeline.languages.ru.phrases import block, render

FORM_OF_GENDER = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}


def settled(clause: Clause) -> Clause:
    """The clause in an order in which it reads as in its sentence: as it is, or with what stood before its verb there before
    it again («в ноябре объявил о намерении уйти 1 декабря»).

    Raises:
        Unfit: there is none.
    """
    wrong = _misread(clause)
    if not wrong:
        return clause
    back = {b.root for b in clause.blocks if b.root in wrong and b.rel in ("obl", "advmod") and _is_surely_of(clause.verb, b)}
    moved = replace(clause, blocks=tuple(replace(b, ahead=b.root in back) for b in clause.blocks))
    if back != wrong or _misread(moved):
        raise Unfit("reads_otherwise")
    return moved


def _is_surely_of(verb: int, block: Block) -> bool:
    """Whether it stood before the verb, or at once behind it."""
    return block.root < verb or block.indices[0] == verb + 1


def _misread(clause: Clause) -> set[int]:
    """Roots of the arguments that hang on something else than the verb now, the verb itself when it or its subject is lost."""
    subject, said = _subject(clause), clause.phrase(_form(clause))
    tokens = parse_syntax(f"{subject} {said}.")
    spoken = clause.verbs[_form(clause)].split()[-1]
    verb = next((t for t in tokens if t.start > len(subject) and t.text == spoken), None)
    if verb is None or verb.rel != "root" or not _has_subject(tokens, verb, len(subject)):
        return {clause.verb}
    wrong, stop = set[int](), 0
    for b in clause.spoken():
        start = said.index(b.text, stop)
        stop = start + len(b.text)
        inside = [t for t in tokens if start <= t.start - len(subject) - 1 < stop]
        if b.rel != "ccomp" and not _hangs_on(verb, inside):
            wrong.add(b.root)
    return wrong


def _hangs_on(verb: Token, inside: Sequence[Token]) -> bool:
    """Whether nothing in the phrase depends on a word outside it, but on the verb."""
    held = {t.i for t in inside} | {verb.i}
    return all(t.head in held or t.rel == "punct" for t in inside)


def _has_subject(tokens: Sequence[Token], verb: Token, stop: int) -> bool:
    found = [t for t in tokens if t.head == verb.i and t.rel.startswith("nsubj")]
    return len(found) == 1 and found[0].start < stop


def _subject(clause: Clause) -> str:
    name = clause.sentence.name_at(clause.subject)
    indices = list(range(name.first, name.last + 1)) if name else block(clause.sentence, clause.subject)
    text = render(clause.sentence, indices or [clause.subject])
    return text[:1].upper() + text[1:]


def _form(clause: Clause) -> str:
    feats = clause.sentence.tokens[clause.verb].feats
    return "plur" if feats.get("Number") == "Plur" else FORM_OF_GENDER.get(feats.get("Gender", "Masc"), "masc")
