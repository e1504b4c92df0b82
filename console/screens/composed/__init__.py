"""What the console over a machine and the one over a cluster are both composed of."""
