"""Naive programs of workload models, each written from docs/schedulers.md alone."""
