"""A captured cluster over time: the moments of a run, and the order of its queue."""
