"""The plan of a captured cluster as drills need it: the scene, the causes, what is covered."""
