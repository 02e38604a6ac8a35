"""Every prompt's schema is taken by vLLM's compiler of grammars, and holds for a model that understands no word of Russian."""

from dragon_pipeline.adapters.llm.client import open_model
from dragon_pipeline.core.language_model import ModelRequest
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.languages.ru import prompts

REPLY_TOKENS = 160
WITHOUT_EXAMPLES = {"closed_book": {"question": "Кто открыл музей?"}}


def asked(prompt: Prompt) -> ModelRequest:
    given = prompt.examples[0].given if prompt.examples else WITHOUT_EXAMPLES[prompt.name]
    return ModelRequest(prompt.messages(**given), prompt.schema)


def test_every_prompt_s_schema_holds(server, tmp_path):
    settings = server.settings(max_tokens=REPLY_TOKENS)
    model = open_model("judge", settings, tmp_path / "replies.sqlite")
    names = prompts.names()
    replies = dict(zip(names, model.complete([asked(prompts.load(name)) for name in names]), strict=True))
    # A model this weak may write on until its limit. What it may not do is leave the schema.
    reasons = {name: reply.reason for name, reply in replies.items()}
    assert {name: reason for name, reason in reasons.items() if reason not in (None, "cut_off")} == {}
    held = [name for name in names if prompts.load(name).schema and reasons[name] is None]
    assert {name.partition("_")[0] for name in held} >= {"judge", "normaliser", "writer"}
    assert all(isinstance(replies[name].value, dict) for name in held)
    assert model.usage.repaired == 0
