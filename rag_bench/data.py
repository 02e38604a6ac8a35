"""The published client's place for `get_datasets`, kept for scripts that import it from here."""

from rag_bench.datasets import get_datasets

__all__ = ["get_datasets"]
