"""The pure core: no Dagster, network, disk, clock or environment."""
