"""Whole recorded runs of Slurm, and how exact the naive program over time is on them."""
