"""What the text says of places, in the relation names of Wikidata: capital of, in the country, part of, borders."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dragon_pipeline.languages.ru.gazetteer import place_noun
from dragon_pipeline.languages.ru.parsing import Name, Sentence
from dragon_pipeline.languages.ru.phrases import folded

CAPITAL, COUNTRY, PART, BORDER = "является столицей", "страна", "административно-территориальная единица", "имеет границы с"
SETTLEMENTS = frozenset(("город", "село", "деревня", "поселок", "городок", "мегаполис"))
REGIONS = frozenset(("область", "край", "район", "республика", "округ", "штат", "провинция", "губерния", "земля", "графство"))


@dataclass(frozen=True)
class PlaceFact:
    head: Name
    relation: str
    tail: Name


def place_facts(sentence: Sentence) -> Iterator[PlaceFact]:
    """«Берлин — столица Германии», «в Таллине, столице Эстонии,», «столица Казахстана Астана», «город Модена в Италии»."""
    yield from _side_by_side(sentence)
    for token in sentence.tokens:
        lemma = folded(token)
        if lemma == "столица":
            yield from _about(sentence, token.i, _genitive(sentence, token.i), CAPITAL)
        elif lemma in SETTLEMENTS:
            around = _within(sentence, token.i)
            yield from _about(sentence, token.i, around, COUNTRY if around and place_noun(around.normal) == "страна" else PART)
        elif lemma in ("входить", "граничить"):
            yield from _verb(sentence, token.i, lemma)


def _side_by_side(sentence: Sentence) -> Iterator[PlaceFact]:
    """«Дамаск (Сирия)», «Мценск Орловской области»."""
    tokens = sentence.tokens
    for one, other in pairwise(sentence.names):
        between = "".join(t.text for t in tokens[one.last + 1 : other.first])
        if one.kind != "LOC" or other.kind != "LOC" or place_noun(one.normal) == "страна":
            continue
        country = place_noun(other.normal) == "страна"
        in_brackets = between == "(" and tokens[min(other.last + 1, len(tokens) - 1)].text == ")"
        governed = not between and tokens[other.head].feats.get("Case") == "Gen"
        region = any(folded(t) in REGIONS for t in tokens[other.first : other.last + 1])
        if (in_brackets or governed) and (country or region):
            yield PlaceFact(one, COUNTRY if country else PART, other)


def _about(sentence: Sentence, noun: int, country: Name | None, relation: str) -> Iterator[PlaceFact]:
    if country is None:
        return
    city = _city(sentence, noun, country)
    if city is not None:
        yield PlaceFact(city, relation, country)


def _city(sentence: Sentence, noun: int, country: Name) -> Name | None:
    """The place that the noun names: its subject («Берлин — столица»), what it is an apposition to, or its own name."""
    tokens = sentence.tokens
    places = [name for name in sentence.names if name.kind == "LOC" and name is not country]
    for name in places:
        head = tokens[name.head]
        if head.rel == "nsubj" and head.head == noun and any(t.text in ("—", "–", "-") for t in tokens[name.last : noun]):
            return name
        if tokens[noun].rel in ("appos", "nmod") and tokens[noun].head == name.head and tokens[noun - 1].text == ",":
            return name
        if head.head == noun and head.rel in ("appos", "nmod") and (name.first == noun + 1 or name.first == country.last + 1):
            return name
    return None


def _genitive(sentence: Sentence, noun: int) -> Name | None:
    return _near(sentence, noun, lambda name: sentence.tokens[name.head].feats.get("Case") == "Gen" and name.first == noun + 1)


def _within(sentence: Sentence, noun: int) -> Name | None:
    tokens = sentence.tokens

    def fits(name: Name) -> bool:
        preposition = tokens[name.first - 1].text.lower() if name.first else ""
        return preposition in ("в", "во") and tokens[name.head].feats.get("Case") == "Loc" and name.first - noun <= 4

    return _near(sentence, noun, fits)


def _near(sentence: Sentence, noun: int, fits) -> Name | None:
    after = [name for name in sentence.names if name.kind == "LOC" and name.first > noun and fits(name)]
    return after[0] if after else None


def _verb(sentence: Sentence, verb: int, lemma: str) -> Iterator[PlaceFact]:
    tokens = sentence.tokens
    places = [name for name in sentence.names if name.kind == "LOC"]
    heads = [n for n in places if tokens[n.head].rel == "nsubj" and tokens[n.head].head == verb]
    if not heads:
        return
    for name in places:
        before = " ".join(t.text.lower() for t in tokens[max(verb, 0) + 1 : name.first])
        if lemma == "входить" and before == "в состав":
            yield PlaceFact(heads[0], PART, name)
        elif lemma == "граничить" and before.startswith("с") and tokens[name.head].feats.get("Case") == "Ins":
            yield PlaceFact(heads[0], BORDER, name)
