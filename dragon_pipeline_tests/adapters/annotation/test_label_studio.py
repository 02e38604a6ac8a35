import json

from lxml import etree

from dragon_pipeline.adapters.annotation.label_studio import labeling_config, tasks
from dragon_pipeline.core.evaluation.annotations import Article, Criterion, Guide, Item, read_value
from dragon_pipeline.core.screening.judge import ANSWER_CRITERIA, CRITERIA
from dragon_pipeline.languages.ru.annotation import guide

HOSTILE = "\"><script>alert(1)</script>&lt; $answer {{x}} '=1"


def test_every_criterion_is_a_choice_between_good_and_not_good():
    root = etree.fromstring(labeling_config(guide()))
    choices = {one.get("name"): [value.get("value") for value in one.iter("Choice")] for one in root.iter("Choices")}
    assert tuple(choices) == CRITERIA
    assert {tuple(read_value(value) for value in values) for values in choices.values()} == {(True, False)}
    assert {(one.get("choice"), one.get("required")) for one in root.iter("Choices")} == {("single-radio", "true")}


def test_every_choice_is_about_a_text_that_is_there():
    root = etree.fromstring(labeling_config(guide()))
    texts = {one.get("name"): one.get("value") for one in root.iter("Text")}
    assert texts == {"articles": "$articles", "question": "$question", "answer": "$answer"}
    about = {one.get("name"): one.get("toName") for one in root.iter("Choices")}
    assert {name for name, text in about.items() if text == "answer"} == ANSWER_CRITERIA
    assert set(about.values()) <= set(texts)


def test_the_answer_is_hidden_until_every_other_criterion_is_chosen():
    root = etree.fromstring(labeling_config(guide()))
    (answer,) = root.xpath("//Text[@name='answer']")
    shown_after = {
        above.get("whenTagName") for above in answer.iterancestors("View") if above.get("visibleWhen") == "choice-selected"
    }
    assert shown_after == set(CRITERIA) - ANSWER_CRITERIA
    assert not [name for name in ("articles", "question") if root.xpath(f"//View[@visibleWhen]//Text[@name='{name}']")]


def test_words_of_a_guide_cannot_break_the_interface():
    words = Guide(HOSTILE, "no", HOSTILE, HOSTILE, HOSTILE, HOSTILE, (Criterion("fluff", HOSTILE, HOSTILE, with_answer=True),))
    root = etree.fromstring(labeling_config(words))
    assert not root.xpath("//script")
    assert root.xpath("//Choice/@value") == [HOSTILE, "no"]


def test_texts_go_into_the_tasks_as_they_are():
    item = Item(
        "q1", HOSTILE, "=1+1", (Article("Раз", "https://a.example", HOSTILE), Article("Два", "https://b.example", "Текст"))
    )
    (task,) = json.loads(tasks([item]))
    articles = f"[1] Раз\nhttps://a.example\n{HOSTILE}\n\n[2] Два\nhttps://b.example\nТекст"
    assert task == {"data": {"qa_id": "q1", "question": HOSTILE, "answer": "=1+1", "articles": articles}}
