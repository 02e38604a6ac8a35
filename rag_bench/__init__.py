"""Fetch, answer and score DRAGON benchmark releases: `from rag_bench.datasets import get_datasets`, and see README.md.

One noun per module; nothing is loaded before it is used.
"""
