"""Which job of a cluster holds which nodes when, as far as its history is known."""

from collections.abc import Iterator

import attrs

from shadowtime.console.session.slurm.charting.node_rows import NodeRows, Part
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.slurm import Job

RUNS, SUSPENDED = "R", "S"
"""How a job holds its nodes."""


@attrs.define
class Holding:
    """A job that holds nodes. Instants are seconds since 1970."""

    job: Job
    kind: str
    """`R` or `S`."""
    since: int
    parts: tuple[Part, ...]
    begun: int
    """The position of the history from which on it is so; 0 for the capture."""
    waited_as: str = ""
    """How the waiting job was named."""
    until: int | None = None
    """When it is over; None while that is not known."""

    @property
    def end(self) -> int | None:
        """When it is over, at the latest at its limit; None without a limit."""
        return self.until if self.until is not None else (self.job.end + 1 if self.job.end else None)


class Holdings:
    """All that is held from the capture on. `follow` takes what has become known of the history since."""

    def __init__(self, history: History, rows: NodeRows) -> None:
        self._history, self._rows, self.begin = history, rows, history.begin
        self._open: dict[int, Holding] = {}
        for job in history.capture.jobs:
            if job.holding:
                self._begin(job, min(job.begin or history.begin, history.begin), 0)
        self.first = tuple(self._open.values())
        """Those of the capture."""
        self.later: list[Holding] = []
        """Those that have begun since, in the order of their begins."""
        self.ended = 0
        """How many of the first have ended at another instant than their limit."""
        self.position = 0
        """The position up to which it is known."""

    @property
    def known_to(self) -> int:
        """The instant up to which it is known."""
        return self._history.instant(self.position)

    def follow(self) -> None:
        for position in range(self.position + 1, self._history.known + 1):
            moment = self._history.moment_at(position)
            assert moment is not None
            names = {each.job: each.waited_as for each in moment.started}
            for id_, job in moment.puts:
                if job is None or not job.holding:
                    self._end(id_, moment.at)
                    continue
                held, kind = self._open.get(job.id), _kind(job)
                if held is not None and held.kind != kind:
                    self._end(job.id, moment.at)
                    held = None
                if held is None:
                    self.later.append(self._begin(job, moment.at, position))
                    self.later[-1].waited_as = names.get(job.shown, "")
                else:
                    held.job = job
            self.position = position

    def _begin(self, job: Job, since: int, position: int) -> Holding:
        made = self._open[job.id] = Holding(job, _kind(job), since, self._rows.held(job), position)
        return made

    def _end(self, id_: int, at: int) -> None:
        held = self._open.pop(id_, None)
        if held is not None:
            self.ended += not held.begun and held.end != at
            held.until = at

    def __iter__(self) -> Iterator[Holding]:
        yield from self.first
        yield from self.later


def _kind(job: Job) -> str:
    return SUSPENDED if "SUSPENDED" in job.states else RUNS
