"""The sentences about a Slurm cluster: why a job waits, what happened, what a plan leaves out."""
