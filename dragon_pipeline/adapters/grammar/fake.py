"""For tests: a sentence is as acceptable as the share of its words that are not listed as bad, without a model."""

from collections.abc import Collection, Sequence

from dragon_pipeline.core.ports import Grammar


class FakeGrammar:
    def __init__(self, bad: Collection[str] = (), name: str = "fake"):
        self.name = name
        self.bad = frozenset(bad)
        self.checked: list[str] = []
        """every question that was checked, in order"""

    def check(self, questions: Sequence[str]) -> Sequence[Grammar]:
        self.checked += questions
        return [Grammar(self._acceptable(question.split())) for question in questions]

    def examine(self) -> str:
        return "bad words: " + ", ".join(sorted(self.bad))

    def _acceptable(self, words: Sequence[str]) -> float:
        return round(1 - sum(word.strip("?.,!") in self.bad for word in words) / max(len(words), 1), 4)
