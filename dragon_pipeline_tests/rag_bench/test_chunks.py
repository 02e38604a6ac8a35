import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.chunks import Chunk, chunks, found_texts


def test_chunks_are_500_characters_with_an_overlap_of_100():
    text = "".join(chr(ord("а") + number % 32) for number in range(1000))
    assert chunks([{"id": 7, "text": text}]) == [
        Chunk(7, 0, text[:500]),
        Chunk(7, 400, text[400:900]),
        Chunk(7, 800, text[800:]),
    ]


@pytest.mark.parametrize(("length", "count"), [(1, 1), (500, 1), (501, 2), (900, 2), (901, 3)])
def test_the_last_chunk_holds_something_new(length, count):
    assert len(chunks([{"id": 0, "text": "я" * length}])) == count


def test_texts_without_words_have_no_chunks():
    assert chunks([{"id": 0, "text": ""}, {"id": 1, "text": " \n"}]) == []


@pytest.mark.parametrize(("size", "overlap"), [(10, 10), (10, -1), (0, 0)])
def test_a_window_that_does_not_move_is_refused(size, overlap):
    with pytest.raises(ValueError, match="overlap"):
        chunks([], size, overlap)


@given(st.text(min_size=1).filter(str.strip), st.integers(1, 30), st.integers(0, 29))
def test_chunks_cover_the_text_where_they_say(text, size, overlap):
    if overlap >= size:
        return
    pieces = chunks([{"id": 0, "text": text}], size, overlap)
    assert all(text[piece.start : piece.start + size] == piece.text for piece in pieces)
    assert pieces[0].text + "".join(piece.text[overlap:] for piece in pieces[1:]) == text


def test_a_text_is_found_once_at_its_best_chunk():
    pieces = [Chunk(4, 0, ""), Chunk(4, 400, ""), Chunk(9, 0, "")]
    assert found_texts([1, 2, 0], pieces) == [4, 9]
