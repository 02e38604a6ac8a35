"""Stable ids: the same parts give the same id on every machine and day."""

import hashlib
import json


def content_id(*parts: object) -> str:
    """16 hex digits of SHA-256 over the parts as JSON; parts are strings, numbers or lists of them."""
    return sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode())[:16]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
