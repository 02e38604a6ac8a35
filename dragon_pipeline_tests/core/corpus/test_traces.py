import json

import pytest

from dragon_pipeline.core.corpus.traces import Traces

SENTENCE = "Мастерскую в Костроме открыли после долгого ремонта весной."


def of(*texts: str, url: str | None = None) -> Traces:
    traces = Traces()
    traces.add_address(url)
    for text in texts:
        traces.add_text(text)
    return traces


def test_a_sentence_is_recognised_cut_escaped_and_broken_over_lines():
    traces = of(f"Коротко. {SENTENCE}")
    told = [SENTENCE[:45] + "…", json.dumps(SENTENCE), SENTENCE.replace(" ", "\n"), "Коротко.", SENTENCE[10:]]
    assert traces.hits(told) == [True, True, True, False, False]


@pytest.mark.parametrize("url", ["https://a.example/1", "http://www.a.example/1/", "https://a.example/1#top"])
def test_an_address_is_recognised_whole(url: str):
    traces = of(url=url)
    said = [
        "https://a.example/1",
        'href="http://a.example/1/"',
        "a.example/1?x=1",
        "https://a.example/12",
        "https://a.example/1/2",
    ]
    assert traces.hits(said) == [True, True, True, False, False]


def test_a_whole_site_is_no_address():
    assert of(url="https://a.example/").addresses == set()
    assert of(url=None).addresses == set()


def test_what_others_say_too_is_no_trace():
    traces = of(f"{SENTENCE} Вторая фраза написана только здесь, и нигде больше.")
    traces.spare(["Начало. " + SENTENCE])
    assert traces.hits([SENTENCE, "Вторая фраза написана только здесь, и нигде больше."]) == [False, True]


def test_a_person_is_recognised_by_the_whole_name_only():
    traces = Traces(lambda text: "Анна Седова" in text, ("Анна", "Седова"))
    assert traces.hits(["Анна Седова", "Седова", "Анна", ""]) == [True, False, False, False]


def test_with_no_traces_nothing_is_recognised():
    assert Traces().hits(["что угодно", ""]) == [False, False]
    assert Traces().hits([]) == []
