"""Which published versions were withdrawn and why, as the hub tells it: on every card and in `withdrawn.json`."""

import json
from collections.abc import Mapping

from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release.tables import DATASETS

NOTICES_PATH = "withdrawn.json"
HEADING = "\n<!-- withdrawn -->\n## Withdrawn versions\n"
LONGEST_REASON = 500
"""characters"""

Withdrawn = Mapping[str, str]
"""version → reason"""


def withdrawn(hub: Hub, heads: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Version → reason, as any of the four datasets says in its newest commit: a withdrawal that was cut short counts.

    Raises:
        PublicationFailed: the hub holds a file that does not say this.
    """
    found: dict[str, str] = {}
    for dataset in DATASETS:
        head = heads[dataset] if heads else hub.head(dataset)
        content = hub.read(dataset, head, [NOTICES_PATH]).get(NOTICES_PATH) if head else None
        if content is not None:
            found |= load(dataset, content)
    return dict(sorted(found.items()))


def dump(told: Withdrawn) -> bytes:
    return (json.dumps(dict(sorted(told.items())), ensure_ascii=False, indent=2) + "\n").encode()


def with_notices(card: bytes, told: Withdrawn) -> bytes:
    """The card with a section on what was withdrawn, in the place of the one it has."""
    plain = card.decode().split(HEADING)[0]
    lines = "".join(f"\n- `{version}`: {reason}" for version, reason in sorted(told.items()))
    return (f"{plain}{HEADING}{lines}\n" if told else plain).encode()


def one_line(reason: str) -> str:
    """A reason as it may stand on a card.

    Raises:
        BadInput: it says nothing, or too much.
    """
    plain = " ".join("".join(" " if sign in "`|<>" or not sign.isprintable() else sign for sign in reason).split())
    if not plain or len(plain) > LONGEST_REASON:
        raise BadInput(f"a withdrawal needs a reason of 1 to {LONGEST_REASON} characters: it stands on the dataset cards")
    return plain


def load(dataset: str, content: bytes) -> dict[str, str]:
    """Version → reason.

    Raises:
        PublicationFailed: it is something else.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not all(isinstance(reason, str) for reason in told.values()):
        raise PublicationFailed(f"{NOTICES_PATH} of {dataset} on the hub is not an object of version → reason: mend it there")
    return told
