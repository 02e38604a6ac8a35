"""Who holds which post or is known as what: «директор Центра политической информации Алексей Мухин»."""

from collections.abc import Iterator
from dataclasses import dataclass

from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import analyses, known
from dragon_pipeline.languages.ru.offices import Office, office
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.phrases import block, folded, nominative, render, trim
from dragon_pipeline.languages.ru.posts import is_asked
from dragon_pipeline.languages.ru.standing import is_unread
from dragon_pipeline.languages.ru.wordlists import lines, refused, words

LONGEST = 20
FORMER_WITHIN = 6
"""Words before a name among which «бывший» is of its role."""


@dataclass(frozen=True)
class Role:
    """A person's role. `nominative`, `genitive`, `accusative` are the phrase in these cases."""

    person: Name
    nominative: str
    genitive: str
    accusative: str
    noun: str
    """lemma of the role noun"""
    gender: str
    """`masc` or `femn`: of the noun, as «который» agrees with it"""
    post: bool
    """a post that one holds, as against what one is"""
    specific: bool
    """it names an organisation, a place or a title, so that it can point at one person"""
    single: bool
    """one person at a time has it"""
    telling: bool
    """it says more than a bare «футболист»: a noun with an adjective or with what it is of"""
    of_country: bool
    """a country stands right behind its noun: «президент Франции»"""
    well_known: bool
    """the highest office of a country, which no question alone should ask for"""
    vague: bool
    """«тренер сборной России»: of which sport, the sentence does not say"""
    unread: bool
    """it holds an abbreviation that not everybody reads: «глава ВФЛА»"""
    asked: bool
    """a question may ask for it alone, see posts.py"""
    office: Office | None


def roles(sentence: Sentence) -> Iterator[Role]:
    """Every role that stands right before a person's name, or behind it between commas."""
    for person in sentence.names:
        if person.kind != "PER":
            continue
        noun, indices = _before(sentence, person) or _behind(sentence, person) or _beside(sentence, person) or (None, [])
        if noun is not None and indices:
            role = _role(sentence, person, noun, indices)
            if role is not None:
                yield role


def is_former(sentence: Sentence, person: Name) -> bool:
    """Whether a role is said to be over: «экс-президент Литвы Валдас Адамкус», «бывший министр …»."""
    for token in reversed(sentence.tokens[max(person.first - FORMER_WITHIN, 0) : person.first]):
        name = sentence.name_at(token.i)
        if token.text in (",", "и") or (name is not None and name.kind == "PER"):
            return False
        if fold(token.text).startswith(("экс-", "бывш")):
            return person.kind == "PER"
    return False


def _before(sentence: Sentence, person: Name) -> tuple[int, list[int]] | None:
    head = sentence.tokens[person.head]
    if head.rel not in ("appos", "flat:name", "nsubj", "nmod") or not 0 <= head.head < person.first:
        return None
    noun = _climb(sentence, head.head)
    if (head.rel == "nmod" or noun != head.head) and not _agree(sentence.tokens[noun], head):
        return None
    kept = [i for i in sentence.subtree(noun, frozenset({person.head})) if i < person.first]
    first = next(i for i in range(person.first, -1, -1) if i - 1 not in kept)
    if noun < first:
        return None
    kept = list(range(first, person.first))  # the parser sometimes hangs somebody else on the same noun
    return (noun, kept) if _is_role_noun(sentence, noun) else None


def _agree(noun: Token, name: Token) -> bool:
    """Whether a role and a name are in one case: «помощник Олега Дымова» says nothing of Дымов himself.

    The accusative of people is their genitive, and the tagger takes one for the other.
    """
    one, other = noun.feats.get("Case"), name.feats.get("Case")
    return other in (None, one) or {one, other} == {"Gen", "Acc"}


def _climb(sentence: Sentence, i: int) -> int:
    """The role noun above a token of its phrase: a name may hang on the phrase's last word instead."""
    for _ in range(6):
        token = sentence.tokens[i]
        if _is_role_noun(sentence, i) or token.rel not in ("nmod", "appos", "flat:name") or not 0 <= token.head < i:
            break
        i = token.head
    return i


