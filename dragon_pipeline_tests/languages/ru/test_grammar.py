import csv
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import matthews_corrcoef

from dragon_pipeline.languages.ru.grammar import MODEL, Acceptability, RussianGrammar, measured, together
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
        "Кем назначили директору Анна Белова в театре?",
        "Кто подписал договором с городом Тверь?",
        "Кто написал книге «Заря»?",
    ]


@pytest.mark.parametrize(
    ("sound", "broken"),
    [
        ("Кто написал книгу «Заря»?", "Кто написал книге «Заря»?"),
        ("С кем встретился президент?", "С кого встретился президент?"),
        ("Кто рассказал о Москве журналистам?", "Кто рассказал журналистам Москве о?"),
    ],
)
def test_a_sound_question_scores_above_its_broken_copy(sound, broken):
    better, worse = CHECK.check([sound, broken])
    assert better.acceptable > worse.acceptable


def test_words_quoted_after_a_colon_are_somebody_else_s():
    said, other = CHECK.check(["Кто сказал: «Мы победим всех завтра»?", "Кто сказал: «Завод открыть Тула кто»?"])
    assert said.acceptable == other.acceptable >= THRESHOLD


def test_a_foreign_name_is_as_good_as_another():
    (one, other) = CHECK.check(["Кем является Гхнархъ Мвхлетцоу?", "Кем является Тцоуль Бврнгхаан?"])
    assert one.acceptable == other.acceptable >= THRESHOLD


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
    assert MODEL.stat().st_size < 300_000


def test_word_order_shows_in_the_features():
    whole, turned = vectors(["Кто открыл завод в Туле?", "Кто завод в открыл Туле?"])
    assert set(whole.buckets) != set(turned.buckets)


def test_what_is_stored_comes_back(tmp_path):
    CHECK.model.save(tmp_path / "model.json", {"pass": {}})
    again = Acceptability.load(tmp_path / "model.json")
    assert list(again.acceptable(GOOD)) == list(CHECK.model.acceptable(GOOD))


def test_judges_of_other_sentences_cannot_fail_a_question_that_is_whole():
    least, most = (together(np.array([judged]), np.array([3.0]))[0] for judged in (-100.0, 100.0))
    broken = together(np.array([0.0]), np.array([-3.0]))[0]
    assert broken < least < most < least + 1


def test_it_says_how_good_it_is():
    told = re.match(r"MCC \.\d\d in domain, \.\d\d out of domain \(RuCoLA dev\); ", CHECK.examine().replace("0.", "."))
    assert told


def test_its_name_tells_the_version_of_the_model():
    assert re.fullmatch(r"embedded-ru@[0-9a-f]{8}", CHECK.name)


@pytest.mark.slow
@pytest.mark.parametrize("domain", ["in_domain", "out_of_domain"])
def test_what_is_said_of_it_is_what_it_reaches(shared_data, domain):
    with (shared_data / "rucola" / f"{domain}_dev.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = CHECK.model.decisions([row["sentence"] for row in rows]) > 0
    reached = matthews_corrcoef([row["acceptable"] == "1" for row in rows], found)
    assert measured()["rucola_dev_mcc"][domain] == round(reached, 3)


@pytest.mark.parametrize("domain", ["in_domain", "out_of_domain"])
def test_what_is_said_of_it_stands_in_the_documents(domain):
    text = (Path(__file__).parents[3] / "docs" / "quality.md").read_text("utf-8")
    assert f"{measured()['rucola_dev_mcc'][domain]:.3f}"[1:] in text[text.index("## Grammar") :]
