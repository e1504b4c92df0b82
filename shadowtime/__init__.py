"""Step a schedule of a parallel machine forward and back, and ask why."""
