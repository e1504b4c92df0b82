NQS_QUEUES: tuple[str, ...]
"""The names of the queues, in the order of their numbers."""
