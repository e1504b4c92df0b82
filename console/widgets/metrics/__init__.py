"""The metrics, their trends, and what gangster shows."""
