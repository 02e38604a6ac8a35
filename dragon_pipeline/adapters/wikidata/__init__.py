"""Wikidata: an index built from a dump, a small one that comes bundled, and the live API."""