def _behind(sentence: Sentence, person: Name) -> tuple[int, list[int]] | None:
    after = person.last + 1
    if after >= len(sentence.tokens) or sentence.tokens[after].text != ",":
        return None
    for noun in sentence.children[person.head]:
        token = sentence.tokens[noun]
        if token.rel in ("appos", "conj") and noun > after and _is_role_noun(sentence, noun):
            indices = block(sentence, noun)
            close = indices[-1] + 1 if indices else 0
            if (
                indices
                and indices[0] in (after + 1, after + 2)
                and close < len(sentence.tokens)
                and sentence.tokens[close].text in ",."
            ):
                return noun, indices
    return None


def _beside(sentence: Sentence, person: Name) -> tuple[int, list[int]] | None:
    """A role in the nominative with its genitives, right before a name in the nominative, where the parser lost its way."""
    if sentence.tokens[person.head].feats.get("Case") != "Nom":
        return None
    for i in range(person.first - 1, max(person.first - LONGEST, -1), -1):
        token, case = sentence.tokens[i], sentence.tokens[i].feats.get("Case")
        listed = folded(token) in words("posts") or folded(token) in words("role_nouns")
        if listed and case == "Nom" and _is_role_noun(sentence, i):
            first = next(j for j in range(i, -1, -1) if j == 0 or not _is_own_adjective(sentence, j - 1, i))
            return i, list(range(first, person.first))
        name = sentence.name_at(i)
        inside = token.text in "«»" or (name is not None and name.kind != "PER")
        if not inside and (case != "Gen" or token.pos not in ("NOUN", "ADJ")):
            return None
    return None


def _is_role_noun(sentence: Sentence, i: int) -> bool:
    token = sentence.tokens[i]
    lemma = folded(token)
    return (
        token.pos == "NOUN"
        and token.feats.get("Number") == "Sing"
        and sentence.name_at(i) is None
        and (lemma in words("posts") or (token.feats.get("Animacy") == "Anim" and _is_somebody(token.lemma)))
        and lemma not in words("no_roles")
    )


def _is_somebody(lemma: str) -> bool:
    """Whether the dictionary has nothing against an animate noun: the tagger takes «гуашь Редона» for one."""
    return not known(lemma) or any("anim" in a.tag for a in analyses(lemma))


def _role(sentence: Sentence, person: Name, noun: int, indices: list[int]) -> Role | None:
    indices = [i for i in indices if i >= noun or _is_own_adjective(sentence, i, noun)]
    indices = [i for i in trim(sentence, indices) if folded(sentence.tokens[i]) not in words("role_adjectives") or i == noun]
    tokens = [sentence.tokens[i] for i in indices]
    if not indices or len(indices) > LONGEST or noun not in indices:
        return None
    unfit = refused("role_adjectives") | words("anaphora")
    if any(
        {folded(t), fold(t.text)} & unfit or t.text in (",", ";", ":", "—", "(", '"') or t.text.lower().startswith("экс-")
        for t in tokens
    ):
        return None
    if any((name := sentence.name_at(i)) is not None and name.kind == "PER" for i in indices):
        return None
    if _are_two_people(sentence, noun, indices) or _is_former(sentence, noun):
        return None
    if any(_agrees_behind(sentence.tokens[noun], t) for t in tokens):
        return None
    if any(t.pos in ("VERB", "PRON", "SCONJ") or t.feats.get("VerbForm") or t.text[:1].isdigit() for t in tokens):
        return None
    said = [nominative(sentence, noun, indices, case) for case in ("nomn", "gent", "accs")]
    if not all(said) or render(sentence, indices).count("«") != render(sentence, indices).count("»"):
        return None
    nomn, gent, accs = (_lower(text, sentence, indices) for text in said if text)
    specific = any(sentence.name_at(t.i) is not None or t.text == "«" or _abbreviation(t.text) for t in tokens)
    if not _is_nominative(nomn, sum(i <= noun for i in indices)):
        return None
    return Role(
        person, nomn, gent, accs,
        noun=folded(sentence.tokens[noun]),
        gender="femn" if sentence.tokens[noun].feats.get("Gender") == "Fem" else "masc",
        post=folded(sentence.tokens[noun]) in words("posts"),
        specific=specific,
        single=folded(sentence.tokens[noun]) in words("single_roles") or nomn.startswith("генеральный секретарь "),
        telling=_is_telling(folded(sentence.tokens[noun]), len(indices)),
        of_country=_is_of_country(sentence, noun),
        well_known=_is_well_known(sentence, noun, indices),
        vague=any(folded(t) == "сборная" for t in tokens) and not any(fold(t.text) == "по" for t in tokens),
        unread=any(is_unread(t.text) for t in tokens),
        asked=is_asked(sentence, noun, indices),
        office=office(sentence, noun, indices),
    )  # fmt: skip


