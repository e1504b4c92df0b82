"""The chain of a waiting job, as docs/operating.md defines it: the whole machine after each event."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol


class Link(NamedTuple):
    """A link; `reason` is the code of the rule of `waits`."""

    at: int
    kind: str
    change: int
    free: int | None
    job: int | None
    reason: str = ""


class Seen(Protocol):
    """A run at the limits, as it can be looked at after each of its events."""

    turns: bool
    """Whether jobs take turns."""

    def step(self) -> bool:
        """Let the next event happen; False if there is none."""

    @property
    def now(self) -> int:
        """The instant of the last event."""

    @property
    def pending(self) -> bool:
        """Whether the pass of the instant is still to come."""

    def held(self) -> Mapping[int, int]:
        """How many nodes each job has."""

    def free(self) -> int:
        """How many nodes are idle."""

    def down(self) -> int:
        """How many nodes are down."""

    def over(self, job: int) -> bool:
        """Whether a job is over."""

    def runs(self, job: int) -> bool:
        """Whether a job runs."""

    def began(self, job: int) -> int | None:
        """When a job first started."""

    def why(self, job: int) -> str:
        """The code of why a job waits."""


def chain(seen: Seen, job: int, needs: int) -> list[Link]:
    """Return the links of a waiting job up to its start, or up to the end of the run."""
    links: list[Link] = []
    held, down, rule = seen.held(), seen.down(), ""
    while True:
        if not seen.pending:
            room = seen.turns or seen.free() >= needs or job in held
            code = seen.why(job) if room else ""
            if code and code != rule:
                links.append(Link(seen.now, "waits", 0, None if seen.turns else seen.free(), job, code))
            rule = code
        if not seen.step():
            return links
        found, out = seen.held(), seen.down()
        event: list[Link] = []
        for other in sorted(set(held) - set(found)):
            kind = "ends" if seen.over(other) else "leaves"
            event.append(Link(seen.now, kind, held[other], None, other))
        if out != down:
            event.append(Link(seen.now, "down" if out > down else "up", down - out, None, None))
        for other in sorted(set(found) - set(held)):
            if other == job:
                if not seen.runs(job):
                    event.append(Link(seen.now, "assigned", -found[job], None, job))
                continue
            before = seen.began(other) not in (None, seen.now)
            event.append(Link(seen.now, "returns" if before else "starts", -found[other], None, other))
        if seen.runs(job):
            taken = found[job] if job not in held else 0
            event.append(Link(seen.now, "start", -taken, None, job))
        if not seen.turns:
            # What is free after the last link of an event is what the machine has free.
            free = seen.free() - sum(link.change for link in event)
            for place, link in enumerate(event):
                free += link.change
                event[place] = link._replace(free=free)
            before_event = links[-1].free if links else None
            assert before_event is None or before_event + sum(link.change for link in event) == seen.free()
        links += event
        if seen.runs(job):
            return links
        held, down = found, out
