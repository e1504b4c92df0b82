from array import array
from collections.abc import Sequence

from shadowtime.kernels.charts.chances import Chances
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention

MODES: dict[str, int]

class Odds:
    def __init__(self, simulation: Simulation) -> None: ...
    def starts(
        self,
        simulation: Simulation,
        jobs: Sequence[int] | array[int],
        *,
        seed: int,
        samples: int = 100,
        first: int = 0,
        mode: str = "drawn",
        done: Sequence[Intervention | tuple[int, int, int]] = (),
        back: Sequence[Intervention] = (),
        after: int = -1,
        ends: bool = False,
        chances: Chances | None = None,
    ) -> array[int]: ...
    def runtimes(
        self, simulation: Simulation, *, seed: int, sample: int = 0
    ) -> tuple[dict[int, int], list[tuple[int, int, int]]]: ...