def _are_two_people(sentence: Sentence, noun: int, indices: list[int]) -> bool:
    """«лидер Анголы и президент Кении Пётр Громов встретились»: the first is somebody else."""
    verb = sentence.tokens[noun].head
    several = verb >= 0 and sentence.tokens[verb].pos == "VERB" and sentence.tokens[verb].feats.get("Number") == "Plur"
    return several and any(
        sentence.tokens[c].rel == "conj" and sentence.tokens[c].feats.get("Animacy") == "Anim"
        for c in sentence.children[noun]
        if c in indices
    )


def _is_former(sentence: Sentence, noun: int) -> bool:
    """The second of two roles that share an adjective: «бывший президент и премьер-министр»."""
    first = sentence.tokens[noun].head if sentence.tokens[noun].rel == "conj" else noun
    before = [sentence.tokens[c] for c in sentence.children[first] if c < first] if first >= 0 else []
    return first != noun and any(folded(t) in refused("role_adjectives") for t in before)


def _agrees_behind(noun: Token, token: Token) -> bool:
    """What stands behind the noun in its case and would stay as written: «герцогиня Кембриджская», «актёр и сценарист»,
    «директор центра политолог»."""
    case = noun.feats.get("Case")
    somebody = token.pos == "NOUN" and token.feats.get("Animacy") == "Anim" and token.rel in ("nmod", "appos")
    if somebody and token.i > noun.i and token.feats.get("Case") == "Nom":
        return True
    return (
        token.i > noun.i
        and token.head == noun.i
        and case != "Nom"
        and token.feats.get("Case") == case
        and ((token.rel == "amod" and token.pos == "ADJ") or (token.rel in ("conj", "appos") and token.pos == "NOUN"))
    )


def _is_nominative(text: str, number: int) -> bool:
    """Whether its first words, the noun and what agrees with it, can be nominatives: the tagger errs at «пернатого змея»."""
    return all(not known(word) or any("nomn" in a.tag for a in analyses(word)) for word in text.split()[:number])


def _is_own_adjective(sentence: Sentence, i: int, noun: int) -> bool:
    """An adjective of the noun with nothing but its other adjectives in between."""
    return all(t.head == noun and t.rel == "amod" and not t.feats.get("VerbForm") for t in sentence.tokens[i:noun])


def _lower(text: str, sentence: Sentence, indices: list[int]) -> str:
    first = sentence.tokens[indices[0]]
    return text if first.text.isupper() and len(first.text) > 1 else text[:1].lower() + text[1:]


def _abbreviation(text: str) -> bool:
    return len(text) > 1 and text.isupper() and text.isalpha()


def _is_of_country(sentence: Sentence, noun: int) -> bool:
    name = sentence.name_at(noun + 1)
    return name is not None and place_noun(name.normal) == "страна"


def _is_telling(noun: str, words_in_role: int) -> bool:
    if noun in words("posts") or noun in words("plain_roles"):
        return False
    return words_in_role > 1


def _is_well_known(sentence: Sentence, noun: int, indices: list[int]) -> bool:
    alone = " ".join(folded(sentence.tokens[i]) for i in indices if sentence.name_at(i) is None or i <= noun)
    written = " ".join(fold(sentence.tokens[i].text) for i in indices)
    lemmas = " ".join(folded(sentence.tokens[i]) for i in indices)
    plain = " ".join(folded(t) for t in (sentence.tokens[i] for i in indices) if t.pos != "ADJ" or t.i == noun)
    longer = tuple(f"{office} " for office in lines("offices") if " " in office)
    return (
        alone in lines("offices")
        or f"{written} ".startswith(longer)
        or f"{lemmas} ".startswith(longer)
        or f"{plain} ".startswith(longer)
    )
