from shadowtime.kernels.policies.policy import Policy

TRANSFERS: tuple[str, ...]
"""How many transfers go on at a time: all that were asked for, or one."""
RESTORES: tuple[str, ...]
"""Where a saved job is restored: in the block that fits best, or in its own if that is free."""
NEIGHBOURS: tuple[str, ...]
"""Whether two jobs on one wire may hold adjacent blocks."""

class T3D(Policy): ...
