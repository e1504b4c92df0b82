from collections.abc import Iterable, Sequence

from kernels.core.simulation import Copy, Simulation

class Stretches:
    count: int
    since: int
    until: int
    event: int
    @property
    def last(self) -> int | None: ...
    def rows(self) -> list[tuple[int, int, int, int, int, str]]: ...

class Recorder:
    made: Stretches
    until: int
    def __new__(cls, simulation: Simulation) -> Recorder: ...
    def begin(self, at: int, copy: Copy | None = None) -> None: ...
    def record(self, until: int, events: int, stretches: int = ...) -> bool: ...
    def take(self, on: bool = False) -> Stretches: ...

class Expectation:
    standing: Stretches
    made: Stretches
    unplaced: int
    def __new__(
        cls, simulation: Simulation, jobs: Sequence[int] = (), starts: Iterable[int] = ()
    ) -> Expectation: ...
    def place(self) -> None: ...

def outages(periods: Iterable[tuple[int, int, int, int | None]]) -> Stretches: ...
