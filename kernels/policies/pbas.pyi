from collections.abc import Mapping

from shadowtime.kernels.policies.meta import Meta

METRICS: tuple[str, ...]

class Pbas(Meta):
    def __init__(self, name: str, parameters: Mapping[str, object]) -> None: ...
