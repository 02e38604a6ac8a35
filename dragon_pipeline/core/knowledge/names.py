"""Names as they are compared: one folding for what is indexed, asked and linked."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

QUOTES = '"«»„“”‟‹›〈〉《》＂'
APOSTROPHES = "'`´‘’‚‛ʼʹʻ"
DASHES = "-‐‑‒–—―−﹘﹣－"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e"
STRESS = "\u0300\u0301"
"""accents that no letter holds: «Пу́тин»"""
CYRILLIC = "авсенкмортхуіѕј"
LATIN = "abcehkmoptxyisj"
"""Lower case of letters that look alike in either case, by place."""

_MARKS = str.maketrans(
    {**dict.fromkeys(QUOTES, " "), **dict.fromkeys(APOSTROPHES + INVISIBLE + STRESS), **dict.fromkeys(DASHES, "-")}
)
_TO_CYRILLIC = str.maketrans(LATIN, CYRILLIC)
_TO_LATIN = str.maketrans(CYRILLIC, LATIN)
_PLAIN = re.compile(r"(?>[0-9a-z]+|[0-9а-я]+)(?: (?>[0-9a-z]+|[0-9а-я]+))*")
"""What folding leaves alone."""
_MIXED = re.compile(r"[^\W_]*(?:[a-z][^\W_]*[\u0400-\u052f]|[\u0400-\u052f][^\W_]*[a-z])[^\W_]*")
_LATIN_LETTER, _CYRILLIC_LETTER = re.compile("[a-z]"), re.compile("[\u0400-\u052f]")
_INITIAL = re.compile(r"(?<!\w)([^\W\d_])\.+")
_LAST_STOPS = re.compile(r"(?<=\w)\.+(?=\s|$)")
_WORD = re.compile(r"[^\W_]+")
_NUMERAL = re.compile("[IVXLCDM]+")
_DASH = re.compile(r"\s*-\s*")


def fold(name: str) -> str:
    """The form under which two spellings of one name are equal; folding it again changes nothing. May be empty.

    Compatibility forms (NFKC) and case are folded, ё is е, quotation marks, apostrophes, stress and invisible marks go, dashes
    are hyphens without space, full stops of initials and at the end of words go («А.С. Пушкин», «А. С. Пушкин»), and a
    word of Cyrillic and Latin look-alikes is written in the script of most of its letters («Cевeрсталь»; Cyrillic when even).
    """
    plain = name.lower().replace("ё", "е")
    while not _PLAIN.fullmatch(plain):
        folded = _fold(plain)
        if folded == plain:
            break
        plain = folded
    return plain


def _fold(name: str) -> str:
    name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).replace("ё", "е").translate(_MARKS)
    name = _MIXED.sub(lambda word: _one_script(word[0]), name)
    name = _LAST_STOPS.sub("", _INITIAL.sub(r"\1 ", name))
    return _DASH.sub("-", " ".join(name.split()))


def _one_script(word: str) -> str:
    latin, cyrillic = len(_LATIN_LETTER.findall(word)), len(_CYRILLIC_LETTER.findall(word))
    other = word.translate(_TO_LATIN if latin > cyrillic else _TO_CYRILLIC)
    return word if _LATIN_LETTER.search(other) and _CYRILLIC_LETTER.search(other) else other


def twin(name: str) -> str | None:
    """A folded name that is written in look-alikes of one script alone, in the other: Latin «htb» is «нтв»."""
    for letters, table in ((LATIN, _TO_CYRILLIC), (CYRILLIC, _TO_LATIN)):
        own = [letter for letter in name if letter.isalpha()]
        if own and all(letter in letters for letter in own):
            return name.translate(table)
    return None


@dataclass(frozen=True)
class Variant:
    """A name as it may stand in the knowledge base."""

    name: str
    """folded"""
    why: str
    """`name` for the name itself; else what was done to it, as the language says: `twin`, `quoted`, …"""
    needs: tuple[str, ...] = ()
    """beginnings of words, folded, which the label of what is found must hold too: «Б. Обама» may be an Обама with a «б…»"""


Variants = Callable[[str, str], Sequence[Variant]]
"""(name, kind) → its variants, the surest first; kind as of an end of a triplet, empty for a relation."""


def plain(name: str, kind: str) -> Sequence[Variant]:
    """The variants that need no knowledge of a language."""
    folded = fold(name)
    other = twin(folded)
    return [Variant(one, why) for one, why in ((folded, "name"), (other, "twin")) if one]


def holds(label: str, needs: Sequence[str]) -> bool:
    """Whether words of the label begin with all of `needs`, each with another."""
    words = _WORD.findall(fold(label))
    for need in sorted(_WORD.findall(" ".join(needs)), key=lambda need: -len(need)):
        found = next((word for word in words if word.startswith(need)), None)
        if found is None:
            return False
        words.remove(found)
    return True


def spoken(person: str) -> Sequence[str]:
    """How news name a person whom a label names in full: given name first («Путин, Владимир Владимирович»), without the middle
    one of three names («Владимир Путин»). The label itself is not among them."""
    surname, *given = (part.strip() for part in person.split(","))
    if len(given) > 1 or (given and not (surname and given[0])):
        return []
    names = [*given[0].split(), surname] if given else person.split()
    found = [" ".join(names)] if given else []
    if len(names) == 3 and not names[1].endswith(".") and not _NUMERAL.fullmatch(names[2]):
        found.append(f"{names[0]} {names[2]}")
    return found
