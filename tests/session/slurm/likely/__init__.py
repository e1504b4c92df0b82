"""Likely starts on a cluster."""
