"""A model that answers from memory, for the closed-book screen."""

from collections.abc import Sequence

from dragon_pipeline.core.language_model import LanguageModel, ModelReply, ModelRequest
from dragon_pipeline.core.prompts import Prompt
from dragon_pipeline.core.screening.closed_book import Recall


class ModelMemory:
    """Shows the model the question alone. Every question gets the same request but for itself: nothing in it, not even the
    tokens allowed for the reply, depends on the answer."""

    def __init__(self, model: LanguageModel, prompt: Prompt) -> None:
        """`prompt` has the placeholder `question`; its schema, if any, asks for `answer`."""
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.prompts: Sequence[Prompt] = (prompt,)

    def answer(self, questions: Sequence[str]) -> Sequence[Recall]:
        """One per question, in order.

        Raises:
            BudgetSpent: the run's budget is used up.
        """
        (prompt,) = self.prompts
        requests = [ModelRequest(prompt.messages(question=question), prompt.schema) for question in questions]
        return [_recall(reply) for reply in self.models[0].complete(requests)]


def _recall(reply: ModelReply) -> Recall:
    if reply.lost:
        return Recall(None, reply.reason)
    if reply.reason is not None:
        return Recall(reply.text, reply.reason)
    return Recall(reply.value["answer"] if isinstance(reply.value, dict) else reply.text)
