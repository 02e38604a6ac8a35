import pytest

from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.quotes import Quote, find_quote, inside_quotation

WORDS = "Новый завод в Казани выпустит тысячу электрических автобусов до конца года"


def quote(text: str) -> Quote | None:
    (sentence,) = parse(text).sentences
    return find_quote(sentence)


@pytest.mark.parametrize(
    ("behind", "verb"),
    [("заявила директор завода «Маяк» Мария Соколова", "заявила"), ("сообщил Пётр Громов", "сообщил"),
     ("считает Пётр Громов", "сказал")],
)  # fmt: skip
def test_what_somebody_said_word_for_word_is_kept_without_the_outer_marks(behind, verb):
    found = quote(f"«{WORDS}», — {behind}.")
    assert found is not None
    assert found.text == WORDS
    assert verb in found.verbs.values()


def test_quotation_marks_inside_stay_in_pairs():
    said = "Завод «Маяк» в Казани выпустит тысячу новых автобусов марки «Вектор»"
    found = quote(f"«{said}», — заявила директор завода Мария Соколова.")
    assert found is not None
    assert found.text == said


@pytest.mark.parametrize(
    "said",
    [
        "Мы построим в Казани завод, который будет больше всех: это точно",
        "Он построит в Казани новый завод электрических автобусов до конца года",
        "Новый завод",
        "Разве завод в Казани выпустит тысячу электрических автобусов до конца года?",
        "Новый завод выпустит тысячу электрических автобусов ещё до конца года".replace("тысячу ", ""),
    ],
)
def test_a_quotation_that_does_not_stand_alone_is_none(said):
    assert quote(f"«{said}», — заявила директор Мария Соколова.") is None


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS}.",
        f"«{WORDS}», — и на этом всё.",
        f"Директор Мария Соколова заявила: «{WORDS}».",
        "Завод «Маяк» — крупнейший в Казани.",
    ],
)
def test_without_a_speaker_behind_a_dash_there_is_no_quotation(text):
    assert quote(text) is None


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("Дождь идёт. «Завод открыт. Цех готов», — сказал инженер. Снег лёг.", [False, False, True, False]),
        ("«Завод открыт. Цех готов.\nСнег лёг на поля.", [False, True, False]),
        ("Завод «Маяк» открыт. Цех готов.", [False, False]),
    ],
)
def test_a_quotation_goes_on_until_its_mark_or_the_end_of_the_paragraph(text, inside):
    assert list(inside_quotation(text, parse(text).sentences)) == inside


@pytest.mark.parametrize(
    "said",
    [
        "Наш завод в Казани выпустит тысячу электрических автобусов до конца года",
        "Завод, который построил Дымов, выпустит в Казани тысячу электрических автобусов",
        "Уверен, что завод в Казани выпустит тысячу электрических автобусов",
    ],
)
def test_a_quotation_that_points_at_the_speaker_or_at_a_bare_surname_does_not_stand_alone(said):
    assert quote(f"«{said}», — заявил Пётр Громов.") is None


def test_a_quotation_that_began_in_the_sentence_before_is_not_kept():
    assert quote(f"{WORDS}», — заявил Пётр Громов.") is None
