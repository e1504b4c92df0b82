"""What a console over a cluster shows: the plan of the cycle beside the jobs and nodes, and what changed."""
