from shadowtime.kernels.policies.policy import Policy

COSTS: tuple[str, ...]

class Flex(Policy): ...
