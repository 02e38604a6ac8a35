"""Grammar checks that are no part of a language: a classifier that transformers loads, and a fake for tests."""
