from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.adapters.wikidata.entries import LARGEST
from dragon_pipeline.adapters.wikidata.packing import pack, unpack

NUMBERS = st.integers(1, LARGEST)
SUBJECTS = st.builds("{}{}".format, st.sampled_from("QP"), NUMBERS)
UUIDS = st.uuids().map(str)
USUAL = SUBJECTS.flatmap(
    lambda subject: st.tuples(
        st.just(subject),
        st.lists(
            st.tuples(
                st.builds("{}${}".format, st.sampled_from([subject, subject.lower()]), st.one_of(UUIDS, UUIDS.map(str.upper))),
                NUMBERS.map("P{}".format),
                SUBJECTS,
            ),
            max_size=5,
        ),
    )
)
ODD = st.one_of(st.text(max_size=50), UUIDS, st.builds("Q1${}".format, UUIDS), UUIDS.map(lambda uuid: f"Q2${uuid[:-1]}Z"))


@given(USUAL)
def test_usual_statements_come_back_from_25_bytes_each(given_):
    subject, statements = given_
    packed = pack(subject, statements)
    assert list(unpack(subject, packed)) == statements
    assert isinstance(packed, bytes)
    assert len(packed) == 25 * len(statements)


@given(USUAL, st.lists(st.tuples(ODD, NUMBERS.map("P{}".format), SUBJECTS), min_size=1, max_size=3))
def test_statements_with_ids_of_any_other_build_come_back_too(usual, odd):
    subject, statements = usual
    assert list(unpack(subject, pack(subject, statements + odd))) == statements + odd
