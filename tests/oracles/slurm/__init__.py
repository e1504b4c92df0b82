"""Slurm's backfill cycle a second time, in plain Python, from docs/slurm-cycle.md alone."""
