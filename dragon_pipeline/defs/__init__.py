"""The flow as Dagster sees it: one file per asset group, in flow order. Nothing but `defs` and the commands knows Dagster."""
