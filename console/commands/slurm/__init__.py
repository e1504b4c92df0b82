"""The commands of live Slurm clusters."""
