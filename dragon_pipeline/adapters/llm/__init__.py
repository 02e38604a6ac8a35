"""Language models: the client of OpenAI-compatible servers with its cache, budget and dialects, and a fake for tests."""
