import json
from collections.abc import Sequence

import polars as pl
import pytest

from dragon_pipeline.core.ports import Sketch, Written
from dragon_pipeline.core.questions.writing import write
from dragon_pipeline.core.records import QA, SUBGRAPHS


class EchoWriter:
    """Says the facts as they are; cannot say what somebody hires."""

    name, models, prompts = "echo", (), ()

    def write(self, sketches: Sequence[Sketch]) -> Sequence[Written]:
        return [self._write(sketch) for sketch in sketches]

    def _write(self, sketch: Sketch) -> Written:
        if any(fact["relation"] == "нанять" for fact in sketch.facts):
            return Written(reason="no_wording", raw="наняла")
        said = " + ".join(f"{fact['head']} {fact['relation']} {fact['tail']}" for fact in sketch.facts)
        return Written(f"{sketch.type}: {said}?")


@pytest.fixture
def drawn(fact, window):
    facts = [
        fact("Полярис", "купить", "Маяк", "a1"),
        fact("Полярис", "нанять", "Лад", "a2"),
        fact("Ока", "выпустить", "2139", "a3", kinds=("ORG", "NUMBER")),
        fact("Ока", "снять", "007", "a4", kinds=("ORG", "NUMBER")),
        *[fact("Кама", "открыть", tail, "a5", sentence="Кама открыть Сад и Дом.") for tail in ("Сад", "Дом")],
    ]
    made = window(facts)
    return made.sample(), made.facts


def test_every_subgraph_is_a_row_and_what_cannot_be_said_carries_its_reason(drawn):
    subgraphs, facts = drawn
    qa = write(subgraphs, facts, EchoWriter())
    assert qa["qa_id"].to_list() == sorted(subgraphs["qa_id"])
    unsaid = qa.filter(pl.col("reason").is_not_null())
    assert unsaid.height
    assert set(unsaid["reason"]) == {"no_wording"}
    assert unsaid["question"].null_count() == unsaid["answer"].null_count() == unsaid.height
    assert set(unsaid["raw"]) == {"наняла"}
    said = qa.filter(pl.col("reason").is_null())
    assert said["question"].null_count() == 0
    assert said["raw"].null_count() == said.height


def test_answers_are_the_subgraphs_and_values_keep_every_digit(drawn):
    """Fault 3 of the reference: 007 became 7.0."""
    subgraphs, facts = drawn
    qa = write(subgraphs, facts, EchoWriter())
    assert qa["answers"].to_list() == subgraphs.sort("qa_id")["asked"].to_list()
    given = {*qa["answer"].drop_nulls(), *(name for names in qa["given"] for name in names)}
    assert given & {"2139"}
    assert given & {"007"}
    assert qa.schema == QA.schema


def test_the_answer_of_a_set_joins_all_its_answers(drawn):
    (row,) = write(*drawn, EchoWriter()).filter(type="set", question="set: Кама открыть Дом + Кама открыть Сад?").to_dicts()
    assert row["answer"] == "Дом, Сад"


def test_the_facts_come_in_the_order_of_the_roles(drawn):
    subgraphs, facts = drawn
    for row in write(subgraphs, facts, EchoWriter()).filter(pl.col("question").is_not_null()).iter_rows(named=True):
        said = [f"{part['head']} {part['relation']} {part['tail']}" for part in json.loads(row["subgraph"])]
        assert row["question"] == f"{row['type']}: " + " + ".join(said) + "?"


def test_a_writer_that_breaks_is_not_taken_for_one_that_declines(drawn):
    class Broken(EchoWriter):
        def write(self, sketches):
            raise KeyError("phrase")

    with pytest.raises(KeyError):
        write(*drawn, Broken())


def test_nothing_drawn_gives_nothing_written(drawn):
    assert write(SUBGRAPHS.empty(), drawn[1], EchoWriter()).is_empty()
