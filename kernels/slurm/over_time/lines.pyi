from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from shadowtime.scenarios.slurm import Job, Partition

Entry = TypeVar("Entry")

class Line:
    def __init__(
        self,
        job: Job,
        partition: Partition,
        *,
        may_start: bool,
        refusable: bool,
        first: tuple[bool, int],
        last: tuple[int, int, int, int],
        captured: int,
        since: int,
        plans: int,
    ) -> None: ...

class Known:
    def __init__(self, job: Job, since: float = 0, tasks: int = 0, lines: Iterable[Line] = ()) -> None: ...

class Growth:
    calculation: tuple[int, object]
    def __init__(
        self,
        calculation: tuple[int, object],
        first: int = 0,
        last: int = 0,
        weight: int = 0,
        most: int = 1,
        of: Callable[[Job, str], int] | None = None,
    ) -> None: ...

class Lines(Generic[Entry]):
    def __init__(
        self,
        know: Callable[[Job], Known],
        refuses: Callable[[Job, Partition], object],
        make: Callable[[Job, Partition, int, int, int, int], Entry],
        compared: bool,
    ) -> None: ...
    def listed(
        self,
        jobs: tuple[Job, ...],
        now: int,
        growth: Growth,
        tries: Callable[[Job, int], tuple[int, int]],
        spare: int,
    ) -> list[Entry]: ...
