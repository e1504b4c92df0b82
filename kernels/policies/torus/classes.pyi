CLASSES: dict[str, tuple[int, int, int, int]]
"""Of each class by day: priority, longest wait, do-not-disturb time of a processor, limit of processors."""

TABLES: tuple[str, ...]
"""Which table is in force: by the clock on the wall, or always one."""
