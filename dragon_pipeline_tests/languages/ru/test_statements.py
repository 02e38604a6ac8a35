import pytest

MINISTER = "Министр транспорта России Олег Дымов"
WHAT = "завод «Маяк» в Казани выпустит тысячу электробусов"


def stated(reading) -> list[tuple[str, str]]:
    return [(row["head"], row["tail"]) for row in reading.kept if row["relation"].startswith(("заявить", "сообщить"))]


@pytest.mark.parametrize("text", [f"{MINISTER} заявил, что {WHAT}.", f"{MINISTER} сообщил, что {WHAT}."])
def test_what_somebody_stated_is_his_statement_and_no_fact_of_the_article(read, text):
    reading = read(text)
    assert stated(reading) == [("Олег Дымов", WHAT)]
    assert not [row for row in reading.kept if row["relation"].startswith("выпустить")]


def test_a_statement_is_asked_for_by_who_made_it_only(read, question, written):
    (row,) = read(f"{MINISTER} заявил, что {WHAT}.").of("clause")
    assert question("simple", [row], "Олег Дымов") == f"Кто заявил, что {WHAT}?"
    assert written("simple", [row], WHAT).reason == "tail_has_no_question_word"


@pytest.mark.parametrize(
    "text",
    [
        f"{MINISTER} заявил, что он построит в Казани новый завод.",
        f"{MINISTER} заявил, что этот завод выпустит тысячу электробусов.",
        f"{MINISTER} не заявил, что {WHAT}.",
        f"{MINISTER} заявил, что {WHAT}, который купит компания «Полярис», если банк — любой — даст кредит: так решено.",
    ],
)
def test_a_statement_that_does_not_stand_alone_is_not_asked(read, text):
    assert not read(text).of("clause")
