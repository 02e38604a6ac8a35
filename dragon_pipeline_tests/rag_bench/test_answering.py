from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench import answering
from rag_bench.oddities import oddities
from rag_bench.peer_words import peer_words
from rag_bench.wanted import Wanted, want
from rag_bench.words import STEMS, TOKENS, Words, read_words

HEAP = " ".join(f"слово{number}" for number in range(200))


def value(noun: str, answer: str, gold: Sequence[str], question: str = "", way: str = STEMS) -> float:
    return compared(noun, read_words(answer, way), want(gold, question, way))


def compared(noun: str, given: Words, wanted: Wanted) -> float:
    pair = answering.Pair(given, wanted)
    return answering.rouge(noun[-1], pair) if noun.startswith("rouge") else getattr(answering, noun)(pair)


NOUNS = ("exact", "substring", "set_precision", "set_recall", "set_f1", "rouge_1", "rouge_2", "rouge_L")


def exact(answer, gold, **how):
    return value("exact", answer, gold, **how)


def substring(answer, gold, **how):
    return value("substring", answer, gold, **how)


def set_f1(answer, gold, **how):
    return value("set_f1", answer, gold, **how)


@pytest.mark.parametrize("noun", NOUNS)
def test_an_empty_answer_scores_zero(noun):
    for empty in ("", " ", "…", "\n"):
        assert value(noun, empty, ["Казань"]) == 0.0
        assert value(noun, empty, ["Казань", "Москва"]) == 0.0


@pytest.mark.parametrize("answer", ["Казань", "казань.", "«Казани»"])
def test_another_case_of_the_answer_is_the_answer(answer):
    assert exact(answer, ["Казань"]) == 1.0


@pytest.mark.parametrize("answer", ["Иван", "Иванов Пётр", "2139", "7"])
def test_another_answer_is_not(answer):
    assert exact(answer, ["Иванов"]) == exact(answer, ["213,9"]) == exact(answer, ["007"]) == 0.0


def test_a_lower_case_answer_is_the_surname():
    assert exact("иванов", ["Иванов"]) == 1.0


def test_words_as_written_are_compared_by_their_letters():
    assert exact("в Казани", ["в Казань"], way=TOKENS) == 0.0
    assert exact("ёлки", ["Елки"], way=TOKENS) == 1.0


def test_numbers_and_dates_are_compared_by_what_they_say():
    assert exact("1,5 млн рублей", ["1 500 000 рублей"]) == exact("05.03.2024", ["5 марта 2024 года"]) == 1.0
    assert exact("пять", ["5"]) == exact("50%", ["пятьдесят процентов"]) == 1.0
    assert exact("1,5 млн", ["1,5 млрд"]) == exact("5 марта", ["3 мая"]) == exact("5 км", ["5 м"]) == 0.0


def test_several_answers_are_right_in_any_order():
    gold = ["Казань", "Москва", "Тверь"]
    for answer in (
        "Тверь, Казань и Москва",
        "- Москва\n- Казань\n- Тверь",
        "1. Казань\n2. Москва\n3. Тверь",
        "Москва; Тверь; Казань",
    ):
        assert {value(noun, answer, gold) for noun in NOUNS if noun.startswith(("exact", "set", "sub"))} == {1.0}


def test_a_part_of_several_answers_scores_a_part():
    gold = ["Казань", "Москва", "Тверь", "Псков"]
    assert value("set_recall", "Казань и Псков", gold) == 1 / 2
    assert value("set_precision", "Казань и Псков", gold) == 1.0
    assert set_f1("Казань и Псков", gold) == pytest.approx(2 / 3)
    assert exact("Казань и Псков", gold) == substring("Казань и Псков", gold) == 0.0


def test_wrong_items_cost_precision():
    assert set_f1("Казань, Омск, Томск", ["Казань", "Тверь"]) == pytest.approx(2 * 1 / (3 + 2))
    assert set_f1("Казань Омск Томск", ["Казань", "Тверь"]) == pytest.approx(2 * 1 / (3 + 2))


def test_a_wrong_name_of_two_words_is_one_item_among_names_of_two_words():
    assert value("set_precision", "Пётр Сомов, Иван Ильин", ["Пётр Сомов", "Анна Белова"]) == 1 / 2


def test_an_answer_that_holds_and_or_a_comma_is_one_item():
    gold = ["Министерство культуры и спорта", "Казань"]
    assert (
        set_f1("Казань и Министерство культуры и спорта", gold) == exact("Министерство культуры и спорта, Казань", gold) == 1.0
    )
    assert exact("1,5 процента", ["1,5 процента"]) == 1.0


