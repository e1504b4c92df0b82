"""Landings: events with the state after each and what it decided, so that going there takes no step at all.

A copy does not hold what its event decided; only a step there does. If one step costs milliseconds the two
are kept together: under `conservative`, with 10,000 reservations, a completion moves thousands of them
and the slowest hundredth of the passes takes 20 ms. Whoever steps first keeps a landing for the others: the
operator, the list of events, or the look ahead.
"""

from collections import OrderedDict
from collections.abc import Mapping

import attrs

from shadowtime.console.session.facts import Reason
from shadowtime.console.session.travel.copies import Share
from shadowtime.kernels.core.decision_view import DecisionView
from shadowtime.kernels.core.simulation import Copy, Simulation

ACTS = frozenset(("start", "backfill", "preempt", "resume"))
"""The decisions that `next_decision` stops at."""
WORTH = 1e-4
"""Seconds of a step from which a landing is worth its room: taking and restoring one costs about as much."""
DECISION_BYTES = 56
"""Of one decision as the kernel keeps it."""
LIMIT_LANDINGS = 256
LIMIT_BYTES = 64 << 20
"""Bytes of all landings: about 80 of the largest with 10,000 jobs waiting, four screenfuls of events."""
LIMIT_MARKS = 1 << 16
"""Events of which it is remembered whether they started a job."""


@attrs.frozen(eq=False)
class Landing:
    """The state after one event, and what that event decided."""

    copy: Copy
    decided: DecisionView
    reasons: Mapping[int, Reason | None] = attrs.field(factory=dict)
    """Why jobs wait there, by index: of those that were looked at when it was found."""

    @classmethod
    def of(cls, simulation: Simulation) -> "Landing":
        """Return the landing of a simulation that has just made a step."""
        return cls(simulation.copy(), simulation.decisions())

    @property
    def event(self) -> int:
        return self.copy.event

    @property
    def acts(self) -> bool:
        """Whether the event started, backfilled, preempted or resumed a job."""
        return self.decided.of_kinds(ACTS)

    @property
    def size(self) -> int:
        """Bytes, about."""
        return self.copy.size + DECISION_BYTES * len(self.decided)


class Landings:
    """The landings around the cursor: those used least recently are forgotten first."""

    def __init__(self) -> None:
        self._landings: OrderedDict[int, Landing] = OrderedDict()
        self._marks: dict[int, bool] = {}
        self._size = 0

    def keep(self, landing: Landing) -> None:
        """Remember a landing, and forget the oldest ones that are too many or too big."""
        old = self._landings.pop(landing.event, None)
        self._size += landing.size - (old.size if old else 0)
        self._landings[landing.event] = landing
        self.mark(landing.event, landing.acts)
        while len(self._landings) > 1 and (len(self._landings) > LIMIT_LANDINGS or self._size > LIMIT_BYTES):
            self._size -= self._landings.popitem(last=False)[1].size

    def at(self, event: int) -> Landing | None:
        """Return the landing of an event, if it is kept."""
        return self._landings.get(event)

    def before_event(self, event: int) -> Copy | None:
        """Return the last copy that has done at most `event` events."""
        known = [number for number in self._landings if number <= event]
        return self._landings[max(known)].copy if known else None

    def mark(self, event: int, acts: bool) -> None:
        """Remember whether an event started a job."""
        if len(self._marks) >= LIMIT_MARKS:
            self._marks.clear()
        self._marks[event] = acts

    def pass_over(self, after: int, before: int) -> None:
        """Remember that no event later than `after` and earlier than `before` started a job."""
        for event in range(max(after + 1, before - LIMIT_LANDINGS), before):
            self.mark(event, False)

    def next_act(self, event: int) -> tuple[int, bool]:
        """Return the next event that started a job, and True; else the last one known not to."""
        return self._walk(event, 1)

    def last_act(self, event: int) -> tuple[int, bool]:
        """Return the last such event before, and True; else the first one known not to."""
        return self._walk(event, -1)

    def _walk(self, event: int, step: int) -> tuple[int, bool]:
        while (acts := self._marks.get(event + step)) is not None:
            event += step
            if acts:
                return event, True
        return event, False

    def all(self) -> dict[int, Landing]:
        """Return the landings as they are now, for another thread."""
        return dict(self._landings)

    def parted(self, event: int, share: Share) -> "Landings":
        """Return those of another run that has this one's past up to and with `event`."""
        landings = Landings()
        for landing in self._landings.values():
            if landing.event <= event:
                landings.keep(Landing(share(landing.copy), landing.decided))
        landings._marks |= {number: acts for number, acts in self._marks.items() if number <= event}
        return landings
