import math
import pickle
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_bench.errors import UnknownMeasure
from rag_bench.gold import Gold
from rag_bench.measures import MRR, RANKING, ROUGEL, Exact, Hit, Judge, Measure, SetF1, nDCG, parse
from rag_bench.profiles import PROFILES
from rag_bench.runs import Answer

TEXT_IDS = st.integers(0, 30)
GOLD_TEXTS = st.frozensets(TEXT_IDS, min_size=1, max_size=8)
NAMES = [f"{noun}@5" for noun in RANKING]


def gold(*text_ids: int) -> Gold:
    return Gold(0, "simple", "Казань", ("Казань",), frozenset(text_ids))


def value(name: str, found: list[int], wanted: frozenset[int]) -> float:
    return parse(name).value(gold(*wanted), Answer(tuple(found), ""))


ALL_NAMES = [*NAMES, "Set-P", "Set-R", "Judge", "ROUGE-L:tokens", "Set-F1:lemmas"]
ALL_NAMES += [name for profile in PROFILES.values() for name in profile.measures]


@pytest.mark.parametrize("name", ALL_NAMES)
def test_a_name_prints_as_it_parses(name):
    measure = parse(name)
    assert str(measure) == name
    for spelling in (
        name.lower(),
        name.upper().replace(":TOKENS", ":tokens").replace(":LEMMAS", ":lemmas"),
        name.replace("-", "_"),
    ):
        assert parse(spelling) == measure and hash(parse(spelling)) == hash(measure)
    assert parse(measure) is measure and pickle.loads(pickle.dumps(measure)) == measure


def test_measures_are_objects_that_the_names_stand_for():
    assert (str(nDCG @ 5), str(Hit @ 10), str(MRR @ 1), str(nDCG)) == ("nDCG@5", "Hit@10", "MRR@1", "nDCG")
    assert nDCG @ 5 == parse("nDCG@5") and nDCG @ 5 != nDCG @ 10
    assert (str(ROUGEL), str(ROUGEL.over("tokens")), str(SetF1), str(Exact)) == ("ROUGE-L", "ROUGE-L:tokens", "Set-F1", "Exact")


@pytest.mark.parametrize(
    "name",
    [
        *("hit", "hit@0", "hit@05", "hit@-1", "hit@1001", "hit@5 ", "rouge_l@5", "mrr", "mrr@5:tokens"),
        *("exact:words", "judge:tokens", "peer_mrr@5", "bleu", "", 5),
    ],
)
def test_no_other_name_parses(name):
    with pytest.raises(UnknownMeasure):
        parse(name)


@pytest.mark.parametrize("make", [lambda: nDCG @ 0, lambda: nDCG @ 1001, lambda: Measure("Hit"), lambda: Exact.over("letters")])
def test_no_other_object_is_made(make):
    with pytest.raises(UnknownMeasure):
        make()


def test_a_judge_is_not_computed():
    with pytest.raises(UnknownMeasure, match="give its verdicts"):
        Judge.value(gold(1), Answer())


def test_words_are_compared_by_stems_as_written_or_by_lemmas():
    told = {way: parse(f"exact{way}").value(gold(1), Answer((), "шла в Казани")) for way in ("", ":tokens", ":lemmas")}
    assert told == {"": 0.0, ":tokens": 0.0, ":lemmas": 0.0}
    wanted = Gold(0, "simple", "идти", ("идти в Казань",), frozenset({1}))
    told = {way: parse(f"exact{way}").value(wanted, Answer((), "шла в Казани")) for way in ("", ":tokens", ":lemmas")}
    assert told == {"": 0.0, ":tokens": 0.0, ":lemmas": 1.0}


def test_hand_computed_retrieval():
    found, wanted = [9, 3, 9, 4, 8, 5], frozenset({3, 4, 5, 7})
    assert value("hit@5", found, wanted) == 1.0
    assert value("hit@1", found, wanted) == 0.0
    assert value("Recall@5", found, wanted) == 2 / 4
    assert value("Precision@5", found, wanted) == 2 / 5
    assert value("MRR@5", found, wanted) == 1 / 2
    best = sum(1 / math.log2(rank + 1) for rank in (1, 2, 3, 4))
    assert value("nDCG@5", found, wanted) == pytest.approx((1 / math.log2(3) + 1 / math.log2(4)) / best)


