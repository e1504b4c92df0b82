"""Several policies on one workload: lanes in lockstep, their figures, and where they differ."""
