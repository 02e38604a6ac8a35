"""News from the web: declared outlets, one Scrapy engine, an append-only archive of raw pages."""
