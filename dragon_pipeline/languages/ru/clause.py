"""What a clause is taken apart into: its verb in four forms, its arguments, one of which may be the slot `{T}`."""

from dataclasses import dataclass

from dragon_pipeline.languages.ru.parsing import Sentence


class Unfit(ValueError):
    """The clause cannot stand alone; the message is the reason."""


@dataclass(frozen=True)
class Block:
    """An argument of the verb: `root` is its head token, `text` as it goes into a question."""

    root: int
    indices: tuple[int, ...]
    text: str
    rel: str


@dataclass(frozen=True)
class Clause:
    sentence: Sentence
    verb: int
    subject: int
    """token that heads the subject"""
    verbs: dict[str, str]
    """the verb with its auxiliary, in the forms of FORMS"""
    lead: str
    """adverbs right before the verb"""
    blocks: tuple[Block, ...]
    undated: bool

    def phrase(self, form: str, slot: int | None = None) -> str:
        """The verb phrase; the block that `slot` heads is left as `{T}`."""
        said = " ".join(part for part in (self.lead, self.verbs[form]) if part)
        for b in self.blocks:
            said += (", " if b.rel == "ccomp" else " ") + ("{T}" if b.root == slot else b.text)
        return said

    def named(self) -> bool:
        """Whether the verb phrase names somebody, some place or some organisation."""
        return any(self.sentence.name_at(i) is not None for b in self.blocks for i in b.indices)
