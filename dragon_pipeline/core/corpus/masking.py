"""Personal data masked in a text: phones, e-mails, accounts, documents, cards, car plates, home addresses.

Names stay: public persons are what news is about. What is masked and after which words is in `masking.yaml`; addresses, which
have a grammar, are in `home_addresses`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

import yaml

from dragon_pipeline.core.corpus.checksums import is_card, is_iban
from dragon_pipeline.core.corpus.home_addresses import addresses

REACH = 40
"""characters between a cue and its number, where a rule does not say"""
WINDOW = 60
"""characters before a shape that are looked at besides its reach"""
MOST_TURNS = 20
"""What is found may have stood in the way of what is found next; chains of more are made to take the square of their length."""
CONTINUED = re.compile(r"(?:[,;/]| и| или)* ?")
NUMBER = re.compile(r"\d(?:[ ()./№–-]{0,4}\d){5}")
EXTENSION = re.compile(r"(?:, ?| )\(?(?:доб|внутр|ext)\w*\.? ?\d{1,5}\)?")


@dataclass(frozen=True)
class Span:
    """Characters that are personal data."""

    start: int
    stop: int
    kind: str
    """phone, mail, document, card, account, address, handle or plate"""


@dataclass(frozen=True)
class Rule:
    kind: str
    shapes: Sequence[re.Pattern[str]]
    needs: Sequence[str]
    """a text without one of these, in lower case, has nothing for it"""
    digits: bool
    """nor has one without NUMBER"""
    cue: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    reach: int
    check: Callable[[str], bool]
    apart: bool
    """a number before it, but for one that is masked too, makes it part of a sum or table"""
    extension: bool

    def is_cued(self, text: str, start: int, before: Span | None) -> bool:
        """Whether a cue stands before `start`, or a number that was cued, with nothing between but a comma."""
        if self.cue is None:
            return True
        if before and before.kind == self.kind and CONTINUED.fullmatch(text, before.stop, start):
            return True
        window = text[max(0, start - self.reach - WINDOW) : start].rpartition("]")[2]
        return bool(self.cue.search(window)) and not (self.unless and self.unless.search(window))


def mask(text: str) -> tuple[str, int]:
    """The text with a fixed token in the place of everything personal, and how many.

    Sums, years, scores and other plain numbers stay. Masking what is masked changes nothing (but for what was made to be masked
    bit by bit), and no other character changes.
    """
    masked = 0
    for _ in range(MOST_TURNS):
        spans = find(text)
        if not spans:
            break
        masked += len(spans)
        text = "".join(_pieces(text, spans))
    return text, masked


def find(text: str) -> list[Span]:
    """What is to be masked, in order, without overlaps."""
    taken = bytearray(len(text))
    found: list[Span] = []
    for span in addresses(text):
        _take(Span(*span, "address"), taken, found)
    lower, numbers = text.lower(), NUMBER.search(text) is not None
    for rule in rules():
        if (numbers or not rule.digits) and (not rule.needs or any(word in lower for word in rule.needs)):
            for span in _matches(rule, text):
                _take(span, taken, found)
    return sorted(found, key=lambda span: span.start)


@cache
def tokens() -> dict[str, str]:
    """Kind → what stands in its place."""
    return _read()["tokens"]


@cache
def rules() -> tuple[Rule, ...]:
    told = _read()
    return tuple(_rule(rule, told["parts"]) for rule in told["rules"])


def _matches(rule: Rule, text: str) -> Iterator[Span]:
    before: Span | None = None
    for start, stop in sorted(match.span() for shape in rule.shapes for match in shape.finditer(text)):
        if (before and start < before.stop) or (rule.apart and _follows_number(text, start, before)):
            continue
        if rule.check(text[start:stop]) and rule.is_cued(text, start, before):
            more = EXTENSION.match(text, stop) if rule.extension else None
            before = Span(start, more.end() if more else stop, rule.kind)
            yield before


def _follows_number(text: str, start: int, before: Span | None) -> bool:
    return (
        text[start - 1 : start] == " " and text[start - 2 : start - 1].isdigit() and not (before and before.stop == start - 1)
    )


def _take(span: Span, taken: bytearray, found: list[Span]) -> None:
    if not any(taken[span.start : span.stop]):
        taken[span.start : span.stop] = b"\1" * (span.stop - span.start)
        found.append(span)


def _pieces(text: str, spans: Sequence[Span]) -> Iterator[str]:
    edges = [Span(0, 0, ""), *spans, Span(len(text), len(text), "")]
    for one, following in pairwise(edges):
        yield text[one.stop : following.start]
        yield tokens().get(following.kind, "")


def _rule(told: dict, parts: dict[str, str]) -> Rule:
    reach = told.get("reach", REACH)
    cues, unless = told.get("cues"), told.get("unless")
    shapes = [re.sub(r"<[a-z]+>", lambda name: parts[name[0]], shape) for shape in told["shapes"]]
    return Rule(
        kind=told["kind"],
        shapes=[re.compile(shape) for shape in shapes],
        needs=told.get("needs", ()),
        digits=told.get("digits", False),
        cue=re.compile(rf"(?i)(?<!\w)(?:{'|'.join(cues)})[^\d\n.;!?]{{0,{reach}}}$") if cues else None,
        unless=re.compile(rf"(?i)(?<!\w)(?:{'|'.join(unless)})[^\d\n.;!?]{{0,{reach}}}$") if unless else None,
        reach=reach,
        check=CHECKS[told.get("check", "any")],
        apart=told.get("apart", False),
        extension=told.get("extension", False),
    )


@cache
def _read() -> dict:
    return yaml.safe_load((files("dragon_pipeline.core.corpus") / "masking.yaml").read_text(encoding="utf-8"))


def _is_no_sum(number: str) -> bool:
    """Neither a number in groups of three digits, nor years."""
    groups = re.findall(r"\d+", number)
    thousands = " " in number and all(len(group) == 3 for group in groups[1:]) and not re.search(r"[()–-]", number)
    return not thousands and not _all_years(groups)


def _all_years(groups: Sequence[str]) -> bool:
    return len(groups) > 1 and all(len(group) == 4 and 1000 <= int(group) <= 2100 for group in groups)


def _is_card_length(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    return digits[0] in "23456" and len(digits) in range(13, 20) and not _all_years(re.findall(r"\d+", number))


CHECKS: dict[str, Callable[[str], bool]] = {
    "any": lambda number: True,
    "not_grouped": _is_no_sum,
    "card_length": _is_card_length,
    "card": lambda number: _is_card_length(number) and is_card(number),
    "iban": is_iban,
}
