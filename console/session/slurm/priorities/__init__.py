"""Priorities over time: how they grow with age and move with fair share (docs/slurm-cycle.md, section 13)."""
