"""A captured cluster stepped forward and back: moments, the cluster after each, and what comes next."""
