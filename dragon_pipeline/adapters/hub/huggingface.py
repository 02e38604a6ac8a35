"""The Hugging Face Hub: each dataset is a dataset repository of one namespace, versions are tags."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, RepoFile
from huggingface_hub.constants import HF_HUB_DISABLE_PROGRESS_BARS
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled, RemoteEntryNotFoundError
from huggingface_hub.utils import disable_progress_bars, get_session

from dragon_pipeline.adapters.hub.commits import NAME, check_parent, check_paths, check_visibility, moved
from dragon_pipeline.adapters.hub.downloads import digest, download, is_held, is_same, write
from dragon_pipeline.adapters.hub.refusals import Sentences
from dragon_pipeline.adapters.hub.waiting import NoAnswer, ask, is_busy, status
from dragon_pipeline.core.errors import BadInput, PublicationFailed
from dragon_pipeline.core.hub import HUBS_OWN, Content

MAIN = "main"
TIMEOUT = 120.0
"""seconds without a byte after which a request counts as not answered"""
TAKEN = 409
"""the status for a repository or tag that is there already"""
NO_HUB = (ValueError, KeyError, TypeError, AttributeError)
"""what huggingface_hub raises for answers that are not a Hub's"""

Tree = dict[str, RepoFile]
T = TypeVar("T")


