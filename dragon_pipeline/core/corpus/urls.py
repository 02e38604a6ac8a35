"""One address per page: the canonical URL.

Scheme, host and port are folded; AMP and mobile twins, tracking parameters, fragments, directory indexes and trailing slashes
go.
The result names the page; it is stable (canonicalising it again changes nothing) and need not be the address to fetch it from.
Measured by benchmarks/urls.py: of 14,737 real addresses no two fall together, of 3,000 others 19 AMP twins and nothing else do;
962,930 made twins of these all fall to their page.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import SplitResult, unquote, urlsplit

from dragon_pipeline.core.errors import BadInput

TRACKING = (
    *("utm_*", "*clid", "openstat", "_openstat", "from", "frommail", "ref", "ref_*", "referer", "referrer", "mc_cid", "mc_eid"),
    *("_ga", "_gl", "igshid", "igsh", "cmpid", "ncid", "fb_*", "at_medium", "at_campaign", "rpop", "rss", "msclkid", "gbraid"),
    *("wbraid", "srsltid", "rb_clickid", "roistat*", "xtor", "mkt_tok", "_hsenc", "_hsmi", "etext", "spref"),
    *("phpsessid", "jsessionid", "amp", "amp_*", "amp;*", "outputtype", "turbo", "turbo_*", "mobile", "nomobile"),
)
"""Parameters that never name a page, lower case; `*` stands for anything."""

TWIN_LABELS = ("www", "m", "amp", "mobile", "pda", "wap")
SHARED_SUFFIXES = ("com", "co", "org", "net", "gov", "edu", "ac", "in", "msk", "spb")
"""`com` in `m.com.ua`: what follows it is no site of its own."""

LONGEST = 4_000
"""characters of an address; servers take no longer ones, and what is made to be long takes the square of it"""

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
PATH_SAFE = UNRESERVED | frozenset(b"/!$&'()*+,;=:@")
QUERY_SAFE = PATH_SAFE | frozenset(b"?")

_CARRIED = re.compile(r"[a-z]+=(https?(?::|%3[aA])(?:/|%2[fF]){2}.+)")
_DOUBLED = re.compile(r"https?://[^/?#]*(https?://.+)", re.IGNORECASE | re.DOTALL)
_IGNORED = re.compile(r"[\t\n\r]")
_GOOGLE = re.compile(r"(www\.)?google\.[a-z.]+")
_YANDEX = re.compile(r"(www\.)?(yandex\.[a-z.]+|ya\.ru)")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?"
_HOST = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
_TAIL = re.compile(r"(?i);jsessionid=.*$|\.amp(?=(\.s?html?)?$)|(?:%20)+$")
_INDEX = re.compile(r"(?i)index\.(s?html?|php)")
_ESCAPE = re.compile(r"(%[0-9A-Fa-f]{2})")
_PLAIN = re.compile(r"[A-Za-z0-9._~/!$&'()*+,;=:@-]*")


@dataclass(frozen=True)
class UrlRules:
    """What is particular to one outlet."""

    hosts: tuple[str, ...] = ()
    """hosts under which the outlet serves the same pages; they all become `host`"""
    host: str | None = None
    """the host of its canonical URLs; none: as found"""
    drop_params: tuple[str, ...] = ()
    """parameters that do not name a page, beside the common tracking ones; `*` stands for anything"""
    keep_params: tuple[str, ...] = ()
    """parameters that do name a page; wins over `drop_params` and over the common ones"""


def canonical_url(url: str, rules: UrlRules | None = None) -> str:
    """The one address of a page; the same for every twin of it, and for itself.

    Raises:
        BadInput: it is no http or https URL, or longer than LONGEST.
    """
    rules = rules or UrlRules()
    while (folded := _folded(_bounded(url), rules)) != url:
        url = folded
    return url


def _bounded(url: str) -> str:
    if len(url) > LONGEST:
        raise BadInput(f"{_shown(url)}… is {len(url)} characters long, escapes included; no address is longer than {LONGEST}")
    return url


def _folded(url: str, rules: UrlRules) -> str:
    parts = _unwrapped(_tidy(url))
    host = _host(parts.hostname or "")
    if rules.host and host in {_twin_free(name.lower()) for name in (*rules.hosts, rules.host)}:
        host = rules.host.lower()
    scheme, port = _scheme_and_port(parts)
    path = _path(parts.path)
    query = _query(parts.query, rules)
    fragment = "#" + _quote(parts.fragment, QUERY_SAFE) if parts.fragment.startswith("!") else ""
    return f"{scheme}://{host}{port}{path}{'?' + query if query else ''}{fragment}"


def _tidy(url: str) -> str:
    """Without what a browser ignores, and with a doubled address (`https://a.ruhttps://a.ru/x`, seen in feeds) undoubled."""
    url = _IGNORED.sub("", url.strip())
    while doubled := _DOUBLED.match(url):
        url = doubled[1]
    return url


def _split(url: str) -> SplitResult:
    try:
        url.encode()
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise BadInput(f"{_shown(url)} is no http or https URL: {_shown(str(error))}") from error
    if not fine:
        raise BadInput(f"{_shown(url)} is no http or https URL")
    return parts


def _shown(text: str) -> str:
    return ascii(text[:100])


def _unwrapped(url: str) -> SplitResult:
    """The page's own address when the URL is that of a copy on an AMP or Turbo cache."""
    while True:
        parts = _split(url)
        inner = _inner(parts, (parts.hostname or "").lower())
        if inner is None:
            return parts
        url = inner


