"""DRAGON Pipeline: a new, uncontaminated retrieval-augmented generation benchmark out of each day's news."""
