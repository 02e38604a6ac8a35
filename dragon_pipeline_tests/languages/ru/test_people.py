import pytest

from dragon_pipeline.languages.ru.entities import resolve
from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.people import as_written, is_unknown, spell_out

FIRST = "Инженер Иван Соколов возглавил завод «Маяк».\n"


def spelled(text: str) -> str:
    parsed = parse(FIRST + text)
    return " ".join(token.text for token in spell_out(parsed.sentences[-1], resolve(parsed)).tokens)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Рабочие встретились с Соколовым в Казани.", "с Иваном Соколовым в"),
        ("Рабочие подарили Соколову картину.", "подарили Ивану Соколову картину"),
        ("Рабочие вспомнили о Соколове в Казани.", "о Иване Соколове в"),
    ],
)
def test_a_surname_alone_gets_the_given_name_in_its_case(text, said):
    assert said in spelled(text)


def test_a_full_name_and_a_famous_surname_stay_as_they_are():
    text = "Иван Соколов встретился в Казани с Путиным."
    assert spelled(text).replace(" .", ".") == text


def test_words_of_the_spelled_sentence_turn_back_into_those_of_the_article():
    parsed = parse(FIRST + "Рабочие раскритиковали решение Соколова в Казани.")
    sentence = parsed.sentences[-1]
    assert as_written("решение Ивана Соколова", sentence, spell_out(sentence, resolve(parsed))) == "решение Соколова"


def test_a_surname_that_could_be_anybodys_is_unknown():
    (sentence,) = parse("Рабочие встретились с Дымовым в Казани.").sentences
    assert [t.text for t in sentence.tokens if is_unknown(sentence, t)] == ["Дымовым"]
    (sentence,) = parse("Рабочие встретились с Олегом Дымовым в Казани.").sentences
    assert not [t.text for t in sentence.tokens if is_unknown(sentence, t)]


def test_a_clause_about_a_bare_surname_is_not_asked(read):
    assert "surname_only" in read("Директор Мария Белова раскритиковала в Казани решение Дымова о заводе.").reasons()


def test_a_question_says_the_full_name_where_the_sentence_has_the_surname(read):
    text = FIRST + "Режиссёр Анна Белова встретилась с Соколовым на новой фабрике в Казани."
    (row,) = [row for row in read(text).of("clause") if row["tail"] == "Казань"]
    assert "встретился с Иваном Соколовым" in row["words"]["phrase"]["masc"]
