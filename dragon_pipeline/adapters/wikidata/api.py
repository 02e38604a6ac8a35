"""Wikidata's live API: names through wbsearchentities, all else through wbgetentities, cached for the calendar day."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from dragon_pipeline.adapters.wikidata.api_cache import ApiCache
from dragon_pipeline.adapters.wikidata.entries import KINDS, MUL, Entry, Faulty, number_of, read_entry
from dragon_pipeline.adapters.wikidata.wikibase import NoSuchEntity, Wikibase
from dragon_pipeline.adapters.wikidata.wikibase_site import WikibaseSite
from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.core.ports import Entity, Stated, Statement
from dragon_pipeline.core.settings import WikidataSettings

BATCH = 50
"""ids in one request, and names found in one go: a killed run asks again for one batch at most"""
HITS = "50"
"""most that wbsearchentities gives to an anonymous client"""
LONGEST_NAME = 250
"""characters; Wikidata takes no longer labels and aliases"""
NAMES, ALL = "info|labels|aliases", "info|labels|aliases|descriptions|sitelinks|claims"
KNOWN = "Q42"
"""asked for to see whether the server answers"""
MISSING = "missing"
"""revision of what does not exist"""


@dataclass(frozen=True)
class Record:
    """An entity as it was read."""

    revision: str
    """`lastrevid`"""
    entry: Entry

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        pairs = {name: tuple(map(tuple, stored["entry"][name])) for name in ("names", "statements")}
        entry: dict[str, Any] = {**stored["entry"], **pairs}
        return cls(stored["revision"], Entry(**entry))


def calendar_day() -> date:
    return datetime.now(UTC).date()


class WikidataApi:
    """Implements ports.KnowledgeBase. Nothing is asked when it is made.

    Args:
        folder: holds the cache, which several processes may share, and pywikibot's own files.
        today: the calendar day, which says what in the cache is too old (`max_age_days`).

    Raises:
        BadInput: `api` or `contact` in the settings cannot be used.
    """

    revision = "api"

    def __init__(
        self, settings: WikidataSettings, language: str, folder: Path, today: Callable[[], date] = calendar_day
    ) -> None:
        site = WikibaseSite(settings.api, settings.contact, folder / "pywikibot", settings.timeout)
        self._wikibase = Wikibase(site, settings.maxlag, settings.patience)
        self._cache = ApiCache(folder / "answers.sqlite", settings.api, language)
        self._language = language
        self._today = today
        self._max_age = timedelta(days=settings.max_age_days - 1)

    def search(self, names: Sequence[str], kind: str) -> Sequence[Sequence[Entity]]:
        """As the port says; the best known first."""
        terms = {name: _terms(name) for name in names}
        hits = self._hits(sorted({term for of_name in terms.values() for term in of_name}), kind)
        ids = {name: sorted({one for term in terms[name] for one in hits[term]}) for name in terms}
        records = self._records(sorted({one for of_name in ids.values() for one in of_name}))
        return [_matches(fold(name), (records[one] for one in ids[name])) for name in names]

    def stated(self, subjects: Sequence[str]) -> Mapping[str, Stated]:
        """As the port says. What is stated about an id that redirects is that of its target, whose id the revision names."""
        asked = sorted({one for one in subjects if any(number_of(one, initial) for initial in KINDS.values())})
        records = self._records(asked)
        return {subject: _stated(subject, records.get(subject)) for subject in subjects}

    def examine(self) -> str:
        """For `dragon doctor`: asks the server, past the cache.

        Raises:
            Unreachable: it does not answer.
            BadInput: pywikibot is not installed.
        """
        record = self._get([KNOWN], NAMES)[KNOWN]
        revision = f"at revision {record.revision}" if record else "is missing"
        return f"{KNOWN} {revision}; {self._cache.count()} answers in the cache; user agent {self._wikibase.site.user_agent}"

    def _hits(self, terms: Sequence[str], kind: str) -> dict[str, Sequence[str]]:
        """For each term the ids of what has it as a name; the server gives more, names that only begin with it too."""
        hits = self._cache.look_up(kind, terms, self._oldest())
        for batch in _batches([term for term in terms if term not in hits]):
            day = self._today()
            begun = {term: self._begun(term, kind) for term in batch}
            found = {one for ids in begun.values() for one in ids}
            named = {one: _names(record) for part in _batches(sorted(found)) for one, record in self._get(part, NAMES).items()}
            equal = {term: [one for one in ids if fold(term) in named[one]] for term, ids in begun.items()}
            self._cache.keep(kind, equal, day, self._oldest())
            hits |= equal
        return hits

    def _begun(self, term: str, kind: str) -> list[str]:
        """Ids of entities with a name that begins with the term."""
        answer = self._wikibase.ask(
            "wbsearchentities", search=term, language=self._language, uselang=self._language, type=kind, limit=HITS
        )
        try:
            return sorted({hit["id"] for hit in answer["search"]})
        except (KeyError, TypeError) as error:
            raise self._unreadable(f"a search ({term})", error) from error

    def _records(self, ids: Sequence[str]) -> dict[str, Record | None]:
        known = self._cache.look_up("entity", ids, self._oldest())
        records = {one: Record.of(record) if record else None for one, record in known.items()}
        for batch in _batches([one for one in ids if one not in records]):
            day = self._today()
            found = self._get(batch, ALL)
            stored = {one: asdict(record) if record else None for one, record in found.items()}
            self._cache.keep("entity", stored, day, self._oldest())
            records |= found
        return records

    def _get(self, ids: Sequence[str], props: str) -> dict[str, Record | None]:
        """At most BATCH entities by the ids asked for; None for one that does not exist."""
        try:
            answer = self._wikibase.ask(
                "wbgetentities", ids="|".join(ids), props=props, languages=f"{self._language}|{MUL}", redirects="yes"
            )
        except NoSuchEntity:  # one impossible id fails them all
            if len(ids) == 1:
                return {ids[0]: None}
            half = len(ids) // 2
            return self._get(ids[:half], props) | self._get(ids[half:], props)
        return {one: self._read(one, answer) for one in ids}

    def _read(self, wikidata_id: str, answer: Mapping[str, Any]) -> Record | None:
        try:
            entity = answer["entities"][wikidata_id]
            if "missing" in entity:
                return None
            faults: list[str] = []
            entry = read_entry(entity, [self._language], faults)
            if entry is None:
                entry = _nameless(entity, faults)
            if faults:
                raise Faulty(faults[0])
            return Record(str(entity["lastrevid"]), entry)
        except (KeyError, TypeError, Faulty) as error:
            raise self._unreadable(wikidata_id, error) from error

    def _unreadable(self, what: str, error: Exception) -> Unreachable:
        return Unreachable(
            f"{self._wikibase.site.url}: its answer about {what} cannot be read ({type(error).__name__}: {error}); "
            "see wikidata.api in the settings"
        )

    def _oldest(self) -> date:
        """Answers from before this day are forgotten."""
        return self._today() - self._max_age


def _terms(name: str) -> list[str]:
    """What is searched for a name: as it is folded and, where that is more than lower case, as it is written. The server has
    a folding of its own, which keeps full stops and quotation marks that ours drops."""
    terms = {fold(name), " ".join(name.lower().split())}
    return sorted(term for term in terms if fold(term) and len(term) <= LONGEST_NAME)


def _names(record: Record | None) -> set[str]:
    return {fold(name) for name, _ in record.entry.names} if record else set()


def _matches(folded: str, records: Iterable[Record | None]) -> list[Entity]:
    """Those with that name, best known first, then labels before aliases, then by number."""
    found = [entity for record in records if record and (entity := _match(folded, record.entry))]
    return sorted(found, key=lambda entity: (-entity.sitelinks, entity.match == "alias", int(entity.wikidata_id[1:])))


def _match(folded: str, entry: Entry) -> Entity | None:
    for name, match in entry.names:
        if fold(name) == folded:
            return Entity(entry.wikidata_id, entry.label, entry.description, match, entry.sitelinks, entry.types)
    return None


def _stated(subject: str, record: Record | None) -> Stated:
    if record is None:
        return Stated(MISSING)
    entry = record.entry
    statements = tuple(Statement(statement_id, entry.wikidata_id, *rest) for statement_id, *rest in entry.statements)
    return Stated(record.revision if entry.wikidata_id == subject else f"{entry.wikidata_id}@{record.revision}", statements)


def _nameless(entity: Mapping[str, Any], faults: list[str]) -> Entry:
    """Of an entity without a label in our language: it is not found by name, and still has statements."""
    label = {MUL: {"value": entity["id"]}}
    entry = read_entry({**entity, "labels": label, "aliases": {}}, [], faults)
    assert entry
    return Entry(entry.wikidata_id, entry.label, entry.description, (), entry.sitelinks, entry.statements)


def _batches(of: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(of), BATCH):
        yield of[start : start + BATCH]
