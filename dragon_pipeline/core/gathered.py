"""The tables of what was gathered from the world; the stages take them from `records`."""

from dragon_pipeline.core.table import FLOAT, INT, TEXT, Column, Table

CRAWL = Table(
    "crawl",
    "What one outlet gave for one day, raw: every page fetched, failures as rows.",
    ("url", "fetch"),
    {
        "url": Column(TEXT, "address as fetched, after redirects"),
        "outlet": Column(TEXT, "folder entry of adapters/web/outlets/, or the name an imported file gives"),
        "fetch": Column(INT, "0 for the first distinct content of this URL kept for this day, 1 for the next, …"),
        "status": Column(TEXT, "`ok`, `failed`, or `left_out`: seen, no failure, and no article of this day"),
        "reason": Column(
            TEXT,
            "why it failed (`http_404`, `no_body`, `timeout`, …; a feed or sitemap: `listing: http_403`) or was left out "
            "(`other_day`, `unchanged`)",
            null=True,
        ),
        "title": Column(TEXT, "headline", null=True),
        "lead": Column(TEXT, "summary under the headline", null=True),
        "text": Column(TEXT, "body, paragraphs joined by a newline", null=True),
        "author": Column(TEXT, "as the page names it", null=True),
        "section": Column(TEXT, "rubric of the outlet", null=True),
        "published_at": Column(TEXT, "ISO 8601 with offset, or a bare date; null if the page has no real date", null=True),
        "modified_at": Column(TEXT, "ISO 8601 with offset; null if not stated", null=True),
        "canonical": Column(TEXT, "what the page says its canonical URL is", null=True),
        "extractor": Column(
            TEXT, "where the body came from: json_ld, next, selectors, trafilatura (the fallback), import, none"
        ),
        "raw_hash": Column(TEXT, "SHA-256 of the raw page", null=True),
    },
)

OUTLETS = Table(
    "outlets",
    "How each outlet did that day; one row per outlet, a row of zeros for one that gave nothing. Pages are counted by address.",
    ("outlet",),
    {
        "outlet": Column(TEXT, "as in crawl"),
        "found": Column(INT, "pages that its listings or an import named"),
        "fetched": Column(INT, "of them, those that came, whatever stood in them; without those left out"),
        "extracted": Column(INT, "of them, those that were read"),
        "fallback": Column(INT, "of the extracted, those whose body only the fallback found"),
        "failed": Column(INT, "pages that failed"),
        "left_out": Column(INT, "pages that are no article of this day"),
        "listings_failed": Column(INT, "feeds, sitemaps and archives that failed"),
        "median_length": Column(FLOAT, "characters of a text, the median; null when nothing was extracted", null=True),
        "reasons": Column(TEXT, "JSON: reason → rows of crawl that failed or were left out for it, most first"),
    },
)
