from dragon_pipeline.languages.ru.clause import Clause, Unfit
from dragon_pipeline.languages.ru.clauses import clauses
from dragon_pipeline.languages.ru.parsing import parse, parse_syntax


def only(text: str) -> Clause | Unfit:
    (clause,) = [clause for sentence in parse(text).sentences for *_, clause in clauses(sentence, None)]
    return clause


def test_what_reads_the_same_alone_stays_in_its_order():
    clause = only("Компания «Полярис» купила автомобильный завод «Маяк» в 2019 году.")
    assert isinstance(clause, Clause)
    assert clause.phrase("femn") == "купила автомобильный завод «Маяк» в 2019 году"


def test_a_date_that_would_read_as_part_of_the_object_goes_before_the_verb_again():
    clause = only("В ноябре 2019 года завод «Маяк» объявил о намерении построить новый цех в Казани.")
    assert isinstance(clause, Clause)
    assert clause.phrase("masc") == "в ноябре 2019 года объявил о намерении построить новый цех в Казани"
    (date,) = [block.root for block in clause.blocks if block.ahead]
    assert clause.phrase("masc", date) == "{T} объявил о намерении построить новый цех в Казани"
    assert [block.ahead for block in clause.spoken()] == [True, False]


def test_a_date_at_once_behind_the_verb_is_the_verb_s():
    clause = only("Контракт на поставку моторов в Казань подписал 2 сентября 2019 года директор компании «Маяк» Пётр Громов.")
    assert isinstance(clause, Clause)
    assert clause.phrase("masc") == "2 сентября 2019 года подписал контракт на поставку моторов в Казань"


def test_what_reads_otherwise_alone_is_not_asked():
    why = only("В ноябре 2019 года завод «Маяк» объявил о намерении построить новый цех в Казани 1 декабря 2020 года.")
    assert isinstance(why, Unfit)
    assert str(why) == "reads_otherwise"


def test_the_syntax_of_two_sentences_is_none():
    assert parse_syntax("Завод закрыт. Цех построен.") == ()
    assert [token.text for token in parse_syntax("Завод закрыт.")] == ["Завод", "закрыт", "."]
