"""Workload models, and estimates as users give them."""
