import pytest

from dragon_pipeline.languages.ru.unprintable import fault, without_parenthesis


@pytest.mark.parametrize(
    ("phrase", "reason"),
    [
        ("умудрился открыть в Казани завод «Маяк»", "padded_phrase"),
        ("уже открыл в Казани завод «Маяк»", "padded_phrase"),
        ("ввёл очередные санкции против Франции", "padded_phrase"),
        ("будет казнён в Казани 3 марта 1917 года", "future_description"),
        ("уехал в Казань с Анной Громовой двумя сыновьями", "lost_conjunction"),
    ],
)
def test_an_editor_strikes_out_padding_and_what_is_garbled(phrase, reason):
    assert fault(phrase) == reason


@pytest.mark.parametrize(
    "phrase",
    [
        "ужесточил правила рыбалки на Байкале",
        "встретился с Анной Громовой утром 3 марта 2016 года",
        "уехал в Казань с Анной Громовой и двумя сыновьями",
    ],
)
def test_nothing_speaks_against_a_plain_phrase(phrase):
    assert fault(phrase) is None


def test_a_statement_stands_without_what_joins_it_to_the_one_before():
    assert without_parenthesis("сообщил, что так, в Казани закрыли завод") == "сообщил, что в Казани закрыли завод"
    assert without_parenthesis("сообщил, что однако завод открыт") == "сообщил, что завод открыт"
    assert without_parenthesis("сообщил, что такие заводы закрыли") == "сообщил, что такие заводы закрыли"
