import json

from hypothesis import given
from hypothesis import strategies as st

from dragon_pipeline.core.records import VERDICTS
from dragon_pipeline.core.screening.replies import as_evidence


@given(st.text(st.characters(exclude_categories=())))
def test_whatever_a_model_says_fits_a_table(reply):
    """Half a surrogate pair too, which JSON can spell and UTF-8 cannot."""
    evidence = as_evidence([{"model": "m", "reply": reply, "knew": False}])
    row = {"qa_id": "q", "order": 0, "screen": "s", "outcome": "passed", "score": None, "reason": None, "evidence": evidence}
    assert VERDICTS.frame([row])["evidence"][0].encode()
    assert json.loads(evidence)[0]["knew"] is False


def test_plain_words_stay_as_they_are():
    said = "«Вектор» — в Туле,\nа не в Омске [1]"
    assert json.loads(as_evidence([{"reply": said}])) == [{"reply": said}]
