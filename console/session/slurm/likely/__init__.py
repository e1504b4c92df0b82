"""Likely starts on a cluster: samples of what may come, drawn from its accounting (docs/forecast.md)."""
