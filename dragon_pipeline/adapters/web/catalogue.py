"""All outlets of a home: the bundled declarations that it names, and the sites that it configures by feeds and sitemaps."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from dragon_pipeline.adapters.web.entry import Entry
from dragon_pipeline.adapters.web.outlet import Outlet, bundled_names, load_outlets
from dragon_pipeline.core.errors import BadInput
from dragon_pipeline.core.settings import NewsroomSettings, SiteSettings

DATED_PATHS = (
    r".*/(?P<year>(?:19|20)\d\d)[/-](?P<month>[01]?\d)[/-](?P<day>[0-3]?\d)(?:[/-].*|\.\w+)?",
    r".*/(?P<date>(?:19|20)\d\d[01]\d[0-3]\d)(?:[/-].*|\.\w+)?",
)
"""A day in an address spares pages of other days."""
ANY_PATH = r"/.+"
NO_PAGES = (r"(?i)\.(?:jpe?g|png|gif|webp|svg|pdf|docx?|xlsx?|zip|mp[34]|webm|xml|gz|rss|json|js|css)$",)

CREDITS = (r"^(?:Фото|Photo|Foto|Φωτογραφία|©)\s*:",)
"""of pictures"""


def outlets_of(newsroom: NewsroomSettings, names: Iterable[str] | None = None) -> dict[str, Outlet]:
    """The declarations of the named outlets of a home, or of all of them.

    Raises:
        BadInput: a bundled outlet that is none, and says which there are; a site that has the name of one.
    """
    wanted = newsroom.names if names is None else tuple(names)
    sites = {site.name: site for site in newsroom.sites}
    if taken := sorted(sites.keys() & set(bundled_names())):
        raise BadInput(f"newsroom.sites: {', '.join(taken)} is the name of a bundled outlet; give the site another one")
    bundled = load_outlets([name for name in wanted if name not in sites])
    return {name: outlet_of(sites[name]) if name in sites else bundled[name] for name in wanted}


def outlet_of(site: SiteSettings) -> Outlet:
    """A site as an outlet: structured data, meta tags, and the fallback."""
    listed = [urlsplit(address).netloc.lower() for address in (*site.feeds, *site.sitemaps)]
    hosts = dict.fromkeys(twin for host in (*site.hosts, *listed) for twin in _twins(host.lower()))
    feeds = [Entry(kind="feed", url=_literally(address), when="always") for address in site.feeds]
    sitemaps = [Entry(kind="sitemap", url=_literally(address)) for address in site.sitemaps]
    return Outlet.model_validate(
        {
            "name": site.name,
            "hosts": tuple(hosts),
            "entries": (*feeds, *sitemaps),
            "articles": (site.articles,) if site.articles else (*DATED_PATHS, ANY_PATH),
            "skip": NO_PAGES,
            "drop_paragraphs": CREDITS,
            "timezone": site.timezone,
            "language": site.language,
        }
    )


def _twins(host: str) -> tuple[str, str]:
    return (host, host.removeprefix("www.")) if host.startswith("www.") else (host, f"www.{host}")


def _literally(address: str) -> str:
    """An address in which braces stand for themselves."""
    return address.replace("{", "{{").replace("}", "}}")
