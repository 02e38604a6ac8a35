"""A role taken apart into an office and its seat: «премьер-министр» and «Греция», «лидер» and «группа „Гвозди“»."""

from dataclasses import dataclass

from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses, inflect
from dragon_pipeline.languages.ru.parsing import Name, Sentence
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded, nominative, render
from dragon_pipeline.languages.ru.question_words import OBVIOUS
from dragon_pipeline.languages.ru.wordlists import words

GIVEN_AWAY = ("канцлер", "госсекретарь", "государственный секретарь", "генсек", "федеральный канцлер", "глава белого дома")
"""Offices that only one country has."""

SAME = {
    "глава мид": "министр иностранных дел", "глава минобороны": "министр обороны", "глава минюста": "министр юстиции",
    "глава минфина": "министр финансов", "глава мвд": "министр внутренних дел", "премьер": "премьер-министр",
    "глава правительства": "премьер-министр", "председатель правительства": "премьер-министр",
}  # fmt: skip
"""Names under which one office goes."""
HIGH = ("министр", "премьер-министр", "президент", "мэр", "губернатор", "тренер", "лидер", "король")
"""Who can stand for the place: «страны, министром обороны которой был …»; of spokesmen and envoys nobody thinks at it."""
CLUB = "клуб"
TEAM = ("нападающий", "защитник", "полузащитник", "вратарь", "голкипер", "форвард", "хавбек", "капитан", "тренер")
"""Whose organisation is a club, also where nobody says so: «вратарь „Зенита“»."""


@dataclass(frozen=True)
class Office:
    """`nominative`, `instrumental`: the office without its seat."""

    nominative: str
    instrumental: str
    seat: Name
    noun: str
    """what the seat is: «страна», «город», «группа»"""
    of: str
    """the noun in the genitive"""
    which: str
    """«какой страны», «какого города»"""
    alike: bool
    """several may bear the seat's name: «Динамо»"""
    high: bool
    """it is thought of with its seat, and the seat with it"""


def office(sentence: Sentence, noun: int, indices: list[int]) -> Office | None:
    """The office that a role's tokens tell, when they end with its seat in the genitive; None when they do not."""
    found = _seat(sentence, noun, indices)
    if found is None:
        return None
    name, lemma, first = found
    kept = [i for i in indices if i < first]
    said = [nominative(sentence, noun, kept, case) for case in ("nomn", "ablt")] if noun in kept else []
    of, gender = inflect(lemma, "gent", "sing", pos=("NOUN",)), _gender(lemma)
    if not said or not all(said) or of is None or not said[0] or _gives_away(said[0]):
        return None
    nomn, ablt = (text[:1].lower() + text[1:] for text in said if text)
    same = SAME.get(fold(nomn))
    if same is not None:
        head, _, rest = same.partition(" ")
        nomn, ablt = same, f"{inflect(head, 'ablt', 'sing', pos=('NOUN',))} {rest}".strip()
    high = any(word in HIGH for word in fold(nomn).split()[:2]) and not nomn.startswith("пресс")
    return Office(nomn, ablt, name, lemma, of, f"{'какой' if gender == 'femn' else 'какого'} {of}", lemma == CLUB, high)


def _gives_away(office: str) -> bool:
    """«канцлер», «спикер Верховной рады»: it tells the country by itself."""
    named = [word.strip("«»") for word in office.split()[1:] if word.strip("«»")[:1].isupper()]
    if office.endswith(("делам", "вопросам", "связям")):
        return True  # «министр по делам Шотландии» is none of Scotland's
    return office.lower() in GIVEN_AWAY or any(fold(word) not in words("common_organisations") for word in named)


def _seat(sentence: Sentence, noun: int, indices: list[int]) -> tuple[Name, str, int] | None:
    """(name, class noun, first token) of the country, the town or the quoted title that ends the role."""
    last = indices[-1]
    closed = sentence.tokens[last].text == "»"
    name = sentence.name_at(last - closed)
    if name is None or name.kind == "PER" or name.last != last - closed or name.first <= noun:
        return None
    if closed and name.first - 2 == noun and sentence.tokens[name.first - 1].text == "«":
        return (name, CLUB, name.first - 1) if folded(sentence.tokens[noun]) in TEAM else None
    if closed:
        lemma = folded(sentence.tokens[name.first - 2])
        opened = sentence.tokens[name.first - 1].text == "«" and sentence.tokens[name.first - 2].feats.get("Case") == "Gen"
        whole = render(sentence, range(name.first, name.last + 1)).count("«") == 0
        return (name, lemma, name.first - 2) if opened and whole and lemma in CLASS_NOUNS and name.first - 2 > noun else None
    lemma = place_noun(name.normal)
    genitive = name.kind == "LOC" and sentence.tokens[name.head].feats.get("Case") == "Gen"
    alone = not any(sentence.tokens[c].rel in ("case", "amod") for c in sentence.children[name.head] if c < name.first)
    return (name, lemma, name.first) if lemma and genitive and alone and name.normal not in OBVIOUS else None


def _gender(lemma: str) -> str:
    return next((a.tag.gender for a in analyses(lemma) if a.tag.POS == "NOUN" and a.tag.gender), "femn")
