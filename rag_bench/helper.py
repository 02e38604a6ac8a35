"""The published client's place for versions of a dataset repository and for `log`."""

import sys

from rag_bench.errors import NotOnHub
from rag_bench.hubs import HuggingFaceHub
from rag_bench.versions import sort_versions

__all__ = ["get_ds_versions", "get_latest_version", "log", "sort_versions"]


def log(msg: object) -> None:
    """Prints to standard error; the published client also appends to a log.txt in the working folder."""
    sys.stderr.write(f"{msg}\n")


def get_ds_versions(repo_id: str) -> list[str]:
    """The version tags of `<namespace>/<dataset>`, oldest first.

    Raises:
        NotOnHub: there is no such dataset, or it is not shown to you.
        Unreachable: the hub gives no answer.
    """
    hub = HuggingFaceHub(repo_id.partition("/")[0])
    refs = hub.refs(repo_id)
    if refs is None:
        raise NotOnHub(f"there is no dataset {repo_id}, or it is not shown to you (HF_TOKEN)")
    return sort_versions(refs.tags)


def get_latest_version(versions: list[str]) -> str:
    """The newest of these versions.

    Raises:
        NotOnHub: there is none.
    """
    if not (known := sort_versions(versions)):
        raise NotOnHub("there is no version 1.N.0 yet")
    return known[-1]
