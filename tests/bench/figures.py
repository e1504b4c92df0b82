"""One line of the table: what was measured, the figure, the goal, and whether it is met."""

import statistics
import time
from collections.abc import Callable, Sequence
from math import log

import attrs


@attrs.frozen
class Figure:
    """A measured number beside its goal; without a measurement, the reason."""

    what: str
    value: float | None
    unit: str
    goal: float | None = None
    detail: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return "not measured"
        if self.goal is None:
            return ""
        return "met" if self.value <= self.goal else f"missed, {self.value / self.goal:.2f}x"


def cpu_seconds(work: Callable[[], object], times: int) -> float:
    """The least CPU time of several runs: what the work costs when nobody else is in the way."""
    best = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def growth(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """The exponent of the power law through sizes and costs: the slope of the line through their logs."""
    return statistics.linear_regression([log(size) for size in sizes], [log(cost) for cost in costs]).slope
