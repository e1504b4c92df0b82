"""`shadowtime import`: dumps of a Slurm cluster."""
