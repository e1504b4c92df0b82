from shadowtime.kernels.policies.policy import Policy

PACKINGS: tuple[str, ...]

class Gang(Policy): ...
