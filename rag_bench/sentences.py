"""Sentences of Russian news, by punctuation."""

import re

_END = re.compile(r"(?<=[.!?…])[»\")]*\s+(?=[«\"(]?[А-ЯЁA-Z\d])|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(«])(?:[А-ЯЁA-Z]|г|гг|ул|им|св|тыс|млн|млрд|руб|т\. ?е|т\. ?к|т\. ?д|т\. ?п|см|стр|проф|акад|обл)\.$"
)


def sentences(text: str) -> list[str]:
    """The sentences in order, stripped; an initial or an abbreviation does not end one."""
    found, start = [], 0
    for end in _END.finditer(text):
        if "\n" not in end[0] and _ABBREVIATION.search(text[start : end.start()]):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]
