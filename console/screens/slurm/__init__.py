"""The console over a Slurm cluster: a captured folder, or a live cluster that is followed."""
