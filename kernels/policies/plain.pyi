from collections.abc import Mapping, Sequence

from shadowtime.kernels.policies.policy import Policy

class PolicyError(Exception): ...

class JobView:
    row: int
    size: int
    submit: int
    estimate: int
    left: int
    priority: int

class RunningView:
    row: int
    size: int
    start: int
    end: int

class PlanView:
    now: int
    nodes: int
    def earliest(self, size: int, length: int, start: int | None = None) -> int | None: ...
    def free_at(self, time: int) -> int: ...
    def reserve(self, start: int, size: int, length: int) -> None: ...

class MachineView:
    free: int
    @property
    def now(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def waiting(self) -> Sequence[JobView]: ...
    @property
    def running(self) -> Sequence[RunningView]: ...
    def plan(self) -> PlanView: ...
    def start(self, job: JobView) -> None: ...
    def preempt(self, job: RunningView) -> None: ...
    def wake(self, time: int) -> None: ...

class PlainPolicy(Policy):
    kind: type
    def __init__(self, name: str, parameters: Mapping[str, object], kind: type | None = None) -> None: ...
