"""What the Hub's refusals mean, in sentences."""

from dataclasses import dataclass

from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

from dragon_pipeline.adapters.hub.waiting import is_busy, root, status
from dragon_pipeline.core.errors import PublicationConflict, PublicationFailed

LONGEST = 300
"""characters of what the Hub says"""


@dataclass(frozen=True)
class Sentences:
    """Where the Hub is, and with what this came."""

    endpoint: str
    namespace: str
    token_variable: str
    has_token: bool
    patience: float

    def refused(self, repository: str, error: BaseException) -> PublicationFailed:
        """Why a request for a repository failed, and what to do."""
        answered, error = status(error), root(error)
        if is_busy(error):
            how = f"answers {answered}" if answered else f"gives no answer ({_one_line(error)})"
            return PublicationFailed(
                f"{self.endpoint} {how} for {repository}, for longer than {self.patience:.0f} s (release.patience): "
                "what was published is whole. Publish again when it does; that goes on from where this stopped"
            )
        told = {401: self._unknown, 403: self.forbidden, 404: self.absent}.get(answered or 0)
        if told:
            return PublicationFailed(told(repository))
        if answered == 412:
            return self.overtaken(repository)
        if isinstance(error, OfflineModeIsEnabled):
            return PublicationFailed(f"HF_HUB_OFFLINE is set: {repository} cannot be reached. Unset it to publish")
        said = f" ({answered})" if answered else ""
        return PublicationFailed(f"{self.endpoint} did not do what was asked for {repository}{said}: {_one_line(error)}")

    def overtaken(self, repository: str) -> PublicationConflict:
        """Another publisher was faster."""
        return PublicationConflict(
            f"{repository}: another publisher has committed meanwhile; nothing was overwritten. See what is published, "
            "then publish again"
        )

    def _unknown(self, repository: str) -> str:
        if not self.has_token:
            return f"{repository} is not for everyone to read or write: set {self.token_variable} to a token; {self._new}"
        return f"{self.endpoint} does not know the token in {self.token_variable}: it was mistyped or revoked; {self._new}"

    def forbidden(self, repository: str) -> str:
        """What to do about a token that may not write."""
        return (
            f"the token in {self.token_variable} may not do this with {repository}: give it write access to "
            f"{self.namespace} at {self.endpoint}/settings/tokens, or set release.namespace to one that it may write to"
        )

    def absent(self, repository: str) -> str:
        """What it may mean that the Hub does not show a repository."""
        return (
            f"{self.endpoint} shows no {repository}: it is not there, or the token in {self.token_variable} does not reach it"
        )

    @property
    def _new(self) -> str:
        return f"make one with write access to {self.namespace} at {self.endpoint}/settings/tokens"


def _one_line(error: BaseException) -> str:
    told = error.server_message if isinstance(error, HfHubHTTPError) else None
    return (" ".join((told or str(error)).split()) or type(error).__name__)[:LONGEST]
