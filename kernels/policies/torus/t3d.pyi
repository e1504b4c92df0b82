from kernels.policies.policy import Policy

TRANSFERS: tuple[str, ...]
"""How many transfers go on at a time: all that were asked for, or one."""

class T3D(Policy): ...
