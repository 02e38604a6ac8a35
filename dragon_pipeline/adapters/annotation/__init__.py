"""Files that annotators fill in, and the files that come back: Label Studio projects, CSV and JSONL."""
