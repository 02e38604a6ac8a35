"""Questions for who fits a post and an act, or two acts."""

import pytest


def role(rows):
    return next(row for row in rows.kept if row["words"].get("form") == "role")


def act(rows):
    return next(row for row in rows.of("clause") if row["head_kind"] == "PER" and "head" in row["words"]["asks"])


@pytest.fixture
def asked(read, question):
    """The question of the only role and the first act of a text."""

    def said(text: str) -> str:
        rows = read(text)
        return question("conditional", [role(rows), act(rows)], role(rows)["head"])

    return said


@pytest.fixture
def refused(read, written):
    """Why the same is not asked."""

    def said(text: str) -> str:
        rows = read(text)
        return written("conditional", [role(rows), act(rows)], role(rows)["head"]).reason

    return said


def test_of_a_woman_a_post_has_a_feminine_clause(asked):
    said = asked("Президент Литвы Анна Белова открыла в Казани выставку «Север».")
    assert said == "Как зовут президента Литвы, которая открыла в Казани выставку «Север»?"


def test_a_statement_may_name_the_country_of_who_made_it(asked):
    said = asked("Министр финансов Литвы Пётр Громов сообщил, что Литва потеряет на торговле яблоками 30 млн евро.")
    assert said.startswith("Как зовут министра финансов Литвы, который сообщил, что Литва потеряет ")


def test_a_quotation_may_stand_beside_a_post(asked):
    said = asked("«Завод в Казани выпустит тысячу автобусов», — заявил директор завода «Маяк» Пётр Громов.")
    assert said == "Как зовут директора завода «Маяк», который заявил: «Завод в Казани выпустит тысячу автобусов»?"


def test_a_role_of_two_fields_is_one_role(asked):
    said = asked("Директор Института экономики и статистики Пётр Громов открыл в Казани выставку «Север».")
    assert said.startswith("Как зовут директора Института экономики и статистики, который открыл ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Глава МИД Пётр Громов открыл в Казани выставку «Север».", "role_tells_too_little"),
        ("Генеральный секретарь НАТО Пётр Громов открыл в Казани выставку «Север».", "role_known_to_all"),
        ("Директор завода «Маяк» Пётр Громов открыл в Казани очередную выставку «Север».", "padded_phrase"),
        ("«Однако завод в Казани выпустит сто автобусов», — заявил директор завода «Маяк» Пётр Громов.", "quotation_goes_on"),
        ("«Завод в Казани выпустит для города тысячу больших автобусов, сто троллейбусов, двадцать трамваев и десять поездов"
         " метро», — заявил директор завода «Маяк» Пётр Громов.", "long_quotation"),
    ],
)  # fmt: skip
def test_what_only_its_article_explains_is_not_asked(refused, text, reason):
    assert refused(text) == reason


def test_a_country_does_too_much_for_two_acts_of_two_articles(read, written):
    one = next(row for row in read("Франция запретила ввоз яблок из Италии.").of("clause") if row["head"] == "Франция")
    other = next(row for row in read("Франция открыла в Казани выставку «Север».").of("clause") if row["head"] == "Франция")
    reason = written("conditional", [one, {**other, "article_id": "a2"}], "Франция").reason
    assert reason == "arbitrary_pair"


def test_a_woman_s_post_that_ends_in_a_feminine_noun_would_be_read_as_that(refused):
    assert refused("Лидер Северной партии Анна Белова открыла в Казани выставку «Юг».") == "which_of_two"


def test_a_ministry_without_its_country_tells_nobody(refused):
    assert refused("Заместитель главы МИДа Пётр Громов открыл в Казани выставку «Юг».") == "role_tells_too_little"


def test_of_a_foreign_name_the_verb_tells_whose_it_is(asked):
    said = asked("Глава Тайваня Цай Инвэнь обратилась к Пекину с призывом возобновить в Казани выставку «Север».")
    assert said.startswith("Как зовут главу Тайваня, которая обратилась к Пекину")


def test_a_title_behind_a_woman_s_post_is_no_woman(asked):
    said = asked("Председатель правления банка «Волна» Анна Белова вошла в совет директоров «Полярис» в сентябре 2025 года.")
    assert said.startswith("Как зовут председателя правления банка «Волна», которая")
