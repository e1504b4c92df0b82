"""The future of a machine: free nodes over time, plans, and the order in which jobs are planned."""
