"""Twins of an address: what feeds, messengers, search engines, caches and people make of it while it stays the same page."""

from urllib.parse import SplitResult, quote, unquote, urlsplit

TRACKING = (
    "utm_source=yxnews&utm_medium=desktop&utm_referrer=https%3A%2F%2Fyandex.ru%2Fnews",
    *("yclid=17", "ysclid=lq8x", "gclid=Cj0K", "fbclid=IwAR0", "msclkid=9f", "gbraid=0AAA", "from=main_vip", "rss=1"),
    *("_openstat=ZGlyZWN0", "utm_referrer=https%3A%2F%2Fzen.yandex.com%3Ffrom%3Dspecial", "UTM_Source=dlvr.it", "frommail=1"),
    *(
        "amp",
        "amp=1",
        "outputType=amp",
        "turbo=1",
        "ref=t.me",
        "_ga=2.1",
        "mc_cid=a1",
        "roistat_visit=5",
        "rb_clickid=8",
        "xtor=1",
    ),
)


def twins(url: str) -> dict[str, str]:
    """By the name of what was done to the address; all of them are the page at `url`."""
    parts = urlsplit(url)
    found = {f"tracking {one}": _with(parts, query=_joined(parts.query, one)) for one in TRACKING}
    found |= {f"tracking first {one}": _with(parts, query=_joined(one, parts.query)) for one in TRACKING[:3]}
    return found | _by_host(parts) | _by_path(parts) | _by_cache(parts) | _by_escape(parts)


def _by_host(parts: SplitResult) -> dict[str, str]:
    host = parts.netloc
    bare = host.removeprefix("www.")
    return {
        "http": _with(parts, scheme="http"),
        "https": _with(parts, scheme="https"),
        "port": _with(parts, netloc=f"{host}:{443 if parts.scheme == 'https' else 80}"),
        "upper case": _with(parts, scheme=parts.scheme.upper(), netloc=host.upper()),
        "final dot": _with(parts, netloc=f"{host}."),
        "no www": _with(parts, netloc=bare),
        **{f"{label} host": _with(parts, netloc=f"{label}.{bare}") for label in ("www", "m", "amp", "mobile")},
    }


def _by_path(parts: SplitResult) -> dict[str, str]:
    path = parts.path
    bare = path.rstrip("/")
    found = {
        "fragment": _with(parts, fragment="comments"),
        "spaces": f" {_with(parts)}\n",
        "double slash": _with(parts, path=f"/{path}"),
        "dots": _with(parts, path=f"/x/..{path}"),
        "final space": _with(parts, path=f"{path}%20"),
        "amp path": _with(parts, path=f"/amp{path}"),
        "amp at the end": _with(parts, path=f"{bare}/amp"),
        "amp/ at the end": _with(parts, path=f"{bare}/amp/"),
    }
    if "." not in path.rpartition("/")[2]:
        found |= {"slash": _with(parts, path=f"{bare}/"), "no slash": _with(parts, path=bare)}
        found |= {"index": _with(parts, path=f"{bare}/index.html"), ".amp": _with(parts, path=f"{bare}.amp")}
    return found


def _by_cache(parts: SplitResult) -> dict[str, str]:
    page = f"{parts.netloc}{parts.path}{'?' + parts.query if parts.query else ''}"
    dashed, host = parts.netloc.replace("-", "--").replace(".", "-"), parts.netloc
    turbo = f"{host}/s{parts.path}{'?' + parts.query if parts.query else ''}"
    return {
        "amp cache": f"https://{dashed}.cdn.ampproject.org/c/s/{page}",
        "amp viewer": f"https://www.google.com/amp/s/{page}",
        "turbo": f"https://{dashed}.turbopages.org/{turbo}",
        "turbo path": f"https://yandex.ru/turbo/{turbo}",
        "turbo text": f"https://yandex.ru/turbo?text={quote(_with(parts), safe='')}",
        "doubled": f"https://{host}{_with(parts)}",
    }


def _by_escape(parts: SplitResult) -> dict[str, str]:
    bare = parts.path.rstrip("/")
    last = bare[-1:]
    found = {
        "lower-case escapes": _with(parts, path=_lowered(parts.path)),
        "upper-case escapes": _with(parts, path=_uppered(parts.path)),
    }
    if last.isascii() and last.isalnum() and "%" not in bare[-3:]:
        cut = parts.path.rindex(last)
        found["escaped letter"] = _with(parts, path=f"{parts.path[:cut]}%{ord(last):02x}{parts.path[cut + 1 :]}")
    if "%" in parts.path and unquote(parts.path).isprintable() and not set("%?#/") & set(unquote(parts.path.replace("/", ""))):
        found["letters for escapes"] = _with(parts, path=unquote(parts.path))
    return found


def _lowered(path: str) -> str:
    head, *escaped = path.split("%")
    return head + "".join(f"%{part[:2].lower()}{part[2:]}" for part in escaped)


def _uppered(path: str) -> str:
    head, *escaped = path.split("%")
    return head + "".join(f"%{part[:2].upper()}{part[2:]}" for part in escaped)


def _joined(*queries: str) -> str:
    return "&".join(filter(None, queries))


def _with(parts: SplitResult, **changed: str) -> str:
    return parts._replace(**changed).geturl()
