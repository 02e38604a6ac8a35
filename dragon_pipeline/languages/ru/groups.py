"""Whose people somebody with a role belongs to: «министры Украины», «игроки „Зенита“»."""

from collections.abc import Iterator
from dataclasses import dataclass

from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import inflect
from dragon_pipeline.languages.ru.parsing import Name, Sentence
from dragon_pipeline.languages.ru.phrases import CLASS_NOUNS, folded, render
from dragon_pipeline.languages.ru.question_words import OBVIOUS
from dragon_pipeline.languages.ru.standing import is_unread
from dragon_pipeline.languages.ru.wordlists import refused, words

PLAYERS = frozenset(
    ("нападающий", "защитник", "полузащитник", "вратарь", "голкипер", "форвард", "хавбек", "капитан", "легионер")
)
OPEN_GROUPS = frozenset(("представители", "официальные лица", "сотрудники"))
"""Of these nobody can tell whether the news name more; of twelve such sets that an editor read, four were not complete."""
EVERYBODY = frozenset(("сотрудник", "игрок"))
"""Nouns for all of an organisation, whatever they are called: «заведующая сектором РАН» is one of the «сотрудники РАН»."""


@dataclass(frozen=True)
class Group:
    """People of an organisation or a country, to whom the role's holder belongs: «министры Украины», «игроки «Зенита»»."""

    plural: str
    members: str
    """the same in the genitive: «Кто из министров Украины»"""
    noun: str
    """the role noun that all its members share; empty when they need not"""
    owner: Name
    genitive: str
    """the owner as written"""


def _owner(sentence: Sentence, indices: list[int]) -> tuple[Name, str] | None:
    """The organisation or place in the genitive that ends these tokens, with its class noun: «партии „Яблоко“»."""
    tokens, last = sentence.tokens, indices[-1]
    inner = last - 1 if tokens[last].text == "»" else last
    name = sentence.name_at(inner)
    if name is None or name.kind == "PER" or name.last != inner or len(name.text) < 3:
        return None
    if inner == last and last + 1 < len(tokens) and tokens[last + 1].text == "»":
        return None  # the name ends behind its quotation mark
    if last + 1 < len(tokens) and tokens[last + 1].text == "при":
        return None  # «Общественного совета при министерстве»: which council, the rest says
    quoted = tokens[last].text == "»"
    first = name.first - 1 if quoted else name.first
    ministry = sentence.name_at(first - 1) if name.kind == "LOC" else None
    if ministry is not None and ministry.kind == "ORG" and ministry.last == first - 1:
        return ministry, render(sentence, range(ministry.first, last + 1))
    if name.kind == "ORG" and fold(name.normal).replace(" ", "-") in words("common_organisations"):
        return None
    if first <= indices[0] or quoted != (tokens[first].text == "«"):
        return None
    before = tokens[first - 1]
    if (
        before.feats.get("Case") == "Gen"
        and first - 1 > indices[0]
        and (folded(before) == "сборная" or (quoted and folded(before) in CLASS_NOUNS))
    ):
        return name, render(sentence, range(first - 1, last + 1))
    said = render(sentence, range(first, last + 1))
    if said.count("«") != said.count("»") or (before.rel == "amod" and before.feats.get("Case") == "Gen"):
        return None  # «белорусской Общественной палаты»: without its adjective the name is another's
    return (name, said) if tokens[name.first].feats.get("Case") in ("Gen", None) else None


def groups(sentence: Sentence, noun: int, indices: list[int]) -> Iterator[Group]:
    owner, said = _owner(sentence, indices) or (None, "")
    if owner is None:
        return
    if any(is_unread(word.strip("«»")) for word in said.split()):
        return
    lemma = folded(sentence.tokens[noun])
    quote = owner.first > noun + 1 and sentence.tokens[owner.first - 1].text == "«"
    direct = noun + 1 == owner.first - quote or lemma == "министр"
    listed = words("posts") | words("group_nouns") | words("staff_nouns") | words("bare_roles") | words("single_roles")
    if said.startswith("сборной "):
        return  # there is one of every sport
    if owner.kind == "LOC" and owner.normal in OBVIOUS:
        return  # nobody can name all
    if (lemma in words("group_nouns") and direct) or (lemma in words("staff_nouns") and owner.kind == "ORG"):
        plural, members = (inflect(sentence.tokens[noun].lemma, case, "plur", pos=("NOUN",)) for case in ("nomn", "gent"))
        if plural and members:
            yield Group(plural, members, "" if lemma in EVERYBODY else lemma, owner, said)
    if lemma in PLAYERS and owner.kind == "ORG":
        yield Group("игроки", "игроков", "", owner, said)
    if owner.kind == "ORG" and lemma in listed - {"автор", "победитель"}:
        yield Group("представители", "представителей", "", owner, said)
    elif direct and lemma in words("posts") and lemma not in refused("officials") and place_noun(owner.normal) == "страна":
        yield Group("официальные лица", "официальных лиц", "", owner, said)
