"""How long the jobs of a window waited: all of them, by class, by user."""

from array import array
from collections.abc import Mapping, Sequence

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.jobs.classes import length_class, size_class
from shadowtime.console.session.jobs.users import parts
from shadowtime.console.session.likely.quantiles import quantile
from shadowtime.kernels.core.simulation import Simulation


@attrs.frozen
class WaitSummary:
    """The waits of some jobs, in seconds until the first start."""

    name: str
    jobs: int
    """Those that have started."""
    mean: float
    median: float
    late: float
    """Nine of ten waited no longer."""
    longest: int
    slowdown: float | None
    """The mean bounded slowdown of those that have ended."""
    used: int
    """Node-seconds in which they ran."""


class Gathered:
    """Waits while they are gathered."""

    def __init__(self) -> None:
        self._waits = array("q")
        self._ended = self._used = 0
        self._slowed = 0.0

    def add(self, wait: int, used: int, slowdown: float | None) -> None:
        """Add a job that has started; `slowdown` is None if it has not ended."""
        self._waits.append(wait)
        self._used += used
        if slowdown is not None:
            self._ended += 1
            self._slowed += slowdown

    def waits(self, name: str) -> WaitSummary | None:
        """Return them; None if no job has been added."""
        if not self._waits:
            return None
        ordered = sorted(self._waits)
        return WaitSummary(
            name,
            len(ordered),
            sum(ordered) / len(ordered),
            quantile(ordered, 0.5),
            quantile(ordered, 0.9),
            ordered[-1],
            self._slowed / self._ended if self._ended else None,
            self._used,
        )


@attrs.frozen
class WaitsBy:
    """The waits of a window."""

    all: WaitSummary | None
    """None if no job has started."""
    classes: Mapping[tuple[str, str], WaitSummary]
    """By the class of the size and that of the runtime."""
    groups: Sequence[WaitSummary]
    """By user, or whatever jobs were put together by; who used most comes first."""
    left: int
    """Jobs of the window that never start."""


class Gathering:
    """Puts the jobs of a window together."""

    def __init__(self) -> None:
        self._all = Gathered()
        self._classes: dict[tuple[str, str], Gathered] = {}
        self._groups: dict[str, Gathered] = {}
        self._left = 0

    def leave(self) -> None:
        """Count a job that never starts."""
        self._left += 1

    def add(self, name: str, of: tuple[int, int], wait: int, used: int, slowdown: float | None) -> None:
        """Add a job that has started, to the group `name`; `of` are its size and its runtime."""
        kind = size_class(of[0]), length_class(of[1])
        for each in (
            self._all,
            self._classes.setdefault(kind, Gathered()),
            self._groups.setdefault(name, Gathered()),
        ):
            each.add(wait, used, slowdown)

    def found(self) -> WaitsBy:
        named = [(name, of.waits(name)) for name, of in self._groups.items()]
        groups = sorted((waits for _, waits in named if waits), key=lambda each: (-each.used, each.name))
        kinds = ((kind, of.waits(" ".join(kind))) for kind, of in self._classes.items())
        return WaitsBy(
            self._all.waits(""), {kind: waits for kind, waits in kinds if waits}, groups, self._left
        )


def waits_by_user(case: Case, simulation: Simulation, window: range) -> WaitsBy:
    """Return the waits of the jobs that are submitted in the window, as far as the simulation has gone."""
    columns, gathering = case.columns, Gathering()
    for index, part in enumerate(parts(case, simulation)):
        if columns.submit[index] not in window:
            continue
        if part.wait is None:
            gathering.leave()
            continue
        of = part.size, columns.runtime[index]
        gathering.add(columns.user[index], of, part.wait, part.used, part.slowdown)
    return gathering.found()