def _inner(parts: SplitResult, host: str) -> str | None:
    """The address that a copy's address holds."""
    query = "?" + parts.query if parts.query else ""
    if host.startswith("amp.") and (carried := _CARRIED.fullmatch(parts.query)):
        return _opened(carried[1])
    if host.endswith(".cdn.ampproject.org"):
        inner = re.fullmatch(r"/[a-z]/(?:s/)?([^/]+\.[^/]+(?:/.*)?)", parts.path, re.DOTALL)
    elif host.endswith(".turbopages.org"):
        return _turbo(parts.path, query)
    elif _YANDEX.fullmatch(host) and parts.path.startswith("/turbo"):
        carried = re.match(r"text=(https?(?::|%3A)(?:/|%2F){2}[^&]+)", parts.query, re.IGNORECASE)
        return _opened(carried[1]) if carried else _turbo(parts.path, query)
    elif _GOOGLE.fullmatch(host):
        inner = re.fullmatch(r"/amp/(?:s/)?([^/]+\.[^/]+(?:/.*)?)", parts.path, re.DOTALL)
    else:
        return None
    return f"https://{inner[1]}{query}" if inner else None


def _turbo(path: str, query: str) -> str | None:
    inner = re.fullmatch(r"/(?:turbo/)?([^/]+\.[^/]+)/[sh](/.*)?", path, re.DOTALL)
    return f"https://{inner[1]}{inner[2] or ''}{query}" if inner else None


def _opened(address: str) -> str:
    return unquote(address) if "%" in address[:10] else address


def _host(name: str) -> str:
    host = name.rstrip(".")
    if ":" in host:
        return f"[{host}]"
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError as error:
            raise BadInput(f"{_shown(host)} is no host name: {error}") from error
    if not _HOST.fullmatch(host):
        raise BadInput(f"{_shown(host)} is no host name")
    return _twin_free(host)


def _twin_free(host: str) -> str:
    labels = host.split(".")
    while labels[0] in TWIN_LABELS and len(labels) > 2 and not (len(labels) == 3 and labels[1] in SHARED_SUFFIXES):
        labels = labels[1:]
    return ".".join(labels)


def _scheme_and_port(parts: SplitResult) -> tuple[str, str]:
    """`https` for the default ports; an explicit other port keeps its scheme, since another server answers there."""
    port = parts.port
    if port in (None, 443 if parts.scheme == "https" else 80):
        return "https", ""
    return parts.scheme, f":{port}"


def _path(path: str) -> str:
    segments: list[str] = []
    for segment in _quote(path, PATH_SAFE).split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in ("", "."):
            segments.append(segment)
    while segments:
        last = _TAIL.sub("", segments[-1])
        if last in ("", ".", "..", "amp") or _INDEX.fullmatch(last):
            segments.pop()
        elif last != segments[-1]:
            segments[-1] = last
        else:
            break
    while len(segments) > 1 and segments[0] == "amp":
        del segments[0]
    return "/" + "/".join(segments) if segments else "/"


def _query(query: str, rules: UrlRules) -> str:
    if not query:
        return ""
    dropped = (*TRACKING, *(name.lower() for name in rules.drop_params))
    kept = tuple(name.lower() for name in rules.keep_params)
    pairs: list[tuple[str, str]] = []
    for pair in query.split("&"):
        name = _quote(pair.partition("=")[0], QUERY_SAFE)
        if not pair or (_among(name, dropped) and not _among(name, kept)):
            continue
        pairs.append((name, _quote(pair, QUERY_SAFE)))
    return "&".join(pair for _, pair in sorted(pairs, key=lambda named: named[0]))


def _among(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name.lower(), pattern) for pattern in patterns)


def _quote(text: str, safe: frozenset[int]) -> str:
    """Percent-encoding in its normal form: unreserved characters plain, the rest in upper-case UTF-8 escapes."""
    if _PLAIN.fullmatch(text):
        return text
    out: list[str] = []
    for number, piece in enumerate(_ESCAPE.split(text)):
        if number % 2:
            byte = int(piece[1:], 16)
            out.append(chr(byte) if byte in UNRESERVED else piece.upper())
        else:
            out.extend(chr(byte) if byte in safe else f"%{byte:02X}" for byte in piece.encode())
    return "".join(out)
