"""Eleven news sites on loopback for benchmarks/crawling.py: an HTTP forward proxy that makes up its pages when asked for them.

Pages are as heavy as real ones (80 to 105 KB of head, navigation, scripts, teasers and comments around 2 to 4 thousand letters
of text) and of two shapes: schema.org with the whole body, and paragraphs found by selectors. `/counts` tells what was asked
for, `/reset` forgets it.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

HOSTS = tuple(f"outlet-{number}.example" for number in range(11))
DAY = "2031-05-05"
SUBJECTS = "Мэрия,Завод «Заря»,Областная дума,Театр кукол,Речной порт,Команда «Маяк»,Сельский клуб,Музей льна,Депо".split(",")
VERBS = "сообщила о,готовит,отложила до осени,обсудила с жителями,открыла для посетителей,показала журналистам".split(",")
OBJECTS = "ремонт набережной,новый маршрут автобуса,выставку картин,закупку станков,праздник улицы,расписание лодок".split(",")
ENDS = "в понедельник,на окраине города,в присутствии соседей,несмотря на дождь,после долгих споров,к началу сезона".split(",")


def path(host: str, number: int) -> str:
    return f"/news/2031/05/05/zametka-{HOSTS.index(host)}-{number}/"


def paragraphs(host: str, number: int) -> list[str]:
    draw = random.Random(f"{host} {number}")
    return [" ".join(_sentence(draw) for _ in range(draw.randint(2, 5))) for _ in range(draw.randint(7, 13))]


def page(host: str, number: int) -> bytes:
    text = paragraphs(host, number)
    title = f"{text[0].split('.')[0]} ({number})"
    meta = f'<title>{title}</title><meta property="article:published_time" content="{DAY}T10:00:00+03:00">'
    head, tail = _frame(host)
    if by_json(host):
        said = {
            "@type": "NewsArticle",
            "headline": title,
            "datePublished": f"{DAY}T10:00:00+03:00",
            "articleBody": "\n".join(text),
        }
        meta += f'<script type="application/ld+json">{json.dumps(said, ensure_ascii=False)}</script>'
    body = "".join(f'<p class="topic-body__text">{line}</p>' for line in text)
    article = f'<article><h1 class="topic-body__title">{title}</h1><div class="topic-body">{body}</div></article>'
    return f"<!DOCTYPE html><html lang=ru><head>{meta}{head}</head><body>{article.join(tail)}</body></html>".encode()


def by_json(host: str) -> bool:
    return HOSTS.index(host) % 2 == 0


@lru_cache
def _frame(host: str) -> tuple[str, tuple[str, str]]:
    """What all pages of a site share: styles and scripts in the head, what stands before the article, and what after."""
    draw = random.Random(host)
    script = "<script>" + ";".join(f"window.a{n}=function(x){{return x*{draw.random():.6f}}}" for n in range(400)) + "</script>"
    style = "<style>" + "".join(f".c{n}-{draw.randrange(9**6)}{{margin:{n}px;color:#{n:03x}}}" for n in range(300)) + "</style>"
    menu = "".join(f'<li class="menu__item"><a href="/rubric/{n}/">{draw.choice(SUBJECTS)}</a></li>' for n in range(80))
    cards = "".join(
        f'<div class="card c{n}"><a href="{path(host, n)}"><img src="/i/{n}.jpg" alt=""><h3>{_sentence(draw)}</h3>'
        f"<span class=card__time>{n % 24:02}:00</span></a></div>"
        for n in range(draw.randint(60, 140))
    )
    comments = "".join(f"<div class=comment><b>Читатель {n}</b><p>{_sentence(draw)}</p></div>" for n in range(20))
    return style + script, (
        f"<nav><ul>{menu}</ul></nav><main>",
        f"</main><aside>{cards}</aside><section>{comments}</section>{script}",
    )


def _sentence(draw: random.Random) -> str:
    words = " ".join(draw.choice(choices) for choices in (SUBJECTS, VERBS, OBJECTS, ENDS))
    return f"{words}, {draw.randint(2, 99)} дней спустя."


class Sites:
    def __init__(self, pages: int) -> None:
        self.pages = pages
        """over all hosts"""
        self.asked: Counter[str] = Counter()

    def numbers(self, host: str) -> Iterator[int]:
        yield from range(HOSTS.index(host), self.pages, len(HOSTS))

    async def serve(self) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0, backlog=512)
        sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
        sys.stdout.flush()
        await server.serve_forever()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while request := await reader.readuntil(b"\r\n\r\n"):
                kind, body = self._answer(request.split(b" ", 2)[1].decode())
                status = b"200 OK" if body is not None else b"404 Not Found"
                head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (status, kind, len(body or b""))
                writer.write(head + (body or b""))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()

    def _answer(self, address: str) -> tuple[bytes, bytes | None]:
        if address == "/counts":
            return b"application/json", json.dumps(dict(self.asked)).encode()
        if address == "/reset":
            self.asked.clear()
            return b"text/plain", b""
        host, _, where = address.removeprefix("http://").partition("/")
        if where.startswith("news/"):
            self.asked[address] += 1
            return b"text/html; charset=utf-8", page(host, int(where.rstrip("/").rpartition("-")[2]))
        if where == "sitemap.xml":
            listed = "".join(
                f"<url><loc>http://{host}{path(host, n)}</loc><lastmod>{DAY}</lastmod></url>" for n in self.numbers(host)
            )
            return b"application/xml", f"<urlset>{listed}</urlset>".encode()
        return b"text/plain", None


if __name__ == "__main__":
    asyncio.run(Sites(int(sys.argv[1])).serve())
