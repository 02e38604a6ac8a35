"""For tests: a knowledge base of the few items, properties and statements that a test names."""

from collections.abc import Iterable, Mapping, Sequence

from dragon_pipeline.core.ports import Entity, Stated, Statement


class FakeKnowledgeBase:
    """Implements ports.KnowledgeBase.

    Args:
        entities: id → names, the label first, aliases behind it; `Q…` are items, `P…` properties.
        statements: (subject, property, object); the statement's id is the three joined by `$`.
    """

    revision = "fake"

    def __init__(self, entities: Mapping[str, Sequence[str]], statements: Iterable[tuple[str, str, str]] = ()) -> None:
        self._entities = dict(entities)
        self._statements = [Statement("$".join(parts), *parts) for parts in statements]
        self.searched: list[tuple[str, str]] = []
        """every (name, kind) that was looked up, in order"""

    def search(self, names: Sequence[str], kind: str) -> Sequence[Sequence[Entity]]:
        return [self._search(name, kind) for name in names]

    def stated(self, subjects: Sequence[str]) -> Mapping[str, Stated]:
        return {
            subject: Stated(self.revision, tuple(one for one in self._statements if one.subject == subject))
            for subject in subjects
        }

    def _search(self, name: str, kind: str) -> Sequence[Entity]:
        self.searched.append((name, kind))
        initial, folded = {"item": "Q", "property": "P"}[kind], _fold(name)
        return [
            Entity(wikidata_id, names[0], "", "label" if _fold(names[0]) == folded else "alias")
            for wikidata_id, names in self._entities.items()
            if wikidata_id.startswith(initial) and folded in map(_fold, names)
        ]


def _fold(name: str) -> str:
    return " ".join(name.lower().replace("ё", "е").split())
