"""How old somebody is: «27-летний защитник Иван Громов»."""

import re
from collections.abc import Iterator

from dragon_pipeline.languages.ru.entities import Form
from dragon_pipeline.languages.ru.named import Named, named
from dragon_pipeline.languages.ru.parsing import Sentence, Token
from dragon_pipeline.languages.ru.phrases import folded, render

AGE = re.compile(r"(?:1[6-9]|[2-9]\d)-летн(?:ий|яя|его|ей|ему|юю|им|ем)")
"""Of people who are no children: beside one everybody is older."""

KIN = (
    "дочь",
    "сын",
    "жена",
    "муж",
    "мать",
    "отец",
    "брат",
    "сестра",
    "вдова",
    "внук",
    "внучка",
    "невеста",
    "супруга",
    "супруг",
)


def aged(sentence: Sentence, forms: dict[int, Form]) -> Iterator[tuple[str, Named, str]]:
    """(age as it is written, who, what the sentence calls them or nothing)."""
    for token in sentence.tokens:
        if not AGE.fullmatch(token.text) or token.head < 0:
            continue
        noun = sentence.tokens[token.head]
        for name in (n for n in sentence.names if n.kind == "PER" and _is_named_by(sentence, n.first, n.head, noun)):
            if (who := named(sentence, name.head, forms)) is not None:
                yield token.text, who, _calling(sentence, token, noun, name.first)


def _is_named_by(sentence: Sentence, first: int, head: int, noun: Token) -> bool:
    """Whether the age is the name's own, or that of the noun that it stands beside; of «20-летняя дочь Анны Полина» the tagger
    makes one name."""
    if head == noun.i:
        return True
    beside = first == noun.i + 1 or sentence.tokens[head].head == noun.i
    return beside and folded(noun) not in KIN and sentence.tokens[head].rel in ("appos", "flat:name")


def _calling(sentence: Sentence, age: Token, noun: Token, first: int) -> str:
    """«российский шахматист»."""
    if noun.pos != "NOUN" or noun.i >= first or noun.feats.get("Case") != "Nom" or noun.i - age.i > 3:
        return ""
    return render(sentence, range(age.i + 1, noun.i + 1))
