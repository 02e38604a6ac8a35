import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.charset import decode, is_mojibake

ENCODINGS = ["utf-8", "windows-1251", "koi8-r"]
WORDS = st.text("абвгдежзийклмнопрстуфхцчшщъыьэюя", min_size=2, max_size=12)
RUSSIAN = st.lists(WORDS, min_size=3, max_size=40).map(lambda words: " ".join(words).capitalize())


def page(text: str, declared: str, real: str) -> bytes:
    return f'<html><head><meta charset="{declared}"></head><body><p>{text}</p></body></html>'.encode(real)


@pytest.mark.parametrize("claimed", ["utf-8", "windows-1251", "koi8-r", "iso-8859-1", "ascii", "no-such-charset", ""])
@pytest.mark.parametrize("real", ENCODINGS)
@given(text=RUSSIAN)
def test_the_pages_own_charset_is_found_whatever_the_header_claims(claimed, real, text):
    assert f"<p>{text}</p>" in decode(page(text, real, real), f"text/html; charset={claimed}")


@given(text=RUSSIAN)
def test_a_right_header_wins_over_a_wrong_declaration(text):
    assert f"<p>{text}</p>" in decode(page(text, "windows-1251", "utf-8"), "text/html; charset=utf-8")


@given(body=st.binary(max_size=300), content_type=st.text(max_size=40))
def test_any_bytes_give_a_text(body, content_type):
    assert isinstance(decode(body, content_type), str)


def test_capitals_and_foreign_words_in_russian_are_no_mojibake():
    assert not is_mojibake("ВАЖНО: компания Škoda Auto и кафе «Éclair» открылись в Санкт-Петербурге")
    assert not is_mojibake("plain English")
    assert is_mojibake("Привет, мир".encode().decode("cp1251"))


def test_a_byte_order_mark_is_no_text():
    assert decode("\ufeffТекст заметки".encode(), None) == "Текст заметки"
