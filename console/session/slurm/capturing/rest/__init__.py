"""A cluster over Slurm's REST interface (slurmrestd) in place of its commands; only GET is sent."""
