"""What the index keeps of an item or property, read from its JSON in a dump."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dragon_pipeline.core.knowledge.classes import CLASSES
from dragon_pipeline.core.knowledge.names import spoken

MUL = "mul"
"""labels for all languages: https://www.wikidata.org/wiki/Help:Default_values_for_labels_and_aliases"""
KINDS = {"item": "Q", "property": "P"}
RANKS = {"preferred", "normal"}
INVERSE = "P1696"
INSTANCE_OF = "P31"
_ID = re.compile("[PQ][1-9][0-9]{0,9}")
LARGEST = 2**31 - 1
"""number of an id, as Wikibase itself holds it"""


class Faulty(Exception):
    """An entity that cannot be read; the message is a snake_case reason, details after a colon."""


@dataclass(frozen=True)
class Entry:
    wikidata_id: str
    label: str
    """in the first of the chosen languages that has one"""
    description: str
    names: tuple[tuple[str, str], ...]
    """every label and alias in the chosen languages as (name, `label` or `alias`), labels first; people also by the short
    names that news call them (names.spoken), as aliases"""
    sitelinks: int = 0
    statements: tuple[tuple[str, str, str], ...] = ()
    """(statement id, property, object)"""

    @property
    def types(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for _, name, value in self.statements if name == INSTANCE_OF))

    @property
    def kind(self) -> str:
        return "property" if self.wikidata_id.startswith("P") else "item"


def kind_of(entity: Mapping[str, Any]) -> str:
    """`item`, `property`, or why the entity has no place in an index: `redirect`, `missing`, `other_kind`.

    Raises:
        Faulty: it has no id, or one of another kind than it says.
    """
    if "redirect" in entity:
        return "redirect"
    wikidata_id = entity.get("id")
    if not isinstance(wikidata_id, str) or not wikidata_id:
        raise Faulty("no_id")
    if "missing" in entity:
        return "missing"
    kind = entity.get("type", "item" if wikidata_id.startswith("Q") else "property")
    if not isinstance(kind, str):
        raise Faulty("wrong_type: type")
    if kind not in KINDS:
        return "other_kind"
    if number_of(wikidata_id, KINDS[kind]) is None:
        raise Faulty("bad_id")
    return kind


@lru_cache(maxsize=1 << 16)
def number_of(wikidata_id: object, initial: str) -> int | None:
    """The number in Q… or P…; None for anything else."""
    if not isinstance(wikidata_id, str) or not _ID.fullmatch(wikidata_id) or wikidata_id[0] != initial:
        return None
    number = int(wikidata_id[1:])
    return number if number <= LARGEST else None


def read_entry(entity: Mapping[str, Any], languages: Sequence[str], faults: list[str]) -> Entry | None:
    """An item or property with a label in one of the languages; None without one.

    Args:
        entity: what `kind_of` calls an item or property.
        languages: the first is the one shown, the others stand in in their order, and `mul` behind them.
        faults: reasons of statements that were left out are added to it.

    Raises:
        Faulty: labels, descriptions, aliases, sitelinks or claims are not what they must be.
    """
    asked = (*(language for language in languages if language != MUL), MUL)
    labels = list(_terms(entity, "labels", asked))
    if not labels:
        return None
    aliases = _map(entity, "aliases")
    names = [(label, "label") for label in labels]
    names += [(alias, "alias") for language in asked for alias in _aliases(aliases.get(language, ()))]
    statements = tuple(_statements(entity, faults))
    if any(value in CLASSES["people"] for _, name, value in statements if name == INSTANCE_OF):
        names += [(short, "alias") for label in labels for short in spoken(label)]
    return Entry(
        wikidata_id=entity["id"],
        label=labels[0],
        description=next(_terms(entity, "descriptions", asked), ""),
        names=tuple(dict.fromkeys(names)),
        sitelinks=len(_map(entity, "sitelinks")),
        statements=statements,
    )


def _map(entity: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    """An empty map is written as an empty list by PHP."""
    found = entity.get(part) or {}
    if not isinstance(found, dict):
        raise Faulty(f"wrong_type: {part}")
    return found


def _terms(entity: Mapping[str, Any], part: str, languages: Sequence[str]) -> Iterator[str]:
    found = _map(entity, part)
    for language in languages:
        if language in found and (text := _text(found[language], part)):
            yield text


def _aliases(found: object) -> Iterator[str]:
    if not isinstance(found, list | tuple):
        raise Faulty("wrong_type: aliases")
    yield from filter(None, (_text(one, "aliases") for one in found))


def _text(term: object, part: str) -> str:
    value = term.get("value") if isinstance(term, dict) else None
    if not isinstance(value, str):
        raise Faulty(f"wrong_type: {part}")
    return " ".join(value.split())


def _statements(entity: Mapping[str, Any], faults: list[str]) -> Iterator[tuple[str, str, str]]:
    subject = entity["id"]
    for name, group in _map(entity, "claims").items():
        if not isinstance(group, list) or number_of(name, "P") is None:
            faults.append("bad_statement")
            continue
        initials = "QP" if name == INVERSE and subject[0] == "P" else "Q"
        for claim in group:
            try:
                value = _value(claim, initials)
                if value:
                    yield claim["id"] + "", name, value  # a TypeError when it is no text
            except (KeyError, TypeError, AttributeError):
                faults.append("bad_statement")


def _value(claim: Mapping[str, Any], initials: str) -> str | None:
    """The item that a claim states; None when it is deprecated, without a value, or states something else.

    Raises:
        KeyError, TypeError, AttributeError: it is not built like a statement.
    """
    rank, snak = claim["rank"], claim["mainsnak"]
    if rank == "deprecated" or snak["snaktype"] != "value" or snak["datavalue"]["type"] != "wikibase-entityid":
        return None
    value = snak["datavalue"]["value"]
    initial = KINDS.get(value["entity-type"], "-")
    if initial not in initials:
        return None
    known = value.get("id") or f"{initial}{value['numeric-id']}"  # older dumps give the number alone
    if rank not in RANKS or number_of(known, initial) is None:
        raise TypeError("of a statement")
    return known
