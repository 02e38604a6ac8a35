"""What is installed beside us: optional packages, and the other client of the same import name."""

import functools
import importlib
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

from rag_bench.errors import MissingExtra, TwoClients

OURS, PEER = "dragon-rag-bench", "rag-bench"


@functools.cache
def require_single_client() -> None:
    """Called on first use, never at import.

    Raises:
        TwoClients: `rag-bench` is installed too, so that files of either may have replaced the other's.
    """
    try:
        found = version(PEER)
    except PackageNotFoundError:
        return
    raise TwoClients(
        f"{PEER} {found} and {OURS} both install the package `rag_bench` and overwrite each other's files. Keep one: "
        f"`pip uninstall {PEER} {OURS}`, then `pip install {OURS}` (or {PEER}) again."
    )


def require(module: str, extra: str) -> ModuleType:
    """The optional module.

    Raises:
        MissingExtra: it is not installed; the message says how to get it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name != module.partition(".")[0]:
            raise
        raise MissingExtra(f"{module} is not installed: `pip install '{OURS}[{extra}]'`") from missing
