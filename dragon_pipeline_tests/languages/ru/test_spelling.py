"""Latin letters in Russian words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.languages.ru.spelling import cyrillic, set_off


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Кто служил c 2012 года?", "Кто служил с 2012 года?"),
        ("Кто написал o заводе?", "Кто написал о заводе?"),
        ("Кто купил зaвoд?", "Кто купил завод?"),
        ("Кто купил iPhone a la carte?", "Кто купил iPhone a la carte?"),
        ("Кто играет в Серии A?", "Кто играет в Серии A?"),
        ("Кто открыл VIP-зону?", "Кто открыл VIP-зону?"),
    ],
)
def test_only_what_stands_for_a_cyrillic_letter_is_set_right(written, meant):
    assert cyrillic(written) == meant


@given(st.text(alphabet="абвгд «».,1"))
def test_russian_stays_as_it_is(text):
    assert cyrillic(text) == text


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Кто полагает, что подняв цены, завод разорился?", "Кто полагает, что, подняв цены, завод разорился?"),
        ("Кто полагает, что завод разорился?", "Кто полагает, что завод разорился?"),
    ],
)
def test_a_converb_behind_a_conjunction_is_set_off(written, meant):
    assert set_off(written) == meant
