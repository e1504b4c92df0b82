"""Which nodes a constraint on features leaves, and how many of each feature it asks for."""
