"""The transfers of states between the T3D and its disks, side by side or one at a time.

One at a time, they go in the order in which they were asked for. A transfer once begun is never broken off
but by a cancel, after which those behind it move up.
"""

from dataclasses import dataclass, field


@dataclass
class Transfers:
    """The transfers that go on or stand in line."""

    serial: bool
    ends: dict[int, int] = field(default_factory=dict)
    """Job -> instant at which its transfer is done, in the order in which they were asked for."""
    lengths: dict[int, int] = field(default_factory=dict)
    """Job -> seconds that the transfer takes from its beginning."""

    def ask(self, job: int, length: int, now: int) -> None:
        """A job's transfer begins, or stands in line."""
        begin = max([now, *self.ends.values()]) if self.serial else now
        self.lengths[job], self.ends[job] = length, begin + length

    def finish(self, now: int) -> list[int]:
        """Take out the jobs whose transfers are done."""
        done = [job for job, end in self.ends.items() if end == now]
        for job in done:
            del self.ends[job], self.lengths[job]
        return done

    def drop(self, job: int, now: int) -> None:
        """A job is cancelled in the middle of its transfer, or before it began."""
        if job not in self.ends:
            return
        begin = max(now, self.ends.pop(job) - self.lengths.pop(job))
        if self.serial:
            for other, end in self.ends.items():
                if end - self.lengths[other] >= begin:
                    begin = self.ends[other] = begin + self.lengths[other]
