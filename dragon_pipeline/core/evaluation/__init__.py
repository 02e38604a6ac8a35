"""Standing baselines and their measures on a published version; people as judges of questions, and how far a judge agrees."""
