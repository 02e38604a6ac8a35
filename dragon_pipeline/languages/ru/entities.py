"""Named entities by Natasha, with normal forms that hold over an article: a surname alone becomes the full name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragon_pipeline.languages.ru import workers
from dragon_pipeline.languages.ru.lemmas import SNOWBALL, fold, key
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, analyses, inflect, known
from dragon_pipeline.languages.ru.parsing import Name, Parsed, Sentence, Token, parse
from dragon_pipeline.languages.ru.workers import Workers

PARTICLES = ("Ле", "Ла", "Де", "Ди", "Да", "Дель", "Фон", "Ван", "Аль", "Эль", "Ибн", "Бин")
"""Words with which no surname ends."""
INITIALS = re.compile(r"\b[А-ЯЁA-Z]\.")
CONSONANTS = "бвгджзклмнпрстфхцчшщ"
MASCULINE = ("а", "у", "ом", "ем", "е")
ENDINGS = {"gent": ("а",), "accs": ("а",), "datv": ("у",), "ablt": ("ом", "ем")}
"""What a man's surname that ends in a consonant has in these cases."""
QUOTES = "«»„“”\"'"
LONGEST_CAPITALS = 4
"""Letters of an abbreviation of a place; «МОСКВА» is how a dateline is set."""
ADJECTIVE = re.compile(r"[сц]к(?:ий|ая|ое|ие|ого|ому|ой|ую|ом|им|их|ими)$")


class NatashaEntities:
    """PER, LOC and ORG of Russian news; see docs/quality.md for what it finds. Large batches go to worker processes."""

    name = "natasha"

    def __init__(self, readers: Workers | None = None) -> None:
        self.readers = readers or workers.shared()

    def find(self, articles: Sequence[dict]) -> Iterator[dict]:
        return self.readers.read("mentions", articles)


def mentions_of(article: dict) -> list[dict]:
    """Rows of `mentions` for one row of `articles`."""
    parsed = parse(article["text"])
    forms = resolve(parsed)
    rows = []
    for _, name in parsed.names():
        normal = forms[name.start].text
        rows.append({
            "article_id": article["article_id"], "kind": name.kind, "text": name.text, "start": name.start,
            "stop": name.stop, "normal": normal, "lemmas": key(normal),
        })  # fmt: skip
    return rows


@dataclass(frozen=True)
class Form:
    """A normal form; `sure` when the text shows every word of it in the nominative, or the dictionary knows its cases."""

    text: str
    sure: bool


def resolve(parsed: Parsed) -> dict[int, Form]:
    """Start offset of each name → its normal form.

    A word's nominative that stands somewhere in the article beats the guessed one, for foreign names above all; one
    surname resolves to the full name when the article gives exactly one person of that surname.
    """
    shown = _nominatives(parsed)
    forms = {name.start: _form(sentence, name, shown) for sentence, name in parsed.names()}
    full: dict[str, Form] = {}
    for _, name in parsed.names():
        form = forms[name.start]
        if name.kind == "PER" and is_full(form.text) and (form.sure or form.text not in full):
            full[form.text] = form
    for _, name in parsed.names():
        form = forms[name.start]
        if name.kind == "PER" and not is_full(form.text):
            forms[name.start] = _full(form, list(full.values()))
    return forms


def is_full(person: str) -> bool:
    """A given name and a surname, not initials or one word."""
    parts = person.split()
    twice = len({stem(part) for part in parts}) < len(parts)  # «Денисов Денисов», which is a tagger's guess
    cut = parts[-1:] and parts[-1] in PARTICLES  # «Брюно Ле» of «Брюно Ле Мэр»
    return len(parts) > 1 and not twice and not cut and not INITIALS.search(person) and parts[-1][:1].isupper()


def _nominatives(parsed: Parsed) -> dict[tuple[str, str], Counter[str]]:
    """(kind, stem) → nominative forms of names and of their single words that the text shows."""
    shown: dict[tuple[str, str], Counter[str]] = {}
    for sentence, name in parsed.names():
        if not _nominative(sentence, name) or (
            name.kind == "LOC" and name.text.isupper() and len(name.text) > LONGEST_CAPITALS
        ):
            continue
        shown.setdefault((name.kind, stem(name.text)), Counter())[clean(name.text)] += 1
        if name.kind == "PER":
            for token in sentence.tokens[name.first : name.last + 1]:
                shown.setdefault(("word", stem(token.text)), Counter())[token.text] += 1
    return shown


