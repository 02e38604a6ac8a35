"""What a local Hub shows."""

import hashlib
import re
from pathlib import PurePosixPath
from urllib.parse import parse_qs

from dragon_pipeline_tests.local_hub.answers import READ, WRITE, Answered, Asked, Upload, commit_of, failed, repository

WHEN = "2026-01-01T00:00:00.000Z"


def whoami(asked: Asked) -> Answered:
    if asked.token not in (WRITE, READ):
        return failed(401, "Invalid credentials in Authorization header")
    role = "write" if asked.token == WRITE else "read"
    orgs = [{"type": "org", "name": name, "roleInOrg": "write"} for name in ("bench", "dragon")]
    token = {"displayName": role, "role": role}
    return Answered(
        200, {"type": "user", "name": "maker", "orgs": orgs, "auth": {"type": "access_token", "accessToken": token}}
    )


def info(asked: Asked) -> Answered:
    found = repository(asked)
    commit = commit_of(asked, found)
    told = {"_id": found.name, "id": found.name, "author": found.name.partition("/")[0], "sha": commit.id}
    more = {"private": found.private, "gated": False, "disabled": False, "tags": [], "downloads": 0, "likes": 0}
    dates = {"lastModified": WHEN, "createdAt": WHEN}
    return Answered(200, {**told, **more, **dates, "siblings": [{"rfilename": path} for path in sorted(commit.files)]})


def refs(asked: Asked) -> Answered:
    found = repository(asked)
    branch = {"name": "main", "ref": "refs/heads/main", "targetCommit": found.head}
    tags = [{"name": name, "ref": f"refs/tags/{name}", "targetCommit": commit} for name, commit in found.tags.items()]
    return Answered(200, {"branches": [branch], "tags": tags, "converts": []})


def tree(asked: Asked) -> Answered:
    """Files below a folder, and their folders; of the first level only, unless `recursive`."""
    files = commit_of(asked, repository(asked)).files
    below = asked.parts["path"].strip("/")
    inside = {path: blob for path, blob in files.items() if not below or path.startswith(f"{below}/")}
    if below and not inside:
        return failed(404, f"{below} does not exist", "EntryNotFound")
    deep = asked.query.get("recursive", ["false"])[0].lower() in ("true", "1")
    level = len(PurePosixPath(below).parts)
    folders = {str(folder) for path in inside for folder in PurePosixPath(path).parents if len(folder.parts) > level}
    seen = [*sorted(folders), *sorted(inside)]
    shown = [path for path in seen if deep or len(PurePosixPath(path).parts) == level + 1]
    return Answered(200, [inside[path].told(path) if path in inside else _folder(path) for path in shown])


def paths_info(asked: Asked) -> Answered:
    files = commit_of(asked, repository(asked)).files
    is_json = "json" in asked.headers.get("Content-Type", "")
    paths = asked.json["paths"] if is_json else _form(asked.body)
    told: list[dict[str, object]] = []
    for path in [paths] if isinstance(paths, str) else paths:
        if path in files:
            told.append(files[path].told(path))
        elif any(one.startswith(f"{path.rstrip('/')}/") for one in files):
            told.append(_folder(path))
    return Answered(200, told)


def commits(asked: Asked) -> Answered:
    found = repository(asked)
    told = [
        {"id": one.id, "title": one.title, "message": one.message, "authors": [{"user": "maker"}], "date": WHEN}
        for one in found.history(commit_of(asked, found))
    ]
    return Answered(200, told)


def resolve(asked: Asked) -> Answered:
    """A file, or the range of it that is asked for."""
    named = commit_of(asked, repository(asked))
    blob = named.files.get(asked.parts["path"])
    if blob is None:
        return failed(404, "Entry not found", "EntryNotFound", **{"X-Repo-Commit": named.id})
    headers = {"X-Repo-Commit": named.id, "ETag": f'"{blob.etag}"', "Accept-Ranges": "bytes"}
    first, last = 0, blob.size - 1
    if wanted := re.fullmatch(r"bytes=(\d+)-(\d*)", asked.headers.get("Range", "")):
        first, last = int(wanted[1]), min(int(wanted[2] or last), last)
        if first > last:
            return failed(416, "no such range", **{"Content-Range": f"bytes */{blob.size}"})
        headers["Content-Range"] = f"bytes {first}-{last}/{blob.size}"
    headers["Content-Length"] = str(last - first + 1)
    return Answered(206 if wanted else 200, asked.hub.blobs.path(blob.sha256), headers, first)


def _folder(path: str) -> dict[str, object]:
    return {"type": "directory", "path": path, "size": 0, "oid": hashlib.sha1(path.encode()).hexdigest()}


def _form(body: bytes | Upload) -> list[str]:
    assert isinstance(body, bytes)
    return parse_qs(body.decode())["paths"]
