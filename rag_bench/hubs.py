"""Where releases lie: the Hugging Face Hub, a folder with its layout, or a folder with the four tables.

A dataset has commits, one of them the newest of `main`, and tags that name commits.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import httpx2
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, HFValidationError, RepositoryNotFoundError

from rag_bench.errors import NotOnHub, Unreachable
from rag_bench.retrying import Retrying

MAIN = "main"
WITHDRAWN = "withdrawn.json"
MANIFEST = "manifest.json"
HIDDEN = frozenset({401, 403, 404})
"""what the Hub answers for a dataset that is not there, or not for you"""
BUSY = frozenset({429, 500, 502, 503, 504})
LOCAL = "0.0.0"
"""the version of tables in a folder, which have none"""

_NAME = re.compile(r"\w[\w.-]*")
T = TypeVar("T")


class Refs(NamedTuple):
    main: str | None
    """newest commit"""
    tags: Mapping[str, str]
    """tag → commit"""


class Hub(Protocol):
    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def unseen(self) -> str:
        """What else it may be that a dataset is not there; empty when nothing."""
        ...

    def refs(self, dataset: str) -> Refs | None:
        """None for a dataset that is not there, or that you may not see.

        Raises:
            Unreachable: the hub gives no answer.
        """
        ...

    def files(self, dataset: str, commit: str) -> Sequence[str]:
        """The paths of a commit.

        Raises:
            NotOnHub: there is no such commit.
            Unreachable: the hub gives no answer.
        """
        ...

    def fetch(self, dataset: str, commit: str, path: str) -> Path | None:
        """A local file with the content of this path; None when the commit has none.

        Raises:
            NotOnHub: the commit is not there, or not for you.
            Unreachable: the hub gives no answer.
        """
        ...


class HuggingFaceHub:
    """The dataset repositories `<namespace>/<dataset>`; a dataset with a `/` in its name is a repository as it stands.

    Args:
        endpoint: address of the hub; None is HF_ENDPOINT, or huggingface.co.
        token: None is HF_TOKEN, or what `hf auth login` stored.
        cache: folder of downloaded files; None is that of huggingface_hub.
    """

    def __init__(
        self, namespace: str, endpoint: str | None = None, token: str | None = None, cache: Path | None = None,
        retrying: Retrying | None = None,
    ):  # fmt: skip
        self._namespace = namespace
        self._api = HfApi(endpoint=endpoint, token=token)
        self._cache = cache
        self._retrying = retrying or Retrying(attempts=3, first_wait=0.5)

    @property
    def name(self) -> str:
        return f"{self._api.endpoint}/datasets/{self._namespace}"

    @property
    def unseen(self) -> str:
        return ", or does not show it to you (HF_TOKEN)"

    def refs(self, dataset: str) -> Refs | None:
        try:
            found = self._asked(dataset, lambda: self._api.list_repo_refs(self._repository(dataset), repo_type="dataset"))
        except RepositoryNotFoundError:
            return None
        main = next((branch.target_commit for branch in found.branches if branch.name == MAIN), None)
        return Refs(main, {tag.name: tag.target_commit for tag in found.tags})

    def files(self, dataset: str, commit: str) -> list[str]:
        repository = self._repository(dataset)
        try:
            return self._asked(dataset, lambda: self._api.list_repo_files(repository, revision=commit, repo_type="dataset"))
        except (RepositoryNotFoundError, EntryNotFoundError) as error:
            raise NotOnHub(f"{self._api.endpoint} does not show {repository} at {commit}: {_first_line(error)}") from error

    def fetch(self, dataset: str, commit: str, path: str) -> Path | None:
        repository = self._repository(dataset)
        wanted = {"revision": commit, "repo_type": "dataset", "cache_dir": self._cache}
        known = {"endpoint": self._api.endpoint, "token": self._api.token}
        try:
            return Path(self._asked(dataset, lambda: hf_hub_download(repository, path, **wanted, **known)))
        except EntryNotFoundError as error:
            if isinstance(error, FileNotFoundError):  # not in the cache, and the hub did not answer
                raise Unreachable(f"{path} of {repository} was never fetched, and the hub gives no answer") from error
            return None
        except RepositoryNotFoundError as error:
            raise NotOnHub(f"{self._api.endpoint} does not show {repository} at {commit}: {_first_line(error)}") from error

    def _repository(self, dataset: str) -> str:
        return dataset if "/" in dataset else f"{self._namespace}/{dataset}"

    def _asked(self, dataset: str, ask: Callable[[], T]) -> T:
        """The answer, asked again while the hub is busy."""
        try:
            return self._retrying.call(ask, _wait_for)
        except (RepositoryNotFoundError, EntryNotFoundError):
            raise
        except HfHubHTTPError as error:
            status = error.response.status_code
            if status in HIDDEN:
                raise RepositoryNotFoundError(str(error), response=error.response) from error
            told = f"the hub refused to show {self._repository(dataset)} ({status}): {_first_line(error)}"
            raise Unreachable(told) from error
        except HFValidationError as error:
            raise NotOnHub(f"{self._repository(dataset)!r} cannot name a dataset: {_first_line(error)}") from error
        except (httpx2.HTTPError, OSError) as error:
            raise Unreachable(f"the hub at {self._api.endpoint} gives no answer: {_first_line(error)}") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:  # a page of a guest network, a path with `..`
            raise Unreachable(f"{self._api.endpoint} does not answer as a hub does: {_first_line(error)}") from error


def _wait_for(error: Exception) -> float | None:
    """Seconds that a busy hub asks to wait; 0 leaves it to us, None is a failure for good."""
    if isinstance(error, HfHubHTTPError):
        told = error.response.headers.get("retry-after", "")
        return (float(told) if told.isdecimal() else 0.0) if error.response.status_code in BUSY else None
    return 0.0 if isinstance(error, httpx2.TransportError) else None


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


@dataclass(frozen=True)
class FolderHub:
    """As the pipeline writes it: `<dataset>/commits/<commit>/…`; `tags/<version>` and `head` are links to commits."""

    folder: Path
    """of a namespace"""

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def unseen(self) -> str:
        return ""

    def refs(self, dataset: str) -> Refs | None:
        held = self.folder / dataset
        try:
            tags = [entry for entry in (held / "tags").iterdir() if _NAME.fullmatch(entry.name) and entry.is_dir()]
        except OSError:  # not there, or not for you
            return None
        main = held / "head"
        return Refs(main.resolve().name if main.is_dir() else None, {entry.name: entry.resolve().name for entry in tags})

    def files(self, dataset: str, commit: str) -> list[str]:
        held = self._commit(dataset, commit)
        return sorted(file.relative_to(held).as_posix() for file in held.rglob("*") if file.is_file())

    def fetch(self, dataset: str, commit: str, path: str) -> Path | None:
        found = self._commit(dataset, commit) / path
        return found if found.is_file() else None

    def _commit(self, dataset: str, commit: str) -> Path:
        held = self.folder / dataset / "commits" / commit
        if not _NAME.fullmatch(commit) or not held.is_dir():
            raise NotOnHub(f"{self.folder / dataset} has no commit {commit}")
        return held


@dataclass(frozen=True)
class TableFolder:
    """A folder with `<dataset>.parquet` files, or `<dataset>/` folders of them: one version, without a hub's history."""

    folder: Path
    version: str = LOCAL
    _hashes: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def unseen(self) -> str:
        return ""

    def refs(self, dataset: str) -> Refs | None:
        files = self._tables(dataset)
        if not files:
            return None
        if dataset not in self._hashes:
            content = hashlib.sha256()
            for file in files:
                content.update(hashlib.sha256(file.read_bytes()).digest())
            self._hashes[dataset] = content.hexdigest()[:40]
        return Refs(None, {self.version: self._hashes[dataset]})

    def files(self, dataset: str, commit: str) -> list[str]:
        return [file.relative_to(self.folder).as_posix() for file in self._tables(dataset)]

    def fetch(self, dataset: str, commit: str, path: str) -> Path | None:
        found = self.folder / path
        return found if path not in (MANIFEST, WITHDRAWN) and found.is_file() else None

    def _tables(self, dataset: str) -> list[Path]:
        whole = self.folder / f"{dataset}.parquet"
        pieces = sorted((self.folder / dataset).glob("*.parquet")) or sorted((self.folder / dataset / "data").glob("*.parquet"))
        return [whole] if whole.is_file() else pieces
