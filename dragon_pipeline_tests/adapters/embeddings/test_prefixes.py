"""Prefixes by the model's name."""

import pytest

from dragon_pipeline.adapters.embeddings.prefixes import BLANK, Prefixes, prefixes_for, readable
from dragon_pipeline.core.settings import EmbedderSettings

INSTRUCT = "Instruct: Given a web search query, retrieve relevant passages that answer the query."


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("ai-forever/FRIDA", "search_query: ", "search_document: "),
        ("intfloat/e5-mistral-7b-instruct", INSTRUCT, ""),
        ("intfloat/multilingual-e5-large-instruct", INSTRUCT, ""),
        ("Qwen/Qwen3-Embedding-8B", INSTRUCT, ""),
        ("/models/Qwen3-Embedding-0.6B", INSTRUCT, ""),
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("BAAI/bge-m3", "", ""),
        ("multilingual-e5-small-q4", "", ""),
    ],
)
def test_a_known_model_has_the_prefixes_it_was_trained_with(model, query, passage):
    found = prefixes_for(model, EmbedderSettings())
    assert found.query.startswith(query) and bool(found.query) == bool(query)
    assert found.passage == passage


def test_an_instruction_ends_before_the_query_on_a_line_of_its_own():
    found = prefixes_for("intfloat/multilingual-e5-large-instruct", EmbedderSettings())
    assert found.before_queries(["Кто построил мост?"]) == [f"{INSTRUCT}\nQuery: Кто построил мост?"]
    assert found.before_passages(["Мост построил Петров."]) == ["Мост построил Петров."]


def test_settings_overrule_what_is_known_and_each_alone():
    assert prefixes_for("ai-forever/FRIDA", EmbedderSettings(query_prefix="q: ")) == Prefixes("q: ", "search_document: ")
    assert prefixes_for("ai-forever/FRIDA", EmbedderSettings(passage_prefix="")) == Prefixes("search_query: ", "")


def test_two_pairs_of_prefixes_never_read_alike():
    assert str(Prefixes("a, passage 'b'", "")) != str(Prefixes("a", "b"))
    assert str(Prefixes("\n")) != str(Prefixes("\\n"))


@pytest.mark.parametrize("blank", ["", " ", "\0", "\n\t", "\u00a0"])
def test_a_blank_text_is_read_as_something(blank):
    assert readable(blank) == BLANK


def test_what_no_tokenizer_can_take_is_replaced_and_the_rest_stays():
    assert readable("Ёж\0 и \ud800 ёж") == "Ёж  и ? ёж"
