from kernels.policies.policy import Policy

LONGEST: int

class Prime(Policy): ...
