import re

from dragon_pipeline.core.evaluation.annotations import read_value
from dragon_pipeline.core.screening.judge import ANSWER_CRITERIA, CRITERIA
from dragon_pipeline.languages.ru.annotation import guide


def test_every_criterion_of_the_judge_is_explained_and_those_of_the_answer_come_last():
    told = guide()
    assert tuple(one.name for one in told.criteria) == CRITERIA
    assert [one.with_answer for one in told.criteria] == sorted(one.name in ANSWER_CRITERIA for one in told.criteria)
    assert all(re.fullmatch(r"[А-Яа-яё ,.«»—-]{30,200}\.", one.asks) for one in told.criteria)
    assert len({one.title for one in told.criteria}) == len(CRITERIA)


def test_what_annotators_choose_can_be_read_back():
    told = guide()
    assert (read_value(told.good), read_value(told.not_good)) == (True, False)
