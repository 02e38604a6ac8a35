"""What an item is an instance of (P31), roughly: enough to tell that a name of one kind cannot mean it.

Only direct classes are known, not what they are subclasses of, so an item of another class is not judged.
"""

import re
from collections.abc import Iterable, Mapping

_LISTED = {
    "people": ("Q5 human, Q15632617 fictional human"),
    "names": ("Q101352 family name, Q202444 given name, Q12308941 male given name, Q11879590 female given name"),
    "pages": ("Q4167410 disambiguation page, Q4167836 category, Q11266439 template, Q13406463 list article"),
    "places": (
        "Q515 city, Q1549591 big city, Q1637706 city of millions, Q3957 town, Q532 village, Q486972 human settlement, "
        "Q5119 capital, Q6256 country, Q3624078 sovereign state, Q35657 U.S. state, Q43263 federal subject of Russia, "
        "Q835714 oblast, Q41162 republic of Russia, Q634099 rural settlement, Q2198484 raion, "
        "Q10864048 first-level administrative division, Q56061 administrative unit, Q4022 river, Q23397 lake, Q165 sea, "
        "Q23442 island, Q8502 mountain, Q5107 continent, Q79007 street, Q174782 square, Q123705 neighbourhood"
    ),
    "organisations": (
        "Q43229 organisation, Q4830453 business, Q783794 company, Q6881511 enterprise, Q891723 public company, "
        "Q18388277 technology company, Q7278 political party, Q327333 government agency, Q192350 ministry, Q22687 bank, "
        "Q476028 football club, Q847017 sports club, Q12973014 sports team, Q163740 non-profit, "
        "Q245065 intergovernmental organisation, Q484652 international organisation, Q46970 airline, "
        "Q192283 news agency, Q1616075 television station, Q215380 band, Q2085381 publisher, Q18127 record label"
    ),
    "works": (
        "Q17537576 creative work, Q47461344 written work, Q7725634 literary work, Q11424 film, Q24862 short film, "
        "Q506240 television film, Q24856 film series, Q5398426 television series, Q1259759 miniseries, Q571 book, "
        "Q8261 novel, Q482994 album, Q7366 song, Q134556 single, Q105543609 musical work, Q3305213 painting, "
        "Q7889 video game, Q25379 play, Q1344 opera"
    ),
}
CLASSES: Mapping[str, frozenset[str]] = {name: frozenset(re.findall(r"Q\d+", ids)) for name, ids in _LISTED.items()}
NEVER: Mapping[str, frozenset[str]] = {
    "LOC": frozenset({"people", "names", "organisations", "works"}),
    "ORG": frozenset({"people", "names", "places", "works"}),
    "WORK": frozenset({"people", "names", "places"}),
    "ROLE": frozenset({"people", "names", "places", "organisations", "works"}),
    "OTHER": frozenset({"names"}),
}
"""What a name of a kind does not mean."""


def can_mean(kind: str, types: Iterable[str]) -> bool:
    """Whether a name of a kind (empty for a relation) can mean what is an instance of these. A person is one; nothing means a
    page of Wikimedia; what is of several classes is meant as any of them."""
    types = frozenset(types)
    if types & CLASSES["pages"]:
        return False
    if not types or not kind:
        return True
    if kind == "PER":
        return bool(types & CLASSES["people"])
    of = {name for name, ids in CLASSES.items() if types & ids}
    return not of or bool(of - NEVER.get(kind, frozenset()))
