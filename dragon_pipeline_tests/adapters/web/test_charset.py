import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.web.charset import decode

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


TEXTS = {
    "fr": ("L’été dernier, le château fêtait ses noces ; où étaient-ils passés, ces garçons très gênés ?", ["cp1252"]),
    "de": ("Die Straße über den Fluß wird größer. Ärzte hören täglich Schöneres, müßte man glauben.", ["cp1252", "iso8859-15"]),
    "pl": ("Zażółć gęślą jaźń, powiedział wójt, gdy łódź przybiła do brzegu późną jesienią.", ["cp1250", "iso8859-2"]),
    "el": ("Η νέα γέφυρα άνοιξε σήμερα το πρωί, είπε ο δήμαρχος στους δημοσιογράφους.", ["cp1253", "iso8859-7"]),
    "ja": ("新しい橋が今朝開通したと市長が記者団に語った。工事は二年かかった。", ["shift_jis", "euc-jp", "iso-2022-jp"]),
    "kk": ("Жаңа көпір бүгін таңертең ашылды, деп хабарлады қала әкімі. Құрылыс екі жылға созылды.", []),
    "ar": ("افتتح الجسر الجديد صباح اليوم، كما قال رئيس البلدية للصحفيين.", ["cp1256"]),
    "zh": ("新桥今天早上通车，市长对记者说。工程历时两年。", ["gb18030", "gbk"]),
    "uk": ("Новий міст відкрили сьогодні вранці, сказав міський голова журналістам. Її ґанок є.", ["cp1251", "koi8-u"]),
    "ru": ("Новый мост открыли сегодня утром, сказал мэр журналистам. Стройка шла два года.", ["cp1251", "koi8-r", "cp866"]),
}
LABELLED = [(language, encoding) for language, (_, encodings) in TEXTS.items() for encoding in encodings]


@pytest.mark.parametrize("header", ["", "; charset=utf-8", "; charset=windows-1251", "; charset=iso-8859-1"])
@pytest.mark.parametrize("language", TEXTS)
def test_what_is_utf_8_is_read_as_utf_8_in_any_language_whatever_is_claimed(language, header):
    text = TEXTS[language][0]
    for declared in ("utf-8", "windows-1251", "shift_jis"):
        assert f"<p>{text}</p>" in decode(page(text, declared, "utf-8"), f"text/html{header}")


@pytest.mark.parametrize(("language", "encoding"), LABELLED)
def test_a_label_is_believed_in_any_language(language, encoding):
    text = TEXTS[language][0].replace("’", "'")
    body = page(text, encoding, encoding)
    assert f"<p>{text}</p>" in decode(body, None)
    assert f"<p>{text}</p>" in decode(body.replace(encoding.encode(), b""), f"text/html; charset={encoding}")


@pytest.mark.parametrize("claimed", ["utf-8", "windows-1251", "koi8-r", "iso-8859-1", "windows-1252", "gb18030", ""])
@pytest.mark.parametrize("real", ["windows-1251", "koi8-r", "iso8859-5", "cp866"])
def test_russian_under_a_wrong_label_is_found_by_its_words(claimed, real):
    text = TEXTS["ru"][0]
    assert f"<p>{text}</p>" in decode(page(text, claimed, real), f"text/html; charset={claimed}")


@pytest.mark.parametrize(("language", "encoding"), [("el", "cp1253"), ("ja", "cp932"), ("ar", "cp1256"), ("pl", "cp1250")])
def test_a_page_without_any_label_is_read_by_its_language(language, encoding):
    text = TEXTS[language][0]
    assert text in decode(f'<html class="x" lang="{language}-X"><p>{text}'.encode(encoding), "text/html")


def test_western_european_without_any_label_is_no_cyrillic():
    for language in ("fr", "de"):
        assert TEXTS[language][0] in decode(TEXTS[language][0].encode("cp1252"), None)


def test_a_few_broken_bytes_do_not_turn_utf_8_into_something_else():
    body = TEXTS["ru"][0].encode() * 20 + b"\xd0 \xff"
    assert decode(body, "text/html; charset=windows-1251").startswith(TEXTS["ru"][0])
    assert decode(body, None).count("\ufffd") == 2


def test_a_byte_order_mark_is_no_text():
    assert decode("\ufeffТекст заметки".encode(), None) == "Текст заметки"


@pytest.mark.parametrize("codec", ["hex", "rot13", "zlib", "idna", "punycode", "undefined", "unicode_escape", "utf-7"])
@pytest.mark.parametrize("where", ["header", "page"])
def test_a_codec_that_is_no_charset_is_not_believed(codec, where):
    body = page("Завтра откроют мост через реку", codec, "windows-1251")
    text = decode(body, f"text/html; charset={codec if where == 'header' else 'windows-1251'}")
    assert "<p>Завтра откроют мост через реку</p>" in text
