"""What a clause is taken apart into: its verb in four forms, its arguments, one of which may be the slot `{T}`."""

from dataclasses import dataclass

from dragon_pipeline.languages.ru.lemmas import fold
from dragon_pipeline.languages.ru.parsing import Sentence

EVERYWHERE = frozenset(("россия", "сша", "рф"))
ENOUGH = 5
"""Content words with which such a country points at one event."""


class Unfit(ValueError):
    """The clause cannot stand alone; the message is the reason."""


@dataclass(frozen=True)
class Block:
    """An argument of the verb: `root` is its head token, `text` as it goes into a question."""

    root: int
    indices: tuple[int, ...]
    text: str
    rel: str
    ahead: bool = False
    """said before the verb: behind it, it would read as part of what stands there"""


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
        ahead = ["{T}" if b.root == slot else b.text for b in self.blocks if b.ahead]
        said = " ".join(part for part in (*ahead, self.lead, self.verbs[form]) if part)
        for b in self.blocks:
            if not b.ahead:
                said += (", " if b.rel == "ccomp" else " ") + ("{T}" if b.root == slot else b.text)
        return said

    def spoken(self) -> list[Block]:
        """The arguments in the order of `phrase`."""
        return sorted(self.blocks, key=lambda b: not b.ahead)

    def named(self) -> bool:
        """Whether the verb phrase names somebody, some place or some organisation; a country that is in every second news and
        little else does not count («прожил остаток жизни в США»)."""
        used = [self.sentence.tokens[i] for b in self.blocks for i in b.indices]
        names = [t for t in used if self.sentence.name_at(t.i) is not None]
        content = sum(t.pos in ("NOUN", "PROPN", "ADJ", "NUM") for t in used)
        return any(fold(t.lemma) not in EVERYWHERE for t in names) or (bool(names) and content >= ENOUGH)
