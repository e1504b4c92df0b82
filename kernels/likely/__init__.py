"""Samples of what may come: runtimes and arrivals drawn from what is known, and the policy run on (docs/forecast.md)."""
