"""Addresses of servers, before a name is looked up."""

from urllib.parse import urlsplit


def host_of(address: str) -> str | None:
    """The host of an address without its scheme; None when it is none that a request can be sent to."""
    if any(sign.isspace() or not sign.isprintable() for sign in address):
        return None
    try:
        parts = urlsplit(f"//{address}")
        host, _ = parts.hostname, parts.port
        (host or "").encode("idna")
    except ValueError:  # a port that is none, brackets, an empty part between dots
        return None
    return None if parts.query or parts.fragment or "@" in parts.netloc else host
