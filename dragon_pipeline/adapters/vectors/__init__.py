"""Nearest vectors: Qdrant's server, its in-process engine (the embedded default), and a fake for tests."""
