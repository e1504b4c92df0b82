from typing_extensions import Buffer

SERVICES: tuple[str, ...]
"""The classes of service of the T3D, in the order of their numbers."""

class Jobs:
    count: int
    groups: int
    widest: int
    classed: bool
    def __init__(
        self,
        *,
        submit: Buffer,
        runtime: Buffer,
        estimate: Buffer,
        size: Buffer,
        killed: Buffer | None = None,
        group: Buffer | None = None,
        priority: Buffer | None = None,
        interactive: Buffer | None = None,
        service: Buffer | None = None,
        user: Buffer | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def row(self, job: int) -> tuple[int, int, int, int]: ...
    def copied(self) -> Jobs: ...
    def put(self, row: int, other: Jobs, place: int, *, submit: int) -> None: ...
    def lasting_estimates(self) -> Jobs: ...
    def asking(self, job: int, *, size: int, estimate: int) -> Jobs: ...
