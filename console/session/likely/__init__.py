"""Likely starts: quantiles of samples, calibrated by how earlier forecasts came out (docs/forecast.md)."""
