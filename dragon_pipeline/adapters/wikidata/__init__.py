"""Wikidata: the bundled index (a dump's index and the live API come later)."""
