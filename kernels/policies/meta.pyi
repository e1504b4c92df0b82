from collections.abc import Mapping, Sequence

from shadowtime.kernels.policies.policy import Policy

def label_of(policy: Policy) -> str: ...

class Meta(Policy):
    candidates: tuple[Policy, ...]
    labels: tuple[str, ...]
    def __init__(
        self, name: str, parameters: Mapping[str, object], candidates: Sequence[object] = (), active: int = 0
    ) -> None: ...
