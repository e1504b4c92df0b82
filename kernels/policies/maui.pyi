from shadowtime.kernels.policies.policy import Policy

WINDOWS: tuple[str, ...]
HEAVIEST: float

class Maui(Policy): ...
