"""The panels of a console over a Slurm cluster: the plan, the nodes, and why a job waits."""
