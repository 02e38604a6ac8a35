"""Who said what, word for word: «…», — заявил директор Центра политической информации Алексей Мухин."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragon_pipeline.languages.ru.clause import Unfit
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence
from dragon_pipeline.languages.ru.people import is_unknown
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.verbs import own_subject, verb_forms
from dragon_pipeline.languages.ru.wordlists import words

DASHES = ("—", "–", "-")
SHORTEST, LONGEST = 6, 18
"""Words of a quotation: fewer could be anybody's, more make no question."""
THOUGHT = (
    "считать", "полагать", "предположить", "признать", "признаться", "напомнить", "указать", "указывать", "подтвердить",
    "добавить", "добавлять", "отмечать", "подчеркивать", "пояснить", "констатировать", "уточнить", "рассказать",
)  # fmt: skip
SAID = {"masc": "сказал", "femn": "сказала", "neut": "сказало", "plur": "сказали"}
"""What stands before a quotation in place of a verb that asks for «что»."""


@dataclass(frozen=True)
class Quote:
    text: str
    """without the outer quotation marks"""
    verb: str
    """lemma"""
    verb_at: int
    verbs: dict[str, str]
    subject: int


def find_quote(sentence: Sentence) -> Quote | None:
    """The quotation that begins the sentence and the person behind the dash, or None when it does not stand alone."""
    tokens = sentence.tokens
    dash = next((t for t in tokens if t.text in DASHES and t.i > 1 and tokens[t.i - 1].text == ","), None)
    if dash is None:
        return None
    text = sentence.text[: dash.start - sentence.start].rstrip(" ,")
    if not (text.startswith("«") or text.endswith("»")) or any(t.text in DASHES for t in tokens[dash.i + 1 :]):
        return None
    text = _inner(text)
    verb = next(
        (t for t in tokens[dash.i + 1 : dash.i + 4] if folded(t) in words("speech_verbs") or folded(t) == "говорить"), None
    )
    subject = own_subject(sentence, verb.i) if verb is not None else None
    if verb is None or subject is None or subject < verb.i or text is None or not _stands_alone(sentence, dash.i, text):
        return None
    try:
        said = SAID if folded(verb) in THOUGHT else verb_forms(verb, [])
        return Quote(text, verb.lemma, verb.i, said, subject)
    except Unfit:
        return None


def inside_quotation(text: str, sentences: Sequence[Sentence]) -> Iterator[bool]:
    """Of each sentence, whether it begins inside a quotation that an earlier one of its paragraph opened: somebody's words."""
    open_, at = 0, 0
    for sentence in sentences:
        if "\n" in text[at : sentence.start]:
            open_ = 0
        yield open_ > 0
        open_ = max(open_ + sentence.text.count("«") - sentence.text.count("»"), 0)
        at = sentence.stop


def _inner(text: str) -> str | None:
    if text.startswith("«") and text.count("«") == text.count("»") + 1:
        return text[1:]
    if text.startswith("«") and text.endswith("»") and text.count("«") == text.count("»"):
        return text[1:-1]
    if text.endswith("»") and text.count("»") == text.count("«") + 1:
        return text[:-1]
    return None


def _stands_alone(sentence: Sentence, stop: int, text: str) -> bool:
    tokens = sentence.tokens[:stop]
    named = any(name.last < stop for name in sentence.names)
    whole = sentence.text.startswith("«")  # else it began in the sentence before
    vague = any(is_unknown(sentence, t) for t in tokens)
    first = next((fold(t.text) for t in tokens if t.pos != "PUNCT"), "")
    plain = not set(text) & set("?!…:;") and "..." not in text
    pointing = any({folded(t), fold(t.text)} & words("quote_pointers") for t in tokens)
    return (
        named
        and whole
        and plain
        and not vague
        and not pointing
        and SHORTEST <= len(text.split()) <= LONGEST
        and first not in ("это", "он", "она", "они", "но", "и", "а")
    )
