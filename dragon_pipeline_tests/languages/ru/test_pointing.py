import pytest

from dragon_pipeline.languages.ru.pointing import adds, check_length, describes, is_famous, is_known_to_all, shares_a_name


@pytest.mark.parametrize(
    ("verb", "phrase"),
    [
        ("основать", "основал в Самаре детский клуб «Маяк»"),
        ("назвать", "назвал Бурундию «жемчужиной мира»"),
        ("подписать", "подписал закон о рыбалке на Байкале 3 марта 2016 года"),
        ("запретить", "запретила ввоз яблок из Италии и Испании самолётами"),
        ("сообщить", "сообщил, что в Казани построят новый завод за 30 млн рублей"),
    ],
)
def test_an_act_with_something_of_its_own_tells_who_is_meant(verb, phrase):
    assert describes(verb, phrase) is None


@pytest.mark.parametrize(
    ("verb", "phrase", "fault"),
    [
        ("заявить", "заявил, что завод «Маяк» закроют", "statement_describes_nobody"),
        ("осудить", "осудил решение Ивана Петрова", "statement_describes_nobody"),
        ("назвать", "назвал решение Ивана Петрова ошибкой", "statement_describes_nobody"),
        ("прибыть", "прибыл в Казань", "common_act"),
        ("погибнуть", "погиб 28 января 1945 года в боях за освобождение Венгрии", "common_act"),
        ("провести", "провёл встречу с Иваном Петровым", "loose_event"),
        ("принять", "принял украинского президента", "loose_event"),
        ("вывести", "вывел на ворота Ивана Петрова", "game_describes_nobody"),
        ("поехать", "поехал учиться после окончания школы", "vague_description"),
        ("пригласить", "пригласил Ивана Петрова, Олега Дымова и Анну Белову", "nested_description"),
        ("купить", "купил для нового большого завода самых первых электрических автобусов в городе Казани и Самаре",
         "long_description"),
    ],
)  # fmt: skip
def test_what_many_do_or_say_tells_nobody(verb, phrase, fault):
    assert describes(verb, phrase) == fault


def test_beside_a_post_an_act_needs_only_to_be_worth_saying():
    assert adds("сообщить", "сообщил, что завод «Маяк» закроют") is None
    assert adds("полагать", "полагает, что завод закроют") == "opinion_describes_nobody"
    assert adds("полагать", "полагает, что переговоры Франции и Италии закончатся подписанием договора") is None
    assert adds("рассказать", "рассказал в беседе с RT, что завод закроют") == "vague_description"
    assert adds("осудить", "осудил действия сотрудника") == "loose_event"
    assert adds("закрыть", "закрыл цех") == "vague_description"


def test_a_question_has_a_length_at_which_it_is_still_read():
    assert check_length("слово " * 22) is None
    assert check_length("слово " * 23) == "long_question"
    assert check_length("заявил, что " + "слово " * 23) is None


def test_posts_of_great_countries_are_known_to_all_and_ministers_only_at_home():
    assert is_known_to_all("президент США")
    assert is_known_to_all("глава Белого дома")
    assert is_known_to_all("президент")
    assert is_known_to_all("министр обороны России")
    assert not is_known_to_all("министр обороны Франции")
    assert not is_known_to_all("президент Литвы")
    assert not is_known_to_all("генеральный секретарь НАТО")


def test_a_name_is_shared_in_whatever_case():
    assert shares_a_name("купил завод в Казани", "родился под Казанью")
    assert not shares_a_name("купил завод в Казани", "родился под Самарой")


def test_who_is_guessed_at_any_question():
    assert is_famous("Дональд Трамп")
    assert not is_famous("Пётр Громов")
