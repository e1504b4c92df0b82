"""Samples of what may come: drawn from what is known, and the policy run on (docs/forecast.md)."""
