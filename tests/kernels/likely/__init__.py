"""Likely starts."""
