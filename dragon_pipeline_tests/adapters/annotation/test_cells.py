import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.annotation.cells import guard, unguard

hostile = st.text(alphabet="'=+-@\t\r\n ＝a1", max_size=8)


@pytest.mark.parametrize("cell", ["=1+1", "+7", "-5 градусов", "@sum", "\t=1", "\r=1", "  =1", "\n@", "＝1", "'=1"])
def test_what_may_be_a_formula_is_marked(cell: str):
    assert guard(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "Кто?", "— Да", "'кавычки'", "5-6", "a=b"])
def test_other_text_stays(cell: str):
    assert guard(cell) == cell


@given(st.one_of(st.text(), hostile))
def test_marking_can_be_undone(cell: str):
    assert unguard(guard(cell)) == cell
    assert guard(cell)[:1] not in {"=", "+", "-", "@", "\t", "\r", "\n"}


@given(hostile)
def test_what_was_never_marked_comes_back_as_it_was_when_it_is_no_formula(cell: str):
    assert guard(cell) != cell or unguard(cell) == cell
