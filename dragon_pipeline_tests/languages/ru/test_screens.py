from dragon_pipeline.core.records import FACTS
from dragon_pipeline.core.settings import ScreenSettings
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.screens import screens


def test_the_screens_come_in_cost_order_and_the_required_are_among_them():
    names = [screen.name for screen in screens(FACTS.empty(), lemmas, ScreenSettings())]
    assert names[:4] == ["grammar", "entities", "correspondence", "closed_book"]
    assert len(names) == 12
    assert set(ScreenSettings().required) <= set(names)
