"""What news misspell: Latin letters that look like Cyrillic ones («c 2012 года» with a Latin «c»), a comma left out."""

import re

from dragon_pipeline.languages.ru.morphology import analyses

ALIKE = str.maketrans("aceopxykmABCEHKMOPTX", "асеорхукмАВСЕНКМОРТХ")
_ALONE = re.compile(r"(?<![\w.'’&-])[acoky](?= [«\dА-Яа-яЁё])")
_THAT = re.compile(r"(?<=, что) (?=([а-яё]+))")
_WORD = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile(r"[А-Яа-яЁё]")
_LATIN = re.compile(r"[A-Za-z]")


def cyrillic(text: str) -> str:
    """The text with a lone Latin letter before a Russian word or a figure, and those inside Russian words, set right; a word
    with any Latin letter that looks like none («VIP-зона», «COVIDа») stays as it is."""
    return _WORD.sub(_mixed, _ALONE.sub(lambda letter: letter[0].translate(ALIKE), text))


def set_off(text: str) -> str:
    """«полагает, что подняв вопрос, …» with the comma that news leave out before a converb."""
    return _THAT.sub(lambda place: ", " if analyses(place[1])[0].tag.POS == "GRND" else " ", text)


def _mixed(word: re.Match[str]) -> str:
    made = word[0].translate(ALIKE)
    mixed = _CYRILLIC.search(word[0]) and _LATIN.search(word[0]) and not _LATIN.search(made)
    return made if mixed else word[0]
