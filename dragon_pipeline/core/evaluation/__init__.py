"""Standing baselines: their answers to a published version, and the measures of these."""
