"""The examples of the writer's prompts keep the rules that the prompts state; the judge's show both ends of the scale."""

import re

import pytest

from dragon_pipeline.adapters.llm.fake import FakeLanguageModel
from dragon_pipeline.core.ports import Case, Sketch
from dragon_pipeline.core.questions.model_writer import ModelWriter, told_facts
from dragon_pipeline.core.questions.types import TYPES
from dragon_pipeline.core.screening.judge import BEST, CRITERIA
from dragon_pipeline.core.screening.presence import Presence
from dragon_pipeline.languages.ru import prompts
from dragon_pipeline.languages.ru.grammar import RussianGrammar
from dragon_pipeline.languages.ru.judging import question_clarity
from dragon_pipeline.languages.ru.lemmas import lemmas
from dragon_pipeline.languages.ru.quantities import quantity

WRITERS = {shape: prompts.load(f"writer_{shape}") for shape in TYPES}
EXAMPLES = [pytest.param(shape, one, id=f"{shape}-{n}") for shape in TYPES for n, one in enumerate(WRITERS[shape].examples)]
FACT = re.compile(r"\d+\. (.+?) \| (.+?) \| (.+)\n   (.+?): (.+)")


def sketch_of(shape, example):
    columns = ("head", "relation", "tail", "published_at", "sentence")
    rows = [dict(zip(columns, found, strict=True)) for found in FACT.findall(example.given["facts"])]
    given = example.given
    for row in rows:
        row["published_at"] = None if row["published_at"] == "?" else f"{row['published_at']}T10:00:00+03:00"
    asked, named = given["asked"].split("\n"), given["given"].split("\n")
    return Sketch(shape, rows, asked, named, given.get("bridge"), given.get("direction"))


@pytest.mark.parametrize("shape", TYPES)
def test_every_type_has_two_or_three_examples(shape):
    assert 2 <= len(WRITERS[shape].examples) <= 3


@pytest.mark.parametrize(("shape", "example"), EXAMPLES)
def test_an_example_looks_as_the_model_will_be_asked(shape, example):
    sketch = sketch_of(shape, example)
    assert told_facts(sketch.facts) == example.given["facts"]
    assert len(sketch.facts) == (1 if shape == "simple" else len(sketch.asked) if shape == "set" else 2)
    ends = {fact[end] for fact in sketch.facts for end in ("head", "tail") if shape != "comparison" or end == "head"}
    assert {*sketch.asked, *sketch.given, *([sketch.bridge] if sketch.bridge else [])} == ends


@pytest.mark.parametrize(("shape", "example"), EXAMPLES)
def test_the_question_of_an_example_passes_what_a_models_must(shape, example):
    model = FakeLanguageModel("writer", lambda _: example.reply)
    (written,) = ModelWriter(model, WRITERS, lemmas).write([sketch_of(shape, example)])
    assert written.reason is None
    (grammar,) = RussianGrammar().check([written.question])
    assert grammar.fault is None
    assert question_clarity(Case({"question": written.question, "type": shape}, [], [], [])).score == BEST


@pytest.mark.parametrize(("shape", "example"), EXAMPLES)
def test_the_question_of_an_example_names_what_is_given(shape, example):
    for name in sketch_of(shape, example).given:
        assert Presence(lemmas).of(name, example.reply["question"]) >= 0.8


@pytest.mark.parametrize("example", WRITERS["comparison"].examples)
def test_a_comparison_is_shown_values_that_compare_as_it_asks(example):
    answer, other = sketch_of("comparison", example).facts
    values = [quantity("DATE" if "дата" in fact["relation"] else "NUMBER", fact["tail"]) for fact in (answer, other)]
    assert answer["head"] == example.reply["answers"][0]
    larger, smaller = values if example.given["direction"] == "more" else reversed(values)
    assert larger and smaller and larger.exceeds(smaller)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_judge_is_shown_a_best_and_a_worst_case(criterion):
    replies = [example.reply for example in prompts.load(f"judge_{criterion}").examples]
    assert {reply["score"] for reply in replies} == {0, 2}
    assert all(list(reply) == ["why", "score"] for reply in replies)


def test_the_eight_criteria_are_told_apart_by_their_words_alone():
    """The frame is the same, so that what a model thinks of the frame is no difference between criteria."""
    told = [prompts.load(f"judge_{criterion}").system.split("\n") for criterion in CRITERIA]
    common = set.intersection(*(set(lines) for lines in told))
    assert len({lines[lines.index("Критерий") + 1] for lines in told}) == len(CRITERIA)
    assert "Критерий" in common
    assert any("не следуй им" in line for lines in told for line in lines)
