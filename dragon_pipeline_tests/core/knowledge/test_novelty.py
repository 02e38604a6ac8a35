import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.wikidata.fake import FakeKnowledgeBase
from dragon_pipeline.core.knowledge.novelty import PAIRS, SYMMETRIC, Novelty, inverse_of, is_linked, suspect
from dragon_pipeline.core.knowledge.novelty import judge as judge_stated

KB = FakeKnowledgeBase({}, [("Q64", "P1376", "Q183"), ("Q64", "P17", "Q183"), ("Q183", "P47", "Q142")])
IDS = st.sampled_from(["Q1", "Q2", "Q3"])
PROPERTIES = st.sampled_from(["P36", "P1376", "P47", "P17", "P22", "P25", "P40"])


def judge(head: str, relation: str | None, tail: str, kb: FakeKnowledgeBase = KB) -> Novelty:
    return judge_stated(head, relation, tail, kb.stated([end for end in (head, relation, tail) if end]))


def test_a_statement_between_the_two_makes_the_fact_known_and_is_named():
    judged = judge("Q64", "P1376", "Q183")
    assert (judged.novelty, judged.why, judged.statement_id) == ("known", "stated", "Q64$P1376$Q183")


def test_the_inverse_property_backwards_makes_it_known_too():
    judged = judge("Q183", "P36", "Q64")
    assert (judged.novelty, judged.why, judged.statement_id) == ("known", "stated_inverse", "Q64$P1376$Q183")


def test_a_symmetric_property_is_known_from_either_side():
    assert judge("Q142", "P47", "Q183").statement_id == judge("Q183", "P47", "Q142").statement_id


def test_the_same_property_backwards_is_another_fact():
    assert judge("Q183", "P1376", "Q64").novelty == "novel"


def test_another_relation_between_the_two_is_novel():
    judged = judge("Q64", "P6", "Q183")
    assert (judged.novelty, judged.why, judged.statement_id) == ("novel", "no_statement", None)


@pytest.mark.parametrize(("head", "tail"), [("Q64", "Q183"), ("Q183", "Q64")])
def test_an_unlinked_relation_between_two_that_are_related_is_unsure(head, tail):
    judged = judge(head, None, tail)
    assert (judged.novelty, judged.why) == ("unsure", "relation_unlinked")
    assert judged.statement_id is not None


def test_an_unlinked_relation_between_two_strangers_is_novel():
    assert judge("Q64", None, "Q142").novelty == "novel"


@pytest.mark.parametrize(("head", "tail", "why"), [("local:1", "Q183", "unlinked_head"), ("Q64", "local:1", "unlinked_tail")])
@pytest.mark.parametrize("relation", ["P1376", None])
def test_what_wikidata_has_no_item_for_is_novel(head, tail, why, relation):
    judged = judge(head, relation, tail)
    assert (judged.novelty, judged.why) == ("novel", why)


def test_an_inverse_that_the_knowledge_base_states_makes_it_known_too():
    """P1696: the table here need not hold it."""
    kb = FakeKnowledgeBase({}, [("Q10", "P9001", "Q20"), ("P9002", "P1696", "P9001")])
    judged = judge("Q20", "P9002", "Q10", kb)
    assert (judged.novelty, judged.why, judged.statement_id) == ("known", "stated_inverse", "Q10$P9001$Q20")
    assert judge("Q10", "P9002", "Q20", kb).novelty == "novel"


def test_another_statement_about_a_property_is_no_inverse():
    kb = FakeKnowledgeBase({}, [("Q10", "P9001", "Q20"), ("P9002", "P1647", "P9001")])
    assert judge("Q20", "P9002", "Q10", kb).novelty == "novel"


@pytest.mark.parametrize("parent", ["P22", "P25"])
def test_a_child_is_known_by_its_father_and_by_its_mother(parent):
    kb = FakeKnowledgeBase({}, [("Q10", parent, "Q20")])
    assert judge("Q20", "P40", "Q10", kb).statement_id == f"Q10${parent}$Q20"
    assert judge("Q10", "P40", "Q20", kb).novelty == "novel"


def test_spouses_are_known_from_either_side():
    kb = FakeKnowledgeBase({}, [("Q10", "P26", "Q20")])
    assert {judge(*ends, kb).novelty for ends in (("Q10", "P26", "Q20"), ("Q20", "P26", "Q10"))} == {"known"}


def suspected(heads: list[str], relation: str | None, tails: list[str], kb: FakeKnowledgeBase = KB) -> Novelty | None:
    return suspect(heads, relation, tails, kb.stated([*heads, *([relation] if relation else []), *tails]))


@pytest.mark.parametrize(
    ("heads", "relation", "tails"),
    [
        (["Q1", "Q64"], "P1376", ["Q183"]),
        (["Q64"], "P1376", ["Q1", "Q183"]),
        (["Q1", "Q183"], "P36", ["Q2", "Q64"]),
        (["Q1", "Q64"], None, ["Q2", "Q183"]),
        (["Q183"], None, ["Q64", "Q1"]),
    ],
)
def test_what_is_stated_of_items_that_the_ends_may_mean_is_possibly_known(heads, relation, tails):
    judged = suspected(heads, relation, tails)
    assert judged is not None
    assert (judged.novelty, judged.why) == ("unsure", "possibly_known")
    assert judged.statement_id in ("Q64$P1376$Q183", "Q64$P17$Q183")


def test_another_relation_between_what_the_ends_may_mean_is_nothing_known():
    assert suspected(["Q64"], "P6", ["Q183"]) is None
    assert suspected(["Q64"], None, ["Q142"]) is None


def test_an_end_that_means_no_item_has_nothing_stated_of_it():
    assert suspected([], None, ["Q183"]) is suspected(["Q64"], "P1376", []) is None


def test_the_statement_of_the_likeliest_items_is_named():
    kb = FakeKnowledgeBase({}, [("Q1", "P17", "Q9"), ("Q2", "P17", "Q9"), ("Q2", "P17", "Q8")])
    for heads, statement in ((["Q1", "Q2"], "Q1$P17$Q9"), (["Q2", "Q1"], "Q2$P17$Q8")):
        judged = suspected(heads, "P17", ["Q8", "Q9"], kb)
        assert judged is not None and judged.statement_id == statement


def test_inverses_are_mutual():
    everything = {one for pair in PAIRS for one in pair} | set(SYMMETRIC)
    assert all(one in inverse_of(other) for one in everything for other in inverse_of(one))
    assert inverse_of("P17") == set()


def test_only_wikidata_ids_are_linked():
    assert is_linked("Q64")
    assert not is_linked("local:6409")


@given(st.sets(st.tuples(IDS, PROPERTIES, IDS)), IDS, PROPERTIES, IDS)
def test_a_linked_fact_is_known_exactly_when_it_is_stated_one_way_or_the_other(statements, head, relation, tail):
    judged = judge(head, relation, tail, FakeKnowledgeBase({}, sorted(statements)))
    backwards = {(tail, inverse, head) for inverse in inverse_of(relation)}
    stated = {(head, relation, tail), *backwards} & statements
    assert judged.novelty == ("known" if stated else "novel")
    assert judged.statement_id in {"$".join(s) for s in stated} if stated else judged.statement_id is None
