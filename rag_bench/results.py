"""The published client's module for results files and the portal, with its names and arguments.

`submit` returns the id alone here; `rag_bench.submit` returns the receipt. What goes wrong is raised, not printed.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_bench.errors import BadRun
from rag_bench.portal import Portal
from rag_bench.submission import ADDRESS
from rag_bench.submission import submit as submit_run


def save(data: Any, path: str | Path) -> None:
    """Writes JSON, making the folders above it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=4), encoding="utf-8")


def load(path: str | Path) -> Any:
    """Reads JSON.

    Raises:
        BadRun: the file cannot be read, or is no JSON.
    """
    try:
        return json.loads(Path(path).read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise BadRun(str(path), [f"it cannot be read as JSON: {error}"]) from error


def submit(  # noqa: PLR0913 (the published client's signature)
    path: str | Path,
    config: Mapping[str, Any],
    address: str = ADDRESS,
    is_auto: bool = False,
    submit_id: str = "",
    version: str = "",
    token: str = "",
    *,
    allow_http: bool = False,
) -> str:
    """Sends a results file and returns the id of the submission; see `rag_bench.submit`."""
    return submit_run(path, config, address, is_auto, submit_id, version, token, allow_http=allow_http).id


def fetch_judge_requests(address: str = ADDRESS, token: str = "", *, allow_http: bool = False) -> list[dict[str, Any]]:
    """Submissions that wait for a judge.

    Raises:
        Unreachable: the portal gives no answer.
        Refused: it says no.
    """
    items = Portal(address, token, allow_http).ask("/submit/fetch_judge_requests", {}).get("items")
    return items if isinstance(items, list) else []


def download_for_judge(
    submit_id: str, version: str, output_path: str | Path, address: str = ADDRESS, token: str = "", *, allow_http: bool = False
) -> None:  # fmt: skip
    """Writes the results file of a submission.

    Raises:
        Unreachable: the portal gives no answer.
        Refused: it says no.
    """
    asked = {"submit_id": str(submit_id), "version": version}
    content = Portal(address, token, allow_http).post("/submit/get_gen_output", asked).content
    path = Path(output_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def add_judge_results(  # noqa: PLR0913 (the published client's signature)
    submit_id: str,
    version: str,
    judge_metrics: Any,
    address: str = ADDRESS,
    token: str = "",
    is_auto: bool = False,
    *,
    allow_http: bool = False,
) -> None:
    """Gives the portal a judge's scores of a submission.

    Raises:
        Unreachable: the portal gives no answer.
        Refused: it says no.
    """
    told = {
        "submit_id": str(submit_id),
        "version": version,
        "judge_results": json.dumps(judge_metrics),
        "is_auto": str(is_auto),
    }
    Portal(address, token, allow_http).post("/submit/add_judge_results", told)
