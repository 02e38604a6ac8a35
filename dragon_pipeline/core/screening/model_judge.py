"""The judge by a model: one prompt per criterion, the gold articles as context, a score of 0, 1 or 2."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dragon_pipeline.core.language_model import LanguageModel, ModelReply
from dragon_pipeline.core.ports import Case
from dragon_pipeline.core.prompts import Prompt, line
from dragon_pipeline.core.screening.asking import ask
from dragon_pipeline.core.screening.judge import ANSWER_CRITERIA, BEST, CRITERIA, UNREADABLE, Rating, read_score
from dragon_pipeline.core.screening.replies import as_evidence

EXPLAINED = 200
"""Characters of the model's explanation that a verdict keeps."""
BARE = 16
"""A reply that is no JSON, nor a piece of it, and at most as long is read as a bare score («2/2», «Оценка: 1»); in a longer one
any number may be part of the explanation."""


class ModelJudge:
    """Rates by the criteria that it has prompts for.

    A prompt has the placeholders `question` and `context`, those of the answer criteria `answer` too. The context is every
    gold article, cut at sentence ends around the evidence where the window is too small; instructions and evidence are never
    cut. A reply that gives no score is `unreadable_score`, a lost one keeps its reason.
    """

    cheap = False

    def __init__(self, model: LanguageModel, prompts: Mapping[str, Prompt]) -> None:
        """`prompts`: criterion → prompt.

        Raises:
            ValueError: a criterion is unknown, or its prompt shows the answer where it must not, or does not where it must.
        """
        self.name = model.name
        self.models: Sequence[LanguageModel] = (model,)
        self.criteria = tuple(criterion for criterion in CRITERIA if criterion in prompts)
        self.prompts: Sequence[Prompt] = tuple(prompts[criterion] for criterion in self.criteria)
        self._by_criterion = dict(prompts)
        for criterion, prompt in prompts.items():
            wanted = {"question", "context"} | ({"answer"} if criterion in ANSWER_CRITERIA else set())
            if criterion not in CRITERIA or prompt.placeholders != wanted:
                raise ValueError(f"judge prompt {criterion!r} shows {sorted(prompt.placeholders)}, wanted are {sorted(wanted)}")

    def rate(self, criterion: str, cases: Sequence[Case]) -> Sequence[Rating]:
        """One per case, in order; the model is asked in one batch.

        Raises:
            BadInput: the model's window has no room for instructions and reply.
            BudgetSpent: the run's budget is used up.
        """
        values = [_values(criterion, case) for case in cases]
        return [rating(reply, self.name) for reply in ask(self.models[0], self._by_criterion[criterion], cases, values)]


def rating(reply: ModelReply, model: str = "") -> Rating:
    """What a reply says: its score, with the explanation where that is not the best; the reply itself is the evidence."""
    evidence = None if reply.text is None else as_evidence([{"model": model, "reply": reply.text}])
    return replace(_read(reply), evidence=evidence)


def _read(reply: ModelReply) -> Rating:
    if reply.lost:
        return Rating(None, reply.reason)
    if reply.reason is not None:
        text = (reply.text or "").strip()
        score = read_score(text) if len(text) <= BARE and not set(text) & set('{["') else None
        return Rating(None, f"{UNREADABLE}: {reply.reason.split(':')[0]}") if score is None else _rated(score, "")
    value = reply.value if isinstance(reply.value, dict) else {}
    score = value.get("score")
    if isinstance(score, bool) or score not in (0, 1, 2):
        return Rating(None, f"{UNREADABLE}: no_score")
    return _rated(float(score), str(value.get("why", "")))


def _rated(score: float, why: str) -> Rating:
    return Rating(score, None if score == BEST else f"rated_{score:g}: {line(why, EXPLAINED)}".rstrip(": "))


def _values(criterion: str, case: Case) -> dict[str, str]:
    """What is shown beside the context. The answer is taken up for the answer criteria alone, whatever the case holds."""
    told = {"question": line(case.qa["question"])}
    return {**told, "answer": line(case.qa["answer"])} if criterion in ANSWER_CRITERIA else told
