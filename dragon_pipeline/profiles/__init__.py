"""Defaults of a home's settings by profile: what a laptop has, and the models of the paper."""
