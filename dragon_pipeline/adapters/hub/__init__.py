"""Where releases are published: a folder, and a fake in memory for tests."""
