"""What a plan does not know: Slurm's own reasons, rows that rest on marked ones, Slurm's plan beside it."""
