"""The trend: the metrics at regular events, recorded once, whoever gets there first."""

from collections.abc import Iterable
from itertools import takewhile

import attrs

from shadowtime.console.session.facts import Metrics, Sample
from shadowtime.kernels.core.simulation import Simulation

POINTS = 1024
"""About how many samples a whole run gives: more than a screen has columns."""
EVENTS_A_JOB = 4
"""A submission, a completion and a pass after each: what a job causes at most if nothing else happens."""
MOST = 2 * POINTS
"""The most samples that a trend shows: from one more on, only every second one is taken."""


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
    """Samples from the first event on without a gap, at distances that double with the way.

    Which events have a sample depends on their numbers alone: up to `MOST` times the first stride the
    multiples of it, up to twice as far those of twice the stride, and so on. So a run of any length keeps a
    few thousand, and up to any event there are at most `MOST` at even distances, whatever lies beyond it and
    is known already.

    One thread may append while others read: none of them goes through the samples step by step.
    """

    def __init__(self, jobs: int) -> None:
        self._first = max(1, jobs * EVENTS_A_JOB // POINTS)
        self._samples: dict[int, Sample] = {}
        """By event, in order."""
        self.end = 0
        """The event of the last sample; 0 before the first."""

    @property
    def latest(self) -> Sample | None:
        return self._samples.get(self.end)

    @property
    def stride(self) -> int:
        """Events from the last sample to the next one."""
        return self._stride(self.end + 1)

    def _stride(self, event: int) -> int:
        """Return the distance of the samples right before an event."""
        doublings = (max(event - 1, 0) // (MOST * self._first)).bit_length()
        return self._first << doublings

    def due(self, event: int) -> int | None:
        """Return how many events after `event` the next sample is due; None if it is known already."""
        upcoming = self.end + self.stride
        return upcoming - event if event < upcoming else None

    def record(self, simulation: Simulation) -> None:
        """Take a sample if one is due; the event must not have gone past the one that `due` gives."""
        if simulation.event == self.end + self.stride:
            self.add((sample_of(simulation),))

    def add(self, samples: Iterable[Sample]) -> None:
        """Append the samples that are later than the last."""
        for sample in samples:
            if sample.number > self.end:
                self._samples[sample.number] = sample
                self.end = sample.number

    def parted(self, event: int) -> "Trend":
        """Return the trend of another run that has this one's past up to and with `event`."""
        trend = Trend(0)
        trend._first = self._first
        trend.add(takewhile(lambda sample: sample.number <= event, tuple(self._samples.values())))
        return trend

    def after(self, event: int) -> tuple[Sample, ...]:
        """Return the samples of events later than `event`, all that are kept."""
        later = takewhile(lambda sample: sample.number > event, reversed(tuple(self._samples.values())))
        return tuple(later)[::-1]

    def until(self, event: int) -> tuple[Sample, ...]:
        """Return samples of events up to and with `event`, at even distances, `MOST` at most."""
        stride = self._stride(event)
        return tuple(self._samples[at] for at in range(stride, min(event, self.end) + 1, stride))

    def all(self) -> tuple[Sample, ...]:
        """Return samples as far as they are known, at even distances, `MOST` at most."""
        return self.until(self.end)
