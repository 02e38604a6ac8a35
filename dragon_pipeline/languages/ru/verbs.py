"""Verbs: their forms for a question word, their subjects."""

from dragon_pipeline.languages.ru.clause import Unfit
from dragon_pipeline.languages.ru.morphology import inflect
from dragon_pipeline.languages.ru.parsing import Sentence, Token

FORMS = {"masc": ("masc", "sing"), "femn": ("femn", "sing"), "neut": ("neut", "sing"), "plur": ("plur",)}
"""«Кто купил», «Какая компания купила», «Какое издательство купило», «Какие страны купили»."""


def own_subject(sentence: Sentence, verb: int) -> int | None:
    """The nominative subject of a verb, when it has just one."""
    found = [c for c in sentence.children[verb] if sentence.tokens[c].rel in ("nsubj", "nsubj:pass")]
    if len(found) != 1 or sentence.tokens[found[0]].feats.get("Case", "Nom") != "Nom":
        return None
    return found[0]


def verb_forms(verb: Token, auxiliaries: list[Token]) -> dict[str, str]:
    """The verb with its auxiliaries in the forms of FORMS.

    Raises:
        Unfit: the dictionary does not know a form.
    """
    parts = [*auxiliaries, verb]
    return {name: " ".join(_form(token, grammemes) for token in parts) for name, grammemes in FORMS.items()}


def _form(token: Token, grammemes: tuple[str, ...]) -> str:
    past = token.feats.get("Tense") == "Past"
    gendered = past or "Gender" in token.feats or bool(token.feats.get("Variant"))
    wanted = grammemes if gendered else grammemes[-1:]
    form = inflect(token.text, *wanted, pos=("VERB", "PRTS"), prefer=("past",) if past else ("3per",))
    if form is None:
        raise Unfit("verb_form")
    return form.lower()
