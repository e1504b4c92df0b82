"""Slurm's backfill cycle and its main pass on a cluster as it stands (docs/slurm-cycle.md)."""
