"""The trend: the metrics at regular events, recorded once, whoever gets there first."""

from bisect import bisect_right
from collections.abc import Sequence

import attrs

from shadowtime.console.session.facts import Metrics, Sample
from shadowtime.kernels.core.simulation import Simulation

POINTS = 1024
"""About how many samples a whole run gives: more than a screen has columns."""
EVENTS_A_JOB = 4
"""A submission, a completion and a pass after each: what a job causes at most if nothing else happens."""


def metrics_of(simulation: Simulation) -> Metrics:
    """Return every metric so far; O(1) in the events done."""
    table = simulation.metrics()
    return Metrics(**{name: table.get(name) for name in NAMES})  # type: ignore[arg-type]


NAMES = tuple(field.name for field in attrs.fields(Metrics))
INSTANT = ("utilization_now", "utilization_slots", "queue_length", "running", "free_nodes")
"""The metrics of one instant; the others are sums over the run so far, and `run --json` prints those."""


def sample_of(simulation: Simulation) -> Sample:
    """Return the metrics with the event and the instant that they belong to."""
    table = simulation.metrics()
    values = {name: table.get(name) for name in NAMES}
    return Sample(number=simulation.event, time=simulation.now, **values)  # type: ignore[arg-type]


class Trend:
    """Samples at every multiple of `stride` events, from the first on without a gap."""

    def __init__(self, jobs: int) -> None:
        self.stride = max(1, jobs * EVENTS_A_JOB // POINTS)
        self._samples: list[Sample] = []
        self._numbers: list[int] = []

    @property
    def end(self) -> int:
        """The event of the last sample; 0 before the first."""
        return self._numbers[-1] if self._numbers else 0

    @property
    def latest(self) -> Sample | None:
        """The last sample known."""
        return self._samples[-1] if self._samples else None

    def due(self, event: int) -> int | None:
        """Return how many events after `event` the next sample is due; None if it is known already."""
        upcoming = self.end + self.stride
        return upcoming - event if event < upcoming else None

    def record(self, simulation: Simulation) -> None:
        """Take a sample if one is due; the event must not have gone past the one that `due` gives."""
        if simulation.event == self.end + self.stride:
            self.add((sample_of(simulation),))

    def add(self, samples: Sequence[Sample]) -> None:
        """Append the samples that are later than the last."""
        for sample in samples:
            if sample.number > self.end:
                self._samples.append(sample)
                self._numbers.append(sample.number)

    def parted(self, event: int) -> "Trend":
        """Return the trend of another run that has this one's past up to and with `event`."""
        trend = Trend(0)
        trend.stride = self.stride
        trend.add(self.until(event))
        return trend

    def after(self, event: int) -> tuple[Sample, ...]:
        """Return the samples of events later than `event`."""
        return tuple(self._samples[bisect_right(self._numbers, event) :])

    def until(self, event: int) -> tuple[Sample, ...]:
        """Return the samples of events up to and with `event`."""
        return tuple(self._samples[: bisect_right(self._numbers, event)])

    def all(self) -> tuple[Sample, ...]:
        """Return every sample known."""
        return tuple(self._samples)
