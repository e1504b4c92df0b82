from collections.abc import Iterable, Sequence

from shadowtime.kernels.policies.policy import Policy

ON_FAILURE: tuple[str, ...]
"""What may become of a job whose node fails."""
LATEST: int
"""Every instant is earlier."""

class Intervention:
    """An action of the operator as the kernel takes it: a row of the table of jobs in place of an id.

    `policy` may be None, of do = "policy" and "parameter": then it is refused when its turn comes, as is a
    parameter of another policy than the one in force. `columns`, of do = "class": (place in SERVICES, 0 or 1
    for interactive, what the class counts for); `to` is its number."""

    do: str
    at: int | None
    after: int | None
    job: int
    to: int
    nodes: tuple[tuple[int, int], ...]
    policy: Policy | None
    columns: tuple[int, int, int] | None
    def __init__(
        self,
        do: str,
        *,
        at: int | None = None,
        after: int | None = None,
        job: int = -1,
        to: int = 0,
        nodes: Iterable[tuple[int, int]] = (),
        policy: Policy | None = None,
        columns: Sequence[int] | None = None,
    ) -> None: ...

class Outage:
    nodes: tuple[tuple[int, int], ...]
    start: int
    until: int | None
    kill: bool
    def __init__(
        self, nodes: Iterable[tuple[int, int]], start: int, until: int | None = None, kill: bool = False
    ) -> None: ...

class Steering:
    interventions: tuple[Intervention, ...]
    outages: tuple[Outage, ...]
    on_failure: str
    checkpoint_interval: int
    def __init__(
        self,
        interventions: Iterable[Intervention] = (),
        outages: Iterable[Outage] = (),
        on_failure: str = "kill",
        checkpoint_interval: int = 3600,
    ) -> None: ...
