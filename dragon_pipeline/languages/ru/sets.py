"""Questions that a coordinated list of names answers: «С кем …», «Какие страны …», «Между какими городами …».

A clause that stands alone is said again with a question word in the place of its list. Without a year of its own it is told
with the day of its news («Кто, как сообщалось 5 мая 2017 года, …»).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from dragon_pipeline.languages.ru import dates
from dragon_pipeline.languages.ru.clause import EVERYWHERE, Block, Clause, Unfit
from dragon_pipeline.languages.ru.clauses import clause_of, main_verbs
from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.lists import NameList, name_lists
from dragon_pipeline.languages.ru.parsing import Sentence
from dragon_pipeline.languages.ru.phrases import block, folded, lower_first, render
from dragon_pipeline.languages.ru.set_words import question_word, which_of_whom
from dragon_pipeline.languages.ru.standing import is_told
from dragon_pipeline.languages.ru.wordlists import words

LATIN = re.compile(r"[A-Z][a-z]{2,}")
LONGEST_BEFORE = (6, 3)
"""Words before «каких стран», and before «между какими странами»."""
YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
OWN = re.compile(r"\bсво(?:и|их|им|ими|его|ему|ей|ю|й|е|ё|я)\b")
LONGEST = 26
"""Words of a question, its date included."""
ENOUGH = 4
"""Content words of a dated clause that needs no name."""
CONTENT = ("NOUN", "PROPN", "ADJ", "NUM")
FAR = ("из", "от", "для", "к", "ко", "о", "об", "по")
"""Prepositions that belong to the noun before them as often as to the verb."""


@dataclass(frozen=True)
class SetQuestion:
    question: str
    """without its question mark"""
    given: str
    given_kind: str
    relation: str
    """what is said of all members"""
    listed: NameList


def set_questions(told: Sentence, forms: dict[int, Form], published: date | None) -> Iterator[SetQuestion]:
    """A question for every list in a main clause of the sentence that stands alone."""
    lists = list(name_lists(told, forms))
    for verb, own in main_verbs(told) if lists else ():
        for listed in lists:
            subject = own if own is not None else as_subject(told, listed, verb)
            if subject is not None:
                try:
                    yield ask(told, listed, (verb, subject), forms, published)
                except Unfit:
                    continue


def as_subject(sentence: Sentence, listed: NameList, verb: int) -> int | None:
    """The list, where the verb has no other subject and its names stand in the nominative, whatever the tagger says."""
    token, top = sentence.tokens[verb], sentence.tokens[listed.top]
    bare = not listed.prepositions and top.head == verb and token.feats.get("Number") == "Plur"
    shown = all(render(sentence, range(m.first, m.last + 1)).strip("«»") == m.text for m in listed.members)
    return listed.top if bare and shown and not listed.headed else None


def ask(
    sentence: Sentence, listed: NameList, at: tuple[int, int], forms: dict[int, Form], published: date | None
) -> SetQuestion:
    """The question for one list of one clause.

    Args:
        at: verb and subject.
        published: the day of the news.

    Raises:
        Unfit: the list is no argument of the verb, or the clause does not stand alone without it.
    """
    verb, subject = at
    root = _argument_of(sentence, listed, verb)
    clause = clause_of(sentence, verb, subject, published)
    if clause.undated or any(b.rel == "ccomp" for b in clause.blocks):
        raise Unfit("undated_or_speech")
    asked, rest = _of_subject(clause, listed) if root == subject else _of_block(clause, listed, root)
    if OWN.search(asked.lower()):
        raise Unfit("own")  # «Своих частот в каких городах лишилось …»
    used = [i for b in clause.blocks for i in b.indices] + (block(sentence, subject) or [])
    used = sorted(set(used) - set(listed.indices))
    dated = YEAR.search(f"{asked} {rest}") is not None
    if root == subject and folded(sentence.tokens[verb]) in words("speech_verbs") | words("reporting_verbs"):
        raise Unfit("speech")
    check(clause, used, dated, published is not None)
    question = f"{asked} {rest}" if dated or published is None else f"{asked}, как сообщалось {dates.say(published)}, {rest}"
    if len(question.split()) > LONGEST:
        raise Unfit("long")
    given, kind = _given(clause, used, forms)
    token = sentence.tokens[verb]
    return SetQuestion(question, given, kind, f"{token.lemma}: {asked[:1].lower()}{asked[1:]} {rest}", listed)


def _argument_of(sentence: Sentence, listed: NameList, verb: int) -> int:
    """The argument of the verb in which the list stands: its own top, or a noun above it."""
    i = listed.top
    for _ in range(3):
        token = sentence.tokens[i]
        if token.head == verb:
            return i
        if token.rel != "nmod" or token.head < 0 or token.head > i:
            break
        i = token.head
    raise Unfit("not_of_this_verb")


def _of_subject(clause: Clause, listed: NameList) -> tuple[str, str]:
    sentence = clause.sentence
    if listed.top == clause.subject:
        one = listed.kind == "PER" and not which_of_whom(sentence, listed)
        return question_word(sentence, listed), _said(clause, "masc" if one else "plur")
    indices = block(sentence, clause.subject) or []
    if not listed.prepositions or folded(sentence.tokens[clause.subject]) not in words("shared_events"):
        return _around(clause, indices, listed), _said(clause, form_of(clause))
    kept = _without_list(clause, clause.subject, indices, listed)
    return question_word(sentence, listed), _said(clause, form_of(clause), subject=kept)


def _of_block(clause: Clause, listed: NameList, root: int) -> tuple[str, str]:
    sentence = clause.sentence
    own = next((b for b in clause.blocks if b.root == root), None)
    if own is None:
        raise Unfit("list_is_cut")
    _is_near(clause, listed, root)
    asked, kept = question_word(sentence, listed), ""
    if root == listed.top:
        if set(own.indices) - set(listed.indices) - set(listed.prepositions):
            raise Unfit("more_than_a_list")
    elif listed.prepositions and folded(sentence.tokens[root]) in words("shared_events") and sentence.tokens[root].rel == "obj":
        kept = _without_list(clause, root, list(own.indices), listed)
    else:
        asked = _around(clause, list(own.indices), listed)
    return asked, _said(clause, form_of(clause), {root: kept}, _subject(clause))


def _is_near(clause: Clause, listed: NameList, root: int) -> None:
    """Passes a list of which it is sure what it belongs to."""
    tokens = clause.sentence.tokens
    token = tokens[root]
    said = [tokens[i].text.lower() for i in listed.prepositions]
    if root == listed.top and set(said) & set(FAR) and root > clause.verb and listed.prepositions[0] != clause.verb + 1:
        raise Unfit("of_a_noun")
    bare = not any(tokens[c].rel == "case" for c in clause.sentence.children[root])
    passive = tokens[clause.verb].feats.get("Voice") == "Pass"
    if token.rel == "obl" and bare and not (passive and token.feats.get("Case") == "Ins"):
        raise Unfit("predicate")


def _without_list(clause: Clause, root: int, indices: list[int], listed: NameList) -> str:
    """«закрытую встречу» of «закрытую встречу с Петровым и Громовым»."""
    sentence = clause.sentence
    rest = [i for i in indices if i not in listed.indices and i not in listed.prepositions]
    direct = sentence.tokens[listed.top].head == root and sentence.tokens[root].rel in ("obj", "nsubj", "nsubj:pass")
    if not direct or not rest or any(i > listed.first for i in rest):
        raise Unfit("goes_on_behind")
    return lower_first(sentence, rest, render(sentence, rest))


def _around(clause: Clause, indices: list[int], listed: NameList) -> str:
    """«Министры иностранных дел каких стран», «На территории каких стран»: the phrase with the list asked for."""
    sentence = clause.sentence
    rest = [i for i in indices if i not in listed.indices and i not in listed.prepositions]
    if not listed.prepositions and (sentence.tokens[listed.top].feats.get("Case") != "Gen" or listed.kind == "PER"):
        raise Unfit("no_genitive")
    if len(rest) > LONGEST_BEFORE[bool(listed.prepositions)]:
        raise Unfit("long_before")
    if not rest or any(i > listed.first for i in rest) or sentence.tokens[rest[-1]].pos == "ADJ":
        raise Unfit("goes_on_behind")
    if any(sentence.name_at(i) is not None for i in rest if sentence.tokens[i].pos == "PROPN"):
        raise Unfit("name_before")
    asked = question_word(sentence, listed)
    before = lower_first(sentence, rest, render(sentence, rest))
    return f"{before[:1].upper()}{before[1:]} {asked[:1].lower()}{asked[1:]}"


def form_of(clause: Clause) -> str:
    """The form in which the verb stands."""
    feats = clause.sentence.tokens[clause.verb].feats
    if feats.get("Number") == "Plur":
        return "plur"
    return {"Fem": "femn", "Neut": "neut"}.get(feats.get("Gender", ""), "masc")


def _subject(clause: Clause) -> str:
    sentence = clause.sentence
    indices = block(sentence, clause.subject)
    if not indices or not is_told(sentence, indices):
        raise Unfit("subject_points_outside")
    return lower_first(sentence, indices, render(sentence, indices))


def _said(clause: Clause, form: str, instead: dict[int, str] | None = None, subject: str = "") -> str:
    """Subject, verb and the other arguments; of some another text."""
    tokens = clause.sentence.tokens
    adverbs = [b.text for b in clause.blocks if b.rel == "advmod" and len(b.indices) == 1]
    others = [b for b in clause.blocks if not (b.rel == "advmod" and len(b.indices) == 1)]
    verb = " ".join(part for part in (*adverbs, clause.lead, clause.verbs[form]) if part)
    texts = [(instead or {}).get(b.root, _lower(b, tokens[b.indices[0]].pos)) for b in others]
    behind = clause.subject > clause.verb or not any(texts)
    return " ".join(part for part in ((verb, subject, *texts) if behind else (subject, verb, *texts)) if part)


def _lower(b: Block, pos: str) -> str:
    return b.text[:1].lower() + b.text[1:] if pos == "ADP" else b.text


def check(clause: Clause, used: list[int], dated: bool, reported: bool) -> None:
    """Passes a clause that tells of one thing; without a year of its own only of what names a place, a body or a work, and is
    over or, where the day of the news is told (`reported`), still to come.

    Raises:
        Unfit: it tells too little.
    """
    sentence, verb = clause.sentence, clause.sentence.tokens[clause.verb]
    tokens = [sentence.tokens[i] for i in used]
    titled = any("«" in t.text or LATIN.fullmatch(t.text) for t in tokens)
    if any(_is_cut(sentence, t.i, used) for t in tokens):
        raise Unfit("clause_cut")
    names = [n for t in tokens if (n := sentence.name_at(t.i)) is not None]
    if not dated:
        names = [n for n in names if n.kind != "PER" and fold(n.normal) not in EVERYWHERE]
        if verb.feats.get("Tense") in (("Pres",) if reported else ("Fut", "Pres")):
            raise Unfit("not_over")
    content = sum(t.pos in CONTENT for t in tokens)
    if content < (3 if dated else 4 if titled else ENOUGH + 1) or not (titled or names or (dated and content > ENOUGH)):
        raise Unfit("unspecific")
    if folded(verb) == "стать" and not any(n.head in {i for b in clause.blocks for i in b.indices} for n in names):
        raise Unfit("predicate")


def _is_cut(sentence: Sentence, i: int, used: list[int]) -> bool:
    """Whether a common noun without a name beside it has lost its clause: «вопросов, касающихся захоронений»."""
    children = sentence.children[i]
    lost = any(sentence.tokens[c].rel in ("acl", "acl:relcl") and c not in used for c in children)
    told = any(sentence.name_at(c) is not None or sentence.tokens[c].rel in ("nmod", "amod") for c in children if c in used)
    return lost and sentence.name_at(i) is None and not told


def _given(clause: Clause, used: list[int], forms: dict[int, Form]) -> tuple[str, str]:
    """A named thing of the question, the subject's first; else a noun phrase."""
    sentence = clause.sentence
    names = {n.start: n for i in used if (n := sentence.name_at(i)) is not None and n.last in used}
    own = block(sentence, clause.subject) or ()
    for name in sorted(names.values(), key=lambda n: n.first not in own):
        text = forms[name.start].text
        if name.kind != "PER" or is_full(text):
            return text, name.kind
    plain = next((b for b in clause.blocks if not set(b.indices) - set(used)), None)
    said = own if plain is None else [i for i in plain.indices if sentence.tokens[i].rel != "case" or i > plain.root]
    if not said or not set(said) <= set(used):
        raise Unfit("nothing_given")
    return render(sentence, said), "OTHER"
