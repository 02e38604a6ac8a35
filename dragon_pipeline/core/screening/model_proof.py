"""A model that answers from the articles it is shown, for the proof that a question takes two hops."""

from collections.abc import Sequence

from dragon_pipeline.core.language_model import LanguageModel, ModelReply
from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.prompts import Prompt, line
from dragon_pipeline.core.screening.asking import ask
from dragon_pipeline.core.screening.closed_book import Recall
from dragon_pipeline.core.screening.multi_hop import UNANSWERABLE

WANTED = frozenset({"context", "question"})


class ModelReader:
    """Shows the model the question and the case's articles, no answer and no fact."""

    def __init__(self, model: LanguageModel, prompt: Prompt) -> None:
        """`prompt` has the placeholders `context` and `question`; its schema asks for `answerable` and `answer`.

        Raises:
            ValueError: the prompt shows something else.
        """
        if prompt.placeholders != WANTED:
            raise ValueError(f"prompt {prompt.name} shows {sorted(prompt.placeholders)}, wanted are {sorted(WANTED)}")
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.prompts: Sequence[Prompt] = (prompt,)

    def read(self, cases: Sequence[Case]) -> Sequence[Recall]:
        """One per case, in order.

        Raises:
            BadInput: the model's window has no room for instructions and reply.
            BudgetSpent: the run's budget is used up.
        """
        values = [{"question": line(case.qa["question"])} for case in cases]
        return [_recall(reply) for reply in ask(self.models[0], self.prompts[0], cases, values)]


def _recall(reply: ModelReply) -> Recall:
    if reply.lost:
        return Recall(None, reply.reason)
    if reply.reason is not None:
        return Recall(reply.text, reply.reason)
    value = reply.value if isinstance(reply.value, dict) else {}
    return Recall(str(value["answer"]) if value.get("answerable") is True else UNANSWERABLE)