def _form(sentence: Sentence, name: Name, shown: dict[tuple[str, str], Counter[str]]) -> Form:
    seen = shown.get((name.kind, stem(name.text)))
    if seen and ADJECTIVE.search(seen.most_common(1)[0][0]) and not ADJECTIVE.search(name.text):
        seen = None  # «Мурманская» (область) is no nominative of «Мурманск»
    if seen:
        return Form(clean(seen.most_common(1)[0][0]), True)
    if name.kind != "PER":
        return Form(clean(name.normal), False)
    words, sure = [], True
    gender = GENDERS.get(sentence.tokens[name.first].feats.get("Gender", ""), "")  # of the given name: taggers err at surnames
    for token in sentence.tokens[name.first : name.last + 1]:
        forms = shown.get(("word", stem(token.text)))
        word = forms.most_common(1)[0][0] if forms else _nominative_word(token, gender)
        sure = sure and (forms is not None or _is_regular(word, token.text))
        words.append(word)
    text = sentence.text[name.start - sentence.start : name.stop - sentence.start]
    return Form(clean(name.normal if len(words) == 1 and "-" in text else " ".join(words).replace(" .", ".")), sure)


def _is_regular(word: str, written: str) -> bool:
    """A given name, a Slavic surname of the dictionary's making, or a consonant with a masculine ending («Дэвис», «Дэвиса»)."""
    found = [a.tag for a in analyses(word) if "nomn" in a.tag]
    given = known(word) and any("Name" in tag for tag in found)
    slavic = any("Surn" in tag for tag in found) and re.search(r"(?:[оеё]в|[иы]н|[сц]кий)а?я?$", word) is not None
    masculine = word[-1] in CONSONANTS and written[: len(word)] == word and written[len(word) :] in MASCULINE
    return given or slavic or masculine


def _nominative_word(token: Token, gender: str) -> str:
    if token.feats.get("Case") == "Nom" or "." in token.text or not token.text[:1].isalpha():
        return token.text
    case, gender = CASES.get(token.feats.get("Case", ""), ""), gender or GENDERS.get(token.feats.get("Gender", ""), "masc")
    bare = next((token.text[: -len(end)] for end in ENDINGS.get(case, ()) if token.text.endswith(end)), "")
    if gender == "masc" and len(bare) > 2 and bare[-1] in CONSONANTS and not known(token.text):
        return bare  # a foreign surname like «Безоса»: the dictionary guesses it to be a woman's
    if token.text.endswith("и") and not known(token.text) and (gender == "masc" or case != "gent"):
        return token.text  # «Берлускони» has no cases
    return (
        inflect(token.text, "nomn", "sing", pos=("NOUN", "ADJF"), prefer=(case, gender, "sing", "Surn", "Name")) or token.text
    )


def _full(surname: Form, people: Sequence[Form]) -> Form:
    if " " in surname.text or INITIALS.search(surname.text):
        return surname
    same = [person for person in people if stem(surname.text) == stem(person.text.rsplit(" ", 1)[-1])]
    return same[0] if len(same) == 1 else surname


def _nominative(sentence: Sentence, name: Name) -> bool:
    head = sentence.tokens[name.head]
    if name.kind != "PER":
        return head.rel in ("nsubj", "nsubj:pass") and head.feats.get("Case") in ("Nom", None)
    inside = sentence.tokens[name.first : name.last + 1]
    return head.rel in ("nsubj", "nsubj:pass", "appos", "root", "conj") and all(
        t.feats.get("Case", "Nom") == "Nom" for t in inside
    )


def stem(name: str) -> str:
    """What the cases of one name share: each word, and each part of a hyphenated one, without its ending."""
    return " ".join(SNOWBALL(fold(word)) for word in re.findall(r"[\w.]+", name))


def clean(name: str) -> str:
    name = " ".join(name.split()).strip(QUOTES + " ,")
    return name + "»" * (name.count("«") - name.count("»")) + '"' * (name.count('"') % 2)
