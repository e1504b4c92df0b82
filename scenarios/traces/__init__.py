"""Logs: the Standard Workload Format, Slurm's accounting, and where logs are found."""
