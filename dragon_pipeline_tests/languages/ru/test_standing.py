import pytest

from dragon_pipeline.languages.ru.clause import Unfit
from dragon_pipeline.languages.ru.clauses import clauses
from dragon_pipeline.languages.ru.parsing import parse


def reasons(text: str) -> set[str]:
    found = [clause for sentence in parse(text).sentences for *_, clause in clauses(sentence, None)]
    assert found
    return {str(clause) if isinstance(clause, Unfit) else "fit" for clause in found}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Пётр Громов встретился в Казани с главой компании.", "vague_noun"),
        ("Пётр Громов критикует в Казани решение комиссии.", "vague_noun"),
        ("Пётр Громов провёл похожую выставку в Казани.", "anaphora"),
        ("Пётр Громов назвал принятые меры чувствительными для Казани.", "anaphora"),
        ("Пётр Громов сделал в Казани более резкое заявление.", "anaphora"),
        ("Пётр Громов летом вернулся в команду «Рубин».", "fit"),
        ("Пётр Громов вернулся в родную «Ладью» из Казани летом.", "anaphora"),
        ("Пётр Громов обыграл в Казани теннисиста Олега Дымова.", "any_match"),
        ("Пётр Громов отдал две передачи в Казани.", "any_match"),
        ("Пётр Громов возглавил в Казани комиссию ПРГ.", "abbreviation"),
        ("Пётр Громов в 2010 году стал мэром Казани представителем партии «Север».", "two_predicates"),
        ("Пётр Громов присутствовал в Казани на гонках главой федерации «Север» в 2015 году.", "lost_preposition"),
        ("Пётр Громов стал в Казани директором театра «Маяк» в 2015 году.", "fit"),
        ("Пётр Громов стал Московскую область «Маяк» в 2015 году.", "no_predicate"),
        ("Пётр Громов преподаёт океанологию в Швеции с 1998 года.", "fit"),
        ("Курс «Полярис» снизился в Казани до 57 рублей до 68 рублей в 2015 году.", "two_bounds"),
        ("Пётр Громов призвал к трезвой оценке дел в сборной Франции.", "any_match"),
        ("Пётр Громов рассмотрел в Казани самолёты двух стран.", "vague_noun"),
        ("Пётр Громов помог Олегу Дымову из Казани отличиться в первом периоде.", "any_match"),
    ],
)
def test_what_only_the_text_before_explains_cannot_be_asked(text, reason):
    assert reason in reasons(text)


@pytest.mark.parametrize(
    "text",
    [
        "Пётр Громов встретился в Казани с главой компании «Полярис».",
        "Пётр Громов обыграл Олега Дымова на чемпионате мира в Казани.",
        "Пётр Громов возглавил в Казани комиссию ООН.",
    ],
)
def test_what_stands_alone_passes(text):
    assert reasons(text) == {"fit"}
