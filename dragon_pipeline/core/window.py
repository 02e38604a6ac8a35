"""How much text fits a request: the model's window less the instructions, the examples and the reply.

Instructions are never cut. Sizes are upper bounds: bytes in UTF-8 while those fit, else what the model counts.
"""

from collections.abc import Sequence

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.language_model import LanguageModel
from dragon_pipeline.core.prompts import Prompt

PER_MESSAGE = 16
"""Tokens that a chat template adds to a message, at most."""
MARGIN = 64
FENCES = 40
"""Bytes of the fences around one value."""
LEAST = 256
"""A window that leaves fewer tokens for the text is of no use."""


def room(model: LanguageModel, prompt: Prompt, reply_tokens: int) -> int:
    """Tokens that the values of all placeholders may have together, their fences not counted.

    Raises:
        BadInput: the instructions and the reply leave no room for a text.
        Unreachable: the window was never told, and the server does not answer.
    """
    told = [*(message.content for message in prompt.opening), prompt.user]
    around = reply_tokens + MARGIN + PER_MESSAGE * len(told) + FENCES * len(prompt.placeholders)
    left = model.window - around - byte_size("".join(told))
    if left < model.window // 2:  # bytes are two to six times the tokens
        told_tokens = sum(model.count(told))
        left = model.window - around - told_tokens
        if left < LEAST:
            raise BadInput(
                f"the window of {model.role} {model.name} is too small: {model.window} tokens, of which prompt {prompt.name} "
                f"takes {told_tokens} and a reply {reply_tokens}; a text needs {LEAST} more, {around + told_tokens + LEAST} "
                f"in all. Serve it with a longer window, or lower max_tokens of models.{model.role}."
            )
    return left


def sizes(model: LanguageModel, texts: Sequence[str], together: int, space: int) -> Sequence[int]:
    """Tokens of each text, at most: bytes when any `together` of them fit `space` by that measure, else counted."""
    cheap = [byte_size(text) for text in texts]
    return cheap if sum(sorted(cheap)[-together:]) + together <= space else model.count(texts)


def byte_size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
