"""Which jobs of a cluster over time are marked: those whose rows of the plan are, or that have no row."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from shadowtime.console.session.slurm.caveats import CaveatsOfJobs
from shadowtime.console.session.slurm.guard.caveat import Caveat
from shadowtime.scenarios.slurm import Capture


class _Row(Protocol):
    @property
    def job_id(self) -> str: ...

    @property
    def marks(self) -> tuple[Caveat, ...]: ...


class JobMarks:
    """The marks of the waiting jobs of a cluster, from the rows of its plan."""

    def __init__(self, capture: Capture, rows: Iterable[_Row]) -> None:
        """A job without a row has what the plan leaves out of it."""
        self._found: dict[str, tuple[Caveat, ...]] = {}
        for row in rows:
            self._found[row.job_id] = tuple(dict.fromkeys((*self._found.get(row.job_id, ()), *row.marks)))
        own = CaveatsOfJobs(capture)
        for job in capture.jobs:
            if job.waiting and job.shown not in self._found:
                self._found[job.shown] = own.of(job)

    def of(self, job: str) -> tuple[Caveat, ...]:
        """Return the marks of a job, by name; of a task those of its array if it waited with others."""
        name = job if job in self._found else f"{job.partition('_')[0]}_*"
        return self._found.get(name, ())


def left_out_of_all(caveats: Iterable[Caveat], marks: Iterable[Sequence[Caveat]]) -> tuple[Caveat, ...]:
    """Return what is left out of every start: the caveats that are the mark of no job alone."""
    own = frozenset(mark for each in marks for mark in each)
    return tuple(caveat for caveat in caveats if caveat not in own)
