"""Who holds which post or is known as what: «директор Центра политической информации Алексей Мухин»."""

from collections.abc import Iterator
from dataclasses import dataclass

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Name, Sentence
from dragon_pipeline.languages.ru.phrases import block, folded, nominative, render, trim
from dragon_pipeline.languages.ru.wordlists import refused, words

LONGEST = 12


@dataclass(frozen=True)
class Role:
    """A person's role. `nominative`, `genitive`, `instrumental` are the phrase in these cases."""

    person: Name
    nominative: str
    genitive: str
    instrumental: str
    post: bool
    """a post that one holds, as against what one is"""
    specific: bool
    """it names an organisation, a place or a title, so that it can point at one person"""
    masculine: bool


def roles(sentence: Sentence) -> Iterator[Role]:
    """Every role that stands right before a person's name, or behind it between commas."""
    for person in sentence.names:
        if person.kind != "PER":
            continue
        noun, indices = _before(sentence, person) or _behind(sentence, person) or (None, [])
        if noun is not None and indices:
            role = _role(sentence, person, noun, indices)
            if role is not None:
                yield role


def _before(sentence: Sentence, person: Name) -> tuple[int, list[int]] | None:
    head = sentence.tokens[person.head]
    if head.rel not in ("appos", "flat:name", "nsubj", "nmod") or not 0 <= head.head < person.first:
        return None
    noun = head.head
    kept = [i for i in sentence.subtree(noun, frozenset({person.head})) if i < person.first]
    if not kept or kept[-1] != person.first - 1 or kept != list(range(kept[0], person.first)):
        return None
    return (noun, kept) if _is_role_noun(sentence, noun) else None


def _behind(sentence: Sentence, person: Name) -> tuple[int, list[int]] | None:
    after = person.last + 1
    if after >= len(sentence.tokens) or sentence.tokens[after].text != ",":
        return None
    for noun in sentence.children[person.head]:
        token = sentence.tokens[noun]
        if token.rel in ("appos", "conj") and noun > after and _is_role_noun(sentence, noun):
            indices = block(sentence, noun)
            close = indices[-1] + 1 if indices else 0
            if indices and indices[0] in (after + 1, after + 2) and close < len(sentence.tokens) and sentence.tokens[close].text in ",.":
                return noun, indices
    return None


def _is_role_noun(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    lemma = folded(token)
    return (
        token.pos == "NOUN"
        and token.feats.get("Number") == "Sing"
        and sentence.name_at(i) is None
        and (lemma in words("posts") or lemma in words("role_nouns") or lemma.rsplit("-", 1)[-1] in words("role_nouns"))
    )


def _role(sentence: Sentence, person: Name, noun: int, indices: list[int]) -> Role | None:
    indices = [i for i in trim(sentence, indices) if folded(sentence.tokens[i]) not in words("role_adjectives") or i == noun]
    tokens = [sentence.tokens[i] for i in indices]
    if not indices or len(indices) > LONGEST or noun not in indices:
        return None
    unfit = refused("role_adjectives") | words("anaphora")
    if any({folded(t), fold(t.text)} & unfit or t.text in (",", ";", ":", "—", "(", '"') or t.text.lower().startswith("экс-") for t in tokens):
        return None
    if any((name := sentence.name_at(i)) is not None and name.kind == "PER" for i in indices):
        return None
    if any(t.pos in ("VERB", "PRON", "SCONJ") or t.feats.get("VerbForm") or t.text[:1].isdigit() for t in tokens):
        return None
    if any(i < noun and not (sentence.tokens[i].head == noun and sentence.tokens[i].rel == "amod") for i in indices):
        return None
    said = [nominative(sentence, noun, indices, case) for case in ("nomn", "gent", "ablt")]
    if not all(said) or render(sentence, indices).count("«") != render(sentence, indices).count("»"):
        return None
    nomn, gent, ablt = (_lower(text, sentence, indices) for text in said if text)
    return Role(
        person, nomn, gent, ablt,
        post=folded(sentence.tokens[noun]) in words("posts"),
        specific=any(sentence.name_at(i) is not None or sentence.tokens[i].text == "«" or _abbreviation(sentence.tokens[i].text) for i in indices),
        masculine=sentence.tokens[noun].feats.get("Gender") != "Fem",
    )  # fmt: skip


def _lower(text: str, sentence: Sentence, indices: list[int]) -> str:
    first = sentence.tokens[indices[0]]
    return text if first.text.isupper() and len(first.text) > 1 else text[:1].lower() + text[1:]


def _abbreviation(text: str) -> bool:
    return len(text) > 1 and text.isupper() and text.isalpha()
