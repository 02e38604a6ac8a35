import pytest

from dragon_pipeline.languages.ru.faults import fault


@pytest.mark.parametrize(
    ("question", "rule"),
    [
        ("Какие певцы упоминаются новостях?", "lost_preposition"),
        ("Кто выступил на встрече вопросам торговли?", "lost_preposition"),
        ("Кто сообщил прессе подготовке выборов?", "lost_preposition"),
        ("Кто заявил о споре и резко высказался поводу цен?", "lost_preposition"),
        ("Кого Белов обвинил подыгрывании врачам?", "lost_preposition"),
        ("Какие певцы упоминаются новостях в?", "stray_preposition"),
        ("Кто заявил готовности о признать Тулу столицей?", "stray_preposition"),
        ("Кто ушёл жизни из: Белов или Орлов?", "stray_preposition"),
        ("Кто выступил встрече на по вопросам торговли?", "stray_preposition"),
        ("Кто приехал в и вышел?", "stray_preposition"),
        ("Кто отдал судно в Тульской стороны в большой реки?", "phrase_case"),
    ],
)
def test_a_preposition_that_is_lost_or_astray_is_named(question, rule):
    found = fault(question)
    assert found is not None and found.split(":")[0] == rule


@pytest.mark.parametrize(
    "question",
    [
        "Кто победил на состоявшихся 18 марта выборах мэра?",
        "Кто выступил на 72-й сессии совета?",
        "Кто дал интервью каналу «Волна»?",
        "Кто поставил памятник писателю в Туле?",
        "Для предоставления денег большим заводам что создал Белов?",
        "Кто помогает большим заводам?",
        "Какой закон противопоставляется свободе?",
        "Кто принял меры по противодействию ядерной угрозе?",
        "Кто живёт в привычном для женщин доме?",
        "Кто голосовал за?",
        "Кто жил в до сих пор закрытом городе?",
        "Кто снялся в к/ф «Волна»?",
        "Что было до и после войны в Туле?",
        "Кого в дальнейшем голосование лишило поста в Туле?",
        "Кто избран в городские депутаты?",
    ],
)
def test_prepositions_in_their_place_are_no_fault(question):
    assert fault(question) is None
