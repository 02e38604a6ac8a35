"""A name of the published client that scripts may import; this client writes no log file."""

LOG_FILE = "log.txt"
