"""Keyed ids: who lacks the key learns nothing from a public id, its order, or a commitment.

The home keeps one key. Every day's release uses a key derived from it, so that opening the private half of one release
(its manifest holds that key) tells nothing about the others.
"""

import hashlib
import hmac
from collections.abc import Iterable

from dragon_pipeline.core.errors import BadInput

SHORTEST_KEY = 16


def release_key(key: bytes, day: str) -> bytes:
    """The key of one day's release, 32 bytes.

    Raises:
        BadInput: the home's key is shorter than 16 bytes.
    """
    return _prf(_long_enough(key), "release", day)


def sandbox_key(key: bytes) -> bytes:
    """The home's key for sandboxes: they are open, so they share none with releases.

    Raises:
        BadInput: as `release_key`.
    """
    return _prf(_long_enough(key), "sandbox", "")


def permutation(key: bytes, kind: str, ids: Iterable[str]) -> dict[str, int]:
    """Content id → public id 0..n-1, a keyed permutation; equal for equal ids in any order."""
    return {id: place for place, id in enumerate(sorted(set(ids), key=lambda id: (_prf(key, f"order/{kind}", id), id)))}


def private_id(key: bytes, article_id: str) -> str:
    """The private id of a text, 32 hex digits."""
    return _prf(key, "private/text", article_id).hex()[:32]


def key_commitment(key: bytes) -> str:
    return _commitment("key", key)


def seed_commitment(key: bytes, seed: int) -> str:
    """Blinded by the key: a seed alone is small enough to be found by trying."""
    return _commitment("seed", key + str(seed).encode())


def canary(commitment: str) -> str:
    """The string that tells, when a model repeats it, that the model has seen this release."""
    digits = hashlib.sha256(b"dragon/canary\0" + commitment.encode()).hexdigest()
    return "dragon-canary-" + "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def _long_enough(key: bytes) -> bytes:
    if len(key) < SHORTEST_KEY:
        raise BadInput(f"the release key has {len(key)} bytes; it needs at least {SHORTEST_KEY} random ones")
    return key


def _commitment(domain: str, value: bytes) -> str:
    return hashlib.sha256(f"dragon/commitment/{domain}\0".encode() + value).hexdigest()


def _prf(key: bytes, domain: str, value: str) -> bytes:
    return hmac.new(key, f"dragon/{domain}\0{value}".encode(), hashlib.sha256).digest()
