"""Breaks sound Russian sentences: what the embedded grammar check learns from, and is measured on."""

import random
from collections.abc import Callable, Sequence

from dragon_pipeline.languages.ru import grammar_rules, lemmas, morphology

PREPOSITIONS = "в на с к по о за из от для до у при над под через без между".split()
Way = Callable[[list[str], random.Random], list[str] | None]


def break_one(sentence: str, draw: random.Random) -> str | None:
    """The sentence with one fault (a wrong form three times of five, a word dropped or swapped); None: none could be made."""
    return _broken(sentence, draw, [inflect_wrongly, inflect_wrongly, inflect_wrongly, drop, swap])


def break_variously(sentence: str, draw: random.Random) -> str | None:
    """As `break_one`, and prepositions exchanged, function words put in, words moved."""
    return _broken(sentence, draw, [*([inflect_wrongly] * 4), drop, swap, exchange, exchange, put_in, move])


def _broken(sentence: str, draw: random.Random, ways: Sequence[Way]) -> str | None:
    words = sentence.split()
    for way in draw.sample(ways, len(ways)):
        if (broken := way(list(words), draw)) and broken != words:
            return " ".join(broken)
    return None


def inflect_wrongly(words: list[str], draw: random.Random) -> list[str] | None:
    places = list(range(len(words)))
    draw.shuffle(places)
    for place in places:
        core = words[place].strip('«»"?,.!()')
        if not core.isalpha() or not morphology.known(core):
            continue
        form = morphology.analyses(core)[0]
        if form.tag.POS in ("NOUN", "ADJF", "PRTF", "NPRO"):
            changes = [name for name in ("nomn", "gent", "datv", "accs", "ablt", "loct") if name != grammar_rules.case(form)]
        elif form.tag.POS == "VERB":
            changes = ["plur", "femn", "masc", "neut", "sing"]
        else:
            continue
        draw.shuffle(changes)
        for change in changes:
            other = morphology.inflect(core, change, pos=(form.tag.POS,))
            if other and lemmas.fold(other) != lemmas.fold(core):
                words[place] = words[place].replace(core, other)
                return words
    return None


def drop(words: list[str], draw: random.Random) -> list[str] | None:
    places = [at for at, word in enumerate(words[1:-1], 1) if morphology.analyses(word)[0].tag.POS in ("PREP", "VERB", "NOUN")]
    if places:
        del words[draw.choice(places)]
    return words if places else None


def swap(words: list[str], draw: random.Random) -> list[str] | None:
    places = [at for at in range(1, len(words) - 2) if morphology.analyses(words[at])[0].tag.POS == "PREP"]
    if not places:
        return None
    at = draw.choice(places)
    words[at], words[at + 1] = words[at + 1], words[at]
    return words


def exchange(words: list[str], draw: random.Random) -> list[str] | None:
    """Another preposition."""
    places = [at for at, word in enumerate(words[:-1]) if word in PREPOSITIONS]
    if not places:
        return None
    at = draw.choice(places)
    words[at] = draw.choice([word for word in PREPOSITIONS if word != words[at]])
    return words


def put_in(words: list[str], draw: random.Random) -> list[str] | None:
    """A function word where none belongs."""
    if len(words) < 4:
        return None
    words.insert(draw.randrange(1, len(words) - 1), draw.choice([*PREPOSITIONS, "который", "что", "и"]))
    return words


def move(words: list[str], draw: random.Random) -> list[str] | None:
    """A word put somewhere else, not beside its place."""
    if len(words) < 5:
        return None
    at = draw.randrange(1, len(words) - 1)
    word = words.pop(at)
    words.insert(draw.choice([to for to in range(1, len(words)) if abs(to - at) > 1] or [at]), word)
    return words
