"""For tests: a knowledge base of the few items, properties and statements that a test names."""

from collections.abc import Iterable, Mapping, Sequence

from dragon_pipeline.core.knowledge.names import fold
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
        initial, folded = {"item": "Q", "property": "P"}[kind], fold(name)
        return [
            Entity(wikidata_id, names[0], "", "label" if fold(names[0]) == folded else "alias", types=self._types(wikidata_id))
            for wikidata_id, names in self._entities.items()
            if wikidata_id.startswith(initial) and folded in map(fold, names)
        ]

    def _types(self, wikidata_id: str) -> tuple[str, ...]:
        return tuple(one.object for one in self._statements if (one.subject, one.property) == (wikidata_id, "P31"))
