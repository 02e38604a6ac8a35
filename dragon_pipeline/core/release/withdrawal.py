"""Withdrawing a published version: every card says so from then on. Nothing is deleted, and no tag moves."""

from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.hub import Hub
from dragon_pipeline.core.release import notices, transaction, versions
from dragon_pipeline.core.release.tables import CARD_PATH, PRIVATE


def withdraw(hub: Hub, version: str, reason: str) -> dict[str, str]:
    """Marks a version as withdrawn in the newest commit of all four datasets; returns all that are, version → reason.

    Done again, it finishes what was cut short, or changes the reason. `latest` no longer gives the version out.

    Raises:
        BadInput: the hub does not hold this version, or the reason does not fit a card.
        PublicationFailed: the hub refused, or somebody else is publishing. Withdrawing again finishes it.
    """
    reason = notices.one_line(reason)
    shown = transaction.look(hub)
    _, tags = transaction.finish_broken(hub, shown)
    if version not in versions.whole(tags):
        raise BadInput(f"the hub does not hold version {version} of all four datasets: there is nothing to withdraw")
    told = {**notices.withdrawn(hub, shown.heads), version: reason}
    for dataset in reversed(transaction.ORDER):  # what everyone reads first
        head = shown.heads[dataset]
        if head is None:
            continue
        card = hub.read(dataset, head, [CARD_PATH]).get(CARD_PATH, b"")
        files = dict.fromkeys(hub.paths(dataset, head)) | {
            CARD_PATH: notices.with_notices(card, told),
            notices.NOTICES_PATH: notices.dump(told),
        }
        hub.commit(dataset, files, f"{version} is withdrawn: {reason}", dataset in PRIVATE, head)
    return told
