"""Subjects of a clause as named nodes, each with the question word that asks for it."""

from dataclasses import dataclass, replace

from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, block, folded, lower_first, name_of, quoted, render
from dragon_pipeline.languages.ru.question_words import OBVIOUS, which
from dragon_pipeline.languages.ru.wordlists import words

FORM_OF = {"Masc": "masc", "Fem": "femn", "Neut": "neut"}


@dataclass(frozen=True)
class Head:
    """A subject: `said` as it stands before the verb, `who` the question word that asks for it."""

    text: str
    kind: str
    said: str
    said_form: str
    who: str | None
    """null: the subject cannot be asked for («выручка компании „Полярис“»)"""
    form: str
    sure: bool


def subjects(sentence: Sentence, root: int, verb: Token, forms: dict[int, Form]) -> list[Head]:
    """The subject, or all of them when they are coordinated; empty when one of them has no usable name."""
    roots = [root] + [c for c in sentence.children[root] if sentence.tokens[c].rel == "conj"]
    if any(sentence.tokens[i].text in ("—", "–", "а") for i in range(root, max(roots))):
        return []  # «в 1999 году вступили Польша и Чехия, а в 2004-м — Литва»: of another year
    found = [_head(sentence, i, forms) for i in roots]
    if all(found):
        return [_agreeing(head, verb) for head in found if head is not None]
    plain = _plain_head(sentence, root, verb)
    return [plain] if plain is not None else []


def _agreeing(head: Head, verb: Token) -> Head:
    """A person has the gender of the verb: of «Цай Инвэнь» nothing else tells."""
    form = FORM_OF.get(verb.feats.get("Gender", ""))
    return replace(head, said_form=form) if head.kind == "PER" and form in ("masc", "femn") else head


def _plain_head(sentence: Sentence, root: int, verb: Token) -> Head | None:
    """A common noun with a name in its phrase: it stands in a question word for word, but is not asked for."""
    token = sentence.tokens[root]
    indices = block(sentence, root)
    if token.pos != "NOUN" or sentence.name_at(root) is not None or not indices or len(indices) > 12:
        return None
    tokens = [sentence.tokens[i] for i in indices]
    if any(
        t.pos in ("PRON", "DET", "VERB") or {folded(t), fold(t.text)} & words("anaphora") or t.text in (",", ":", "—", "–")
        for t in tokens
    ):
        return None
    if not any(sentence.name_at(i) is not None or sentence.tokens[i].text == "«" for i in indices):
        return None
    text = lower_first(sentence, indices, render(sentence, indices))
    number = (
        "plur"
        if verb.feats.get("Number") == "Plur"
        else FORM_OF.get(verb.feats.get("Gender", token.feats.get("Gender", "")), "masc")
    )
    return Head(text, "OTHER", text, number, None, number, True)


def _head(sentence: Sentence, root: int, forms: dict[int, Form]) -> Head | None:
    name = name_of(sentence, root)
    token = sentence.tokens[root]
    if token.feats.get("Case", "Nom") != "Nom":
        return None
    if name is not None and name.kind == "PER":
        form = forms[name.start]
        if not is_full(form.text) or sentence.tokens[name.head].feats.get("Case", "Nom") != "Nom":
            return None
        gender = sentence.tokens[name.head].feats.get("Gender", token.feats.get("Gender", "Masc"))
        return Head(form.text, "PER", form.text, FORM_OF.get(gender, "masc"), "Кто", "masc", form.sure)
    if name is not None and name.kind == "LOC" and name.head == root:
        text = forms[name.start].text
        if place_noun(text) != "страна":
            return None
        number = "plur" if token.feats.get("Number") == "Plur" else FORM_OF.get(token.feats.get("Gender", ""), "femn")
        return Head(text, "LOC", text, number, None if text in OBVIOUS else "Какая страна", "femn", True)
    noun = token if folded(token) in CLASS_NOUNS and token.feats.get("Number") == "Sing" else None
    if noun is None or sentence.name_at(root) is not None:
        return None
    span = quoted(sentence, root)
    title = render(sentence, range(span[0], span[1] + 1)) if span else (forms[name.start].text if name is not None else None)
    if title is None:
        return None
    form = FORM_OF.get(noun.feats.get("Gender", ""), "masc")
    lemma = noun.lemma
    said = f"{lemma} «{title}»" if span else f"{lemma} {title}"
    return Head(
        title,
        "WORK" if fold(lemma) in words("work_nouns") else "ORG",
        said,
        form,
        which(noun, "Nom", "Sing", ""),
        form,
        True,
    )
