"""People by their full names: a surname alone in a sentence tells nobody who reads only the question."""

from dataclasses import replace

from dragon_pipeline.languages.ru.entities import Form, is_full
from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.morphology import CASES, GENDERS, inflect, known
from dragon_pipeline.languages.ru.parsing import Name, Sentence, Token
from dragon_pipeline.languages.ru.phrases import folded
from dragon_pipeline.languages.ru.wordlists import words


def spell_out(sentence: Sentence, forms: dict[int, Form]) -> Sentence:
    """The sentence with the article's given name before every surname that stands alone: «встреча с Петровым» → «с Иваном
    Петровым». The word keeps its place among the tokens and its offsets."""
    told = {name.head: text for name in sentence.names if (text := _full(sentence, name, forms)) is not None}
    if not told:
        return sentence
    return replace(sentence, tokens=tuple(replace(t, text=told[t.i]) if t.i in told else t for t in sentence.tokens))


def as_written(text: str, sentence: Sentence, told: Sentence) -> str:
    """Text made of `told`, which is `sentence` spelled out, in the sentence's own words again."""
    for one, other in zip(told.tokens, sentence.tokens, strict=True):
        if one.text != other.text:
            text = text.replace(one.text, other.text)
    return text


def is_unknown(sentence: Sentence, token: Token) -> bool:
    """Whether the token is one word for a person that could be anybody's name."""
    name = sentence.name_at(token.i)
    if name is None or name.kind != "PER" or name.first != name.last or " " in token.text:
        return False
    return folded(token) not in words("famous") and fold(token.text) not in words("famous")


def _full(sentence: Sentence, name: Name, forms: dict[int, Form]) -> str | None:
    form, token = forms[name.start], sentence.tokens[name.head]
    if name.kind != "PER" or name.first != name.last or not form.sure or not is_full(form.text):
        return None
    if not is_unknown(sentence, token):
        return None
    given = _inflected(form.text.split()[:-1], token)
    return f"{given} {token.text}" if given else None


def _inflected(given: list[str], token: Token) -> str | None:
    """Given names in the case of the surname; None when the dictionary does not know how."""
    case, gender = CASES.get(token.feats.get("Case", ""), ""), GENDERS.get(token.feats.get("Gender", ""), "masc")
    if not case:
        return None
    said = []
    for word in given:
        form = word if case == "nomn" else None
        if form is None and known(word):
            form = inflect(word, case, "sing", pos=("NOUN",), prefer=("nomn", "Name", gender))
        elif form is None and word[-1] in "оуиэюеёы":
            form = word  # «Марио», «Энди» have no cases
        if form is None:
            return None
        said.append(form)
    return " ".join(said)
