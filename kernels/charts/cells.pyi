from shadowtime.kernels.charts.bars import Stretches

class Grid:
    first: int
    per: int
    rows: int
    since: int
    span: int
    columns: int
    def __new__(
        cls, nodes: int, first: int, per: int, rows: int, since: int, span: int, columns: int
    ) -> Grid: ...
    def add(
        self, stretches: Stretches, low: int | None = None, high: int | None = None, job: int = -1
    ) -> None: ...
    def fill(self) -> None: ...
    def runs(self, row: int) -> list[tuple[int, int, int, str, int]]: ...
