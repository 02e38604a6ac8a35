import pytest

from dragon_pipeline.core.knowledge.evidence import Evidence
from dragon_pipeline.languages.ru.entities import mentions_of
from dragon_pipeline.languages.ru.lemmas import lemmas


def holds(article, sentence: str, name: str, kind: str = "PER", before: str = "", **changes) -> bool:
    """Of the last sentence of an article whose mentions Natasha found."""
    row = article(f"{before}\n{sentence}", **changes)
    start = len(before) + 1
    return Evidence(row, mentions_of(row), lemmas).holds(name, kind, start, start + len(sentence))


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Вчера Сергей Иванов возглавил банк «Полярис».", "Сергей Иванов"),
        ("Вчера Сергей Иванов возглавил банк «Полярис».", "Иванов"),
        ("Банк возглавил Сергей Петрович Иванов.", "Сергей Иванов"),
        ("Банк возглавил Сергей Иванов.", "С. Иванов"),
        ("Банк возглавил Сергей Иванов.", "Иванов Сергей"),
        ("Роль сыграл Жан-Поль Моро.", "Жан Поль Моро"),
        ("Премию вручили Томиславу Николичу.", "Томислав Николич"),
    ],
)
def test_a_person_is_there_as_the_sentence_names_him(article, sentence: str, name: str):
    assert holds(article, sentence, name)


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Вчера Сергей Иванов возглавил банк «Полярис».", "Пётр Иванов"),
        ("Сергей Иванов возглавил банк.", "Пётр Иванов"),
        ("Банк возглавил С. Иванов.", "Пётр Иванов"),
        ("Анна Иванова возглавила банк.", "Пётр Иванов"),
        ("Победили Сергей Иванов и Пётр Громов.", "Пётр Иванов"),
        ("Приехали Пётр и Сергей Иванов.", "Пётр Иванов"),
    ],
)
def test_the_given_name_that_the_sentence_puts_to_a_surname_must_agree(article, sentence: str, name: str):
    """Whatever the rest of the article says."""
    assert not holds(article, sentence, name, before="Пётр Иванов родился в Твери.", title="Пётр Иванов приехал")


@pytest.mark.parametrize("sentence", ["Вчера Иванов возглавил банк.", "Иванов возглавил банк.", "Банк возглавил П. Иванов."])
@pytest.mark.parametrize(
    ("before", "title", "held"),
    [
        ("Пётр Иванов родился в Твери.", "Банк", True),
        ("В Твери встретили Петра Иванова.", "Банк", True),
        ("Банк растёт.", "Банк Петра Иванова", True),
        ("Банк растёт.", "Банк", False),
        ("Приехал Пётр. Иванов остался.", "Банк", False),
        ("Приехали Пётр, Анна Иванова.", "Пётр и Анна Иванова", False),
    ],
)
def test_the_rest_of_a_name_must_stand_with_it_somewhere_in_the_article(article, sentence, before, title, held: bool):
    assert holds(article, sentence, "Пётр Иванов", before=before, title=title) is held


def test_words_from_all_over_an_article_make_no_name(article):
    before = "Владимир Путин приехал. Убийца пойман."
    assert not holds(article, "Сергей Иванов возглавил банк.", "Владимир Путин убийца Иванов", before=before)


def test_a_name_that_no_mention_is_is_read_by_its_capital(article):
    """What the finder of names missed is held against the text."""
    row = article("Пётр Иванов приехал. Банк возглавил Сергей Иванов. Его хвалит Иванов.")

    def found(name: str, sentence: str) -> bool:
        start = row["text"].index(sentence)
        return Evidence(row, (), lemmas).holds(name, "PER", start, start + len(sentence))

    assert found("Пётр Иванов", "Его хвалит Иванов.")
    assert not found("Пётр Иванов", "Банк возглавил Сергей Иванов.")


def test_a_mention_of_another_sentence_is_no_evidence_of_what_is_no_person(article):
    assert holds(article, "Сделку закрыли в Казани.", "Казань", "LOC", before="«Полярис» растёт.")
    assert not holds(article, "Сделку закрыли вчера.", "Казань", "LOC", before="Казань растёт.")


@pytest.mark.parametrize("kind", ["ORG", "LOC", "WORK", "ROLE", "OTHER"])
def test_what_is_no_person_must_stand_there_whole(article, kind: str):
    assert holds(article, "Закрылся банк «Север».", "банк «Север»", kind)
    assert not holds(article, "Сергей Северов закрыл банку.", "Банк Север", kind, before="Банк Север растёт.")


@pytest.mark.parametrize("name", ["—", "«»", "."])
@pytest.mark.parametrize("kind", ["PER", "ORG"])
def test_a_name_without_a_word_is_nowhere(article, name: str, kind: str):
    assert not holds(article, "Сергей Иванов — банкир «».", name, kind)
