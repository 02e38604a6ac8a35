import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.corpus.shingles import BOILERPLATE, WIDTH, shingle, without_boilerplate

FOOTER = "редакция не отвечает за содержание рекламы"


def sets_of(*texts):
    return [set(shingles.tolist()) for shingles in shingle(texts)]


def test_endings_case_commas_and_yo_do_not_change_a_shingle():
    one, other = sets_of("Пролётные строения МОСТА", "пролетных, строений — моста!")
    assert one == other
    assert len(one) == 1


def test_a_text_of_n_words_has_its_runs_of_three_and_a_shorter_one_is_one_shingle():
    assert [len(found) for found in sets_of("а б в г д", "а б в", "а б", "а", "…", "")] == [3, 1, 1, 1, 0, 0]
    assert len(set.union(*sets_of("а б", "б а", "а", "б"))) == 4


@given(st.lists(st.text("аб в", max_size=12), max_size=6))
def test_a_text_has_the_same_shingles_alone_and_among_others(texts):
    together = shingle(texts)
    assert all(np.array_equal(shingles, shingle([text])[0]) for text, shingles in zip(texts, together, strict=True))
    assert all(len(shingles) <= max(1, len(text.split()) - WIDTH + 1) for text, shingles in zip(texts, together, strict=True))


def test_what_many_pages_of_one_outlet_share_does_not_count_from_the_sixth_on():
    sets = shingle([f"новость номер {number} {FOOTER}" for number in range(8)])
    (footer,) = sets_of(FOOTER)
    outlets, urls = ["vesti"] * 8, [f"https://x.example/{number}" for number in range(8)]
    kept = without_boilerplate(sets, outlets, urls)
    assert [footer <= set(shingles.tolist()) for shingles in kept] == [True] * (BOILERPLATE - 1) + [False] * 3
    assert all(len(shingles) for shingles in kept)


def test_other_outlets_and_versions_of_one_page_make_no_boilerplate():
    sets = shingle([FOOTER] * 8)
    urls = [f"https://x.example/{number}" for number in range(8)]
    for outlets, addresses in ((["a", "b"] * 4, urls), (["a"] * 8, urls[:1] * 8), (["a"] * 8, urls[:4] * 2)):
        kept = without_boilerplate(sets, outlets, addresses)
        assert all(np.array_equal(one, other) for one, other in zip(kept, sets, strict=True))
