import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragon_pipeline.core.knowledge.names import CYRILLIC, LATIN, fold, holds, plain, spoken, twin

LETTERS = st.text(alphabet="abcehkmoptxyzщавсенкмортхуё ABCЕНК.-—«»’\u0301\u00ad1", max_size=24)


@pytest.mark.parametrize(
    "spellings",
    [
        ("А.С. Пушкин", "А. С. Пушкин", "А.С.Пушкин", "а с пушкин", "А. С.  ПУШКИН"),
        ("Северсталь", "Cевeрсталь", "«Северсталь»", '"СЕВЕРСТАЛЬ"', "Севе\u00adрсталь"),
        ("Пётр Громов", "Петр Громов", "ПЁТР ГРОМОВ", "Пе\u0308тр\u00a0Громов", "Пётр Гро\u0301мов"),
        ("Ростов-на-Дону", "Ростов‑на‑Дону", "Ростов – на — Дону"),
        ("ООО «Маяк»", 'ООО"Маяк"', "ООО Маяк", "ООО „Маяк“"),
        ("Жанна д'Арк", "Жанна д’Арк", "Жанна дАрк"),
        ("Йошкар-Ола", "И\u0306ошкар-Ола"),
        ("Apple Inc.", "Apple Inc", "ＡＰＰＬＥ inc"),
        ("WhatsApp", "WhatsАрр"),
    ],
)
def test_spellings_of_one_name_are_equal_when_folded(spellings):
    assert len({fold(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Windows 8.1", "Windows 81"),
        ("Mail.ru", "Mailru"),
        ("Ростов-на-Дону", "Ростов на Дону"),
        ("Марс", "Маркс"),
        ("й", "и"),
        ("007", "7"),
        ("СССР-1", "СССР 1"),
    ],
)
def test_different_names_stay_different(one, other):
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("mixed", "folded"),
    [
        ("Cевeрсталь", "северсталь"),
        ("Гaзпpoм", "газпром"),
        ("WhatsАрр", "whatsapp"),
        ("МTС", "мтс"),
        ("Oк", "ок"),
        ("VКонтакте", "vконтакте"),
        ("Яндекс Taxi", "яндекс taxi"),
        ("3D-печать", "3d-печать"),
    ],
)
def test_a_word_of_two_scripts_takes_the_script_of_most_of_its_letters_where_all_look_alike(mixed, folded):
    assert fold(mixed) == folded


@pytest.mark.parametrize("name", ["", " ", "«»", "\u200b", "'"])
def test_marks_alone_fold_to_nothing(name):
    assert fold(name) == ""


@given(st.one_of(st.text(), LETTERS))
@example("е\u0301\u0308")
@example("ab.c.")
@example("ǰ\u0323")
def test_folding_twice_is_folding_once(name):
    assert fold(fold(name)) == fold(name)


@given(LETTERS)
def test_case_and_composition_do_not_matter(name):
    assert fold(name.upper()) == fold(name) == fold(unicodedata.normalize("NFD", name))


@given(LETTERS, LETTERS)
def test_space_around_and_between_does_not_matter(one, other):
    assert fold(f"  {one} \n {other}\t") == fold(f"{one} {other}")


def test_look_alikes_are_paired_one_to_one():
    assert len(CYRILLIC) == len(LATIN) == len(set(CYRILLIC)) == len(set(LATIN))


@pytest.mark.parametrize(
    ("name", "other"), [("htb", "нтв"), ("нтв", "htb"), ("т-34", "t-34"), ("мгу", None), ("34", None), ("", None)]
)
def test_a_name_of_look_alikes_has_a_twin_in_the_other_script(name, other):
    assert twin(name) == other


@given(st.text(alphabet=LATIN, min_size=1))
def test_twins_are_mutual(name):
    other = twin(name)
    assert other is not None and twin(other) == name


def test_a_long_name_of_digits_is_folded_whole():
    """How long it takes: benchmarks/hostile.py."""
    assert len(fold("1 " * 5000 + "ё-")) >= 5000
    assert fold("a1" * 5000 + "щ.").startswith("a1" * 5000)


def test_the_name_itself_is_the_first_variant_and_its_twin_the_second():
    assert [(v.name, v.why) for v in plain("НТВ", "ORG")] == [("нтв", "name"), ("htb", "twin")]
    assert [v.name for v in plain("«Маяк»", "ORG")] == ["маяк"]
    assert plain("«»", "ORG") == []


@pytest.mark.parametrize(
    ("label", "needs", "held"),
    [
        ("Барак Обама", ("обама", "б"), True),
        ("Обама, Барак", ("обама", "барак"), True),
        ("Мишель Обама", ("обама", "б"), False),
        ("Боброва, Инна", ("бобров", "б"), False),
        ("Бобров, Борис", ("бобров", "б"), True),
        ("Александр Сергеевич Пушкин", ("пушкин", "а", "с"), True),
        ("Александр Пушкин", ("пушкин", "а", "с"), False),
        ("Михаил Салтыков-Щедрин", ("салтыков-щедрин", "м"), True),
        ("кто угодно", (), True),
    ],
)
def test_every_need_takes_a_word_of_its_own(label, needs, held):
    assert holds(label, needs) is held


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("Громов, Пётр Ильич", ["Пётр Ильич Громов", "Пётр Громов"]),
        ("Пётр Ильич Громов", ["Пётр Громов"]),
        ("Громов, Пётр", ["Пётр Громов"]),
        ("Пётр Громов", []),
        ("Пётр", []),
        ("Иоанн Павел II Великий", []),
        ("Иоанн Павел II", []),
        ("Громов, младший, Пётр", []),
        ("Джон Ф. Смит", []),
        ("ван Дейк, Антонис", ["Антонис ван Дейк"]),
        (",", []),
        ("", []),
    ],
)
def test_people_are_spoken_of_given_name_first_and_without_the_middle_name(label, names):
    assert list(spoken(label)) == names
