NQS_LIMITS: tuple[str, ...]
WEEK: int
"""Seconds of a week."""

class Site:
    x: int
    y: int
    z: int
    nqs: str | None
    epoch: int
    def __init__(
        self, *, torus: tuple[int, int, int] | None = None, nqs: str | None = None, epoch: int = 0
    ) -> None: ...
