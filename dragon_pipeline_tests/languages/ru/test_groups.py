import pytest

from dragon_pipeline.languages.ru.parsing import parse
from dragon_pipeline.languages.ru.roles import roles


def groups(text: str) -> list[tuple[str, str, str]]:
    found = [group for sentence in parse(text).sentences for role in roles(sentence) for group in role.groups]
    return [(group.plural, group.members, group.genitive) for group in found]


def test_a_player_of_a_club_is_one_of_its_players():
    found = groups("Нападающий «Зенита» Пётр Громов приехал в Казань.")
    assert ("игроки", "игроков", "«Зенита»") in found


@pytest.mark.parametrize(
    "text",
    [
        "Капитан сборной Франции Пётр Громов приехал в Казань.",
        "Официальный представитель Госдепа Пётр Громов приехал в Казань.",
        "Президент ПРГ Пётр Громов приехал в Казань.",
        "Министр обороны России Пётр Громов приехал в Казань.",
        "Начальник управления генерального штаба Пётр Громов приехал в Казань.",
    ],
)
def test_nobody_is_one_of_a_group_that_the_news_cannot_complete(text):
    """A team of any sport, a body that has no country, the officials of Russia, whom nobody can name all."""
    assert groups(text) == []


def test_a_minister_is_one_of_the_ministers_of_the_country():
    assert ("министры", "министров", "Франции") in groups("Министр обороны Франции Клод Дюваль приехал в Казань.")


def test_a_president_is_no_group():
    plurals = {plural for plural, *_ in groups("Президент Франции Клод Дюваль приехал в Казань.")}
    assert "президенты" not in plurals
