"""Where the files of releases lie, beside the tables."""
