"""What a local Hub takes."""

import base64
import json
from typing import Any

from dragon_pipeline_tests.local_hub.answers import Answered, Asked, Upload, commit_of, failed, may_write, repository
from dragon_pipeline_tests.local_hub.repositories import ATTRIBUTES, Blob, Repository


def validate(asked: Asked) -> Answered:
    return Answered(200, {"errors": [], "warnings": []})


def create(asked: Asked) -> Answered:
    told = asked.json
    name = f"{told.get('organization') or 'maker'}/{told['name']}"
    may_write(asked, name.partition("/")[0])
    if told.get("type") != "dataset":
        return failed(400, "this Hub has datasets only")
    url = f"{asked.hub.url}/datasets/{name}"
    if name in asked.hub.repositories:
        return Answered(409, {"error": "You already created this dataset repo", "url": url})
    private = told.get("visibility") == "private" or bool(told.get("private"))
    made = asked.hub.repositories.setdefault(name, Repository(name, private))
    made.add({".gitattributes": asked.hub.blobs.keep(ATTRIBUTES)}, "initial commit")
    return Answered(200, {"url": url, "name": name})


def preupload(asked: Asked) -> Answered:
    found = repository(asked, writing=True)
    files = commit_of(asked, found).files
    told = []
    for file in asked.json["files"]:
        path = file["path"]
        mode = "lfs" if path.endswith(".parquet") else "regular"
        known = {"oid": files[path].etag} if path in files else {}
        told.append({"path": path, "uploadMode": mode, "shouldIgnore": False, **known})
    return Answered(200, {"files": told})


def batch(asked: Asked) -> Answered:
    repository(asked, writing=True)
    objects: list[dict[str, Any]] = []
    for wanted in asked.json["objects"]:
        action = {"upload": {"href": f"{asked.hub.url}/lfs/{wanted['oid']}", "header": {}}}
        known = asked.hub.blobs.path(wanted["oid"]).exists()
        objects.append({"oid": wanted["oid"], "size": wanted["size"], **({} if known else {"actions": action})})
    return Answered(200, {"transfer": "basic", "objects": objects})


def upload(asked: Asked) -> Answered:
    assert isinstance(asked.body, Upload)
    whole = asked.hub.blobs.receive(asked.parts["sha256"], *asked.body)
    return Answered(200) if whole else failed(400, "the content has another SHA-256")


def commit(asked: Asked) -> Answered:
    found = repository(asked, writing=True)
    assert isinstance(asked.body, bytes)
    lines = [json.loads(line) for line in asked.body.splitlines() if line.strip()]
    header = next(line["value"] for line in lines if line["key"] == "header")
    if header.get("parentCommit") not in (None, found.head):
        return failed(412, "A commit has happened since. Please refresh and try again.")
    files = dict(found.commits[found.head].files)
    for line in lines:
        if problem := _apply(asked, files, line["key"], line["value"]):
            return problem
    made = found.add(files, header["summary"], header.get("description", ""))
    url = f"{asked.hub.url}/datasets/{found.name}/commit/{made.id}"
    return Answered(200, {"success": True, "commitOid": made.id, "commitUrl": url, "hookOutput": ""})


def tag(asked: Asked) -> Answered:
    found = repository(asked, writing=True)
    name, named = asked.json["tag"], commit_of(asked, found)
    if name in found.tags:
        return failed(409, f"Tag {name} already exists")
    found.tags[name] = named.id
    return Answered(200, {})


def _apply(asked: Asked, files: dict[str, Blob], what: str, value: dict[str, Any]) -> Answered | None:
    """One operation of a commit; what is wrong with it."""
    blobs = asked.hub.blobs
    if what == "file":
        files[value["path"]] = blobs.keep(base64.b64decode(value["content"]))
    elif what == "lfsFile":
        if not blobs.path(value["oid"]).exists():
            return failed(400, f"{value['path']} was not uploaded")
        files[value["path"]] = blobs.large(value["oid"], value["size"])
    elif what == "deletedFile":
        if files.pop(value["path"], None) is None:
            return failed(404, "A file with this name doesn't exist", "EntryNotFound")
    elif what != "header":
        return failed(400, f"this Hub knows no {what}")
    return None
