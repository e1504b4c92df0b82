"""Lanes of the compare view over a cluster: each is a run of the captured cluster over time."""
