"""Small windows of facts, drawn by hypothesis: few names, relations, days and articles, so that they meet."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from dragon_pipeline_tests.core.questions.conftest import TODAY, YESTERDAY

NAMES = st.sampled_from(list("АБВГДЕ"))
FACTS = st.lists(
    st.tuples(
        NAMES,
        st.sampled_from(["купить", "нанять", "продать"]),
        NAMES,
        st.sampled_from(["novel", "novel", "novel", "known", "unsure"]),
        st.sampled_from([None, None, None, "undated"]),
        st.sampled_from([TODAY, YESTERDAY]),
        st.sampled_from(["a1", "a2", "a3", "a4"]),
    ),
    max_size=25,
    unique_by=lambda row: (row[:3], row[6]),
)
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
