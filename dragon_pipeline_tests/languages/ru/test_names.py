import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.knowledge.names import fold
from dragon_pipeline.languages.ru.names import variants
from dragon_pipeline.languages.ru.wordlists import lines


def told(name: str, kind: str) -> list[str]:
    return [variant.name for variant in variants(name, kind)]


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("город Казань", "LOC", "казань"),
        ("г. Казань", "LOC", "казань"),
        ("река Волга", "LOC", "волга"),
        ("компания „Газпром“", "ORG", "газпром"),
        ("ООО «Маяк»", "ORG", "маяк"),
        ("Маяк, ООО", "ORG", "маяк, ооо"),
        ("Apple Inc.", "ORG", "apple"),
        ("ПАО «Банк Маяк»", "ORG", "банк маяк"),
        ("МВД РФ", "ORG", "мвд российской федерации"),
        ("Президент России", "ROLE", "президент российской федерации"),
        ("журналисты", "ROLE", "журналист"),
        ("фильм «Победа»", "WORK", "победа"),
        ("Владимир Владимирович Путин", "PER", "владимир путин"),
        ("Владимир Владимирович Путин", "PER", "путин, владимир"),
        ("Барак Обама", "PER", "обама, барак"),
        ("HTB", "ORG", "нтв"),
        ("родиться в", "", "место рождения"),
        ("быть председателем", "", "председатель"),
        ("стать автором романа", "", "автор романа"),
    ],
)
def test_a_name_is_known_under_what_wikidata_leaves_of_it(name, kind, expected):
    found = told(name, kind)
    assert found[0] == fold(name)
    assert expected in found


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Город", "LOC"),
        ("Городец", "LOC"),
        ("Улан-Удэ", "LOC"),
        ("ПАО", "ORG"),
        ("Группа", "ORG"),
        ("Громов", "PER"),
        ("быть", ""),
        ("быть в", ""),
        ("стать лучшим", ""),
    ],
)
def test_a_name_that_is_all_class_word_stays_whole(name, kind):
    assert all(variant.why in ("name", "twin", "order", "surname") for variant in variants(name, kind))


@pytest.mark.parametrize("name", ["Б. Обама", "Обама Б.", "Обама, Б."])
def test_a_surname_with_an_initial_looks_for_the_surname_and_needs_the_initial(name):
    last = variants(name, "PER")[-1]
    assert (last.name, last.why, sorted(last.needs)) == ("обама", "surname", ["б", "обама"])


def test_two_quoted_names_are_two_things():
    assert "маяк" not in told("«Маяк» и «Заря»", "ORG")


@given(st.text(alphabet='абвгАБВГ «»".,-ё', max_size=20), st.sampled_from(["PER", "LOC", "ORG", "WORK", "ROLE", "OTHER", ""]))
def test_variants_are_folded_distinct_and_never_empty(name, kind):
    found = told(name, kind)
    assert len(found) == len(set(found))
    assert all(one == fold(one) != "" for one in found)


@pytest.mark.parametrize("name", ["relations", "expansions"])
def test_every_line_of_a_word_list_of_pairs_is_a_pair(name):
    for line in lines(name):
        this, _, that = line.partition("=")
        assert this.strip() and that.strip() and fold(this) != fold(that), line
