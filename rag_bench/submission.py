"""Sending a results file to the portal that holds the gold, once, with a receipt."""

import hashlib
import json
import os
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_bench.checks import INCOMPLETE, check
from rag_bench.errors import BadRun, RagBenchError, Refused
from rag_bench.installation import require_single_client
from rag_bench.portal import Portal
from rag_bench.releases import Release
from rag_bench.runs import parse_run

ADDRESS = "localhost:80"


@dataclass(frozen=True)
class Receipt:
    """What was sent; written beside the results file as `….receipt.json`."""

    id: str
    """that the portal gave the submission"""
    version: str
    sha256: str
    """of the results file"""
    address: str
    submit_id: str
    """the earlier submission that this one replaces"""
    config_sha256: str
    """of the config as JSON; with another one it is another submission"""
    user_guid: str
    """the same at every attempt, so that the portal takes a submission once"""
    at: str
    """when the portal answered, ISO 8601, UTC"""

    def __str__(self) -> str:
        return f"submission {self.id} of version {self.version} to {self.address} at {self.at} (SHA-256 {self.sha256[:12]}…)"


def submit(  # noqa: PLR0913 (the published client's signature)
    path: str | Path,
    config: Mapping[str, Any],
    address: str = ADDRESS,
    is_auto: bool = False,
    submit_id: str = "",
    version: str = "",
    token: str = "",
    *,
    release: Release | None = None,
    incomplete: bool = False,
    allow_http: bool = False,
    portal: Portal | None = None,
) -> Receipt:
    """Sends a results file, once, however often this is called.

    The receipt of an earlier call is returned as it is: the same file, version, address and config are one submission.

    Args:
        path: results file.
        config: what the leaderboard shows of the system, as JSON.
        address: of the portal, see `Portal`.
        submit_id: the earlier submission that this one replaces.
        version: of the release; needed unless `release` is given.
        token: what the portal gave you. It is never printed or written.
        release: to `check` the run against, before it is sent.
        incomplete: send although questions have no entry or an empty answer; they score 0.
        portal: instead of address and token, with other retries.

    Raises:
        BadRun: the file cannot be scored, or `check` finds a fault. Nothing was sent.
        Unreachable: no answer; call again, the portal takes the submission once.
        Refused: the portal says no.
    """
    require_single_client()
    path = Path(path)
    version = version or (release.version if release else "")
    if not version:
        raise RagBenchError("say which version the run answers: version=release.version, or release=release")
    portal = portal or Portal(address, token, allow_http)
    if not isinstance(config, Mapping):
        raise RagBenchError('config must be a mapping, such as {"name": "my system"}')
    content = _checked(path, release, incomplete)
    sha256 = hashlib.sha256(content).hexdigest()
    told = {**config, "is_auto": is_auto}
    wanted = {"version": version, "sha256": sha256, "address": portal.url, "submit_id": submit_id}
    wanted["config_sha256"] = hashlib.sha256(_json(told).encode()).hexdigest()
    receipt = _kept(path, wanted)
    if receipt is None:
        receipt = Receipt(id="", user_guid=uuid.uuid4().hex, at="", **wanted)
        _keep(path, receipt)  # before sending: a call that is killed here is continued under the same key
    if receipt.id:
        return receipt
    fields = {"config": _json({**told, "user_guid": receipt.user_guid}), "submit_id": submit_id, "version": version}
    id = _id(portal.ask("/submit/create", {**fields, "filename": path.name}, (str(path), path.name, content)), portal)
    receipt = replace(receipt, id=id, at=datetime.now(UTC).isoformat("T", "seconds"))
    _keep(path, receipt)
    return receipt


def _id(answer: Mapping[str, Any], portal: Portal) -> str:
    id = answer.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int) or id == "":
        told = portal.clean(str(answer.get("error") or dict(answer)))[:300]
        raise Refused(f"the portal at {portal.url} gave no id of the submission: {told}", 200)
    return str(id)


def receipt_path(path: Path) -> Path:
    """Where the receipt of a results file lies."""
    return path.with_suffix(".receipt.json")


def _checked(path: Path, release: Release | None, incomplete: bool) -> bytes:
    """The content that was found without fault, and is sent as it is."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadRun(str(path), [f"the file cannot be read: {error.strerror}"]) from error
    parse_run(content, str(path))
    if release is None:
        return content
    faults = [row for row in check(path, release).faults if not (incomplete and row.kind in INCOMPLETE)]
    if faults:
        more = (
            " (incomplete=True, or --incomplete, sends it all the same)"
            if all(row.kind in INCOMPLETE for row in faults)
            else ""
        )
        raise BadRun(f"{path}{more}", [str(row) for row in faults[:20]], more=max(0, len(faults) - 20))
    return content


def _json(config: Mapping[str, Any]) -> str:
    try:
        return json.dumps(config, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise RagBenchError(f"config cannot be written as JSON: {error}") from error


def _kept(path: Path, wanted: Mapping[str, str]) -> Receipt | None:
    """The receipt of an earlier call with the same file, version, address and replaced submission."""
    try:
        receipt = Receipt(**json.loads(receipt_path(path).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    told = asdict(receipt)
    whole = all(isinstance(value, str) for value in told.values())
    return receipt if whole and all(told[name] == value for name, value in wanted.items()) else None


def _keep(path: Path, receipt: Receipt) -> None:
    file = receipt_path(path)
    fresh = file.with_name(f"{file.name}.{os.getpid()}")
    fresh.write_text(json.dumps(asdict(receipt), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    fresh.replace(file)
