"""Which rows of 22.05 the weights of earlier tries can change (docs/slurm-cycle.md, section 15)."""

from collections.abc import Sequence

from shadowtime.console.session.slurm.limits import Limits
from shadowtime.console.session.slurm.queue import Waiting
from shadowtime.kernels.slurm.records import Measure, Outcome, Place
from shadowtime.scenarios.slurm import Capture

NO_CHOICE = frozenset(("licenses", "reservation defer"))
"""Reasons of rows that were skipped before nodes were chosen."""


class Preferred:
    """The nodes whose weight no capture shows: those on which a job under a limit on nodes is tried for now.

    A pass tries the entries of a partition until the first one that has to wait for nodes. A cycle chooses
    anew for those that it starts.
    """

    def __init__(
        self, capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], now: int
    ) -> None:
        self._limits, self._entries, self._places = Limits(capture), entries, places
        self._nodes = frozenset[str]()
        if capture.generation.rules != "22.05" or not self._limits.on:
            return
        holding = [job for job in capture.jobs if job.holding]
        scopes = {scope for job in holding for scope in self._limits.scopes(job, job.partitions[0])}
        closed: set[str] = set()
        for place in places:
            job, part = entries[place.entry].job, entries[place.entry].partition
            held = any(not scopes.isdisjoint(near.scopes) for near in self._limits.near(job, part.name))
            if held and (part.name not in closed or place.outcome == Outcome.STARTED):
                self._nodes |= frozenset(part.nodes)
            if place.start is not None and place.start > now:
                closed.add(part.name)

    def touched(self) -> list[bool]:
        """Return for each row whether other weights can change it."""
        return [
            bool(self._nodes) and self._touches(self._entries[place.entry], place) for place in self._places
        ]

    def _touches(self, entry: Waiting, place: Place) -> bool:
        if self._nodes.isdisjoint(entry.partition.nodes) or place.reason in NO_CHOICE:
            return False
        if place.outcome != Outcome.SKIPPED or place.excess is None:
            return True
        limit = self._limits.on_size(entry.job, entry.partition.name)[place.excess.limit]
        # Who asks for whole nodes holds the CPUs of those that are chosen.
        by_choice = limit.resource == "node" or entry.partition.exclusive or entry.job.request.exclusive
        # A count of jobs keeps a row out for what this cycle has started.
        return by_choice or limit.what == Measure.JOBS
