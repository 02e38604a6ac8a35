"""What two facts may not say, whichever question they make, and how their subject agrees."""

from dragon_pipeline.languages.ru.morphology import analyses
from dragon_pipeline.languages.ru.pointing import is_famous, is_known_to_all, is_post_of_the_news, shares_a_name
from dragon_pipeline.languages.ru.stated import Fact
from dragon_pipeline.languages.ru.unprintable import fault


def refuse_known(role: Fact) -> None:
    """Raises:
    ValueError: everybody knows who has this post.
    """
    if is_post_of_the_news(role.words["nominative"]):
        raise ValueError("role_known_to_all")
    if (role.words["well_known"] or is_famous(role.head)) and is_known_to_all(role.words["nominative"]):
        raise ValueError("role_known_to_all")


def check_two_things(one: Fact, other: Fact) -> None:
    """Raises:
    ValueError: they name one thing twice («Когда политик, который высказался в Мюнхене-2007, выступил в Мюнхене»), or are
        said with one verb.
    """
    if shares_a_name(one.phrase("masc"), other.phrase("masc")) or one.relation_verb[:5] == other.relation_verb[:5]:
        raise ValueError("one_thing_twice")


def check_printable(*facts: Fact) -> None:
    """Raises:
    ValueError: a verb phrase is padded, garbled, or tells a state of the day of its article («экспортирует нефть»).
    """
    for fact in facts:
        if not (fact.is_role or fact.is_office):
            refuse(fault(fact.any_phrase()))
            if fact.is_undated():
                raise ValueError("undated_present")


def refuse(reason: str | None) -> None:
    if reason is not None:
        raise ValueError(reason)


def form_of(role: Fact, act: Fact) -> str:
    """`masc` or `femn`: «президент Литвы, которая …» of a woman whose post has a masculine noun."""
    woman = "femn" in (role.words.get("holder"), act.words.get("subject_form"))  # of «Цай Инвэнь» only the verb tells
    form = "femn" if woman and "femn" in act.words["phrase"] else role.words["gender"]
    if form == "femn" and role.words["gender"] == "masc" and _is_a_womans_word(role.words["nominative"].split()[-1]):
        raise ValueError("which_of_two")  # «лидера партии, которая …»: the party
    return form


def _is_a_womans_word(word: str) -> bool:
    first = analyses(word)[:1] if word[:1].islower() and not word.endswith("»") else ()
    return any({"femn", "sing"} in form.tag and form.tag.POS == "NOUN" for form in first)
