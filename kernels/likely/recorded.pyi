from array import array
from collections.abc import Sequence

from shadowtime.kernels.core.jobs import Jobs

class Recorded:
    def __init__(
        self,
        jobs: Jobs,
        now: int,
        *,
        started: Sequence[int],
        ended: Sequence[int],
        running: Sequence[int],
        progress: Sequence[int],
        waiting: Sequence[int],
    ) -> None: ...
    def runtimes(self, *, seed: int, sample: int) -> array[int]: ...
    def arrival(self) -> tuple[int, int, int] | None: ...
