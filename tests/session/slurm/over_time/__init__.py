"""Clusters over time: events, priorities, limits on past usage, preemption, steps."""
