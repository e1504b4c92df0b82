"""The sentences of a report for a meeting."""
