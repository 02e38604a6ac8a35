"""What stands behind each `dragon` command. Imported only when its command is called, so that `dragon --help` is quick."""
