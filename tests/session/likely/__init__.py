"""Likely starts of a run."""
