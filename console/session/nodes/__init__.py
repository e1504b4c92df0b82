"""Nodes: which ones jobs hold, held and are expected on, and what becomes of each."""