def test_returning_every_id_is_cut_to_the_first_five():
    everything = list(range(1000))
    assert value("hit@5", everything, frozenset({700})) == value("Recall@5", everything, frozenset({700})) == 0.0


def test_repeats_use_up_places_and_do_not_help():
    assert value("hit@5", [1, 1, 1, 1, 1, 7], frozenset({7})) == 0.0
    assert value("Precision@5", [7, 7, 7, 7, 7], frozenset({7})) == 1 / 5


@pytest.mark.parametrize("name", NAMES)
@given(found=st.lists(TEXT_IDS, max_size=12), wanted=GOLD_TEXTS)
def test_values_are_within_bounds(name, found, wanted):
    assert 0 <= value(name, found, wanted) <= 1


@pytest.mark.parametrize("name", NAMES)
@given(found=st.lists(TEXT_IDS, max_size=12, unique=True), wanted=GOLD_TEXTS, data=st.data())
def test_which_wrong_texts_were_found_does_not_matter(name, found, wanted, data):
    wrong = sorted(set(found) - wanted)
    renamed = dict(zip(wrong, data.draw(st.permutations(wrong)), strict=True))
    assert value(name, [renamed.get(text, text) for text in found], wanted) == value(name, found, wanted)


@pytest.mark.parametrize("name", NAMES)
@given(found=st.lists(TEXT_IDS, min_size=1, max_size=12), wanted=GOLD_TEXTS, data=st.data())
def test_repeating_a_text_never_helps_more_than_leaving_its_place_empty(name, found, wanted, data):
    place = data.draw(st.integers(0, len(found)))
    repeated = data.draw(st.sampled_from(found[:place] or found[:1]))
    with_repeat = [*found[: max(place, 1)], repeated, *found[max(place, 1) :]]
    assert value(name, with_repeat, wanted) <= value(name, found, wanted)


@pytest.mark.parametrize("name", NAMES)
@given(found=st.lists(TEXT_IDS, max_size=5, unique=True), wanted=GOLD_TEXTS)
def test_an_answer_that_begins_with_the_gold_is_never_worse(name, found, wanted):
    ideal = [*sorted(wanted), *(text for text in found if text not in wanted)]
    assert value(name, ideal, wanted) >= value(name, found, wanted)


def test_retrieval_measures_equal_trec_eval(shared_data):
    """Against the published expected output of NIST's trec_eval, per question, to its four digits."""
    folder = shared_data / "retrieval"
    wanted, ranked, expected = defaultdict(set), defaultdict(list), defaultdict(dict)
    for line in (folder / "trec_eval-qrels.test").read_text().splitlines():
        question, _, text, relevance = line.split()
        if int(relevance) > 0:
            wanted[question].add(text)
    for line in (folder / "trec_eval-results.test").read_text().splitlines():
        question, _, text, _, score, _ = line.split()
        ranked[question].append((float(score), text))
    for line in (folder / "trec_eval-out.test.aq").read_text().splitlines():
        measure, question, number = line.split()
        expected[question][measure] = number
    names = {"Hit": "success", "Recall": "recall", "Precision": "P", "nDCG": "ndcg_cut"}
    compared = 0
    for question, pairs in ranked.items():
        found = Answer(tuple(text for _, text in sorted(pairs, reverse=True)))
        asked = Gold(0, "simple", "", ("",), frozenset(wanted[question]))
        for noun, theirs in names.items():
            for cutoff in (1, 5, 10, 15, 20, 30, 100, 200, 500, 1000):
                if (name := f"{theirs}_{cutoff}") in expected[question]:
                    assert f"{Measure(noun, cutoff).value(asked, found):.4f}" == expected[question][name], (question, name)
                    compared += 1
        assert f"{(MRR @ 1000).value(asked, found):.4f}" == expected[question]["recip_rank"]
    assert compared == 3 * (3 + 9 + 9 + 9)
