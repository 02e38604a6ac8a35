"""Asking a model about questions and their articles: instructions and evidence are never cut, other sentences may be."""

from collections.abc import Mapping, Sequence

from dragon_pipeline.core.errors import Unreachable
from dragon_pipeline.core.language_model import LanguageModel, ModelReply, ModelRequest
from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.prompts import Prompt, plain
from dragon_pipeline.core.screening.context import fitted
from dragon_pipeline.core.window import byte_size, room


def ask(
    model: LanguageModel, prompt: Prompt, cases: Sequence[Case], values: Sequence[Mapping[str, str]]
) -> Sequence[ModelReply]:
    """One reply per case, in order, asked in one batch.

    `values`: of each case the placeholders of the prompt but for `context`, which is its articles, cut at sentence ends around
    the evidence where the window is too small. A reply's reason is `window_exceeded` where not even the evidence fits, and
    `no_connection` where the server never said how large its window is.

    Raises:
        BadInput: the model's window has no room for instructions and reply.
        BudgetSpent: the run's budget is used up.
    """
    try:
        reply_tokens = min(model.reply_tokens, model.window // 4)
        left = room(model, prompt, reply_tokens)
    except Unreachable:
        return [ModelReply(reason="no_connection") for _ in cases]
    rooms = [left - sum(byte_size(plain(text)) for text in told.values()) for told in values]
    contexts = fitted(cases, rooms, model.count)
    shown = [place for place, context in enumerate(contexts) if context is not None]
    requests = [
        ModelRequest(prompt.messages(**values[place], context=contexts[place] or ""), prompt.schema, reply_tokens)
        for place in shown
    ]
    replies = [ModelReply(reason="window_exceeded")] * len(cases)
    for place, reply in zip(shown, model.complete(requests), strict=True):
        replies[place] = reply
    return replies
