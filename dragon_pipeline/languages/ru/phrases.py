"""Noun phrases of a parsed sentence: their text, what can be cut from them, their class noun and name."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, inflect, known
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.wordlists import words

OPEN, CLOSE = "«„“(", "»“”)"
CLASS_NOUNS = words("org_nouns") | words("work_nouns") | {"город", "страна", "село", "деревня", "поселок", "республика", "штат"}
CUT = ("acl", "acl:relcl", "appos", "parataxis", "advcl")


def render(sentence: Sentence, indices: Iterable[int], forms: Mapping[int, str] = MappingProxyType({})) -> str:
    """The words as written, or in the given forms, with single spaces where something between them was left out."""
    parts: list[str] = []
    last: Token | None = None
    for i in indices:
        token = sentence.tokens[i]
        glue = ""
        if last is not None and (token.start > last.stop or token.i != last.i + 1):
            glue = "" if token.text in ",.»)" or last.text in "«(" else " "
        parts.append(glue + forms.get(i, token.text))
        last = token
    return "".join(parts)


def trim(sentence: Sentence, indices: list[int]) -> list[int]:
    """Without punctuation at the ends; a quotation mark stays when its partner is inside."""
    kept = list(indices)
    text = [sentence.tokens[i].text for i in kept]
    while kept and sentence.tokens[kept[0]].pos == "PUNCT" and not _paired(text[0], text, OPEN, CLOSE):
        kept, text = kept[1:], text[1:]
    while kept and sentence.tokens[kept[-1]].pos == "PUNCT" and not _paired(text[-1], text[:-1], CLOSE, OPEN):
        kept, text = kept[:-1], text[:-1]
    return kept


def _paired(mark: str, text: list[str], same: str, other: str) -> bool:
    """Whether a bracket or quotation mark at the end of a phrase has its partner inside."""
    return (mark in same and bool(set(other) & set(text))) or (mark == '"' and text.count('"') % 2 == (same == CLOSE))


def block(sentence: Sentence, root: int) -> list[int] | None:
    """The phrase below `root` without relative clauses, asides and brackets; None when what is left has gaps."""
    aside = {
        child
        for i in sentence.subtree(root)
        for child in sentence.children[i]
        if sentence.tokens[child].rel in CUT and _after_comma(sentence, child) and child > i
    }
    kept = trim(sentence, _without_brackets(sentence, sentence.subtree(root, frozenset(aside))))
    kept = close_quotes(sentence, kept)
    if not kept:
        return None
    missing = set(range(kept[0], kept[-1] + 1)) - set(kept)
    cut = {j for child in aside for j in sentence.subtree(child)}
    if any((j not in cut and sentence.tokens[j].pos != "PUNCT") or sentence.tokens[j].text in ("—", "–", ":") for j in missing):
        return None
    text = render(sentence, kept)
    paired = text.count("«") == text.count("»") and text.count("(") == text.count(")") and text.count('"') % 2 == 0
    return kept if paired else None


def _after_comma(sentence: Sentence, child: int) -> bool:
    first = min(sentence.subtree(child))
    around = [sentence.tokens[j].text for j in (first - 1, first) if j >= 0]
    return any(text in (",", "—", "–", "-") for text in around)


def _without_brackets(sentence: Sentence, indices: list[int]) -> list[int]:
    depth, kept = 0, []
    for i in indices:
        text = sentence.tokens[i].text
        depth += text == "("
        if depth == 0:
            kept.append(i)
        depth -= text == ")" and depth > 0
    return kept


def close_quotes(sentence: Sentence, indices: list[int]) -> list[int]:
    """Takes in a quotation mark that stands right outside when its partner is inside."""
    if not indices:
        return indices
    texts = [sentence.tokens[i].text for i in indices]
    before, after = indices[0] - 1, indices[-1] + 1
    if texts.count("»") > texts.count("«") and before >= 0 and sentence.tokens[before].text == "«":
        return [before, *indices]
    if texts.count("«") > texts.count("»") and after < len(sentence.tokens) and sentence.tokens[after].text == "»":
        return [*indices, after]
    return indices


def nominative(sentence: Sentence, root: int, indices: list[int], case: str = "nomn") -> str | None:
    """The phrase with its head and the head's adjectives in another case; None when the dictionary cannot say.

    The number is kept. What depends on the head in its own case (genitives, names in quotes) stays as written.
    """
    head = sentence.tokens[root]
    counted = any(sentence.tokens[c].rel.startswith("nummod") for c in sentence.children[root])
    if case == "nomn" and counted and head.feats.get("Case") == "Gen":
        return render(sentence, indices)  # «2139 автомобилей»: what a numeral governs stays in the genitive
    number = "plur" if head.feats.get("Number") == "Plur" else "sing"
    gender = GENDERS.get(head.feats.get("Gender", ""), "masc")
    present = CASES.get(head.feats.get("Case", ""), "")
    forms = {}
    for i in indices:
        token = sentence.tokens[i]
        if i > root or (i != root and not (token.head == root and token.rel in ("amod", "det") and "Case" in token.feats)):
            continue
        if present == case:
            forms[i] = token.text
            continue
        if i == root:
            form = inflect(token.text, case, number, pos=("NOUN",), prefer=(present, number, gender))
        else:
            wanted = (case, number) if number == "plur" else (case, number, gender)
            if case == "accs" and (number == "plur" or gender == "masc"):
                wanted = (*wanted, "anim" if head.feats.get("Animacy") == "Anim" else "inan")
            form = inflect(token.text, *wanted, pos=("ADJF", "PRTF", "NUMR"), prefer=(present, number))
        if form is None:
            return None
        forms[i] = form
    if root not in forms:
        return None
    return render(sentence, indices, forms)


def quoted(sentence: Sentence, root: int) -> tuple[int, int] | None:
    """The tokens between «» of a title that depends on the class noun `root` and follows it at once."""
    tokens = sentence.tokens
    start = root + 1
    if start >= len(tokens) or tokens[start].text != "«":
        return None
    for j in range(start + 1, min(start + 12, len(tokens))):
        if tokens[j].text == "»":
            return (start + 1, j - 1) if j > start + 1 else None
        if tokens[j].text == "«":
            return None
    return None


def name_of(sentence: Sentence, i: int) -> Name | None:
    """The named entity that token `i` heads, or that is an apposition to it, or that names the class noun `i`."""
    name = sentence.name_at(i)
    if name is not None:
        return name
    near = [(sentence.name_at(child), sentence.tokens[child]) for child in sentence.children[i]]
    for name, token in near:
        if name is not None and name.head == token.i and name.kind == "PER" and token.rel in ("appos", "flat:name"):
            return name
    if folded(sentence.tokens[i]) in CLASS_NOUNS:
        for name, token in near:
            title = (
                name is not None
                and name.first - i in (1, 2)
                and token.feats.get("Case") in (None, "Nom", sentence.tokens[i].feats.get("Case"))
            )
            if (
                name is not None
                and name.head == token.i
                and name.kind != "PER"
                and (title or (sentence.tokens[i + 1].text == "«" and name.first == i + 2))
            ):
                return name
    return None


def lower_first(sentence: Sentence, indices: list[int], text: str) -> str:
    """Without the capital that only the sentence's start gave it."""
    first = sentence.tokens[indices[0]]
    proper = first.pos == "PROPN" and not known(first.text)  # «Ассоциация» at the start is tagged proper too
    is_name = sentence.name_at(first.i) is not None or proper or (first.text.isupper() and len(first.text) > 1)
    inside = first.i > 1 and first.pos not in ("ADP", "ADV", "CCONJ", "SCONJ", "PART")
    return text if inside or is_name else text[:1].lower() + text[1:]


def folded(token: Token) -> str:
    return fold(token.lemma)
