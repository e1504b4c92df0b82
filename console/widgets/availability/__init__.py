"""Availability: free nodes over the time to come."""
