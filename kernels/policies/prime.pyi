from shadowtime.kernels.policies.policy import Policy

LONGEST: int

class Prime(Policy): ...
