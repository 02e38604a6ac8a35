"""What of the gold articles a judge is shown when its window is small."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.prompts import plain
from dragon_pipeline.core.screening.context import GAP, cut, whole


def sizes(texts):
    return [len(plain(text).encode()) for text in texts]


def article(number, sentences, title="Заголовок"):
    return {"article_id": f"a{number}", "title": title, "text": " ".join(sentences)}


def evidence(number, sentences, place):
    start = sum(len(sentence) + 1 for sentence in sentences[:place])
    return {"article_id": f"a{number}", "start": start, "stop": start + len(sentences[place])}


def sentence(number, long=3):
    return f"Предложение {number}" + " и так далее" * long + "."


TEN = [sentence(number) for number in range(10)]


@pytest.fixture
def middle():
    return Case({}, [evidence(1, TEN, 5)], [article(1, TEN)], [])


def test_a_whole_article_is_shown_as_it_is(middle):
    assert whole(middle) == "[1] Заголовок\n" + " ".join(TEN)
    assert cut(middle, 10**6, sizes) == whole(middle)


def test_the_sentences_nearest_to_the_evidence_stay(middle):
    shown = cut(middle, 400, sizes)
    assert shown is not None
    kept = [number for number in range(10) if TEN[number] in shown]
    assert kept == [4, 5, 6]
    assert shown.count(GAP) == 2
    assert shown.startswith(f"[1] Заголовок\n\n{GAP}\nПредложение 4")


def test_evidence_is_never_cut(middle):
    for room in range(600):
        shown = cut(middle, room, sizes)
        assert shown is None or (TEN[5] in shown and sizes([shown])[0] <= room)
    assert cut(middle, 100, sizes) is None


def test_both_articles_of_a_pair_keep_their_evidence():
    other = [sentence(number + 20) for number in range(10)]
    case = Case({}, [evidence(1, TEN, 9), evidence(2, other, 0)], [article(1, TEN), article(2, other, "Другой")], [])
    shown = cut(case, 400, sizes)
    assert shown is not None
    assert TEN[9] in shown
    assert other[0] in shown
    assert "[1] Заголовок\n" in shown
    assert "[2] Другой\n" in shown


def test_a_reprint_without_a_fact_gives_its_beginning_after_the_evidence():
    mate = [sentence(number + 20) for number in range(10)]
    case = Case({}, [evidence(1, TEN, 5)], [article(1, TEN), article(2, mate, "Перепечатка")], [])
    shown = cut(case, 700, sizes)
    assert shown is not None
    assert TEN[5] in shown
    assert mate[0] in shown
    assert mate[9] not in shown
    assert cut(case, 300, sizes) is not None
    assert "Перепечатка" not in (cut(case, 300, sizes) or "")


def test_a_text_without_an_end_of_sentence_is_not_cut_in_a_word():
    endless = {"article_id": "a2", "title": "Т", "text": "слово " * 5000}
    case = Case({}, [evidence(1, TEN, 5)], [article(1, TEN), endless], [])
    shown = cut(case, 900, sizes)
    assert shown is not None
    assert "слово" not in shown


words = st.text(alphabet="абвГД 12«»<>[]().!?\n", min_size=1, max_size=60)


@given(st.lists(st.lists(words, min_size=1, max_size=6), min_size=1, max_size=3), st.data())
def test_whatever_is_cut_fits_and_holds_the_evidence_whole(texts, data):
    articles = [article(number, sentences) for number, sentences in enumerate(texts)]
    facts = [evidence(number, texts[number], data.draw(st.integers(0, len(texts[number]) - 1))) for number in range(len(texts))]
    case = Case({}, facts, articles, [])
    room = data.draw(st.integers(0, 800))
    shown = cut(case, room, sizes)
    if shown is not None:
        assert sizes([shown])[0] <= room
        for fact, one in zip(facts, articles, strict=True):
            assert one["text"][fact["start"] : fact["stop"]].rstrip() in shown
        assert all(piece in whole(case) for piece in shown.split(f"\n{GAP}\n")[1:-1])
    else:
        assert cut(case, 10**6, sizes) == whole(case)