class HuggingFaceHub:
    """Implements hub.Hub. Nothing is read through a cache, and no token but the one given is used.

    Args:
        token: one that may write to the namespace; None reads what is public.
        endpoint: address; None is huggingface.co.
        patience: seconds for which one request is made again while the Hub is busy or gives no answer.
        token_variable: where the token comes from, for messages.
    """

    def __init__(
        self,
        namespace: str,
        token: str | None,
        endpoint: str | None = None,
        patience: float = 600.0,
        token_variable: str = "HF_TOKEN",
    ) -> None:
        if not NAME.fullmatch(namespace):
            raise BadInput(f"release.namespace: {namespace!r} cannot name a user or organisation of the Hub")
        if endpoint is not None and not endpoint.startswith(("https://", "http://")):
            raise BadInput(f"release.endpoint: {endpoint!r} is no address; one begins with https://")
        if HF_HUB_DISABLE_PROGRESS_BARS is None and not sys.stderr.isatty():
            disable_progress_bars()  # in a log they are thousands of lines
        self._namespace = namespace
        self._api = HfApi(endpoint=endpoint, token=token or False)
        self._patience = patience
        self._sentences = Sentences(self._api.endpoint, namespace, token_variable, bool(token), patience)

    def head(self, dataset: str) -> str | None:
        refs = self._refs(dataset)
        return next((branch.target_commit for branch in refs.branches if branch.name == MAIN), None) if refs else None

    def tags(self, dataset: str) -> dict[str, str]:
        refs = self._refs(dataset)
        return {tag.name: tag.target_commit for tag in refs.tags} if refs else {}

    def is_private(self, dataset: str) -> bool | None:
        repository = self._repository(dataset)
        with self._said(repository):
            found = self._unless_absent(partial(self._api.dataset_info, repository))
            return bool(found.private) if found else None

    def commit(self, dataset: str, files: Mapping[str, Content], message: str, private: bool, parent: str | None) -> str:
        check_paths(files)
        repository = self._repository(dataset)
        with self._said(repository):
            parent = self._create(dataset, private) if parent is None else parent
            newest = self._unless_absent(partial(self._api.dataset_info, repository))
            check_parent(dataset, newest and newest.sha, parent)
            check_visibility(dataset, bool(newest and newest.private), private)
            before = self._tree(repository, parent)
            if lost := sorted(path for path, content in files.items() if content is None and path not in before):
                raise BadInput(f"{dataset} has no {lost[0]} to keep")
            if is_held(before, dict(files), before):
                return parent
            return self._send(repository, files, message, parent, before)

    def paths(self, dataset: str, revision: str) -> list[str]:
        repository = self._at(dataset, revision)
        with self._said(f"{repository} at {revision}"):
            return sorted(self._tree(repository, revision))

    def digests(self, dataset: str, revision: str) -> dict[str, str]:
        return {path: self._download(dataset, revision, path, digest) for path in self.paths(dataset, revision)}

    def read(self, dataset: str, revision: str, paths: Sequence[str] | None = None) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for path in paths or [path for path in self.paths(dataset, revision) if paths is None]:
            try:
                found[path] = self._download(dataset, revision, path, b"".join)
            except PublicationFailed as error:
                if not isinstance(error.__cause__, RemoteEntryNotFoundError):
                    raise
        return found

    def fetch(self, dataset: str, revision: str, path: str, to: Path) -> None:
        half = to.with_name(f".new-{to.name}")
        try:
            self._download(dataset, revision, path, partial(write, half))
            half.replace(to)
        finally:
            half.unlink(missing_ok=True)

    def tag(self, dataset: str, name: str, commit: str) -> None:
        repository = self._at(dataset, commit)
        with self._said(f"{repository} at {commit}"):
            create = partial(self._api.create_tag, repository, tag=name, revision=commit, repo_type="dataset")
            if self._make(create) or self.tags(dataset).get(name) == commit:
                return
        raise moved(dataset, name, commit)

    def examine(self) -> str:
        """Where this is, and who publishes.

        Raises:
            PublicationFailed: the Hub does not answer, or nothing can be published with this token.
        """
        if not self._api.token:
            self.head("public_questions")
        with self._said(self._namespace):
            who = self._ask(self._api.whoami)
            if not _may_write(who, self._namespace):
                raise PublicationFailed(self._sentences.forbidden(self._namespace))
            return f"{self._api.endpoint}/{self._namespace}, written to as {who['name']}"

    def _send(self, repository: str, files: Mapping[str, Content], message: str, parent: str, before: Tree) -> str:
        """Commits what differs from the parent.

        Whether it was made is read from the newest commit: an answer may be lost, or say 500, although it was; and
        huggingface_hub sends nothing, and names the newest commit, when that has the same changes already.
        """
        changed = {path: content for path, content in files.items() if content is not None}
        changed = {path: content for path, content in changed.items() if not is_same(before.get(path), content)}
        deletes = [CommitOperationDelete(path, is_folder=False) for path in sorted(before.keys() - files.keys())]

        def send() -> str:
            adds = [CommitOperationAdd(path, content) for path, content in changed.items()]
            try:
                self._api.create_commit(
                    repository, [*adds, *deletes], commit_message=message, repo_type="dataset", parent_commit=parent
                )
            except (HfHubHTTPError, NoAnswer, RuntimeError) as error:
                if made := self._newest(repository, files, parent, before):
                    return made
                raise error
            if made := self._newest(repository, files, parent, before):
                return made
            raise self._sentences.overtaken(repository)

        return self._ask(send)

    def _newest(self, repository: str, files: Mapping[str, Content], parent: str, before: Tree) -> str | None:
        """The newest commit, if it has exactly these files and is not the parent."""
        newest = self._api.dataset_info(repository).sha
        held = newest and newest != parent and is_held(self._tree(repository, newest), dict(files), before)
        return newest if held else None

    def _create(self, dataset: str, private: bool) -> str:
        """A repository for a dataset that there is none of; returns its first commit, which the Hub makes.

        Raises:
            PublicationConflict: there is one, with files of another publisher.
            PublicationFailed: there is one that the token does not reach.
        """
        repository = self._repository(dataset)
        if self.head(dataset) is None:
            self._make(partial(self._api.create_repo, repository, repo_type="dataset", private=private))
        head = self.head(dataset)
        if head is None:  # there is one, and this token does not see it
            raise PublicationFailed(self._sentences.absent(repository))
        if self._tree(repository, head):
            check_parent(dataset, head, None)
        return head

    def _make(self, create: Callable[[], object]) -> bool:
        """Whether it was made; False: it was there."""
        try:
            self._ask(create, unless=TAKEN)
        except HfHubHTTPError as error:
            if status(error) != TAKEN:
                raise
            return False
        return True

    def _refs(self, dataset: str) -> Any:
        """Branches and tags; None when there is no such dataset."""
        repository = self._repository(dataset)
        with self._said(repository):
            return self._unless_absent(partial(self._api.list_repo_refs, repository, repo_type="dataset"))

    def _unless_absent(self, question: Callable[[], T]) -> T | None:
        """An answer; None when there is no such dataset."""
        try:
            return self._ask(question)
        except HfHubHTTPError as error:
            if status(error) == 404:
                return None
            raise

    def _tree(self, repository: str, revision: str) -> Tree:
        def read() -> Tree:
            found = self._api.list_repo_tree(repository, recursive=True, revision=revision, repo_type="dataset")
            return {file.path: file for file in found if isinstance(file, RepoFile) and file.path != HUBS_OWN}

        return self._ask(read)

    def _download(self, dataset: str, revision: str, path: str, take: Callable[[Any], T]) -> T:
        repository = self._at(dataset, revision)
        with self._said(f"{path} of {repository} at {revision}"):
            return self._ask(partial(download, self._api, repository, revision, path, take))

    def _repository(self, dataset: str) -> str:
        if not NAME.fullmatch(dataset):
            raise BadInput(f"{dataset!r} cannot name a dataset")
        return f"{self._namespace}/{dataset}"

    def _at(self, dataset: str, revision: str) -> str:
        """The repository, where the revision may be a tag or commit."""
        if not NAME.fullmatch(revision):
            raise PublicationFailed(f"there is no {self._repository(dataset)} at {revision!r}")
        return self._repository(dataset)

    def _ask(self, question: Callable[[], T], unless: int = 0) -> T:
        """An answer, waited for; `unless`: a status that is one at once."""

        def once() -> T:
            get_session().timeout = TIMEOUT  # huggingface_hub sets none, and makes the session anew now and then
            return question()

        return ask(once, self._patience, lambda error: is_busy(error) and status(error) != unless)

    @contextmanager
    def _said(self, what: str) -> Iterator[None]:
        """Turns what huggingface_hub raises into sentences."""
        try:
            yield
        except (HfHubHTTPError, NoAnswer, OfflineModeIsEnabled, RuntimeError, *NO_HUB) as error:
            raise self._sentences.refused(what, error) from error


def _may_write(who: Mapping[str, Any], namespace: str) -> bool:
    """Whether a token, as the Hub describes it, may write to the repositories of a namespace."""
    token = who["auth"]["accessToken"]
    if token["role"] == "fineGrained":
        scopes = token["fineGrained"]["scoped"]
        return any(scope["entity"].get("name") == namespace and "repo.write" in scope["permissions"] for scope in scopes)
    writers = {who["name"], *(org["name"] for org in who.get("orgs", []) if org.get("roleInOrg") != "read")}
    return token["role"] in ("write", "admin") and namespace in writers
