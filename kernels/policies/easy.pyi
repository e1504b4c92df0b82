from kernels.policies.policy import Policy

SCANS: tuple[str, ...]

class Easy(Policy): ...