def test_an_answer_inside_another_one_is_found_beside_it():
    assert set_f1("Нижний Новгород и Новгород", ["Новгород", "Нижний Новгород"]) == 1.0


def test_naming_an_answer_twice_does_not_help():
    gold = ["Казань", "Тверь"]
    assert set_f1("Казань, Казань, Казань", gold) < set_f1("Казань", gold)


def test_a_heap_of_words_buys_nothing():
    assert substring(f"{HEAP} Казань", ["Казань"]) == 0.0
    assert set_f1(f"{HEAP} Казань", ["Казань"]) < 0.02
    assert set_f1(f"{HEAP.replace(' ', ', ')}, Казань", ["Казань"]) < 0.02
    assert value("set_recall", f"{HEAP} Казань", ["Казань"]) < 0.02


def test_a_sentence_may_hold_the_answer():
    assert substring("По данным агентства, форум состоялся в Казани на прошлой неделе.", ["Казань"]) == 1.0
    assert substring("Компания выделила 15 тысяч рублей на ремонт школы", ["15 000 рублей"]) == 1.0
    said = "Это сделал директор завода Пётр Сомов, сказал он."
    assert substring(said, ["Пётр Сомов"], question="Кто из директоров это сделал?") == 1.0


@pytest.mark.parametrize(
    ("answer", "gold", "share"),
    [
        ("Казань, Тверь, Псков, Омск", "Казань", 1 / 4),
        ("Казань Тверь Псков Омск", "Казань", 1 / 4),
        ("казань тверь псков омск", "Казань", 1 / 4),  # not written as a name, so every word might be the answer
        ("Пётр Сомов или Пётр Ильин", "Пётр Сомов", 1 / 2),
        ("5, 6, 7 или 8", "7", 1 / 4),
        ("5 марта, 5 апреля, 5 мая", "5 марта", 1 / 3),
        ("пожар, потоп, взрыв", "взрыв", 1 / 3),
    ],
)
def test_of_several_candidates_each_counts_for_its_share(answer, gold, share):
    assert substring(answer, [gold]) == pytest.approx(share)


def test_words_of_the_question_cost_nothing_but_where_they_are_the_choice():
    gold, question = ["Пётр Сомов"], "Кто старше: Пётр Сомов или Иван Ильин?"
    assert set_f1("Иван Ильин, Пётр Сомов", gold, question=question) == 1 / 2  # as good as drawing lots
    assert substring("Пётр Сомов и Иван Ильин", gold, question=question) == 1 / 2
    assert set_f1("В городе Казани прошёл форум", ["Казань"], question="Где прошёл форум?") == 1.0


def test_yes_and_no_are_not_answered_together():
    assert substring("да, нет", ["да"]) == 1 / 2
    assert set_f1("да, нет", ["да"]) == pytest.approx(2 / 3)


def test_a_part_of_a_word_is_no_answer():
    assert substring("самоказнь", ["казнь"]) == substring("20245", ["2024"]) == 0.0


@given(st.text(max_size=60), st.lists(st.text(max_size=20), min_size=1, max_size=4), st.text(max_size=20))
def test_every_measure_is_within_bounds(answer, gold, question):
    assert all(0 <= value(noun, answer, gold, question=question) <= 1 for noun in NOUNS)


@given(st.permutations(["Казань", "Тверь", "Псков", "Нижний Новгород"]), st.sampled_from([", ", " и ", "\n", "; "]))
def test_the_order_of_several_answers_does_not_matter(order, separator):
    gold = ["Псков", "Казань", "Нижний Новгород", "Тверь"]
    assert exact(separator.join(order), gold) == set_f1(separator.join(order), gold) == 1.0


HOSTILE = [" и", "\n \n ", " - ", "Казань, ", "а ", "1 ", "\u0301", "1,", "1. а\n", "сто ", "5 мар. ", "1.1.2024 ", "$1 ", "I "]
HOSTILE += ["ё", "ﬁ", "aя", "\u200b", ":)", "1 000 ", "тысяча ", "ты ", "<|a|>", "("]


def score_hostile(answer: str) -> list[float]:
    """Every measure of an answer, after all else that reads one; benchmarks/hostile.py says how long that takes."""
    oddities(answer), peer_words(answer)
    given, wanted = read_words(answer), want(["Казань", "Тверь и Псков", "1"])
    return [compared(noun, given, wanted) for noun in NOUNS]


@pytest.mark.parametrize("stretch", HOSTILE)
def test_a_hostile_answer_of_full_length_gains_nothing(stretch):
    scores = score_hostile((stretch * 20_000)[:20_000])
    assert all(0 <= score < 0.01 for score in scores)
