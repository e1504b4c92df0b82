"""The worst moments of a stepped cluster: the longest wait, the largest queue."""

from collections.abc import Iterator

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.scenarios.errors import shown

WAIT, QUEUE = "longest-wait", "largest-queue"
SOUGHT = (WAIT, QUEUE)


@attrs.define
class Worst:
    """A search for the worst moment; the way leads there, and then `job` and `size` say what is there."""

    what: str
    job: str = ""
    """Which job has waited longest, as it starts."""
    size: int = -1
    """Its wait in seconds, or how many jobs wait; the tasks of an array count once. -1: nothing was found."""

    @classmethod
    def parse(cls, text: str) -> "Worst":
        """Return the search of a text. SessionError if it names none."""
        if text not in SOUGHT:
            raise SessionError(f"{shown(text)} is no moment to seek; expected one of {', '.join(SOUGHT)}")
        return cls(text)

    def way(self, history: History) -> Iterator[bool]:
        """Yield False until every moment is known; then go to the worst one, the first of equals."""
        waiting = {job.id for job in history.capture.jobs if job.waiting}
        number = best = 0
        self.size = len(waiting) if self.what == QUEUE else -1
        while history.reach(number + 1):
            number += 1
            moment = history.moment_at(number)
            assert moment is not None
            for id_, job in moment.puts:
                if job is not None and job.waiting:
                    waiting.add(id_)
                else:
                    waiting.discard(id_)
                if self.what == WAIT and job is not None and job.holding and job.begin == moment.at:
                    waited = moment.at - job.submit
                    if waited > self.size:
                        best, self.size, self.job = number, waited, job.shown
            if self.what == QUEUE and len(waiting) > self.size:
                best, self.size = number, len(waiting)
            yield False
        if self.size >= 0:
            yield history.go(best)
