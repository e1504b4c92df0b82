from collections.abc import Mapping

NQS_LIMITS: tuple[str, ...]
WEEK: int
"""Seconds of a week."""

class Site:
    x: int
    y: int
    z: int
    nqs: str | None
    epoch: int
    requests: dict[int, tuple[int, int, bool]]
    def __init__(
        self,
        *,
        torus: tuple[int, int, int] | None = None,
        nqs: str | None = None,
        epoch: int = 0,
        requests: Mapping[int, tuple[int, int, bool]] | None = None,
    ) -> None: ...
