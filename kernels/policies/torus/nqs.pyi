NQS_QUEUES: tuple[str, ...]
"""The names of the queues, in the order of their numbers."""

GLOBAL: dict[str, tuple[int, int, tuple[int, int, int, int]]]
"""Of all queues, by which limits: released jobs of a user, released jobs, their processors in each period."""

LIMITS: dict[str, tuple[tuple[int, int, tuple[int, int], tuple[int, int], tuple[int, int]], ...]]
"""Of each queue: processors and estimate of a job, then by day and by night: of a user, jobs, processors."""
