"""What may be done on a machine so that a waiting job starts."""

from collections.abc import Iterator, Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.outlook import Each, Kind, Largest, largest_first
from shadowtime.console.session.impact.rows import JobChange, Times
from shadowtime.console.session.work import Halt
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action, format_action, format_duration
from shadowtime.scenarios.nodes import NodeRanges, joined

SIZES = 64
"""Smaller sizes that are tried, evenly spaced if there are more."""
DOWN = -2
"""What owns a node that is down, in the kernel's list of owners."""
SINGLES = 400
"""Other jobs that are tried one by one; the widest running ones, the first to start of the waiting ones."""


class MachineApplicant:
    """A waiting job of a machine, and what may be done for it."""

    def __init__(self, case: Case, here: Simulation, job: int) -> None:
        """SessionError: the job (an id) does not wait."""
        self._case, self._from, self._job = case, here, job
        self.name, self._index = str(job), case.index_of(job)
        if here.state(self._index) not in ("N", "O"):
            raise SessionError(f"job {job} does not wait; expected a waiting job")

    def find(self, halt: Halt) -> None:
        """It is known to wait."""

    def start(self, times: Times) -> int | None:
        return times.starts.get(self._index)

    def is_own(self, row: JobChange) -> bool:
        return row.index == self._index

    def kinds(self, before: Times) -> Sequence[Kind]:
        """Return what may be done: for the job itself, by its user, to others that wait or run."""
        columns, unit = self._case.columns, 60 if self._case.columns.estimate[self._index] > 60 else 1
        sizes = largest_first(columns.size[self._index], SIZES)

        def estimate(count: int) -> str:
            return f"estimate {self._job} {format_duration(count * unit)}"

        held, suspended = self._others(before)
        return (
            Each(tuple(map(format_action, self._directly()))),
            Each([f"size {self._job} {size}" for size in sizes], enough=1),
            Largest((columns.estimate[self._index] - 1) // unit, estimate),
            Each(held, enough=SINGLES, together=True),
            Each(suspended, enough=SINGLES, together=True),
        )

    def _directly(self) -> Iterator[Action]:
        """Start it, put it first, put nodes back in service."""
        yield Action("start", job=self._job)
        yield Action("priority", job=self._job, to=self._first_priority())
        out = self._out_of_service()
        if out:
            yield Action("up", nodes=out)

    def _others(self, before: Times) -> tuple[list[str], list[str]]:
        """Return who may be held, first to start first, and who may be suspended, widest first."""
        ids, sizes, starts = self._case.columns.id, self._case.columns.size, before.starts
        others = [job for job in self._from.waiting() if job != self._index and job in starts]
        others.sort(key=lambda job: (starts[job], job))
        running = sorted(self._from.running(), key=lambda job: (-sizes[job], job))
        held = [f"hold {ids[job]}" for job in others[:SINGLES]]
        return held, [f"suspend {ids[job]}" for job in running[:SINGLES]]

    def _first_priority(self) -> int:
        """Return a priority above every one that an operator gave."""
        given = [action.to for action in self._case.scenario.actions if action.do == "priority"]
        return 1 + max((to for to in given if isinstance(to, int)), default=0)

    def _out_of_service(self) -> NodeRanges:
        """Return the nodes that are down or leave service."""
        down = (node for node, owner in enumerate(self._from.owners()) if owner == DOWN)
        machine = self._case.scenario.machine
        # How many of what the kernel calls nodes make one of the machine.
        per = machine.per_node if machine.unit == "processor" else 1
        return joined((node // per, node // per + 1) for node in (*down, *self._from.draining()))
