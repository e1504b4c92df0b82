from shadowtime.kernels.charts.bars import Stretches

class Chances:
    made: Stretches
    samples: int
    drawn: int
    crowded: bool
    def __new__(cls, samples: int) -> Chances: ...
    @property
    def whole(self) -> bool: ...
