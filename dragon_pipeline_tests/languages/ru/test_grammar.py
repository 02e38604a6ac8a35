import csv

import pytest
from sklearn.metrics import matthews_corrcoef

from dragon_pipeline.languages.ru.grammar import MODEL, RussianGrammar
from dragon_pipeline.languages.ru.grammar_features import vectors

CHECK = RussianGrammar()
THRESHOLD = 0.7

GOOD = """
Кто возглавил компанию «Северный ветер» в 2023 году?
В каком городе родился Иван Петров?
Какая компания построила завод в Калуге?
Какую должность занимает Анна Сергеевна Волкова?
С кем встретился президент Казахстана в Астане?
Кто стал директором театра «Луч»?
Какие города посетил министр культуры Ольга Белова?
Где находится штаб-квартира компании «Полюс»?
Кого назначили губернатором Томской области?
Кто выступил в клубе «Маяк» и встретился с Дмитрием Орловым?
Какой клуб купил нападающего Сергея Жукова?
В какой стране работает компания, которая открыла завод в Туле?
Сколько автомобилей продала компания «Вектор» в 2023 году?
Какой фильм снял режиссёр Пётр Андреев?
Кем работает Марина Лебедева?
С какой компанией подписал договор город Тверь?
Кому принадлежит телеканал «Волна»?
Какие книги написал Алексей Громов?
О чём рассказал журналистам глава Якутии?
Куда переехала редакция газеты «Заря»?
""".strip().splitlines()

BROKEN = """
Кто возглавила компания «Север»?
В какой город родился Иван Петров?
Какая компания построил завод?
Кто рассказал о Москву?
С кого встретился президент?
какой город посетил Иванов?
Кто кто стал директором завода?
Какую городу построил архитектор Белов?
Где находится None?
Кто выступил в клубе «Маяк?
Какой клуб купила нападающему в Сергей?
Компания завод открыть Тула кто?
Кем назначили директору Анна Белова в театре?
Кто является директор завода «Луч»?
В каком году компания основать Пётр Андреев?
Какие фильм снял режиссёр Пётр Андреев?
Кто подписал договором с городом Тверь?
Кто написал книге «Заря»?
Для какой компанию работает Марина Лебедева?
Какой министр посетили Томск —?
""".strip().splitlines()


def passes(questions):
    return [one.fault is None and one.acceptable >= THRESHOLD for one in CHECK.check(questions)]


def test_clean_questions_pass():
    assert [question for question, passed in zip(GOOD, passes(GOOD), strict=True) if not passed] == []


def test_most_broken_questions_fail():
    missed = [question for question, passed in zip(BROKEN, passes(BROKEN), strict=True) if passed]
    assert missed == [
        "С кого встретился президент?",
        "Кем назначили директору Анна Белова в театре?",
        "Кто подписал договором с городом Тверь?",
    ]


def test_a_question_scores_the_same_in_any_company():
    alone = [CHECK.check([question])[0] for question in GOOD[:5]]
    assert alone == list(CHECK.check([*GOOD[:5], *BROKEN]))[:5]


def test_no_questions_no_judgements():
    assert list(CHECK.check([])) == []


@pytest.mark.parametrize("question", ["", "?", "…", "😀?", "a" * 5000 + "?"])
def test_odd_input_is_judged_and_not_raised(question):
    (found,) = CHECK.check([question])
    assert 0 <= found.acceptable <= 1


def test_the_model_is_small():
    assert MODEL.stat().st_size < 500_000


def test_word_order_shows_in_the_features():
    whole, turned = vectors(["Кто открыл завод в Туле?", "Кто завод в открыл Туле?"])
    assert (whole != turned).any()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("in_domain_dev", 0.22), ("out_of_domain_dev", 0.19)])
def test_the_committed_model_is_as_good_as_stated(shared_data, name, least):
    with (shared_data / "rucola" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = CHECK.model.decisions([row["sentence"] for row in rows]) > 0
    assert matthews_corrcoef([row["acceptable"] == "1" for row in rows], found) >= least
