"""A cluster moment by moment, for searches: what happens, who waits and who runs. It moves no position."""

from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.slurm.over_time.moments import Moment


class Walk:
    """A history as seen from one moment after another; moments that are not known are computed."""

    def __init__(self, history: History, event: int = 0) -> None:
        self._history = history
        self.event = event
        """How many moments have passed."""
        jobs = history.capture_at(event).jobs
        self.waiting = {job.id: job.submit for job in jobs if job.waiting}
        """When each waiting job was submitted, by its id; the tasks of an array that wait are one."""
        self.running = {job.id for job in jobs if job.holding}
        """The ids of the jobs that hold nodes."""
        self.started: tuple[int, str] | None = None
        """Of the jobs that the last moment started, the longest wait in seconds, and whose it was."""

    @property
    def at(self) -> int:
        """The instant, in seconds since 1970."""
        return self._history.instant(self.event)

    @property
    def moment(self) -> Moment | None:
        return self._history.moment_at(self.event)

    def step(self) -> bool:
        """Go on to the next moment. Whether there is one."""
        if not self._history.reach(self.event + 1):
            return False
        self.event += 1
        moment, self.started = self.moment, None
        assert moment is not None
        for id_, job in moment.puts:
            self.waiting.pop(id_, None)
            self.running.discard(id_)
            if job is None:
                continue
            if job.waiting:
                self.waiting[id_] = job.submit
            elif job.holding:
                self.running.add(job.id)
                if job.begin == moment.at:
                    waited = moment.at - job.submit
                    self.started = max(self.started or (-1, ""), (waited, job.shown), key=lambda it: it[0])
        return True
